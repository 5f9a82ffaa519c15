import { useQuery } from "@tanstack/react-query";
import { Navigate, useSearchParams } from "react-router";

import { PROBLEMS, authQuery, useChange, type Auth, type SignedIn } from "../../api/account";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { sentence } from "../../format";
import { EndSection } from "./EndSection";
import { IdentitySection } from "./IdentitySection";
import { PasswordSection } from "./PasswordSection";
import { SessionSection } from "./SessionSection";
import { TokenSection } from "./TokenSection";

/** What is one's own: tokens, sessions, password, and the end of the account. */
export function AccountPage() {
  const auth = useQuery(authQuery);
  return (
    <Loaded query={auth} what="who is signed in">
      {(found) =>
        found.session === null ? (
          <Navigate to="/account/sign-in" replace />
        ) : (
          <Account auth={found} who={found.session} />
        )
      }
    </Loaded>
  );
}

function Account({ auth, who }: { auth: Auth; who: SignedIn }) {
  const problem = useSearchParams()[0].get("problem");
  return (
    <Page title={who.name} heading={who.name} above="Your account" beside={<SignOut />}>
      {problem !== null && (
        <Notice kind="error">{PROBLEMS[problem] ?? "That did not work."}</Notice>
      )}
      <TokenSection role={who.role} />
      <SessionSection />
      <IdentitySection providers={auth.providers} />
      <PasswordSection name={who.name} />
      <EndSection name={who.name} />
    </Page>
  );
}

function SignOut() {
  const change = useChange();
  return (
    <>
      <button
        type="button"
        disabled={change.isPending}
        onClick={() => {
          change.mutate({ method: "POST", path: "/auth/sign-out" });
        }}
      >
        Sign out
      </button>
      {change.error !== null && <Notice kind="error">{sentence(change.error.message)}</Notice>}
    </>
  );
}
