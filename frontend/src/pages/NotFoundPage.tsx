import { Link, useLocation } from "react-router";

import { Page } from "../components/Page";

/** What to do where there is no page. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  return (
    <Page title="Page not found" heading="There is no page at this address">
      <p>
        <code>{pathname}</code> is not an address of this site. It may be misspelt, or the link that
        led here is out of date.
      </p>
      <p>These exist:</p>
      <ul>
        <li>
          <Link to="/">the boards</Link>
        </li>
        <li>
          <Link to="/submissions">the newest submissions</Link>
        </li>
        <li>
          a board, as <code>/boards/digits/injection@1</code>
        </li>
        <li>
          a submission, as <code>/submissions/…</code>, and a cell, as <code>/cells/…</code>, with
          its identifier of 26 characters
        </li>
      </ul>
    </Page>
  );
}

interface MissingProps {
  kind: "board" | "submission" | "cell";
  id: string;
}

/** The address is well formed, but nothing of this identifier exists. */
export function Missing({ kind, id }: MissingProps) {
  return (
    <div role="alert">
      <p>
        This service knows no {kind} <code>{id}</code>. The link may be cut short, or belong to
        another service.
      </p>
      <p>
        See <Link to="/">the boards</Link> or <Link to="/submissions">the newest submissions</Link>.
      </p>
    </div>
  );
}
