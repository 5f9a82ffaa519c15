/** Movement in the matrix by keys: one cell is in the tab order, the others are reached from it. */

/** A place in the matrix; row -1 is the head of the columns, column -1 the heads of the rows. */
export interface Place {
  row: number;
  column: number;
}

/** How many rows (the one without an attack among them) and columns there are, heads left out. */
export interface Size {
  rows: number;
  columns: number;
}

/** Where a key leads from a place; null where the key leads nowhere. */
export function movedBy(key: string, control: boolean, from: Place, size: Size): Place | null {
  const step = stepOf(key, control);
  if (step === null) return null;
  const row = between(from.row + step[0], -1, size.rows - 1);
  const column = between(from.column + step[1], -1, size.columns - 1);
  // the corner has nothing to stop at
  if (row === -1 && column === -1) return step[0] === -Infinity ? { row: 0, column } : from;
  return { row, column };
}

function stepOf(key: string, control: boolean): readonly [number, number] | null {
  switch (key) {
    case "ArrowUp":
      return [-1, 0];
    case "ArrowDown":
      return [1, 0];
    case "ArrowLeft":
      return [0, -1];
    case "ArrowRight":
      return [0, 1];
    case "PageUp":
      return [-10, 0];
    case "PageDown":
      return [10, 0];
    case "Home":
      return [control ? -Infinity : 0, -Infinity];
    case "End":
      return [control ? Infinity : 0, Infinity];
    default:
      return null;
  }
}

function between(value: number, least: number, most: number): number {
  return Math.min(Math.max(value, least), most);
}

/** The place inside a matrix of this size that is nearest to a place. */
export function inside({ row, column }: Place, size: Size): Place {
  return { row: between(row, -1, size.rows - 1), column: between(column, -1, size.columns - 1) };
}
