import { useQuery } from "@tanstack/react-query";

import { degreesQuery, type ComparedDegrees, type Comparison } from "../../api/tables";
import { DataTable } from "../../components/DataTable";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { count } from "../../format";
import { atDifficulty } from "../../words";
import type { Compared } from "./addresses";
import { Both } from "./Both";
import { Heads } from "./ComparisonTable";

interface DegreeProps {
  found: Comparison;
  compared: Compared;
}

/** Where one wins by the degree of the targets: the mean accuracy over the counterparts. */
export function DegreeSection({ found, compared: { board, difficulty, view } }: DegreeProps) {
  const ids = found.entries.map(({ id }) => id);
  const degrees = useQuery(degreesQuery(board, ids, { difficulty, view }));
  return (
    <Loaded query={degrees} what="the accuracies by degree">
      {(data) =>
        data.missing === null ? (
          <DegreeTable found={found} degrees={data} busy={degrees.isPlaceholderData} />
        ) : (
          <Notice kind="note">There is nothing by degree: {data.missing}.</Notice>
        )
      }
    </Loaded>
  );
}

interface DegreeTableProps {
  found: Comparison;
  degrees: ComparedDegrees;
  busy: boolean;
}

function DegreeTable({ found, degrees, busy }: DegreeTableProps) {
  const { groups, counted, total, difficulty, side } = degrees;
  const over = counted === total ? `all ${count(total)}` : `${count(counted)} of ${count(total)}`;
  return (
    <DataTable
      name="degrees"
      className="compared"
      busy={busy}
      caption={`Accuracy (%) by the degree of the targets in the clean graph ${atDifficulty(difficulty)}, the mean over ${over} counterparts; below it the difference from the first.`}
    >
      <Heads found={found} first="Degree" />
      <tbody>
        {groups.map(({ low, high, targets, values }) => (
          <tr key={low}>
            <th scope="row">
              {low === high ? low : `${low} to ${high}`}
              <span className="id">{count(targets)} targets</span>
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
