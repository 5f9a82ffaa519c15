import { expect, test } from "vitest";

import { selectionOf, selectionWords, words } from "./selection";

function form(values: [string, string][]): FormData {
  const data = new FormData();
  for (const [name, value] of values) data.append(name, value);
  return data;
}

test("an empty form selects every finished cell", () => {
  expect(selectionOf(form([]), 0)).toEqual({
    submissions: [],
    families: [],
    states: ["done"],
    side: null,
    protocol: null,
    evaluator_before: null,
    torch: null,
    device: null,
    finished_before: null,
  });
});

test("ids stand between spaces, commas or lines, families between commas", () => {
  expect(words(" A1, B2\nA1  C3 ")).toEqual(["A1", "B2", "C3"]);
  const found = selectionOf(form([["families", "GCN, R-GCN , ,GCN"]]), 0);
  expect(found.families).toEqual(["GCN", "R-GCN"]);
});

test("an age is counted back from now", () => {
  const now = Date.parse("2026-03-11T12:00:00Z");
  const found = selectionOf(form([["older_than_days", "10"], ["state", "dead"]]), now);
  expect(found.finished_before).toBe("2026-03-01T12:00:00.000Z");
  expect(found.states).toEqual(["dead"]);
});

test("a stored selection is told in words", () => {
  expect(selectionWords({})).toEqual(["every finished cell of the board"]);
  expect(selectionWords({ side: "attack", states: ["failed", "dead"] })).toEqual([
    "counted on the side: attack",
    "in state: failed, dead",
  ]);
});
