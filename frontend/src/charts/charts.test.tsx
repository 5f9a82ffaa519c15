import { render, screen } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { ends } from "./axes";
import { Figure } from "./Figure";
import { labelPlaces, timeFormat } from "./Lines";
import { apart, isNumbered } from "./Scatter";
import { Strip } from "./Strip";

const same = Object.assign((value: number) => value, { ticks: () => [] });

function point(id: string, x: number, y: number) {
  return { id, name: id, x, y, spread: null, marked: true };
}

describe("the room of a drawing", () => {
  it("has a margin beyond its numbers, and some where they are all alike", () => {
    expect(ends([10, 20], 0.1)).toEqual([9, 21]);
    expect(ends([5, 5], 0.1)).toEqual([4.5, 5.5]);
    expect(ends([])).toEqual([0, 1]);
  });
});

describe("names", () => {
  it("don't cover one another: the earlier one stays", () => {
    const points = [point("a", 0, 0), point("b", 50, 5), point("c", 50, 40), point("d", 200, 5)];
    expect(apart(points, same, same).map(({ point: { id } }) => id)).toEqual(["a", "c", "d"]);
  });

  it("at the ends of lines stand below one another", () => {
    const line = (id: string, y: number) => ({ id, name: id, points: [{ x: 0, y, name: id }] });
    const places = labelPlaces([line("a", 30), line("b", 31), line("c", 100)], same);
    expect([...places]).toEqual([
      ["a", 30],
      ["b", 45],
      ["c", 100],
    ]);
  });
});

describe("a figure", () => {
  it("has a title, words for those who don't see it, a table and both kinds of files", () => {
    const rows = [{ id: "a", name: "GCN", mean: 0.5, values: [0.4, 0.6] }];
    render(
      <Figure
        title="Spread"
        summary="What it shows."
        file="spread"
        height={100}
        draw={(width) => <Strip rows={rows} width={width} x="Weighted (%)" format={String} />}
        table={<p>numbers</p>}
      />,
    );
    const drawing = screen.getByRole("img", { name: "Spread. What it shows." });
    expect(drawing.querySelectorAll("circle")).toHaveLength(2);
    expect(screen.getByRole("button", { name: "Save “Spread” as SVG" })).toBeVisible();
    expect(screen.getByRole("button", { name: "Save “Spread” as PNG" })).toBeVisible();
    expect(screen.getByText("The numbers of “Spread”")).toBeVisible();
  });
});

describe("an axis", () => {
  it("tells seconds of times that are close, and days of those that are far", () => {
    const at = new Date(2026, 10, 28, 20, 9, 5);
    expect(timeFormat(60_000).format(at)).toBe("20:09:05");
    expect(timeFormat(86_400_000).format(at)).toMatch(/28 Nov.*20:09$/);
    expect(timeFormat(30 * 86_400_000).format(at)).toMatch(/28 Nov 26/);
  });

  it("numbers powers of ten, and 2 and 5 where these are few", () => {
    const ticks = [20_000, 30_000, 40_000, 50_000, 60_000, 70_000, 80_000, 90_000, 100_000, 200_000];
    expect(ticks.filter((tick) => isNumbered(tick, ticks))).toEqual([20_000, 50_000, 100_000, 200_000]);
    const long = [1, 2, 5, 10, 20, 50, 100, 200, 500];
    expect(long.filter((tick) => isNumbered(tick, long))).toEqual([1, 10, 100]);
    expect(isNumbered(3, [2, 3, 4])).toBe(true);
  });
});
