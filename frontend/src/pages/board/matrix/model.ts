/** A matrix as its grid is drawn from: marks, the end of the colours, and what is not done. */
import type { CellState, Grid } from "../../../api/types";
import type { Scores } from "../../../scores";
import type { Mark } from "../../../words";

const STATES: Readonly<Record<string, CellState>> = {
  d: "done",
  r: "running",
  q: "queued",
  f: "failed",
  x: "dead",
};

const WAITING: readonly CellState[] = ["queued", "running", "failed", "dead"];

export interface Model {
  grid: Grid;
  scores: Scores;
  /** Where the colours begin and end: the best that there can be, and what is as bad as the worst here. */
  ends: [best: number, worst: number];
  /** By row and column of the window. */
  marks: ReadonlyMap<string, Mark>;
  /** How many of the cells have no number yet, by state. */
  waiting: readonly (readonly [CellState, number])[];
}

export function modelOf(grid: Grid, scores: Scores): Model {
  const counts = new Map<CellState, number>();
  for (const letter of grid.states.join("")) {
    const state = STATES[letter];
    if (state !== undefined) counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return {
    grid,
    scores,
    ends: endsOf(grid, scores),
    marks: marksOf(grid),
    waiting: WAITING.flatMap((state) => {
      const number = counts.get(state);
      return number === undefined ? [] : [[state, number] as const];
    }),
  };
}

/** The state of a cell; undefined where there is none. */
export function stateOf(grid: Grid, row: number, column: number): CellState | undefined {
  return STATES[grid.states[row]?.[column] ?? "-"];
}

export function at(row: number, column: number): string {
  return `${row} ${column}`;
}

/** Whole tenths: from 1 down below the smallest accuracy, or from 0 up above the largest error. */
function endsOf({ means }: Grid, { errors }: Scores): [best: number, worst: number] {
  let worst = errors ? 0 : 1;
  for (const row of means) {
    for (const mean of row) {
      if (mean !== null && (errors ? mean > worst : mean < worst)) worst = mean;
    }
  }
  return errors ? [0, Math.max(1, Math.ceil(10 * worst)) / 10] : [1, Math.min(9, Math.floor(10 * worst)) / 10];
}

/** How robust a number is: 1 at the best end of the colours, 0 at the worst. */
export function robustness(mean: number, [best, worst]: Model["ends"]): number {
  return (mean - worst) / (best - worst);
}

function marksOf({ best_attacks, best_defenses }: Grid): Map<string, Mark> {
  const marks = new Map<string, Mark>(
    best_attacks.map(([row, column]) => [at(row, column), "attack"]),
  );
  for (const [row, column] of best_defenses) {
    const place = at(row, column);
    marks.set(place, marks.has(place) ? "both" : "defense");
  }
  return marks;
}
