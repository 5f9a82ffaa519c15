import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { signInAddress, submitAddress } from "../../address";
import { authQuery } from "../../api/account";
import { minePagesQuery } from "../../api/queries";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { SubmissionPages } from "../../components/SubmissionPages";
import { Unfinished } from "../submit/Unfinished";
import { NotificationSection } from "./NotificationSection";
import { QuotaSection } from "./QuotaSection";

/** What one has submitted, what is left of one's quotas, and where one is told. */
export function MinePage() {
  const auth = useQuery(authQuery);
  return (
    <Page
      title="My submissions"
      heading="My submissions"
      beside={<Link to={submitAddress()}>Submit a file</Link>}
    >
      <Loaded query={auth} what="who is signed in">
        {({ session }) => (session === null ? <SignedOut /> : <Mine />)}
      </Loaded>
    </Page>
  );
}

function SignedOut() {
  return (
    <Notice kind="note">
      <p>
        This page is about what is yours. <Link to={signInAddress("/mine")}>Sign in</Link>, and you
        come back here; or ask with a token: <code>grb status</code>.
      </p>
    </Notice>
  );
}

function Mine() {
  const pages = useInfiniteQuery(minePagesQuery);
  return (
    <>
      <SubmissionPages
        pages={pages}
        what="your submissions"
        caption="Newest first. Each is changed, made public, withdrawn or deleted on its own page."
        none={
          <>
            You have not submitted anything yet. <Link to={submitAddress()}>Submit a file</Link>.
          </>
        }
        withBoard
      />
      <Unfinished />
      <QuotaSection />
      <NotificationSection />
      <section aria-labelledby="tokens">
        <h2 id="tokens">Tokens</h2>
        <p>
          The commands of <code>grb</code> and the API take a token;{" "}
          <Link to="/account#tokens">make and revoke them on your account’s page</Link>.
        </p>
      </section>
    </>
  );
}
