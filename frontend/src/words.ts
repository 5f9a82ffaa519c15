/** The service's words, spelled out: one word per idea, the same in the API and the docs. */
import type {
  BoardState,
  CellState,
  Difficulty,
  Failure,
  Metric,
  Side,
  SubmissionState,
  View,
} from "./api/types";

export const VIEWS: readonly View[] = ["reference", "all"];

export const DIFFICULTY_NAMES: Record<Difficulty, string> = {
  easy: "Easy",
  medium: "Medium",
  hard: "Hard",
  full: "Full",
  "1": "Budget 1",
  "2": "Budget 2",
  "3": "Budget 3",
  "4": "Budget 4",
  "5": "Budget 5",
  mean: "Mean",
};

/** A difficulty inside a heading or a sentence: `full`, `budget 1`, `mean`. */
export function difficultyWord(difficulty: Difficulty): string {
  return DIFFICULTY_NAMES[difficulty].toLowerCase();
}

/** Where numbers are of: `at full`, `at budget 1`, `at the mean over budgets`. */
export function at(difficulty: Difficulty): string {
  return difficulty === "mean" ? "at the mean over budgets" : `at ${difficultyWord(difficulty)}`;
}

/** The same for who may not know what the word is of: `at difficulty full`. */
export function atDifficulty(difficulty: Difficulty): string {
  return /^[a-z]/.test(difficulty) && difficulty !== "mean" ? `at difficulty ${difficulty}` : at(difficulty);
}

/** What counts of targets at the mean over budgets are. */
export function addedUp(difficulty: Difficulty): string {
  return difficulty === "mean" ? ", those of all budgets added up" : "";
}

export const VIEW_NAMES: Record<View, string> = {
  reference: "Reference",
  all: "All",
};

export const METRICS: readonly Metric[] = ["weighted", "average", "three", "worst"];
export type { Metric };

/** What ranks, as a choice for both sides says it. */
export const METRIC_NAMES: Record<Metric, string> = {
  weighted: "Weighted",
  average: "Avg",
  three: "3-Min / 3-Max",
  worst: "Worst case",
};

export const SIDE_NAMES: Record<Side, string> = { attack: "Attack", defense: "Defense" };

export const BOARD_STATES: Record<BoardState, string> = {
  ready: "ready",
  preparing: "preparing",
  "no-data": "data not present",
};

/** A family as one reads it: a method that the library lacks is named by its authors. */
export function familyName(family: string): string {
  return family.startsWith("other:") ? `${family.slice("other:".length).trim()} (own method)` : family;
}

/** What a state means for the one who waits. */
export const SUBMISSION_STATES: Record<SubmissionState, string> = {
  received: "The file is stored and waits for its check.",
  validating: "The content of the file is being checked.",
  rejected: "The file breaks a rule of the board. Nothing was evaluated.",
  evaluating: "It is being evaluated against every registered counterpart. No rank moves before the end.",
  ranked: "It is registered and takes part in the ranking.",
  failed: "It could not be evaluated, through a fault of its own.",
};

/** What a mark means: a deletion for every entry, the others for one that was still on its way. */
export const STOPPED = {
  deleted: "It was deleted: the file is gone, and whatever told whose it was.",
  withdrawn: "It was withdrawn before its evaluation ended, which does not go on.",
  hidden: "An admin hid it before its evaluation ended, which does not go on.",
};

export const CELL_STATES: Record<CellState, string> = {
  queued: "It waits to be evaluated.",
  running: "It is being evaluated.",
  done: "It has been evaluated.",
  failed: "The evaluation failed through a fault of the newly submitted entry. This is final.",
  dead: "The evaluation could not be completed on this service. An admin may queue it again.",
};

/** Whose fault a failure is. */
export const FAULTS: Record<Failure["family"], string> = {
  submission: "the submission",
  infrastructure: "this service",
};

export const WORKS: Record<Failure["work"], string> = {
  validation: "the check of a file",
  cells: "a cell",
};

/** How a failure ended. */
export const OUTCOMES: Record<Failure["outcome"], string> = {
  rejected: "rejected",
  failed: "failed, for good",
  dead: "waits for an admin",
  stopped: "waits for an admin",
  retried: "is tried again",
  recovered: "done at a later try",
};

/** The attack of the clean row. */
export const CLEAN = "clean";
export const CLEAN_NAME = "Without attack";

/** What a number of a table is the best of: `attack` is the paper's red, `defense` its blue. */
export type Mark = "attack" | "defense" | "both";

export const MARK_TITLES: Record<Mark, string> = {
  attack: "Strongest of the attacks shown",
  defense: "Best of the defenses shown",
  both: "Best of the defenses and strongest of the attacks shown",
};

interface Counted {
  state: BoardState;
  attacks: number;
  defenses: number;
  pending?: number;
}

/** Whether a board has neither its data nor entries of a time when it had. */
export function isAbsent({ state, attacks, defenses, pending = 0 }: Counted): boolean {
  return state === "no-data" && attacks + defenses + pending === 0;
}
