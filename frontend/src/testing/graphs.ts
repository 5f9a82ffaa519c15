/** A board of whole graphs, answers of it as small as a test needs them; every number is invented. */
import type { Board, Cell, Difficulty, Grid, Leaderboard, LeaderboardRow } from "../api/types";
import { attacks, board, cell, defenses, entry, matrix } from "./fixtures";

const ID = "mutag/adjacency@1";
const BUDGETS: Difficulty[] = ["1", "2", "3", "4", "5"];

export const graphBoard: Board = {
  ...board,
  id: ID,
  title: "MUTAG: adjacency",
  dataset: "mutag",
  scenario: "adjacency",
  difficulties: BUDGETS,
  ranked: "mean",
  graphs: 19,
  feature_range: null,
  budgets: Object.fromEntries(BUDGETS.map((name) => [name, { changes: Number(name), targets: 19 }])),
  dataset_details: {
    ...board.dataset_details,
    name: "mutag",
    title: "MUTAG",
    description: "Molecules.",
    nodes: 352,
    edges: 383,
    features: 7,
    classes: 2,
    graphs: 19,
    node_values: [7],
    edge_values: [4],
  },
  architectures: ["Bag", "GINE"],
  attack_methods: ["Random", "AdjPGD"],
};

/** The same where numbers are errors: less is better for a defense. */
export const errorBoard: Board = {
  ...graphBoard,
  metric: "error",
  dataset_details: { ...graphBoard.dataset_details, classes: 1 },
};

function row(rank: number, name: string, weighted: number): LeaderboardRow {
  const at = (mean: number) => ({ mean, std: 0.01 });
  const metrics = { weighted: at(weighted), average: at(weighted), three: at(weighted), worst: at(weighted), n: 2 };
  return {
    rank,
    interval: { low: weighted - 0.1, high: weighted + 0.1, ranks: [1, 2], first: 0.5, tie_group: 1, tied: 1, repeated: true },
    worst: { id: "A1", name: "AdjPGD" },
    breaks: null,
    entry: entry(`D${rank}`, name, { architecture: name, family: name }),
    metrics: { mean: metrics, "1": metrics },
    clean: { mean: at(weighted) },
  };
}

const at = { board: ID, difficulty: "mean" as const };

export const graphDefenses: Leaderboard = {
  ...defenses,
  ...at,
  rows: [row(1, "GINE", 0.61234), row(2, "Bag", 1.25)],
};

export const graphAttacks: Leaderboard = { ...attacks, ...at, rows: [], total: 0 };

export const graphMatrix: Grid = { ...matrix, ...at };

/** A cell with a number at each budget and their mean; hits, or where its board counts errors none. */
export const graphCell: Cell = {
  ...cell,
  board: ID,
  correct: Object.fromEntries(BUDGETS.map((name) => [name, [17, 18, 19]])),
  total: Object.fromEntries(BUDGETS.map((name) => [name, 19])),
  not_finite: {},
  accuracy: Object.fromEntries([...BUDGETS, "mean"].map((name) => [name, { mean: 0.947, std: 0.043 }])),
  macro_f1: {},
  balanced_accuracy: {},
};

const PATH = `/api/v1/boards/${ID}`;

/** What the page of such a board reads. */
export function answersOf(of: Board): Record<string, unknown> {
  return {
    [PATH]: of,
    [`${PATH}/leaderboard#defense`]: graphDefenses,
    [`${PATH}/leaderboard#attack`]: graphAttacks,
    [`${PATH}/matrix/grid`]: graphMatrix,
    [`${PATH}/history`]: { board: ID, coming: null, applied: [], next: null },
    "/api/v1/submissions": { submissions: [], next: null },
  };
}
