import { Link } from "react-router";

import { cellAddress } from "../address";
import type { Cell } from "../api/types";
import { useChoices, useScores } from "../board";
import { DataTable } from "../components/DataTable";
import { Notice } from "../components/Notice";
import { ScoreValue } from "../components/ScoreValue";
import { Time } from "../components/Time";
import { count } from "../format";
import { inFull } from "../scores";
import { DIFFICULTY_NAMES } from "../words";

/** Said where the board shows another result by now. */
export function ReplacedNotice({ cell }: { cell: Cell }) {
  if (cell.replaced_by === null) return null;
  return (
    <Notice kind="note">
      This result was replaced{" "}
      {cell.replaced_at !== null && (
        <>
          on <Time at={cell.replaced_at} />{" "}
        </>
      )}
      by <Link to={cellAddress(cell.replaced_by)}>a newer one</Link>; no ranking counts it.
    </Notice>
  );
}

/** What this pair's result was before. */
export function CellHistory({ cell }: { cell: Cell }) {
  const choices = useChoices();
  const scores = useScores();
  if (cell.earlier.length === 0) return null;
  return (
    <section aria-labelledby="earlier">
      <h2 id="earlier">Earlier results</h2>
      <DataTable name="earlier" caption={`${inFull(scores)} of this pair before it was computed once more.`}>
        <thead>
          <tr>
            <th scope="col">Replaced</th>
            {choices.map((difficulty) => (
              <th scope="col" className="number" key={difficulty}>
                {DIFFICULTY_NAMES[difficulty]}
              </th>
            ))}
            <th scope="col" className="number">
              Evaluator version
            </th>
            <th scope="col">Protocol</th>
          </tr>
        </thead>
        <tbody>
          {cell.earlier.map((result) => (
            <tr key={result.id}>
              <th scope="row">
                <Link to={cellAddress(result.id)}>
                  <Time at={result.replaced_at} />
                </Link>
              </th>
              {choices.map((difficulty) => (
                <td className="number" key={difficulty}>
                  <ScoreValue score={result.accuracy[difficulty]} />
                </td>
              ))}
              <td className="number">{count(result.evaluator_version)}</td>
              <td>
                <code>{result.protocol}</code>
              </td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </section>
  );
}
