import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import type { Table, TableEntry, Value } from "../../api/tables";
import { board } from "../../testing/fixtures";
import { open } from "../../testing/site";
import { shownOf, tableAddress, tableFile } from "./selection";
import { markOf, signed } from "./ValueText";

const BOARD = "digits/injection@1";
const PATH = `/api/v1/boards/${BOARD}/table`;
const ID = (letter: string) => letter.repeat(26);

function entry(letter: string, name: string, rank: number | null): TableEntry {
  return { id: letter === "clean" ? letter : ID(letter), name, rank, family: "GCN", is_reference: true, state: "ranked", visibility: "public" };
}

function value(mean: number, std: number | null = 0.01, more: Partial<Value> = {}): Value {
  return { mean, std, difference: null, relative: null, best_attack: false, best_defense: false, ...more };
}

const defenses = [entry("D", "GCN+LN", 1), entry("E", "GIN", 2)];
const attacks = [entry("A", "TDGIA", 1), entry("clean", "without attack", null)];

const table: Table = {
  board: BOARD,
  revision: 4,
  repeats: 3,
  preset: "main",
  base: null,
  difficulties: ["easy", "medium", "hard", "full"],
  attacks,
  defenses,
  rows: [
    {
      attack: ID("A"),
      difficulty: "full",
      cells: [
        { id: "C1", defense: ID("D"), value: value(0.8421, 0.0035, { best_defense: true }) },
        { id: "C2", defense: ID("E"), value: value(0.5) },
      ],
      metrics: { average: value(0.67), three: value(0.67), weighted: value(0.77) },
    },
    {
      attack: "clean",
      difficulty: "full",
      cells: [{ id: "C3", defense: ID("D"), value: value(0.99, null) }],
      metrics: {},
    },
  ],
  foot: [{ metric: "weighted", difficulty: "full", n: 2, values: { [ID("D")]: value(0.86) } }],
  columns: 2,
  official_attacks: false,
  official_defenses: true,
  missing: [],
  available_attacks: [entry("A", "TDGIA", 1), entry("B", "RND", 2)],
  available_defenses: defenses,
  total_attacks: 40,
  total_defenses: 2,
};

function cells(row: HTMLElement): string[] {
  return within(row).getAllByRole("cell").map((cell) => cell.textContent);
}

describe("the paper's table", () => {
  it("has the numbers of the API with their ± beside them, and a dash where there is none", async () => {
    open(`/boards/${BOARD}/table`, { [PATH]: table });
    const rows = within(await screen.findByRole("table")).getAllByRole("row");
    const [, first, clean, foot] = rows;
    if (!first || !clean || !foot) throw new Error("no rows");
    expect(cells(first)).toEqual(["84.21 ±0.35", "50.00 ±1.00", "67.00 ±1.00", "67.00 ±1.00", "77.00 ±1.00"]);
    expect(cells(clean)).toEqual(["99.00", "–", "–", "–", "–"]);
    expect(within(foot).getAllByRole("rowheader").map((head) => head.textContent)).toEqual(["Weighted", "Full"]);
  });

  it("says whether metrics are those of the ranking or computed for this choice", async () => {
    open(`/boards/${BOARD}/table`, { [PATH]: table });
    expect((await screen.findByText("Metrics of defenses")).parentElement).toHaveTextContent(/official over the attack and the clean graph/);
    expect(screen.getByText("Metrics of attacks").parentElement).toHaveTextContent(/recomputed over the 2 defenses shown here only/);
  });

  it("asks the API for what a chip leaves", async () => {
    const asked = open(`/boards/${BOARD}/table`, { [PATH]: table });
    await userEvent.click(await screen.findByRole("button", { name: "Leave out GIN" }));
    await waitFor(() => {
      expect(asked.at(-1)).toBe(`${PATH}?preset=main&defenses=${ID("D")}`);
    });
    await userEvent.selectOptions(screen.getByLabelText("Add an attack"), ID("B"));
    await waitFor(() => {
      expect(asked.at(-1)).toContain(`attacks=${ID("A")}%2C${ID("B")}`);
    });
  });

  it("moves the focus on from a chip that leaves", async () => {
    open(`/boards/${BOARD}/table`, {
      [PATH]: (search: URLSearchParams) =>
        search.has("defenses") ? { ...table, defenses: table.defenses.slice(0, 1) } : table,
    });
    const chip = await screen.findByRole("button", { name: "Leave out GIN" });
    chip.focus();
    await userEvent.keyboard("{Enter}");
    await waitFor(() => { expect(chip).not.toBeInTheDocument(); });
    expect(screen.getByLabelText("Defenses")).toContainElement(document.activeElement as HTMLElement);
  });

  it("shows differences from a base, and says in what", async () => {
    const first = table.rows[0];
    if (first === undefined) throw new Error("no row");
    const changed = { difference: { mean: -0.02, std: 0.01 }, relative: { mean: -0.25, std: 0.1 } };
    const row = { ...first, cells: [{ id: "C1", defense: ID("D"), value: value(0.5, 0.01, changed) }] };
    open(`/boards/${BOARD}/table?base=clean&distance=percent`, {
      [PATH]: { ...table, base: "clean", rows: [row] },
    });
    const shown = await screen.findByRole("table", { name: /Differences from without attack in %/ });
    expect(within(shown).getByText("−25.00")).toBeVisible();
    expect(within(shown).queryByText("Weighted", { selector: "th[rowspan]" })).toBeNull();
  });

  it("names what was chosen and is not ranked", async () => {
    open(`/boards/${BOARD}/table`, { [PATH]: { ...table, missing: [ID("Z")] } });
    expect(await screen.findByText(ID("Z"))).toBeVisible();
  });

  it("says so where there is no such board", async () => {
    open(`/boards/${BOARD}/table`, { [PATH]: { status: 404, problem: { code: "board-unknown", message: "none" } } });
    expect(await screen.findByText(/knows no board/)).toBeVisible();
  });
});

it("says so where the service is down, with a way to try again", async () => {
  open(`/boards/${BOARD}/table`, "down");
  expect(await screen.findByText(/can't be reached/)).toBeVisible();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
});

describe("the address of a table", () => {
  it("holds the whole choice and gives it back", () => {
    const address = `/boards/${BOARD}/table?preset=brief&attacks=${ID("A")},${ID("B")}&defenses=&difficulties=easy,full&base=clean&distance=percent`;
    const shown = shownOf(new URL(address, "http://localhost").searchParams, board.difficulties);
    expect(shown).toEqual({
      preset: "brief",
      attacks: [ID("A"), ID("B")],
      defenses: [],
      difficulties: ["easy", "full"],
      base: "clean",
      distance: "percent",
    });
    expect(tableAddress(BOARD, shown)).toBe(address);
    expect(tableFile(BOARD, shown, ".csv")).toBe(`${PATH}.csv?${address.split("?")[1]?.replace("&distance=percent", "") ?? ""}`);
  });

  it("is the default where it is misspelt", () => {
    const shown = shownOf(new URLSearchParams("preset=x&attacks=1;2&difficulties=extreme&base=me&distance=y"), board.difficulties);
    expect(tableAddress(BOARD, shown)).toBe(`/boards/${BOARD}/table`);
  });
});

describe("a number", () => {
  it("has its sign where it is a difference", () => {
    expect([signed(0.012), signed(-0.25), signed(0.000001)]).toEqual(["+1.20", "−25.00", "0.00"]);
  });

  it("may be the best of both sides", () => {
    expect(markOf({ best_attack: true, best_defense: true })).toBe("both");
    expect(markOf({ best_attack: false, best_defense: false })).toBeNull();
  });
});
