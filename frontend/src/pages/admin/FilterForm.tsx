import type { ReactNode } from "react";
import { Link, useSearchParams } from "react-router";

import type { Filters } from "../../api/admin";

/** What the address filters by, of these names, and where its page begins. */
export function useFilters(names: readonly string[]): Filters {
  const [search] = useSearchParams();
  return Object.fromEntries([...names, "cursor"].map((name) => [name, search.get(name) ?? ""]));
}

/** Filters that go into the address once they are sent. */
export function FilterForm({ what, children }: { what: string; children: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  return (
    <form
      className="filters"
      role="search"
      aria-label={`Choose ${what}`}
      key={search.toString()}
      onSubmit={(event) => {
        event.preventDefault();
        const chosen = [...new FormData(event.currentTarget)].flatMap(([name, value]) =>
          typeof value === "string" && value.trim() !== "" ? [[name, value.trim()]] : [],
        );
        setSearch(chosen as [string, string][]);
      }}
    >
      {children}
      <button type="submit">Show</button>
    </form>
  );
}

/** Links to the first page and to the next; nothing where one page holds all. */
export function CursorLinks({ what, next }: { what: string; next: string | null }) {
  const [search] = useSearchParams();
  const at = (cursor: string | null) => {
    const there = new URLSearchParams(search);
    if (cursor === null) there.delete("cursor");
    else there.set("cursor", cursor);
    return `?${there.toString()}`;
  };
  if (next === null && !search.has("cursor")) return null;
  return (
    <nav className="pages" aria-label={`Pages of ${what}`}>
      {search.has("cursor") && <Link to={at(null)}>Newest</Link>}
      {next === null ? <span>The oldest are here</span> : <Link to={at(next)}>Older</Link>}
    </nav>
  );
}
