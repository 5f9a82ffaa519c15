import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { ComparedDegrees, ComparedDifferences, Comparison, Value } from "../../api/tables";
import { board } from "../../testing/fixtures";
import { graphBoard } from "../../testing/graphs";
import { open } from "../../testing/site";
import { compareAddress, comparedOf, winsFiles } from "./addresses";

const BOARD = "digits/injection@1";
const ID = (letter: string) => letter.repeat(26);

function head(letter: string, name: string) {
  return { id: ID(letter), name, rank: 1, family: "GCN", is_reference: true, state: "ranked", visibility: "public" } as const;
}

function value(mean: number, difference: number, best: boolean): Value {
  return { mean, std: 0.01, difference: { mean: difference, std: 0.02 }, relative: null, best_attack: true, best_defense: best };
}

const offer = {
  board: BOARD, revision: 1, repeats: 3, preset: null, base: null, difficulties: ["full"], attacks: [], defenses: [],
  rows: [], foot: [], columns: 0, official_attacks: false, official_defenses: false, missing: [], total_attacks: 1, total_defenses: 2,
  available_attacks: [head("A", "TDGIA")],
  available_defenses: [head("D", "GCN"), head("E", "GIN")],
};

const found: Comparison = {
  board: BOARD,
  revision: 1,
  side: "defense",
  view: "reference",
  repeats: 3,
  entries: [
    { ...head("D", "GCN"), authors: "A", wins: { full: 1 } },
    { ...head("E", "GIN"), authors: "A", wins: { full: 0 } },
  ],
  counterparts: [head("A", "TDGIA")],
  total: 1,
  rows: [
    { counterpart: ID("A"), difficulty: "full", cells: ["C1", "C2"], values: [value(0.8, 0, true), value(0.7, -0.1, false)] },
  ],
  metrics: [{ metric: "weighted", difficulty: "full", values: [value(0.8, 0, true), null] }],
  missing: [],
};

const answers = {
  [`/api/v1/boards/${BOARD}/table`]: offer,
  [`/api/v1/boards/${BOARD}/comparison`]: found,
  [`/api/v1/boards/${BOARD}/comparison/degrees`]: {
    board: BOARD, revision: 1, difficulty: "full", view: "reference", side: "defense",
    entries: [ID("D"), ID("E")], counted: 1, total: 2, missing: null,
    groups: [{ low: 2, high: 5, targets: 40, values: [value(0.9, 0, true), value(0.6, -0.3, false)] }],
  } satisfies ComparedDegrees,
  [`/api/v1/boards/${BOARD}/comparison/differences`]: {
    board: BOARD, revision: 1, difficulty: "full", view: "reference", side: "defense",
    first: ID("D"), counted: 2, draws: 1000, repeated: true, missing: null,
    pairs: [
      {
        entry: ID("E"), p_value: 0.0004,
        metrics: [
          { metric: "weighted", mean: -0.021, low: -0.038, high: -0.004, winner: ID("D") },
          { metric: "average", mean: 0.003, low: -0.01, high: 0.016, winner: null },
          { metric: "three", mean: 0.05, low: 0.01, high: 0.09, winner: ID("E") },
        ],
      },
    ],
  } satisfies ComparedDifferences,
};

