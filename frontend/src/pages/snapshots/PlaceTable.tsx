import { Link } from "react-router";

import { submissionAddress } from "../../address";
import type { SnapshotLine } from "../../api/snapshots";
import type { Side } from "../../api/types";
import { useBoard, useScores } from "../../board";
import { DataTable } from "../../components/DataTable";
import { ScoreValue } from "../../components/ScoreValue";
import { DASH, count } from "../../format";
import { metricName, orderOf } from "../../scores";
import { SIDE_NAMES, at } from "../../words";

interface PlaceTableProps {
  side: Side;
  lines: readonly SnapshotLine[];
}

const METRICS = ["weighted", "average", "three", "worst"] as const;

/** The places of one side on that day, at what ranks the board, over the references. */
export function PlaceTable({ side, lines }: PlaceTableProps) {
  const name = SIDE_NAMES[side];
  const isDefense = side === "defense";
  const { ranked } = useBoard();
  const scores = useScores();
  const heads = [
    ...METRICS.map((metric) => metricName(metric, side, scores)),
    ...(isDefense ? ["Clean"] : []),
  ];
  return (
    <section className="part" aria-labelledby={`${side}s`}>
      <h2 id={`${side}s`}>{name}s</h2>
      {lines.length === 0 ? (
        <p>None was ranked.</p>
      ) : (
        <DataTable
          name={`${side}s`}
          className="ranking"
          caption={`${at(ranked).replace("at", "At")} over the references, ranked by Weighted; ${orderOf(side, scores)}.`}
        >
          <thead>
            <tr>
              <th scope="col" className="number">
                Rank
              </th>
              <th scope="col">{name}</th>
              <th scope="col">Family</th>
              {heads.map((head) => (
                <th key={head} scope="col" className="number">
                  {head}{scores.unit}
                </th>
              ))}
              <th scope="col" className="number">
                n
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((line) => (
              <PlaceRow key={line.id} line={line} isDefense={isDefense} />
            ))}
          </tbody>
        </DataTable>
      )}
    </section>
  );
}

function PlaceRow({ line, isDefense }: { line: SnapshotLine; isDefense: boolean }) {
  return (
    <tr>
      <td className="number rank">{line.rank ?? DASH}</td>
      <th scope="row">
        <Link to={submissionAddress(line.id)}>{line.name}</Link>
      </th>
      <td>{line.family}</td>
      {METRICS.map((metric) => (
        <td key={metric} className="number">
          <ScoreValue score={line.metrics?.[metric]} />
        </td>
      ))}
      {isDefense && (
        <td className="number">
          <ScoreValue score={line.clean ?? undefined} />
        </td>
      )}
      <td className="number">{line.metrics === null ? DASH : count(line.metrics.n)}</td>
    </tr>
  );
}
