import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { ADDRESS, answers, texts } from "../../../testing/board";
import { matrix as grid } from "../../../testing/fixtures";
import { open, paths } from "../../../testing/site";

function shown(): Promise<HTMLElement> {
  return screen.findByRole("grid", { name: /each defense under each attack/ });
}

describe("the matrix", () => {
  it("has attacks as rows, defenses as columns, and the clean row last", async () => {
    open(ADDRESS, answers);
    const table = await shown();
    const columns = texts(within(table).getAllByRole("columnheader"));
    expect(columns.slice(1)).toEqual(["GCN+LNrank 1", "GINrank 2", "Newcomerevaluating"]);
    const rows = texts(within(table).getAllByRole("rowheader"));
    expect(rows).toEqual(["TDGIArank 1", "RNDrank 2", "Without attack"]);
  });

  it("links each number to its cell", async () => {
    open(ADDRESS, answers);
    const table = await shown();
    const number = within(table).getByRole("link", { name: "26.53 ±0.80" });
    expect(number).toHaveAttribute("href", "/cells/C-A1-D2");
  });

  it("says in words what is not done", async () => {
    open(ADDRESS, answers);
    const table = await shown();
    expect(within(table).getByRole("link", { name: "running" })).toBeVisible();
    expect(within(table).getByRole("link", { name: "queued" })).toBeVisible();
    expect(within(table).getByText("not evaluated")).toBeInTheDocument();
  });
});

describe("the matrix by keyboard", () => {
  it("is one stop, from which arrow keys lead to every cell and head", async () => {
    open(ADDRESS, answers);
    const table = await shown();
    const stops = () => [...table.querySelectorAll('[tabindex="0"]')];
    const start = within(table).getByRole("link", { name: "80.52 ±0.40" });
    expect(stops()).toEqual([start]);
    start.focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(within(table).getByRole("link", { name: "26.53 ±0.80" })).toHaveFocus();
    await userEvent.keyboard("{ArrowUp}");
    expect(within(table).getByRole("link", { name: "GIN" })).toHaveFocus();
    await userEvent.keyboard("{Control>}{End}{/Control}");
    expect(document.activeElement).toHaveTextContent("not evaluated");
    await userEvent.keyboard("{Control>}{Home}{/Control}");
    expect(within(table).getByRole("link", { name: "TDGIA" })).toHaveFocus();
    expect(stops()).toHaveLength(1);
  });

  it("marks the best by more than a colour", async () => {
    open(ADDRESS, answers);
    const table = await shown();
    const best = within(table).getByRole("link", { name: "26.53 ±0.80" });
    expect(best).toHaveAttribute("title", "Strongest of the attacks shown");
    expect(best.closest("td")).toHaveAttribute("data-mark", "attack");
  });
});

describe("a large matrix", () => {
  const many = 200;
  const entries = (side: string) =>
    Array.from({ length: many }, (_, place) => ({ ...grid.attacks[0], id: `${side}${place}`, name: `${side} ${place}`, rank: place + 1 }));
  const filled = <T,>(make: (row: number, column: number) => T) =>
    Array.from({ length: many + 1 }, (_, row) => Array.from({ length: many }, (__, column) => make(row, column)));
  const large = {
    ...grid,
    total_rows: many,
    total_columns: many,
    attacks: [...entries("attack"), grid.attacks[2]],
    defenses: entries("defense"),
    cells: filled((row, column) => `C-${row}-${column}`),
    states: Array.from({ length: many + 1 }, () => "d".repeat(many)),
    means: filled((row, column) => (row + column) / 1000),
    spreads: filled(() => 0.01),
    best_attacks: [],
  };

  it("is drawn where it is in sight, with the place of each row and column in the whole", async () => {
    open(ADDRESS, { ...answers, [paths.matrix]: large });
    const table = await shown();
    expect(table).toHaveAttribute("aria-rowcount", "202");
    expect(table).toHaveAttribute("aria-colcount", "201");
    expect(table.querySelectorAll("td").length).toBeLessThan(800);
    const last = table.querySelector("tfoot tr");
    expect(last).toHaveAttribute("aria-rowindex", "202");
    expect(last).toHaveTextContent("Without attack");
  });

  it("is crossed by one key, and what is there takes the focus", async () => {
    open(ADDRESS, { ...answers, [paths.matrix]: large });
    const table = await shown();
    table.querySelector<HTMLElement>('[data-at="0 0"] > a')?.focus();
    await userEvent.keyboard("{Control>}{End}{/Control}{ArrowUp}");
    await waitFor(() => {
      expect(document.activeElement).toHaveAttribute("href", "/cells/C-199-199");
    });
    expect(document.activeElement?.closest("tr")).toHaveAttribute("aria-rowindex", "201");
    expect(table.querySelectorAll('[tabindex="0"]')).toHaveLength(1);
  });
});
