import { useQuery } from "@tanstack/react-query";
import { Link, useLocation } from "react-router";

import { boardAddress } from "../address";
import { boardsQuery } from "../api/queries";
import { Page } from "../components/Page";
import { nearest } from "./nearest";

const PLACES = [
  ["/submissions", "the newest submissions"],
  ["/submit", "submitting a file"],
  ["/compare", "entries side by side"],
  ["/status", "the status of the service"],
  ["/guide", "the guide"],
  ["/about", "about this service"],
  ["/studies", "studies"],
  ["/mine", "your submissions"],
  ["/account", "your account"],
] as const;

/** Pages that the service makes by itself, without this one. */
const APART: readonly string[] = ["/studies"];

/** What to do where there is no page: what was perhaps meant, and what there is. */
export function NotFoundPage() {
  const { pathname } = useLocation();
  const { data: boards = [], isPending, failureReason } = useQuery(boardsQuery);
  const known = [...boards.map(({ id }) => boardAddress(id)), ...PLACES.map(([path]) => path)];
  const meant = nearest(pathname, known);
  return (
    <Page title="Page not found" heading="There is no page at this address">
      <p>
        <code>{pathname}</code> is not an address of this site. It may be misspelt, or the link that
        led here is out of date.
      </p>
      {isPending && failureReason === null && <p className="loading">Reading what there is …</p>}
      {meant !== null && (
        <p>
          Perhaps <Link to={meant} reloadDocument={APART.includes(meant)}>{meant}</Link> was meant.
        </p>
      )}
      <p>These exist:</p>
      <ul className="plain-list">
        <li>
          <Link to="/">the boards</Link>
          {boards.length > 0 && ": "}
          {boards.map(({ id }, place) => (
            <span key={id}>
              {place > 0 && ", "}
              <Link to={boardAddress(id)}>{id}</Link>
            </span>
          ))}
        </li>
        {PLACES.map(([path, name]) => (
          <li key={path}>
            <Link to={path} reloadDocument={APART.includes(path)}>
              {name}
            </Link>
          </li>
        ))}
        <li>
          a submission, as <code>/submissions/…</code>, and a cell, as <code>/cells/…</code>, with
          its identifier of 26 characters
        </li>
      </ul>
    </Page>
  );
}

interface MissingProps {
  kind: "board" | "submission" | "cell" | "snapshot" | "season";
  id: string;
}

/** The address is well formed, but nothing of this identifier exists. */
export function Missing({ kind, id }: MissingProps) {
  return (
    <div role="alert">
      <p>
        This service knows no {kind} <code>{id}</code>. The link may be cut short, or belong to
        another service{(kind === "submission" || kind === "cell") && "; or it is not public"}.
      </p>
      <p>
        See <Link to="/">the boards</Link> or <Link to="/submissions">the newest submissions</Link>.
      </p>
    </div>
  );
}
