import { expect, it } from "vitest";

import { drawn, placesOf, scrolledTo } from "./visible";

it("draws what is in sight and three places around it", () => {
  expect(drawn(0, 500, 50, 200)).toEqual({ first: 0, last: 12 });
  expect(drawn(1000, 500, 50, 200)).toEqual({ first: 17, last: 32 });
  expect(drawn(9500, 500, 50, 200)).toEqual({ first: 187, last: 199 });
});

it("scrolls no further than a place needs", () => {
  expect(scrolledTo(5, 50, 0, 500)).toBe(0);
  expect(scrolledTo(10, 50, 0, 500)).toBe(50);
  expect(scrolledTo(2, 50, 400, 500)).toBe(100);
});

it("keeps the place that has the focus", () => {
  expect(placesOf({ first: 4, last: 6 }, 1, 9)).toEqual([1, 4, 5, 6]);
  expect(placesOf({ first: 4, last: 6 }, 5, 9)).toEqual([4, 5, 6]);
  expect(placesOf({ first: 4, last: 6 }, 8, 9)).toEqual([4, 5, 6, 8]);
  expect(placesOf({ first: 4, last: 6 }, 9, 9)).toEqual([4, 5, 6]);
  expect(placesOf({ first: 4, last: 6 }, -1, 9)).toEqual([4, 5, 6]);
});
