import { useState } from "react";
import { Link } from "react-router";

import { useChange } from "../../api/account";
import { Field } from "../../components/Field";
import { Form, text } from "../../components/Form";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";

/** Set another password by the link of a mail, whose secret is behind the # of the address. */
export function ResetPage() {
  const [token] = useState(() => window.location.hash.slice(1));
  const change = useChange();
  return (
    <Page title="Another password" heading="Another password">
      {token === "" ? (
        <Notice kind="error">
          The link is cut short. <Link to="/account/sign-in">Ask for another</Link>.
        </Notice>
      ) : change.isSuccess ? (
        <Notice kind="done">
          Your password is set, and you are signed out everywhere.{" "}
          <Link to="/account/sign-in">Sign in</Link>
        </Notice>
      ) : (
        <Form
          action="Set the password"
          busy={change.isPending}
          error={change.error}
          onSend={(values) => {
            const body = { token, password: text(values, "password") };
            change.mutate({ method: "POST", path: "/auth/reset/password", body });
          }}
        >
          {(fault) => (
            <Field
              label="New password"
              name="password"
              type="password"
              autoComplete="new-password"
              hint="At least 12 characters; a few words make a good one."
              fault={fault("password")}
            />
          )}
        </Form>
      )}
    </Page>
  );
}
