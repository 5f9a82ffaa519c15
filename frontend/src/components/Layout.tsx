import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { Link, NavLink, NavigationType, Outlet, useLocation, useNavigationType } from "react-router";

import { authQuery } from "../api/account";

/** Who is signed in, or where to do it. */
function AccountLink() {
  const session = useQuery(authQuery).data?.session;
  return session ? (
    <>
      {session.role === "admin" && (
        <NavLink key="admin" className="account" to="/admin">
          Admin
        </NavLink>
      )}
      <NavLink className={session.role === "admin" ? "" : "account"} to="/mine">
        Mine
      </NavLink>
      <NavLink to="/account">{session.name}</NavLink>
    </>
  ) : (
    <NavLink key="in" className="account" to="/account/sign-in">
      Sign in
    </NavLink>
  );
}

const PATIENCE = 10_000; // milliseconds for which a part that is not there yet is waited for

/** Leads to the part of the page that the address names, once it is there; not on the way back. */
function usePart(): void {
  const { hash, key } = useLocation();
  const arrival = useNavigationType();
  const first = useRef(true);
  useEffect(() => {
    const back = arrival === NavigationType.Pop && !first.current;
    first.current = false;
    if (hash === "" || back) return;
    const found = () => {
      const part = document.getElementById(partOf(hash));
      part?.closest("details")?.setAttribute("open", "");
      if (part !== null && isHidden(part)) return false; // below what is still read
      const top = part?.getBoundingClientRect().top ?? -1;
      if (part !== null && (top < 0 || top > window.innerHeight / 2)) part.scrollIntoView();
      return part !== null;
    };
    if (found()) return;
    const watch = new MutationObserver(() => {
      if (found()) watch.disconnect();
    });
    const end = () => {
      watch.disconnect();
    };
    watch.observe(document.body, { childList: true, subtree: true });
    const timer = setTimeout(end, PATIENCE);
    // who moves by themselves is not moved
    for (const act of ACTS) window.addEventListener(act, end);
    return () => {
      end();
      clearTimeout(timer);
      for (const act of ACTS) window.removeEventListener(act, end);
    };
  }, [hash, key, arrival]);
}

function isHidden(part: HTMLElement): boolean {
  return "checkVisibility" in part && !part.checkVisibility();
}

const ACTS = ["wheel", "touchmove", "keydown"];

function partOf(hash: string): string {
  try {
    return decodeURIComponent(hash.slice(1));
  } catch {
    return hash.slice(1); // a stray % in it
  }
}

/** The frame of every page: skip link, masthead, main, footer. */
export function Layout() {
  const { pathname } = useLocation();
  const arrival = useNavigationType();
  const main = useRef<HTMLElement>(null);
  const last = useRef(pathname);

  useEffect(() => {
    if (last.current === pathname) return;
    last.current = pathname;
    main.current?.focus({ preventScroll: true });
    if (arrival !== NavigationType.Pop) window.scrollTo(0, 0);
  }, [pathname, arrival]);
  usePart();

  return (
    <>
      <a className="skip" href="#content">
        Skip to the content
      </a>
      <header className="masthead">
        <div className="masthead-inner">
          <Link className="brand" to="/">
            <img src="/icon.svg" width="28" height="28" alt="" />
            <span>Graph Robustness Leaderboard</span>
          </Link>
          <nav aria-label="Site">
            <NavLink to="/" end>
              Boards
            </NavLink>
            <NavLink to="/submissions">Submissions</NavLink>
            <NavLink to="/submit">Submit</NavLink>
            <NavLink to="/status">Status</NavLink>
            <NavLink to="/guide">Guide</NavLink>
            <NavLink to="/docs">API</NavLink>
            <AccountLink />
          </nav>
        </div>
      </header>
      <main id="content" tabIndex={-1} ref={main}>
        <Outlet />
      </main>
      <footer className="footer">
        <p>
          Scores are accuracies in percent, or errors in standard deviations of the labels: the mean over
          repeats ± the population standard deviation. Metrics follow the Graph Robustness Benchmark (GRB).{" "}
          <Link to="/about">Limits, proposing something, citing</Link>
        </p>
      </footer>
    </>
  );
}
