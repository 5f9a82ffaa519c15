import { useQuery } from "@tanstack/react-query";

import { differencesQuery, type ComparedDifferences, type Comparison } from "../../api/tables";
import { useScores } from "../../board";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { count } from "../../format";
import { metricName, type Scores } from "../../scores";
import { atDifficulty } from "../../words";
import type { Compared } from "./addresses";
import { pValue, verdict } from "./verdict";

interface DifferenceProps {
  found: Comparison;
  compared: Compared;
}

/** How sure it is that each entry differs from the first. */
export function DifferenceSection({ found, compared: { board, difficulty, view } }: DifferenceProps) {
  const ids = found.entries.map(({ id }) => id);
  const differences = useQuery(differencesQuery(board, ids, { difficulty, view }));
  return (
    <Loaded query={differences} what="the intervals of the differences">
      {(data) =>
        data.missing === null ? (
          <DifferenceTable found={found} sure={data} />
        ) : (
          <Notice kind="note">There are no intervals of the differences: {data.missing}.</Notice>
        )
      }
    </Loaded>
  );
}

interface DifferenceTableProps {
  found: Comparison;
  sure: ComparedDifferences;
}

function DifferenceTable({ found, sure }: DifferenceTableProps) {
  const heads = new Map(found.entries.map((entry) => [entry.id, entry]));
  const names = new Map(found.entries.map(({ id, name }) => [id, name]));
  const metrics = sure.pairs[0]?.metrics ?? [];
  const scores = useScores();
  return (
    <DataTable name="differences" className="compared" caption={captionOf(sure, scores)}>
      <thead>
        <tr>
          <th scope="col">Against {names.get(sure.first ?? "")}</th>
          {metrics.map(({ metric }) => (
            <th scope="col" key={metric}>
              {metricName(metric, sure.side, scores)}
            </th>
          ))}
          <th scope="col">p</th>
        </tr>
      </thead>
      <tbody>
        {sure.pairs.map((pair) => (
          <tr key={pair.entry}>
            <th scope="row">
              <EntryLink entry={heads.get(pair.entry) ?? { id: pair.entry, name: pair.entry }} />
            </th>
            {pair.metrics.map((known) => (
              <td key={known.metric}>{verdict(known, names, scores)}</td>
            ))}
            <td>{pValue(pair.p_value)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** What the intervals are of. */
function captionOf(
  { difficulty, counted, repeated, draws, pairs }: ComparedDifferences,
  { errors }: Scores,
): string {
  const fresh = repeated ? "new attack samples and targets" : "new targets only";
  const many =
    pairs.length > 1
      ? `, by Holm's method for ${pairs.length} pairs; who wins has one below 0.05`
      : "";
  return (
    `Who wins ${atDifficulty(difficulty)} over ${count(counted)} counterparts, by how ` +
    `${errors ? "much" : "many percentage points"}, and the 95 % interval over ${fresh}, of ${count(draws)} draws. ` +
    `p is that of Wilcoxon's signed ranks over all targets${many}.`
  );
}
