import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "react-router";

import { authQuery, useChange, type Auth } from "../../api/account";
import { Field } from "../../components/Field";
import { Form, text } from "../../components/Form";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { ProviderButtons } from "./ProviderButtons";

/** Make an account, where anybody may. */
export function SignUpPage() {
  const auth = useQuery(authQuery);
  return (
    <Page title="Sign up" heading="Sign up">
      <Loaded query={auth} what="how to sign up">
        {(found) => (
          <>
            {found.sign_up === "open" ? <SignUp auth={found} /> : <Closed />}
            {found.sign_up !== "closed" && <ProviderButtons providers={found.providers} />}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Closed() {
  return (
    <Notice kind="note">
      Who runs this service makes the accounts here. <Link to="/account/sign-in">Sign in</Link> if
      you have one.
    </Notice>
  );
}

function SignUp({ auth }: { auth: Auth }) {
  const navigate = useNavigate();
  const change = useChange<{ confirm: string | null; session: object | null }>(({ session }) => {
    if (session !== null) void navigate("/account");
  });
  if (change.data?.session === null) {
    return (
      <Notice kind="warning">
        A mail with a link is on its way to {change.data.confirm}. Follow it, then{" "}
        <Link to="/account/sign-in">sign in</Link>.
      </Notice>
    );
  }
  return (
    <Form
      action="Sign up"
      busy={change.isPending}
      error={change.error}
      onSend={(values) => {
        const email = text(values, "email");
        const body = {
          name: text(values, "name"),
          password: text(values, "password"),
          ...(email === "" ? {} : { email }),
        };
        change.mutate({ method: "POST", path: "/auth/sign-up", body });
      }}
    >
      {(fault) => (
        <>
          <Field
            label="Name"
            name="name"
            autoComplete="username"
            hint="Shown beside your entries. Small letters, digits, dots, dashes and underscores."
            fault={fault("name")}
          />
          <Field
            label="Password"
            name="password"
            type="password"
            autoComplete="new-password"
            hint="At least 12 characters; a few words make a good one."
            fault={fault("password")}
          />
          {auth.mail && (
            <Field
              label={auth.confirm_email ? "Mail address" : "Mail address (optional)"}
              name="email"
              type="email"
              autoComplete="email"
              hint="Never shown. It sets another password if you forget yours."
              fault={fault("email")}
            />
          )}
        </>
      )}
    </Form>
  );
}
