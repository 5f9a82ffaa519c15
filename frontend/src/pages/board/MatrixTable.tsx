import { memo, useRef, type CSSProperties } from "react";
import { useSearchParams } from "react-router";

import { cellAddress, changed, submissionAddress } from "../../address";
import { STEPS } from "../../api/queries";
import type { CellState, Difficulty, Matrix, MatrixCell, MatrixEntry } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Marks } from "../../components/Marks";
import { Notice } from "../../components/Notice";
import { useFollow } from "../../components/follow";
import { drawScore } from "../../components/ScoreValue";
import { StateTag } from "../../components/StateTag";
import { DASH, count } from "../../format";
import { CLEAN, CLEAN_NAME, DIFFICULTY_NAMES, MARK_TITLES, type Mark } from "../../words";
import { useArrows, type Edge } from "./arrows";

/**
 * Every attack against every defense; each number leads to its cell.
 *
 * Arrow keys move from cell to cell, and over an edge to the next part of a long matrix.
 */
export function MatrixTable({ matrix, busy }: { matrix: Matrix; busy: boolean }) {
  const within = useRef<HTMLDivElement>(null);
  const follow = useFollow();
  const move = useArrows(within, `${matrix.row} ${matrix.column}`, useNextPart(matrix, busy));
  if (matrix.total_columns === 0) {
    return <Notice kind="note">There is no defense yet, so nothing could be measured.</Notice>;
  }
  return (
    // keys move between the links and texts inside, which take the focus
    <div ref={within} onKeyDown={move} onClick={follow}>
      <DataTable
        name="matrix"
        busy={busy}
        className="matrix"
        caption={`Accuracy (%) of each defense under each attack, at difficulty ${DIFFICULTY_NAMES[matrix.difficulty].toLowerCase()}.`}
      >
        <Cells matrix={matrix} />
      </DataTable>
      <Legend matrix={matrix} />
    </div>
  );
}

/** Over an edge the neighbouring part is shown, where there is one; one is asked for at a time. */
function useNextPart(matrix: Matrix, busy: boolean): (edge: Edge) => boolean {
  const [search, setSearch] = useSearchParams();
  return ({ row, column }) => {
    const to = {
      row: matrix.row + row * STEPS.row,
      column: matrix.column + column * STEPS.column,
    };
    const inside =
      to.row < Math.max(matrix.total_rows, 1) &&
      to.column < matrix.total_columns &&
      (to.row >= 0 || matrix.row > 0) &&
      (to.column >= 0 || matrix.column > 0);
    if (!inside || busy) return false;
    const place = (at: number) => (at > 0 ? String(at) : null);
    const next = changed(search, { row: place(to.row), column: place(to.column) });
    setSearch(new URLSearchParams(next), { preventScrollReset: true });
    return true;
  };
}

/**
 * Head and body: most of the page's elements, so they are drawn anew only for another answer.  Another
 * part of the matrix takes over the elements by their places, which is quicker than making new ones.
 */
const Cells = memo(function Cells({ matrix }: { matrix: Matrix }) {
  const { attacks, defenses, difficulty } = matrix;
  const floor = floorOf(matrix);
  const cells = new Map(matrix.cells.map((cell) => [pair(cell.attack, cell.defense), cell]));
  const strongest = new Set(matrix.best_attacks);
  const best = new Set(matrix.best_defenses);
  const markOf = (id: string): Mark | undefined => {
    if (strongest.has(id)) return best.has(id) ? "both" : "attack";
    return best.has(id) ? "defense" : undefined;
  };
  return (
    <>
      <thead>
        <tr>
          <th scope="col">Attack \ Defense</th>
          {defenses.map((defense, column) => (
            <th scope="col" key={column}>
              <Head entry={defense} />
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {attacks.map((attack, row) => (
          <tr key={row} className={attack.id === CLEAN ? "clean" : ""}>
            <th scope="row">
              <Head entry={attack} />
            </th>
            {defenses.map((defense, column) => {
              const cell = cells.get(pair(attack.id, defense.id));
              return drawCell(cell, cell && markOf(cell.id), difficulty, floor, column);
            })}
          </tr>
        ))}
      </tbody>
    </>
  );
});

function Legend({ matrix }: { matrix: Matrix }) {
  return (
    <div className="legend">
      <span aria-hidden="true" className="legend">
        100 % <span className="legend-scale" /> {Math.round(100 * floorOf(matrix))} %
      </span>
      <Marks where="of those shown" />
      <Waiting matrix={matrix} />
      <span>Arrow keys move between cells.</span>
    </div>
  );
}

const UNDONE: readonly CellState[] = ["queued", "running", "failed", "dead"];

/** How many of the cells that are shown have no number yet, by state. */
function Waiting({ matrix }: { matrix: Matrix }) {
  const counts = UNDONE.map(
    (state) => [state, matrix.cells.filter((cell) => cell.state === state).length] as const,
  ).filter(([, number]) => number > 0);
  return counts.map(([state, number]) => (
    <span key={state}>
      {count(number)} <StateTag state={state} />
    </span>
  ));
}

/** Where the colours end: the smallest accuracy, down to a whole ten percent, below 100. */
function floorOf({ cells, difficulty }: Matrix): number {
  const means = cells.flatMap((cell) => cell.accuracy[difficulty]?.mean ?? []);
  return Math.min(9, ...means.map((mean) => Math.floor(10 * mean))) / 10;
}

function pair(attack: string, defense: string): string {
  return `${attack} ${defense}`;
}

function Head({ entry }: { entry: MatrixEntry }) {
  if (entry.id === CLEAN) return <span tabIndex={-1}>{CLEAN_NAME}</span>;
  return (
    <span className="head">
      <a href={submissionAddress(entry.id)} title={entry.name} tabIndex={-1}>
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
function drawCell(
  cell: MatrixCell | undefined,
  mark: Mark | undefined,
  difficulty: Difficulty,
  floor: number,
  column: number,
) {
  if (cell === undefined) {
    return (
      <td key={column}>
        <span className="none" tabIndex={-1}>
          <span aria-hidden="true">{DASH}</span>
          <span className="unseen">not evaluated</span>
        </span>
      </td>
    );
  }
  if (cell.state !== "done") {
    return (
      <td key={column}>
        <a href={cellAddress(cell.id)} tabIndex={-1}>
          <StateTag state={cell.state} />
        </a>
      </td>
    );
  }
  const score = cell.accuracy[difficulty];
  if (score === undefined) {
    return (
      <td key={column}>
        <a href={cellAddress(cell.id)} tabIndex={-1} title="The attack carries no graph for this difficulty">
          {DASH}
          <span className="unseen">not carried at this difficulty</span>
        </a>
      </td>
    );
  }
  return (
    <td
      key={column}
      className="heat"
      data-mark={mark}
      style={{ "--share": (score.mean - floor) / (1 - floor) } as CSSProperties}
    >
      <a
        href={cellAddress(cell.id)}
        tabIndex={-1}
        title={mark === undefined ? undefined : MARK_TITLES[mark]}
      >
        {drawScore(score)}
      </a>
    </td>
  );
}
