import { Link } from "react-router";

import { count } from "../format";

interface PagesProps {
  /** Whose parts these are. */
  what: string;
  label: string;
  first: number;
  step: number;
  total: number;
  address: (place: number) => string;
}

/** Which part of a long table is shown, with links to its neighbours; nothing where all is shown. */
export function Pages({ what, label, first, step, total, address }: PagesProps) {
  if (first === 0 && total <= step) return null;
  const last = Math.min(first + step, total);
  return (
    <nav className="pages" aria-label={label}>
      <span>
        {what} {first < total ? `${count(first + 1)} to ${count(last)}` : "none"} of {count(total)}
      </span>
      {first > 0 && (
        <Link rel="prev" preventScrollReset to={address(Math.max(first - step, 0))}>
          Previous
        </Link>
      )}
      {last < total && (
        <Link rel="next" preventScrollReset to={address(first + step)}>
          Next
        </Link>
      )}
    </nav>
  );
}
