/** Answers of the API as small as a test needs them; every number is invented. */
import type {
  Board,
  BoardSummary,
  Cell,
  Difficulty,
  Entry,
  Grid,
  History,
  Leaderboard,
  LeaderboardRow,
  MatrixEntry,
  Score,
  Status,
  Submission,
} from "../api/types";

export const BOARD_ID = "digits/injection@1";

const MOMENT = "2026-01-01T12:00:00Z";

export const summary: BoardSummary = {
  id: BOARD_ID,
  title: "Digits: injection",
  dataset: "digits",
  scenario: "injection",
  version: 1,
  difficulties: ["easy", "medium", "hard", "full"],
  ranked: "full",
  metric: "accuracy",
  graphs: 0,
  state: "ready",
  hint: null,
  attacks: 2,
  defenses: 2,
  pending: 0,
  changed_at: MOMENT,
  best_attack: { id: "A1", name: "TDGIA", score: 0.51 },
  best_defense: { id: "D1", name: "GCN+LN", score: 0.84 },
  preparation: null,
};

const allowance = { nodes: 30, edges_per_node: 20, targets: 179 };

export const board: Board = {
  ...summary,
  revision: 4,
  protocol: "0123456789abcdef",
  repeats: 3,
  feature_range: [-0.434091, 0.684157],
  feature_tolerance: 1e-5,
  budgets: { easy: allowance, medium: allowance, hard: allowance, full: { ...allowance, nodes: 90 } },
  attack_bytes: 64 * 1024 * 1024,
  defense_bytes: 64 * 1024 * 1024,
  dataset_details: {
    name: "digits",
    title: "Digits",
    description: "Handwritten digits.",
    licence: "CC BY 4.0",
    source: "https://example.org/digits",
    nodes: 1797,
    edges: 3884,
    features: 64,
    classes: 10,
    graphs: 0,
    node_values: [],
    edge_values: [],
    by_degree: false,
  },
  architectures: ["GCN"],
  attack_methods: ["RND", "FGSM"],
  ladder_step: null,
};

export function entry(id: string, name: string, more: Partial<Entry> = {}): Entry {
  return {
    id,
    name,
    authors: "A. Author",
    team: null,
    family: "GCN",
    architecture: "GCN",
    surrogate: null,
    is_reference: false,
    adversarially_trained: false,
    stochastic: false,
    flags: [],
    best_of_family: true,
    best_of_team: true,
    ladder: null,
    paper_url: null,
    code_url: null,
    attempt: 1,
    attempts: 1,
    registered_at: MOMENT,
    visibility: "public",
    budget_used: null,
    spent: null,
    held_out: null,
    not_finite: null,
    ...more,
  };
}

function score(mean: number, std: number | null = 0.01): Score {
  return { mean, std };
}

function row(rank: number | null, of: Entry | null, weighted: Score, n: number): LeaderboardRow {
  const metrics = { weighted, average: score(0.7), three: score(0.6), worst: score(0.55), n };
  const interval =
    rank === null
      ? null
      : { low: 0.82, high: 0.86, ranks: [1, 2] as [number, number], first: 0.5, tie_group: 1, tied: 1, repeated: true };
  const worst = { id: "W1", name: "TDGIA" };
  const breaks = rank === null ? null : { broken: 1, of: 2 };
  return { rank, interval, worst, breaks, entry: of, metrics: { full: metrics }, clean: { full: score(0.99, null) } };
}

export const defenses: Leaderboard = {
  board: BOARD_ID,
  revision: 4,
  side: "defense",
  view: "reference",
  difficulty: "full",
  metric: "weighted",
  best: "all",
  repeats: 3,
  row: 0,
  total: 2,
  flags: [
    {
      code: "graph-agnostic",
      title: "ignores the graph",
      severity: "warning",
      meaning: "Its predictions stay without edges.",
    },
    { code: "reference", title: "reference", severity: "note", meaning: "Scores run over it." },
    { code: "non-adaptive", title: "no adaptive attack", severity: "context", meaning: "None." },
  ],
  intervals: { revision: 4, draws: 2000, rank_draws: 500, too_large: false, computed_at: MOMENT, stale: false },
  rows: [
    row(1, entry("D1", "GCN+LN", { is_reference: true, flags: ["reference", "non-adaptive"] }), score(0.84213, 0.0035), 3),
    row(2, entry("D2", "GIN", { attempt: 2, attempts: 3, flags: ["graph-agnostic"] }), score(0.3301), 3),
  ],
};

export const attacks: Leaderboard = {
  ...defenses,
  total: 2,
  side: "attack",
  rows: [
    row(1, entry("A1", "TDGIA"), score(0.51), 2),
    row(2, entry("A2", "RND"), score(0.93), 2),
    row(null, null, score(0.987, null), 2),
  ],
};

function head(id: string, name: string, rank: number | null, more: Partial<MatrixEntry> = {}) {
  return {
    id,
    name,
    rank,
    is_reference: true,
    state: "ranked" as const,
    visibility: "public" as const,
    ...more,
  };
}

