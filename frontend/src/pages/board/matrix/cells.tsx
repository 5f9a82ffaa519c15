/** A row of the matrix, and what stands in its cells. */
import { memo, type CSSProperties } from "react";

import { cellAddress, submissionAddress } from "../../../address";
import type { MatrixEntry } from "../../../api/types";
import { drawScore } from "../../../components/ScoreValue";
import { StateTag } from "../../../components/StateTag";
import { DASH } from "../../../format";
import { CLEAN, CLEAN_NAME, MARK_TITLES } from "../../../words";
import { at, robustness, stateOf, type Model } from "./model";

interface LineProps {
  model: Model;
  row: number;
  /** The columns to draw. */
  columns: readonly number[];
  /** Pixels of a column, and from the first row to this one. */
  width: number;
  top: number;
  /** `aria-rowindex`. */
  index: number;
  /** The column that is in the tab order, where it is one of this row. */
  stop: number | null;
}

/** One attack; drawn anew only for another answer, other columns, or where the focus moves. */
export const Line = memo(function Line({ model, row, columns, width, top, index, stop }: LineProps) {
  const { grid } = model;
  const attack = grid.attacks[row];
  if (attack === undefined) return null;
  return (
    <tr role="row" aria-rowindex={index} className={attack.id === CLEAN ? "clean" : ""} style={{ top }}>
      <th role="rowheader" scope="row" aria-colindex={1} data-at={at(row, -1)}>
        <Head entry={attack} stop={stop === -1} />
      </th>
      {columns.map((column) => drawCell(model, row, column, width, stop === column))}
    </tr>
  );
});

export function Head({ entry, stop }: { entry: MatrixEntry; stop: boolean }) {
  const tabIndex = stop ? 0 : -1;
  if (entry.id === CLEAN) return <span tabIndex={tabIndex}>{CLEAN_NAME}</span>;
  return (
    <span className="head">
      <a href={submissionAddress(entry.id)} title={entry.name} tabIndex={tabIndex}>
        {entry.name}
      </a>
      <span className="small">{standing(entry)}</span>
    </span>
  );
}

function standing({ rank, state }: MatrixEntry): string {
  if (rank !== null) return `rank ${rank}`;
  return state === "ranked" ? "no score" : state;
}

/** One cell; no component for each, as there are many. */
function drawCell(model: Model, row: number, column: number, width: number, stop: boolean) {
  const { grid, ends, scores } = model;
  const id = grid.cells[row]?.[column] ?? null;
  const state = stateOf(grid, row, column);
  const mean = grid.means[row]?.[column] ?? null;
  const place = {
    role: "gridcell",
    "aria-colindex": grid.column + column + 2,
    "data-at": at(row, column),
  };
  const tabIndex = stop ? 0 : -1;
  const left = column * width;
  if (id === null || state === undefined) {
    return (
      <td key={column} {...place} style={{ left }}>
        <span className="none" tabIndex={tabIndex}>
          <span aria-hidden="true">{DASH}</span>
          <span className="unseen">not evaluated</span>
        </span>
      </td>
    );
  }
  const href = cellAddress(id);
  if (state !== "done") {
    return (
      <td key={column} {...place} style={{ left }}>
        <a href={href} tabIndex={tabIndex}>
          <StateTag state={state} />
        </a>
      </td>
    );
  }
  if (mean === null) {
    return (
      <td key={column} {...place} style={{ left }}>
        <a href={href} tabIndex={tabIndex} title="The attack carries no graph for this difficulty">
          {DASH}
          <span className="unseen">not carried at this difficulty</span>
        </a>
      </td>
    );
  }
  const mark = model.marks.get(at(row, column));
  return (
    <td
      key={column}
      {...place}
      className="heat"
      data-mark={mark}
      style={{ left, "--share": robustness(mean, ends) } as CSSProperties}
    >
      <a href={href} tabIndex={tabIndex} title={mark === undefined ? undefined : MARK_TITLES[mark]}>
        {drawScore({ mean, std: grid.spreads[row]?.[column] ?? null }, scores)}
      </a>
    </td>
  );
}
