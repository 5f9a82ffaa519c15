/** Pages of boards on whole graphs: budgets and their mean in place of difficulties, errors too. */
import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { tableNamed, texts } from "../testing/board";
import { board, submission, summary } from "../testing/fixtures";
import { answersOf, errorBoard, graphBoard, graphCell } from "../testing/graphs";
import { open, paths } from "../testing/site";

const ADDRESS = `/boards/${graphBoard.id}`;
const API = `/api/v1${ADDRESS}`;

async function choicesOf(name: string): Promise<HTMLElement[]> {
  return within(await screen.findByRole("navigation", { name })).getAllByRole("link");
}

describe("the board of whole graphs", () => {
  it("offers its budgets and their mean, which it is ranked by", async () => {
    const asked = open(ADDRESS, answersOf(graphBoard));
    const links = await choicesOf("Budget");
    expect(texts(links)).toEqual(["Budget 1", "Budget 2", "Budget 3", "Budget 4", "Budget 5", "Mean"]);
    expect(links.at(-1)).toHaveAttribute("aria-current", "true");
    await tableNamed(/Higher is better/);
    await screen.findByRole("grid", { name: /under each attack, at the mean over budgets/ });
    expect(asked.filter((url) => /leaderboard|grid/.test(url)).every((url) => url.includes("difficulty=mean"))).toBe(true);
    expect(asked.filter((url) => url.includes("/leaderboard"))).toHaveLength(2); // none in vain
    await userEvent.click(screen.getByRole("link", { name: "Budget 2" }));
    await waitFor(() => {
      expect(asked.some((url) => url.includes("matrix/grid?difficulty=2&view=reference"))).toBe(true);
    });
  });

  it("takes a difficulty of other boards for its own default", async () => {
    const asked = open(`${ADDRESS}?difficulty=full`, answersOf(graphBoard));
    const links = await choicesOf("Budget");
    expect(links.at(-1)).toHaveAttribute("aria-current", "true");
    await tableNamed(/Higher is better/);
    expect(asked.some((url) => url.includes("side=defense&difficulty=mean"))).toBe(true);
  });

  it("has a column for each budget", async () => {
    open(ADDRESS, answersOf(graphBoard));
    const heads = texts(within(await tableNamed(/Higher is better/)).getAllByRole("columnheader"));
    expect(heads.slice(2, 9)).toEqual([
      "Weighted mean (%)",
      "Weighted budget 1 (%)",
      "Weighted budget 2 (%)",
      "Weighted budget 3 (%)",
      "Weighted budget 4 (%)",
      "Weighted budget 5 (%)",
      "Clean (%)",
    ]);
  });

  it("says of the clean graphs that there are several", async () => {
    open(ADDRESS, answersOf(graphBoard));
    expect(await tableNamed(/over all attacks and the clean graphs, the worst/)).toBeVisible();
  });

  it("says how much of each graph may be changed", async () => {
    open(ADDRESS, answersOf(graphBoard));
    const budgets = await tableNamed(/to each test graph/);
    expect(texts(within(budgets).getAllByRole("columnheader"))).toEqual([
      "Budget",
      "Test graphs",
      "Edges changed in each graph",
    ]);
    const [, first] = within(budgets).getAllByRole("row");
    expect(first).toHaveTextContent("Budget 1191");
  });

  it("has rules without degrees, and with the members of its files", async () => {
    open(`${ADDRESS}/rules`, {
      ...answersOf(graphBoard),
      [`${API}/rules`]: {
        board: graphBoard.id, degrees: null, cell_seconds: 300, work_factor: 120, expansion: 4,
        evaluator: 1, metric: 1, protocol: null,
        studies: [
          { name: "mutag", title: "MUTAG, white box", kind: "expressive", of: ["mutag"], published_at: "2026-12-01T00:00:00Z", page: "/studies/mutag", files: [] },
        ],
      },
    });
    expect(await screen.findByText(/at most 120 times that of the board’s GINE/)).toBeVisible();
    expect(screen.getByText(/How models hold when each is attacked itself/)).toHaveTextContent("MUTAG, white box");
    expect(screen.getByRole("link", { name: "MUTAG, white box" })).toHaveAttribute("href", "/studies/mutag");
    expect(screen.queryByText(/luck of one split/)).toBeNull();
    expect(screen.getByText("<budget>/<repeat>/<part>")).toBeVisible();
    expect(screen.getByText("Values of nodes").nextElementSibling).toHaveTextContent("0 to 6");
    expect(screen.getByText("Values of edges").nextElementSibling).toHaveTextContent("0 to 3");
    expect(screen.getByText("graph_ptr, node_ptr, edge_ptr")).toBeVisible();
    expect(screen.queryByRole("heading", { name: "Degrees of the targets" })).toBeNull();
  });

  it("says that degrees stand for features, and follow the edges", async () => {
    const dataset_details = { ...graphBoard.dataset_details, node_values: [1], by_degree: true };
    open(ADDRESS, answersOf({ ...graphBoard, dataset_details }));
    const values = await screen.findByText("Values of nodes");
    expect(values.nextElementSibling).toHaveTextContent("their degree after the flips");
  });
});

