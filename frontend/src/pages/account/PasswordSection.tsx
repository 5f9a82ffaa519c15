import { useChange } from "../../api/account";
import { Field } from "../../components/Field";
import { Form, text } from "../../components/Form";
import { Notice } from "../../components/Notice";

/** Another password. */
export function PasswordSection({ name }: { name: string }) {
  const change = useChange();
  return (
    <section aria-labelledby="password">
      <h2 id="password">Password</h2>
      {change.isSuccess && (
        <Notice kind="done">Your password is changed; every other session has ended.</Notice>
      )}
      <Form
        action="Change the password"
        busy={change.isPending}
        error={change.error}
        onSend={(values) => {
          const current = text(values, "current");
          const body = { current: current === "" ? null : current, new: text(values, "new") };
          change.mutate({ method: "PUT", path: "/me/password", body });
        }}
      >
        {(fault) => (
          <>
            <input type="hidden" name="username" autoComplete="username" value={name} />
            <Field
              label="Password now"
              name="current"
              type="password"
              autoComplete="current-password"
              hint="Empty if you have none yet."
              fault={fault("current")}
            />
            <Field
              label="New password"
              name="new"
              type="password"
              autoComplete="new-password"
              hint="At least 12 characters; a few words make a good one."
              fault={fault("new")}
            />
          </>
        )}
      </Form>
    </section>
  );
}
