/** What of a ranking's table the address holds: order, filters, columns, part.  Nothing here renumbers. */
import type { LeaderboardRow, Side } from "../../../api/types";

export interface Sort {
  column: string;
  descending: boolean;
}

export const KINDS = ["reference", "upload"] as const;
export const TRAINED = ["yes", "no"] as const;
/** Of whose entries of a family only the first is shown. */
export const BEST = ["submitter", "team"] as const;

/** Which entries are shown; "" is every one. */
export interface Filters {
  find: string;
  family: string;
  detail: string;
  author: string;
  /** The code of a flag. */
  flag: string;
  kind: (typeof KINDS)[number] | "";
  trained: (typeof TRAINED)[number] | "";
  best: (typeof BEST)[number] | "";
}

export interface TableState {
  sort: Sort | null;
  filters: Filters;
  hidden: readonly string[];
  place: number;
}

export const NO_FILTERS: Filters = {
  find: "",
  family: "",
  detail: "",
  author: "",
  flag: "",
  kind: "",
  trained: "",
  best: "",
};

const TEXTS = ["find", "family", "detail", "author", "flag"] as const;
const LONGEST = 200;

/** The state of one side's table; what the address misspells is the default. */
export function tableState(search: URLSearchParams, side: Side): TableState {
  const named = (name: string) => (search.get(`${side}s.${name}`) ?? "").slice(0, LONGEST);
  const place = search.get(`${side}s`) ?? "";
  const sort = named("sort");
  return {
    sort:
      sort === ""
        ? null
        : { column: sort.replace(/^-/, ""), descending: sort.startsWith("-") },
    filters: {
      find: named("find"),
      family: named("family"),
      detail: named("detail"),
      author: named("author"),
      flag: named("flag"),
      kind: KINDS.find((one) => one === named("kind")) ?? "",
      trained: TRAINED.find((one) => one === named("trained")) ?? "",
      best: BEST.find((one) => one === named("best")) ?? "",
    },
    hidden: named("hide").split(",").filter(Boolean),
    place: /^[0-9]{1,6}$/.test(place) ? Number(place) : 0,
  };
}

/** The parts of the address of one side's table; null is what it leaves out. */
export function tableAddress(state: TableState, side: Side): Record<string, string | null> {
  const { sort, filters, hidden, place } = state;
  const texts = TEXTS.map((name) => [name, filters[name]] as const);
  const parts: (readonly [string, string])[] = [
    ["sort", sort === null ? "" : `${sort.descending ? "-" : ""}${sort.column}`],
    ...texts,
    ["kind", filters.kind],
    ["trained", filters.trained],
    ["best", filters.best],
    ["hide", hidden.join(",")],
  ];
  return {
    [`${side}s`]: place > 0 ? String(place) : null,
    ...Object.fromEntries(parts.map(([name, value]) => [`${side}s.${name}`, value || null])),
  };
}

/** How many filters choose among the entries, the search left out. */
export function filtersInUse(filters: Filters): number {
  return Object.entries(filters).filter(([name, value]) => name !== "find" && Boolean(value)).length;
}

/** Whether all rows are needed: a part of the ranking is not enough to sort or to search. */
export function needsAll({ sort, filters }: TableState): boolean {
  return sort !== null || filters.find.trim() !== "" || filtersInUse(filters) > 0;
}

function holds(text: string | null, words: string): boolean {
  return (text ?? "").toLowerCase().includes(words);
}

/** Whether a row is shown: every word of the search is in its name, authors or team. */
export function matches({ entry }: LeaderboardRow, filters: Filters): boolean {
  if (entry === null) return false;
  const about = [entry.name, entry.authors, entry.team];
  const words = filters.find.toLowerCase().split(/\s+/).filter(Boolean);
  return (
    words.every((word) => about.some((text) => holds(text, word))) &&
    (filters.family === "" || entry.family === filters.family) &&
    (filters.detail === "" || (entry.architecture ?? entry.surrogate) === filters.detail) &&
    holds(entry.authors, filters.author.trim().toLowerCase()) &&
    (filters.kind === "" || entry.is_reference === (filters.kind === "reference")) &&
    (filters.flag === "" || entry.flags.includes(filters.flag)) &&
    (filters.trained === "" || entry.adversarially_trained === (filters.trained === "yes")) &&
    (filters.best !== "submitter" || entry.best_of_family) &&
    (filters.best !== "team" || entry.best_of_team)
  );
}

/** What a column sorts by; undefined where a row has nothing of it. */
export type Value = string | number | undefined;

/** Rows in the order of a value; those without one are last either way, equal ones stay in order. */
export function sorted<T>(rows: readonly T[], of: (row: T) => Value, descending: boolean): T[] {
  const sign = descending ? -1 : 1;
  const valued = rows.map((row) => ({ row, value: of(row) }));
  return valued
    .sort(({ value: one }, { value: other }) => {
      if (one === undefined || other === undefined) {
        return Number(one === undefined) - Number(other === undefined);
      }
      return sign * compare(one, other);
    })
    .map(({ row }) => row);
}

function compare(one: string | number, other: string | number): number {
  if (typeof one === "number" && typeof other === "number") return one - other;
  return collator.compare(String(one), String(other));
}

const collator = new Intl.Collator("en", { numeric: true, sensitivity: "base" });

/** The values that a filter offers, each once, in the order of their letters. */
export function choices(
  rows: readonly LeaderboardRow[],
  of: (entry: NonNullable<LeaderboardRow["entry"]>) => string | null,
): string[] {
  const found = new Set(rows.flatMap(({ entry }) => (entry && of(entry)) ?? []));
  return [...found].sort((one, other) => collator.compare(one, other));
}
