import { useEffect, type ReactNode } from "react";

const SITE = "Graph Robustness Leaderboard";

interface PageProps {
  /** What the browser's tab says, before the site's name. */
  title: string;
  heading: ReactNode;
  /** A line above the heading that says where the reader is. */
  above?: ReactNode;
  /** State or actions beside the heading. */
  beside?: ReactNode;
  children: ReactNode;
}

/** One page: its title, its only h1, its content. */
export function Page({ title, heading, above, beside, children }: PageProps) {
  useEffect(() => {
    document.title = title === SITE ? SITE : `${title} · ${SITE}`;
  }, [title]);

  return (
    <div className="page">
      <div className="page-head">
        {above !== undefined && <p className="above">{above}</p>}
        <div className="page-title">
          <h1>{heading}</h1>
          {beside}
        </div>
      </div>
      {children}
    </div>
  );
}