describe("a board whose metric is an error", () => {
  const wide = answersOf(errorBoard);

  it("has plain numbers with three decimals, and less is better", async () => {
    open(ADDRESS, wide);
    const table = await tableNamed(/Lower is better/);
    const heads = texts(within(table).getAllByRole("columnheader"));
    expect(heads).toContain("Weighted mean");
    expect(heads).toContain("3-Max mean");
    expect(heads).toContain("95 % interval");
    const [, first] = within(table).getAllByRole("row");
    expect(first).toHaveTextContent("GINE0.612 ±0.010");
    expect(first).toHaveTextContent("0.512 to 0.712");
  });

  it("colours its matrix the other way round: what is robust looks alike", async () => {
    const grid = (means: number[][]) => ({ ...(wide[`${API}/matrix/grid`] as object), means, cells: [["A", "B"], ["C", "D"]], states: ["dd", "dd"], spreads: [[null, null], [null, null]], best_attacks: [], best_defenses: [] });
    open(ADDRESS, { ...wide, [`${API}/matrix/grid`]: grid([[0, 0.4], [0.8, 0.2]]) });
    const table = await screen.findByRole("grid", { name: /Error \(standard deviations of the labels\) of each defense under each attack/ });
    const shares = within(table).getAllByRole("link").flatMap((link) => {
      const heat = link.closest<HTMLElement>("td.heat");
      return heat === null ? [] : [Number(heat.style.getPropertyValue("--share")).toFixed(2)];
    });
    // 1 is the colour of the best, 0 that of the worst: no error, half of the largest, the largest, a quarter
    expect(shares).toEqual(["1.00", "0.50", "0.00", "0.75"]);
    expect(screen.getByText(/Arrow keys/).parentElement).toHaveTextContent("0 0.8");
  });
});

describe("a cell of whole graphs", () => {
  it("has a line for each budget, and one for their mean, of which nothing is counted", async () => {
    open("/cells/C1", { ...answersOf(graphBoard), "/api/v1/cells/C1": graphCell });
    const table = await tableNamed(/classified correctly/);
    const rows = within(table).getAllByRole("row").slice(1);
    expect(rows.map((line) => within(line).getByRole("rowheader").textContent)).toEqual([
      "Budget 1", "Budget 2", "Budget 3", "Budget 4", "Budget 5", "Mean",
    ]);
    expect(rows[0]).toHaveTextContent("94.70 ±4.30––17 of 1918 of 1919 of 19");
    expect(rows[5]).toHaveTextContent("94.70 ±4.30–––––");
  });

  it("of errors has these alone", async () => {
    const cell = { ...graphCell, correct: {}, errors: { "5": [0.9, 0.95, 0.991] } };
    open("/cells/C1", { ...answersOf(errorBoard), "/api/v1/cells/C1": cell });
    const table = await tableNamed(/Mean error over all targets, in standard deviations/);
    expect(texts(within(table).getAllByRole("columnheader"))).toEqual(
      ["Budget", "Error", "Repeat 0", "Repeat 1", "Repeat 2"],
    );
    const rows = within(table).getAllByRole("row");
    expect(rows.at(-2)).toHaveTextContent("Budget 50.947 ±0.0430.9000.9500.991");
    expect(rows.at(-1)).toHaveTextContent("Mean0.947 ±0.043–––");
    expect(screen.queryByText(/Macro-F1/)).toBeNull();
    expect(screen.queryByRole("heading", { name: "Where it was right" })).toBeNull();
    expect(screen.queryByRole("heading", { name: "What they were taken for" })).toBeNull();
  });
});

describe("where a cell of whole graphs was right", () => {
  const group = (low: number, targets: number) => ({ low, high: low, targets, accuracy: { mean: 0.5, std: 0 }, clean: null });
  const show = (difficulty: string, targets: number) => {
    const path = `/api/v1/cells/${graphCell.id}`;
    open(`/cells/${graphCell.id}?difficulty=${difficulty}`, {
      ...answersOf(graphBoard),
      [path]: graphCell,
      [`${path}/breakdown`]: {
        cell: graphCell.id, difficulty, degrees: [], sizes: [group(17, targets)], margins: [], classes: [group(0, targets)],
        change: null, missing: null,
      },
    });
  };

  it.each([["mean", 35, "Graphs × budgets"], ["2", 7, "Graphs"]])("counts at %s what %i are", async (at, many, unit) => {
    show(at, many);
    for (const name of [/By the number of nodes/, /By the true class/]) {
      const table = await tableNamed(name);
      expect(texts(within(table).getAllByRole("columnheader"))[1]).toBe(unit);
    }
  });
});

