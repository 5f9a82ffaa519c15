import { expect, test } from "vitest";

import { isOwn } from "./follow";

test("the page follows its own addresses, and leaves the others to the browser", () => {
  expect(["/submissions/D1", "/guide/rules#names", "#names", "/boards/a/b?row=50", "/docs"].every(isOwn)).toBe(true);
  const others = ["/api/v1/boards", "/openapi.json", "//other.org/x", "https://other.org", "mailto:a@b.org", ""];
  expect(others.filter(isOwn)).toEqual([]);
});
