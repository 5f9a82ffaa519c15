import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, Navigate, useNavigate, useSearchParams } from "react-router";

import { nextOf } from "../../address";
import { PROBLEMS, authQuery, useChange, type Auth } from "../../api/account";
import { Field } from "../../components/Field";
import { Form, text } from "../../components/Form";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { ProviderButtons } from "./ProviderButtons";

/** Sign in by name and password, or elsewhere. */
export function SignInPage() {
  const auth = useQuery(authQuery);
  const [search] = useSearchParams();
  const problem = search.get("problem");
  const next = nextOf(search);
  return (
    <Page title="Sign in" heading="Sign in">
      {problem !== null && (
        <Notice kind="error">{PROBLEMS[problem] ?? "You could not be signed in."}</Notice>
      )}
      <Loaded query={auth} what="how to sign in">
        {(found) =>
          found.session === null ? (
            <SignIn auth={found} next={next} />
          ) : (
            <Navigate to={next} replace />
          )
        }
      </Loaded>
    </Page>
  );
}

function SignIn({ auth, next }: { auth: Auth; next: string }) {
  const navigate = useNavigate();
  const change = useChange(() => void navigate(next));
  return (
    <>
      <Form
        action="Sign in"
        busy={change.isPending}
        error={change.error}
        onSend={(values) => {
          const body = { name: text(values, "name"), password: text(values, "password") };
          change.mutate({ method: "POST", path: "/auth/sign-in", body });
        }}
      >
        {(fault) => (
          <>
            <Field label="Name" name="name" autoComplete="username" fault={fault("name")} />
            <Field
              label="Password"
              name="password"
              type="password"
              autoComplete="current-password"
              fault={fault("password")}
            />
          </>
        )}
      </Form>
      <ProviderButtons providers={auth.providers} next={next} />
      {auth.sign_up === "open" && (
        <p>
          No account yet? <Link to="/account/sign-up">Sign up</Link>
        </p>
      )}
      {auth.mail ? <Forgotten /> : <p>Who runs this service sets another password for you.</p>}
    </>
  );
}

function Forgotten() {
  const [address, setAddress] = useState("");
  const change = useChange();
  return (
    <details className="forgotten">
      <summary>Forgot your password?</summary>
      {change.isSuccess ? (
        <Notice kind="done">
          If an account has confirmed {address}, a mail with a link is on its way there.
        </Notice>
      ) : (
        <Form
          action="Send me a link"
          busy={change.isPending}
          error={change.error}
          onSend={(values) => {
            setAddress(text(values, "email"));
            const body = { email: text(values, "email") };
            change.mutate({ method: "POST", path: "/auth/reset", body });
          }}
        >
          {(fault) => (
            <Field
              label="Mail address of your account"
              name="email"
              type="email"
              autoComplete="email"
              fault={fault("email")}
            />
          )}
        </Form>
      )}
    </details>
  );
}