export const matrix: Grid = {
  board: BOARD_ID,
  revision: 4,
  view: "reference",
  difficulty: "full",
  row: 0,
  column: 0,
  total_rows: 2,
  total_columns: 3,
  attacks: [
    head("A1", "TDGIA", 1),
    head("A2", "RND", 2),
    head("clean", "without attack", null),
  ],
  defenses: [
    head("D1", "GCN+LN", 1),
    head("D2", "GIN", 2),
    head("D3", "Newcomer", null, { state: "evaluating", is_reference: false }),
  ],
  cells: [
    ["C-A1-D1", "C-A1-D2", "C-run"],
    ["C-A2-D1", "C-A2-D2", "C-wait"],
    ["C-clean-D1", "C-clean-D2", null],
  ],
  states: ["ddr", "ddq", "dd-"],
  means: [
    [0.8052, 0.2653, null],
    [0.95, 0.5844, null],
    [0.9852, 0.9907, null],
  ],
  spreads: [
    [0.004, 0.008, null],
    [0.01, 0.01, null],
    [null, null, null],
  ],
  best_attacks: [[0, 1]],
  best_defenses: [],
};

export const submission: Submission = {
  id: "D3",
  board: BOARD_ID,
  metric: "accuracy",
  side: "defense",
  name: "Newcomer",
  authors: "A. Author",
  family: "GCN",
  state: "evaluating",
  is_reference: false,
  withdrawn: false,
  hidden: false,
  deleted: false,
  attempt: 1,
  received_at: MOMENT,
  cells: { queued: 1, running: 1, done: 3, failed: 0, dead: 0 },
  url: "/submissions/D3",
  log: null,
  visibility: "public",
  public_at: null,
  team: null,
  description: "",
  description_html: "",
  paper_url: null,
  code_url: null,
  adversarially_trained: false,
  surrogate: null,
  architecture: "GCN",
  parameters: { hidden: [64] },
  features: "normalised",
  difficulties: ["easy", "medium", "hard", "full"],
  repeats: null,
  budget: null,
  evaluation: null,
  sha256: "a".repeat(64),
  canonical: "d".repeat(64),
  bytes: 2048,
  submitter: "ann",
  yours: false,
  attempts: 1,
  violations: [],
  reason: null,
  validated_at: MOMENT,
  registered_at: null,
  edited_at: null,
  published_at: null,
  rank: null,
  place: null,
  artefact_url: "/api/v1/submissions/D3/artefact",
  flags: [],
  counterparts: [head("A1", "TDGIA", 1)],
  results: [{ id: "C-run", attack: "A1", defense: "D3", state: "running", accuracy: {} }],
  marked: {},
};

const repeats: Partial<Record<Difficulty, number[]>> = {
  easy: [90, 91, 92],
  medium: [90, 91, 92],
  hard: [90, 91, 92],
  full: [270, 273, 276],
};

export const cell: Cell = {
  id: "C-A1-D1",
  board: BOARD_ID,
  metric: "accuracy",
  attack: head("A1", "TDGIA", 1),
  defense: head("D1", "GCN+LN", 1),
  state: "done",
  attempts: 1,
  max_attempts: 4,
  error_code: null,
  error_family: null,
  reason: null,
  log: null,
  queued_at: MOMENT,
  started_at: MOMENT,
  finished_at: MOMENT,
  correct: repeats,
  errors: {},
  total: { easy: 100, medium: 100, hard: 100, full: 300 },
  not_finite: { easy: [0, 0, 0], medium: [0, 0, 0], hard: [0, 0, 0], full: [0, 0, 0] },
  accuracy: { easy: score(0.91), medium: score(0.91), hard: score(0.91), full: score(0.91, 0.0081) },
  macro_f1: { full: score(0.81, 0.0072) },
  balanced_accuracy: { full: score(0.72, 0.0063) },
  provenance: {
    protocol: "0123456789abcdef",
    evaluator_version: 1,
    device: "cpu",
    seconds: 0.4312,
    versions: { torch: "2.13.0" },
    attack_sha256: "b".repeat(64),
    defense_sha256: "c".repeat(64),
    hits_sha256: "e".repeat(64),
  },
  replaced_at: null,
  replaced_by: null,
  earlier: [],
  command: "grb evaluate digits/injection@1 --attack attack.npz --defense defense.safetensors",
};

export const history: History = {
  board: BOARD_ID,
  coming: null,
  applied: [
    {
      id: "J1",
      at: MOMENT,
      reason: "a faulty GPU",
      protocol: "0123456789abcdef",
      cells: 1234,
      changed: 3,
      ranks: 2,
    },
  ],
  next: null,
};

export const status: Status = {
  at: "2026-01-01T12:00:08Z",
  alive: 1,
  takers: { cpu: 1, gpu: 1, "gpu-large": 0 },
  unserved: [],
  workers: [
    {
      id: "a1",
      host: "machine",
      pid: 77,
      state: "alive",
      device: "cpu",
      takes: ["cpu", "gpu"],
      versions: { grb: "0.1.0", torch: "2.13.0" },
      started_at: MOMENT,
      heartbeat_at: MOMENT,
      stopped_at: null,
      work: { kind: "cells", submission: "D3", name: "Newcomer", board: BOARD_ID, cells: 2 },
      avoided: { "grb-cora/injection@1": "its data is not here" },
    },
  ],
  validations: { waiting: 0, oldest_seconds: null, running: 0, done: 4, stopped: 0 },
  cells: { waiting: 12, oldest_seconds: 75.4, running: 2, done: 1234, stopped: 1 },
  failures: [
    { family: "submission", work: "cells", code: "time-limit", outcome: "failed", count: 3 },
  ],
  boards: [
    {
      id: BOARD_ID,
      title: "Digits: injection",
      state: "ready",
      need: "cpu",
      attacks: 2,
      defenses: 2,
      cell_seconds: 0.25,
      attack_wait: 125,
      defense_wait: null,
    },
  ],
};
