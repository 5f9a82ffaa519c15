import { expect, test } from "vitest";

import { nearest } from "./nearest";

const KNOWN = ["/boards/digits/injection@1", "/boards/digits/modification@1", "/status", "/guide"];

test("a misspelt address is recognised", () => {
  expect(nearest("/Status/", KNOWN)).toBe("/status");
  expect(nearest("/boards/digit/injection@1", KNOWN)).toBe("/boards/digits/injection@1");
  expect(nearest("/board/digits/modification", KNOWN)).toBe("/boards/digits/modification@1");
});

test("an address that is like none is not guessed", () => {
  expect(nearest("/login", KNOWN)).toBeNull();
  expect(nearest("/" + "x".repeat(5000), KNOWN)).toBeNull();
});
