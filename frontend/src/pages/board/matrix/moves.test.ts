import { describe, expect, it } from "vitest";

import { inside, movedBy } from "./moves";

const SIZE = { rows: 30, columns: 5 };

describe("keys in the matrix", () => {
  it.each([
    ["ArrowRight", false, { row: 0, column: 0 }, { row: 0, column: 1 }],
    ["ArrowRight", false, { row: 0, column: 4 }, { row: 0, column: 4 }],
    ["ArrowUp", false, { row: 0, column: 2 }, { row: -1, column: 2 }],
    ["ArrowUp", false, { row: 0, column: -1 }, { row: 0, column: -1 }],
    ["PageDown", false, { row: 25, column: 2 }, { row: 29, column: 2 }],
    ["PageUp", false, { row: 25, column: 2 }, { row: 15, column: 2 }],
    ["Home", false, { row: 3, column: 3 }, { row: 3, column: -1 }],
    ["Home", true, { row: 3, column: 3 }, { row: 0, column: -1 }],
    ["End", true, { row: 3, column: 3 }, { row: 29, column: 4 }],
  ])("%s (control: %s) leads from %o to %o", (key, control, from, to) => {
    expect(movedBy(key, control, from, SIZE)).toEqual(to);
  });

  it("that mean nothing lead nowhere", () => {
    expect(movedBy("a", false, { row: 0, column: 0 }, SIZE)).toBeNull();
  });
});

it("stays inside a matrix that became smaller", () => {
  expect(inside({ row: 40, column: -1 }, SIZE)).toEqual({ row: 29, column: -1 });
});
