import { describe, expect, it } from "vitest";

import { ACCURACIES, ERRORS } from "../../../scores";
import { defenses, entry } from "../../../testing/fixtures";
import { graphDefenses } from "../../../testing/graphs";
import { scaleOf } from "./Interval";
import { NO_FILTERS, choices, filtersInUse, matches, needsAll, sorted, tableAddress, tableState } from "./state";

const rows = [
  { ...entry("1", "GCN+LN", { authors: "Ann Example", is_reference: true }) },
  { ...entry("2", "GIN", { authors: "Bob", family: "GIN+AT", architecture: "GIN", adversarially_trained: true, flags: ["high-variance"] }) },
  { ...entry("3", "gcn again", { authors: "Bob", team: "The team", best_of_family: false, best_of_team: false }) },
].map((of) => ({ ...defenses.rows[0], rank: 1, interval: null, worst: null, breaks: null, metrics: {}, clean: null, entry: of }));

function found(change: Partial<typeof NO_FILTERS>): string[] {
  return rows.filter((row) => matches(row, { ...NO_FILTERS, ...change })).map(({ entry: { id } }) => id);
}

describe("what of a table the address holds", () => {
  it("is read as it was written", () => {
    const state = {
      sort: { column: "clean", descending: true },
      filters: { ...NO_FILTERS, find: "a & b", family: "GCN+AT", flag: "below-floor", kind: "upload", trained: "yes", best: "team" },
      hidden: ["n", "ranks"],
      place: 200,
    } as const;
    const parts = Object.entries(tableAddress(state, "defense")).flatMap(([name, value]) =>
      value === null ? [] : [[name, value]],
    );
    const search = new URLSearchParams(new URLSearchParams(parts).toString());
    expect(tableState(search, "defense")).toEqual(state);
    expect(tableState(search, "attack").filters).toEqual(NO_FILTERS);
  });

  it("is the default where it is misspelt, and then nothing of it is in the address", () => {
    const search = new URLSearchParams("defenses=x&defenses.kind=both&defenses.trained=1&defenses.best=yes");
    const state = tableState(search, "defense");
    expect(state).toEqual({ sort: null, filters: NO_FILTERS, hidden: [], place: 0 });
    expect(new Set(Object.values(tableAddress(state, "defense")))).toEqual(new Set([null]));
  });

  it("needs every row where it sorts, searches or filters", () => {
    const state = tableState(new URLSearchParams("attacks=100&attacks.hide=n"), "attack");
    expect(needsAll(state)).toBe(false);
    expect(needsAll({ ...state, sort: { column: "n", descending: false } })).toBe(true);
    expect(needsAll({ ...state, filters: { ...NO_FILTERS, find: "x" } })).toBe(true);
    expect(needsAll({ ...state, filters: { ...NO_FILTERS, best: "team" } })).toBe(true);
  });
});

describe("the filters", () => {
  it("find words in names, authors and teams, whatever their case and order", () => {
    expect(found({ find: "GCN" })).toEqual(["1", "3"]);
    expect(found({ find: "bob  gcn" })).toEqual(["3"]);
    expect(found({ find: "the TEAM" })).toEqual(["3"]);
    expect(found({ find: "  " })).toEqual(["1", "2", "3"]);
  });

  it("choose by family, architecture, author, kind, training and best", () => {
    expect(found({ family: "GIN+AT" })).toEqual(["2"]);
    expect(found({ detail: "GCN" })).toEqual(["1", "3"]);
    expect(found({ author: "bob" })).toEqual(["2", "3"]);
    expect(found({ flag: "high-variance" })).toEqual(["2"]);
    expect(found({ flag: "graph-agnostic" })).toEqual([]);
    expect(found({ kind: "reference" })).toEqual(["1"]);
    expect(found({ kind: "upload" })).toEqual(["2", "3"]);
    expect(found({ trained: "yes" })).toEqual(["2"]);
    expect(found({ trained: "no", best: "submitter" })).toEqual(["1"]);
    expect(found({ best: "team" })).toEqual(["1", "2"]);
  });

  it("are counted without the search", () => {
    expect(filtersInUse({ ...NO_FILTERS, find: "x", best: "team", author: "y" })).toBe(2);
  });

  it("offer each value once, in order", () => {
    expect(choices(rows, ({ family }) => family)).toEqual(["GCN", "GIN+AT"]);
    expect(choices(rows, ({ surrogate }) => surrogate)).toEqual([]);
  });
});

describe("the scale of intervals", () => {
  it("holds every score (84.213 and 33.01 %) with its interval (82 to 86 %), between whole percents", () => {
    expect(scaleOf(defenses.rows, "full", "weighted", ACCURACIES)).toEqual({ low: 0.33, high: 0.86 });
  });

  it("goes beyond 1 where errors do (0.51 to 1.35), and never where accuracies would", () => {
    expect(scaleOf(graphDefenses.rows, "mean", "weighted", ERRORS)).toEqual({ low: 0.51, high: 1.35 });
    expect(scaleOf(graphDefenses.rows, "mean", "weighted", ACCURACIES).high).toBe(1);
  });

  it("is everything where there is nothing", () => {
    expect(scaleOf(defenses.rows, "hard", "weighted", ACCURACIES)).toEqual({ low: 0, high: 1 });
  });
});

describe("sorting", () => {
  const given = [{ v: 2 }, { v: undefined }, { v: 10 }, { v: 1 }];
  const of = ({ v }: { v: number | undefined }) => v;

  it("goes by the value, either way, with what has none last", () => {
    expect(sorted(given, of, false).map(of)).toEqual([1, 2, 10, undefined]);
    expect(sorted(given, of, true).map(of)).toEqual([10, 2, 1, undefined]);
  });

  it("keeps the order of what is equal, and takes numbers in words for numbers", () => {
    const words = [["GCN 10"], ["gcn 9"], ["GCN 9"]];
    expect(sorted(words, ([word]) => word, false)).toEqual([["gcn 9"], ["GCN 9"], ["GCN 10"]]);
  });
});
