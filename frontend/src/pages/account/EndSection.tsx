import { useChange } from "../../api/account";
import { Field } from "../../components/Field";
import { Form, text } from "../../components/Form";

/** What is kept of one, and the end of the account. */
export function EndSection({ name }: { name: string }) {
  const change = useChange();
  return (
    <section aria-labelledby="end">
      <h2 id="end">Your data</h2>
      <p>
        <a href="/api/v1/me/export" download="account.json">
          Download everything that is kept of you
        </a>{" "}
        (JSON, without secrets).
      </p>
      <details>
        <summary>Delete the account</summary>
        <p>
          Your name, password, tokens, addresses and messages go, and so do entries that do not rank.
          Entries that rank stay in their places without your name, so that the board stays true. This
          can’t be undone.
        </p>
        <Form
          action="Delete my account for good"
          busy={change.isPending}
          error={change.error}
          onSend={(values) => {
            const password = text(values, "password");
            const body = { name: text(values, "name"), password: password === "" ? null : password };
            change.mutate({ method: "POST", path: "/me/account/delete", body });
          }}
        >
          {(fault) => (
            <>
              <Field
                label={`Type ${name} to confirm`}
                name="name"
                autoComplete="off"
                fault={fault("name")}
              />
              <Field
                label="Your password"
                name="password"
                type="password"
                autoComplete="current-password"
                fault={fault("password")}
              />
            </>
          )}
        </Form>
      </details>
    </section>
  );
}