describe("what is of a board that has left the catalog", () => {
  const gone = { [API]: { status: 404, problem: { code: "not-found", message: "no such board" } } };

  it("is shown still: a cell at each budget", async () => {
    open("/cells/C1", { ...gone, "/api/v1/cells/C1": graphCell });
    const table = await tableNamed(/classified correctly/);
    const rows = within(table).getAllByRole("row").slice(1);
    expect(texts(rows.map((line) => within(line).getByRole("rowheader")))).toEqual([
      "Budget 1", "Budget 2", "Budget 3", "Budget 4", "Budget 5", "Mean",
    ]);
  });

  it("is an error still where the board was one of errors", async () => {
    const cell = { ...graphCell, metric: "error", correct: {}, errors: { "5": [0.9, 0.95, 0.991] } };
    open("/cells/C1", { ...gone, "/api/v1/cells/C1": cell });
    expect(within(await tableNamed(/Mean error over all targets/)).getAllByText("0.947")).not.toHaveLength(0);
  });

  it("is shown still: an entry with its results, of which nothing is ranked any more", async () => {
    const entry = { ...submission, board: graphBoard.id, state: "ranked", rank: null };
    open("/submissions/D3", { ...gone, "/api/v1/submissions/D3": entry });
    expect(await screen.findByText(/Its board has left the catalog/)).toBeVisible();
    expect(await tableNamed(/each state or number leads to its cell/)).toBeVisible();
    expect(screen.queryByRole("heading", { name: "What its score is made of" })).toBeNull();
  });

  it("is, of the board itself, nothing", async () => {
    open(ADDRESS, gone);
    expect(await screen.findByText(/knows no board/)).toBeVisible();
  });
});

describe("what is submitted", () => {
  const answers = {
    ...answersOf(graphBoard),
    [paths.boards]: [summary, graphBoard],
    "/api/v1/auth": { session: null, sign_up: "closed", confirm_email: false, mail: false, providers: [] },
  };

  it("is, of an attack, all budgets over all graphs", async () => {
    open(`/submit?board=${graphBoard.id}&side=attack`, answers);
    await userEvent.click(await screen.findByText("What the file holds"));
    expect(screen.getByText(/All budgets, 1, 2, 3, 4, 5, over all 19 test graphs/)).toBeVisible();
    expect(screen.getByRole("combobox", { name: "Method" })).toHaveTextContent("AdjPGD");
  });

  it("is, of a defense, the weights of an architecture of the board", async () => {
    open(`/submit?board=${graphBoard.id}&side=defense`, answers);
    await userEvent.click(await screen.findByText("What the file holds"));
    expect(screen.getByText(/The weights of a model of Bag, GINE/)).toBeVisible();
  });

  it("is, on a board of nodes, what is told there", async () => {
    open(`/submit?board=${board.id}&side=attack`, answers);
    await userEvent.click(await screen.findByText("What the file holds"));
    expect(screen.getByText("<difficulty>/<repeat>/<part>")).toBeVisible();
    expect(screen.getByText(/and any of the others/)).toHaveTextContent("The difficulty full, and any");
  });

  it("shows what was changed of its budgets", async () => {
    const spent = (kind: "added" | "values", mean: number, allowed: number | null) => ({ kind, mean, most: mean, allowed });
    const attack = {
      ...submission,
      ...{ board: graphBoard.id, side: "attack", state: "evaluating", difficulties: graphBoard.difficulties },
      budget: { "1": { share: 0.5, spent: [spent("added", 9, null), spent("values", 1, null)] } },
      results: [],
    };
    open("/submissions/D3", { ...answers, "/api/v1/submissions/D3": attack });
    const table = await tableNamed(/over all test graphs together/);
    expect(within(table).getAllByRole("row").at(-1)).toHaveTextContent("Budget 150.009 1");
  });
});

describe("the list of boards", () => {
  it("tells boards of whole graphs by how many are judged", async () => {
    const best = { id: "D1", name: "GINE", score: 0.41234 };
    open("/", { [paths.boards]: [summary, { ...errorBoard, best_defense: best, attacks: 1, defenses: 1 }] });
    const table = await tableNamed(/A board is a dataset/);
    const [, digits, graphs] = within(table).getAllByRole("row");
    expect(digits).not.toHaveTextContent("test graphs");
    expect(graphs).toHaveTextContent("19 test graphs");
    expect(graphs).toHaveTextContent("error 0.412GINE");
  });
});
