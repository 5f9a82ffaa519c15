import { useEffect, useRef, type ReactNode } from "react";
import { Link, useSearchParams } from "react-router";

import { changed } from "../../address";
import type { Filters } from "../../api/admin";

/** What the address filters by, of these names, and where its page begins. */
export function useFilters(names: readonly string[]): Filters {
  const [search] = useSearchParams();
  return Object.fromEntries([...names, "cursor"].map((name) => [name, search.get(name) ?? ""]));
}

/** Filters that go into the address once they are sent; the field that sent them keeps the focus. */
export function FilterForm({ what, children }: { what: string; children: ReactNode }) {
  const [search, setSearch] = useSearchParams();
  const form = useRef<HTMLFormElement>(null);

  // a link or the way back may filter by something else
  useEffect(() => {
    for (const field of form.current?.elements ?? []) {
      if (field instanceof HTMLInputElement || field instanceof HTMLSelectElement) {
        field.value = search.get(field.name) ?? "";
      }
    }
  }, [search]);

  return (
    <form
      className="filters"
      role="search"
      aria-label={`Choose ${what}`}
      ref={form}
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
  if (next === null && !search.has("cursor")) return null;
  return (
    <nav className="pages" aria-label={`Pages of ${what}`}>
      {search.has("cursor") && <Link to={changed(search, { cursor: null })}>Newest</Link>}
      {next === null ? <span>The oldest are here</span> : <Link to={changed(search, { cursor: next })}>Older</Link>}
    </nav>
  );
}
