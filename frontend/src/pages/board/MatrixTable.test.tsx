import { waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { ADDRESS, answers, tableNamed, texts } from "../../testing/board";
import { matrix } from "../../testing/fixtures";
import { open, paths } from "../../testing/site";

describe("the matrix", () => {
  it("has attacks as rows, defenses as columns, and the clean row last", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
    const columns = texts(within(table).getAllByRole("columnheader"));
    expect(columns.slice(1)).toEqual(["GCN+LNrank 1", "GINrank 2", "Newcomerevaluating"]);
    const rows = texts(within(table).getAllByRole("rowheader"));
    expect(rows).toEqual(["TDGIArank 1", "RNDrank 2", "Without attack"]);
  });

  it("links each number to its cell", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
    const number = within(table).getByRole("link", { name: "26.53 ±0.80" });
    expect(number).toHaveAttribute("href", "/cells/C-A1-D2");
  });

  it("says in words what is not done", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
    expect(within(table).getByRole("link", { name: "running" })).toBeVisible();
    expect(within(table).getByRole("link", { name: "queued" })).toBeVisible();
    expect(within(table).getByText("not evaluated")).toBeInTheDocument();
  });
});

describe("the matrix by keyboard", () => {
  it("is one stop, from which arrow keys lead to every cell and head", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
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

  it("leads over an edge to the next part", async () => {
    const asked = open(ADDRESS, {
      ...answers,
      [paths.matrix]: (search: URLSearchParams) => ({
        ...matrix,
        total_columns: 60,
        column: Number(search.get("column")),
      }),
    });
    const table = await tableNamed(/each defense under each attack/);
    within(table).getByRole("link", { name: "running" }).focus();
    await userEvent.keyboard("{ArrowRight}");
    await waitFor(() => {
      expect(asked.some((url) => url.includes("row=0&rows=50&column=30&columns=30"))).toBe(true);
    });
    await waitFor(() => {
      expect(within(table).getByRole("link", { name: "80.52 ±0.40" })).toHaveFocus();
    });
  });

  it("marks the best by more than a colour", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
    const best = within(table).getByRole("link", { name: "26.53 ±0.80" });
    expect(best).toHaveAttribute("title", "Strongest of the attacks shown");
    expect(best.closest("td")).toHaveAttribute("data-mark", "attack");
  });
});
