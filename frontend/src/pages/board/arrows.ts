/** Movement in a table by arrow keys: one cell is in the tab order, the others are reached from it. */
import { useEffect, useRef, type KeyboardEvent, type RefObject } from "react";

/** Where a key leads from a cell, in rows and columns; null where it leads nowhere. */
export function stepOf(key: string, control: boolean): readonly [number, number] | null {
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

/** What of a cell takes the focus: its link, or the text that stands for one. */
function stopOf(cell: Element | undefined): HTMLElement | null {
  return cell?.querySelector<HTMLElement>("a, [tabindex]") ?? null;
}

function cellAt(table: HTMLTableElement, row: number, column: number): HTMLElement | null {
  const rows = [...table.rows];
  // the corner has nothing to stop at, so the very first is the head of the first row
  const line = rows[row === -Infinity ? 1 : Math.min(Math.max(row, 0), rows.length - 1)];
  if (line === undefined) return null;
  return stopOf(line.cells[Math.min(Math.max(column, 0), line.cells.length - 1)]);
}

export interface Edge {
  row: -1 | 0 | 1;
  column: -1 | 0 | 1;
}

/**
 * Keeps one cell of the table in the tab order, and gives what moves the focus.
 *
 * `beyond` is called where a step leads over the edge, in rows or columns; where it shows another
 * part of the table, `part` changes, and the focus comes in from the side that it left by.
 */
export function useArrows(
  within: RefObject<HTMLElement | null>,
  part: string,
  beyond: (edge: Edge) => boolean,
): (event: KeyboardEvent) => void {
  const left = useRef<{ part: string; row: number; column: number } | null>(null);

  useEffect(() => {
    const table = within.current?.querySelector("table");
    if (!table) return;
    if (left.current !== null && left.current.part !== part) {
      const { row, column } = left.current;
      left.current = null;
      focusAt(table, row, column);
    } else if (table.querySelector('[tabindex="0"]') === null) {
      stopOf(table.tBodies[0]?.rows[0]?.cells[1])?.setAttribute("tabindex", "0");
    }
  });

  return (event) => {
    const { target, key, ctrlKey, altKey, metaKey } = event;
    const step = altKey || metaKey ? null : stepOf(key, ctrlKey);
    if (step === null || !(target instanceof Element)) return;
    const cell = target.closest<HTMLTableCellElement>("td, th");
    const line = cell?.closest("tr");
    const table = cell?.closest("table");
    if (!cell || !line || !table) return;
    const [rows, columns] = step;
    const to = { row: line.rowIndex + rows, column: cell.cellIndex + columns };
    event.preventDefault();
    if (Math.abs(rows) + Math.abs(columns) === 1) {
      const over: Edge = {
        row: to.row >= table.rows.length ? 1 : to.row < 1 && rows < 0 ? -1 : 0,
        column: to.column >= line.cells.length ? 1 : to.column < 1 && columns < 0 ? -1 : 0,
      };
      if ((over.row !== 0 || over.column !== 0) && beyond(over)) {
        const enter = (side: number, place: number) =>
          side === 0 ? place : side > 0 ? 1 : Infinity;
        left.current = { part, row: enter(over.row, to.row), column: enter(over.column, to.column) };
        return;
      }
    }
    focusAt(table, to.row, to.column);
  };
}

function focusAt(table: HTMLTableElement, row: number, column: number): void {
  const stop = cellAt(table, row, column);
  if (stop === null) return;
  table.querySelectorAll('[tabindex="0"]').forEach((one) => { one.setAttribute("tabindex", "-1"); });
  stop.setAttribute("tabindex", "0");
  stop.focus();
}
