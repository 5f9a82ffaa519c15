import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link, NavLink, useLocation } from "react-router";

import { signInAddress } from "../../address";
import { authQuery } from "../../api/account";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";

const SECTIONS = [
  ["", "Now"],
  ["/users", "Users"],
  ["/entries", "Entries"],
  ["/uploads", "Refused files"],
  ["/reevaluations", "Re-evaluations"],
  ["/boards", "Versions"],
  ["/seasons", "Seasons"],
  ["/audit", "Audit log"],
] as const;

interface AdminFrameProps {
  heading: string;
  beside?: ReactNode;
  children: ReactNode;
}

/** A page of the admins' part: its sections, and who else is told that it is not for them. */
export function AdminFrame({ heading, beside, children }: AdminFrameProps) {
  const auth = useQuery(authQuery);
  return (
    <Page title={`${heading}, admin`} heading={heading} above="Admin" beside={beside}>
      <Loaded query={auth} what="who is signed in">
        {({ session }) =>
          session?.role === "admin" ? (
            <>
              <nav className="sections" aria-label="Admin">
                <ul>
                  {SECTIONS.map(([path, name]) => (
                    <li key={path}>
                      <NavLink to={`/admin${path}`} end={path === ""}>
                        {name}
                      </NavLink>
                    </li>
                  ))}
                </ul>
              </nav>
              {children}
            </>
          ) : (
            <NotAllowed name={session?.name ?? null} />
          )
        }
      </Loaded>
    </Page>
  );
}

function NotAllowed({ name }: { name: string | null }) {
  const { pathname, search } = useLocation();
  return (
    <Notice kind="warning">
      {name === null ? (
        <p>
          This part is for admins. <Link to={signInAddress(pathname + search)}>Sign in</Link> as one of
          them to see it.
        </p>
      ) : (
        <p>
          This part is for admins, and {name} is not one. Who runs this service can make you one. What
          happens at the moment is on <Link to="/status">the status page</Link> for everybody.
        </p>
      )}
    </Notice>
  );
}