describe("a comparison", () => {
  it("shows each number, its difference from the first, and where one wins", async () => {
    open(compareAddress(BOARD, [ID("D"), ID("E")]), answers);
    const table = await screen.findByRole("table", { name: /against each counterpart/ });
    const [first, second] = within(table).getAllByRole("cell");
    expect(first).toHaveTextContent(/^80.00 ±1.00$/);
    expect(first?.querySelector("[data-mark]")).toHaveAttribute("data-mark", "defense");
    expect(second).toHaveTextContent("70.00 ±1.00difference −10.00 ±2.00");
    expect(second?.querySelector("[data-mark]")).toBeNull();
    const scores = screen.getByRole("table", { name: /Scores at difficulty full/ });
    const wins = within(scores).getByRole("row", { name: /Best against/ });
    expect(within(wins).getAllByRole("cell").map((cell) => cell.textContent)).toEqual(["1", "0"]);
  });

  it("says who wins by how much, or that they can't be told apart", async () => {
    open(compareAddress(BOARD, [ID("D"), ID("E")]), answers);
    const table = await screen.findByRole("table", { name: /new attack samples and targets, of 1,000 draws/ });
    expect(within(table).getByRole("columnheader", { name: "Against GCN" })).toBeVisible();
    const row = within(table).getByRole("row", { name: /^GIN/ });
    expect(within(row).getAllByRole("cell").map((cell) => cell.textContent)).toEqual([
      "GCN wins by 2.10 (0.40 to 3.80)",
      "can't be told apart (−1.00 to 1.60)",
      "GIN wins by 5.00 (1.00 to 9.00)",
      "<0.001",
    ]);
  });

  it("tells where one wins by degree, and over how many counterparts", async () => {
    open(compareAddress(BOARD, [ID("D"), ID("E")]), answers);
    const table = await screen.findByRole("table", { name: /the mean over 1 of 2 counterparts/ });
    const row = within(table).getByRole("row", { name: /2 to 5/ });
    const [first, second] = within(row).getAllByRole("cell");
    expect(first).toHaveTextContent(/^90.00 ±1.00$/);
    expect(second).toHaveTextContent("60.00 ±1.00difference −30.00 ±2.00");
  });

  it("is had as files", async () => {
    open(compareAddress(BOARD, [ID("D"), ID("E")], { difficulty: "easy", view: "all" }), answers);
    const link = await screen.findByRole("link", { name: "This comparison as LaTeX" });
    expect(link).toHaveAttribute(
      "href",
      `/api/v1/boards/${BOARD}/comparison.tex?ids=${ID("D")},${ID("E")}&view=all&difficulty=easy`,
    );
    const compared = { board: BOARD, ids: [ID("D"), ID("E")], view: "all", difficulty: "easy" } as const;
    const asked = `?ids=${ID("D")},${ID("E")}&view=all`;
    expect(winsFiles(compared).map(([, file]) => file)).toEqual(
      ["/wins.csv", "/wins.tex", ""].map((end) => `/api/v1/boards/${BOARD}/comparison${end}${asked}`),
    );
    expect(screen.getByRole("link", { name: "Where each is best as CSV" })).toBeVisible();
    const groups = await screen.findByRole("link", { name: "These numbers by degree as CSV" });
    expect(groups).toHaveAttribute(
      "href",
      `/api/v1/boards/${BOARD}/comparison/degrees.csv${asked}&difficulty=easy`,
    );
  });

  it("offers entries of the chosen side only", async () => {
    open(compareAddress(BOARD, [ID("D")]), { ...answers, [`/api/v1/boards/${BOARD}/comparison`]: { ...found, entries: found.entries.slice(0, 1) } });
    expect(await screen.findByLabelText("Add a defense")).toBeVisible();
    expect(screen.queryByLabelText("Add an attack")).toBeNull();
    expect(await screen.findByText(/Choose one more/)).toBeVisible();
  });

  it("asks for entries where none is chosen", async () => {
    open(compareAddress(BOARD), answers);
    expect(await screen.findByText(/Choose two to five/)).toBeVisible();
  });

  it("has its whole choice in the address", () => {
    const compared = comparedOf(new URLSearchParams(`board=${BOARD}&ids=${ID("D")},x,${ID("D")},${ID("E")}&view=all&difficulty=easy`), board);
    expect(compared).toEqual({ board: BOARD, ids: [ID("D"), ID("E")], view: "all", difficulty: "easy" });
    expect(compareAddress(compared.board, compared.ids, compared)).toBe(
      `/compare?board=${BOARD}&ids=${ID("D")},${ID("E")}&difficulty=easy&view=all`,
    );
  });
});

describe("a comparison on a board of whole graphs", () => {
  const of = `/api/v1/boards/${graphBoard.id}`;
  const degrees = answers[`/api/v1/boards/${BOARD}/comparison/degrees`] as ComparedDegrees;

  it.each([
    ["mean", "at the mean over budgets", 95, "95 graphs × budgets"],
    ["2", "at budget 2", 19, "19 graphs"],
  ] as const)("tells by size, at %s, what is counted", async (difficulty, level, targets, counted) => {
    open(compareAddress(graphBoard.id, [ID("D"), ID("E")], { difficulty }), {
      [of]: graphBoard,
      [`${of}/table`]: { ...offer, board: graphBoard.id },
      [`${of}/comparison`]: { ...found, board: graphBoard.id, rows: [], metrics: [] },
      [`${of}/comparison/degrees`]: {
        ...degrees, board: graphBoard.id, difficulty, groups: degrees.groups.map((group) => ({ ...group, targets })),
      },
    });
    const table = await screen.findByRole("table", { name: new RegExp(`by the number of nodes of a graph ${level}`) });
    expect(within(table).getByRole("columnheader", { name: "Nodes" })).toBeVisible();
    expect(within(table).getByRole("rowheader")).toHaveTextContent(`2 to 5${counted}`);
  });
});
