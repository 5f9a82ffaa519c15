import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { DegreeBin } from "../../api/texts";
import { DegreePlot, binName, occupied } from "./DegreePlot";

function bin(low: number, high: number, nodes: number, easy = 0): DegreeBin {
  return { low, high, nodes, targets: { easy, medium: 0, hard: 0, full: easy } };
}

test("a bin is named by the degrees that it holds", () => {
  expect(binName(bin(3, 3, 1))).toBe("3");
  expect(binName(bin(10, 14, 1))).toBe("10–14");
});

test("empty bins at both ends are left out, those between are kept", () => {
  const bins = [bin(0, 0, 0), bin(1, 1, 5), bin(2, 2, 0), bin(3, 3, 2), bin(4, 4, 0)];
  expect(occupied(bins).map(({ low }) => low)).toEqual([1, 2, 3]);
});

test("a graph of a single degree has one bar", () => {
  render(<DegreePlot bins={[bin(0, 0, 0), bin(1, 1, 8, 4)]} />);
  expect(screen.getByRole("img", { name: "degree 1: 4" })).toBeInTheDocument();
  const row = within(screen.getByRole("table")).getByRole("row", { name: /^1 8 4/ });
  expect(row).toBeInTheDocument();
});
