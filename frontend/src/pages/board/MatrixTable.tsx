import type { CSSProperties } from "react";
import { Link } from "react-router";

import { cellAddress, submissionAddress } from "../../address";
import type { Difficulty, Matrix, MatrixCell, MatrixEntry } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Notice } from "../../components/Notice";
import { ScoreValue } from "../../components/ScoreValue";
import { StateTag } from "../../components/StateTag";
import { DASH } from "../../format";
import { CLEAN, CLEAN_NAME, DIFFICULTY_NAMES } from "../../words";

/** Every attack against every defense; each number leads to its cell. */
export function MatrixTable({ matrix, busy }: { matrix: Matrix; busy: boolean }) {
  const { attacks, defenses, difficulty } = matrix;
  if (matrix.total_columns === 0) {
    return <Notice kind="note">There is no defense yet, so nothing could be measured.</Notice>;
  }
  const floor = floorOf(matrix);
  const cells = new Map(matrix.cells.map((cell) => [pair(cell.attack, cell.defense), cell]));
  return (
    <>
      <DataTable
        name="matrix"
        busy={busy}
        className="matrix"
        caption={`Accuracy (%) of each defense under each attack, at difficulty ${DIFFICULTY_NAMES[difficulty].toLowerCase()}.`}
      >
        <thead>
          <tr>
            <th scope="col">Attack \ Defense</th>
            {defenses.map((defense) => (
              <th scope="col" key={defense.id}>
                <Head entry={defense} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {attacks.map((attack) => (
            <tr key={attack.id} className={attack.id === CLEAN ? "clean" : ""}>
              <th scope="row">
                <Head entry={attack} />
              </th>
              {defenses.map((defense) => (
                <CellOf
                  key={defense.id}
                  cell={cells.get(pair(attack.id, defense.id))}
                  difficulty={difficulty}
                  floor={floor}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </DataTable>
      <p className="legend" aria-hidden="true">
        100 % <span className="legend-scale" /> {Math.round(100 * floor)} %
      </p>
    </>
  );
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
  if (entry.id === CLEAN) return CLEAN_NAME;
  return (
    <span className="head">
      <Link to={submissionAddress(entry.id)} title={entry.name}>
        {entry.name}
      </Link>
      <span className="small">{standing(entry)}</span>
    </span>
  );
}

function standing({ rank, state }: MatrixEntry): string {
  if (rank !== null) return `rank ${rank}`;
  return state === "ranked" ? "no score" : state;
}

interface CellOfProps {
  cell: MatrixCell | undefined;
  difficulty: Difficulty;
  floor: number;
}

function CellOf({ cell, difficulty, floor }: CellOfProps) {
  if (cell === undefined) {
    return (
      <td>
        <span className="none" aria-hidden="true">
          {DASH}
        </span>
        <span className="unseen">not evaluated</span>
      </td>
    );
  }
  if (cell.state !== "done") {
    return (
      <td>
        <Link to={cellAddress(cell.id)}>
          <StateTag state={cell.state} />
        </Link>
      </td>
    );
  }
  const score = cell.accuracy[difficulty];
  if (score === undefined) {
    return (
      <td>
        <Link to={cellAddress(cell.id)} title="The attack carries no graph for this difficulty">
          {DASH}
          <span className="unseen">not carried at this difficulty</span>
        </Link>
      </td>
    );
  }
  return (
    <td className="heat" style={{ "--share": (score.mean - floor) / (1 - floor) } as CSSProperties}>
      <Link to={cellAddress(cell.id)}>
        <ScoreValue score={score} />
      </Link>
    </td>
  );
}
