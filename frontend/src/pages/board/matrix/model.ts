/** A matrix as its grid is drawn from: marks, the end of the colours, and what is not done. */
import type { CellState, Grid } from "../../../api/types";
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
  /** Where the colours end: the smallest accuracy, down to a whole ten percent, below 100. */
  floor: number;
  /** By row and column of the window. */
  marks: ReadonlyMap<string, Mark>;
  /** How many of the cells have no number yet, by state. */
  waiting: readonly (readonly [CellState, number])[];
}

export function modelOf(grid: Grid): Model {
  const counts = new Map<CellState, number>();
  for (const letter of grid.states.join("")) {
    const state = STATES[letter];
    if (state !== undefined) counts.set(state, (counts.get(state) ?? 0) + 1);
  }
  return {
    grid,
    floor: floorOf(grid),
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

function floorOf({ means }: Grid): number {
  let least = 1;
  for (const row of means) {
    for (const mean of row) {
      if (mean !== null && mean < least) least = mean;
    }
  }
  return Math.min(9, Math.floor(10 * least)) / 10;
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
