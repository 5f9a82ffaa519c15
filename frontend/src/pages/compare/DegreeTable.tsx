import { useQuery } from "@tanstack/react-query";

import { degreesQuery, type ComparedDegrees, type Comparison } from "../../api/tables";
import { isOfGraphs, useBoard, useScores } from "../../board";
import { DataTable } from "../../components/DataTable";
import { Exports } from "../../components/Exports";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { count } from "../../format";
import { heading } from "../../scores";
import { atDifficulty } from "../../words";
import { degreeFiles, type Compared } from "./addresses";
import { Both } from "./Both";
import { Heads } from "./ComparisonTable";

interface DegreeProps {
  found: Comparison;
  compared: Compared;
}

/** Where one wins by the degree of the targets, or the size of graphs: the mean over the counterparts.  Errors are
 * not told by it. */
export function DegreeSection(props: DegreeProps) {
  return useScores().errors ? null : <Degrees {...props} />;
}

function Degrees({ found, compared }: DegreeProps) {
  const { board, difficulty, view } = compared;
  const ids = found.entries.map(({ id }) => id);
  const degrees = useQuery(degreesQuery(board, ids, { difficulty, view }));
  const by = isOfGraphs(useBoard()) ? "size" : "degree";
  return (
    <>
      <h2>By {by}</h2>
      <Loaded query={degrees} what={`the numbers by ${by}`}>
        {(data) =>
          data.missing === null ? (
            <>
              <DegreeTable found={found} degrees={data} busy={degrees.isPlaceholderData} />
              <Exports what={`These numbers by ${by}`} files={degreeFiles(compared)} />
            </>
          ) : (
            <Notice kind="note">
              There is nothing by {by}: {data.missing}.
            </Notice>
          )
        }
      </Loaded>
    </>
  );
}

interface DegreeTableProps {
  found: Comparison;
  degrees: ComparedDegrees;
  busy: boolean;
}

function DegreeTable({ found, degrees, busy }: DegreeTableProps) {
  const { groups, counted, total, difficulty, side } = degrees;
  const graphs = isOfGraphs(useBoard());
  const scores = useScores();
  const by = graphs ? "the number of nodes of a graph" : "the degree of the targets in the clean graph";
  const unit = graphs ? `graphs${difficulty === "mean" ? " × budgets" : ""}` : "targets";
  const over = counted === total ? `all ${count(total)}` : `${count(counted)} of ${count(total)}`;
  return (
    <DataTable
      name="degrees"
      className="compared"
      busy={busy}
      caption={`${heading(scores)} by ${by} ${atDifficulty(difficulty)}, the mean over ${over} counterparts; below it the difference from the first.`}
    >
      <Heads found={found} first={graphs ? "Nodes" : "Degree"} />
      <tbody>
        {groups.map(({ low, high, targets, values }) => (
          <tr key={low}>
            <th scope="row">
              {low === high ? low : `${low} to ${high}`}
              <span className="id">
                {count(targets)} {unit}
              </span>
            </th>
            {found.entries.map((entry, place) => (
              <td key={entry.id}>
                <Both value={values[place]} first={place === 0} side={side} />
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
