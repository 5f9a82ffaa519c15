import type { Breakdown, BreakdownGroup } from "../api/types";
import { isOfGraphs, useBoard } from "../board";
import { DataTable } from "../components/DataTable";
import { ScoreValue } from "../components/ScoreValue";
import { count } from "../format";

interface Shown {
  /** Whether there is an accuracy without an attack to compare with. */
  attacked: boolean;
  busy: boolean;
}

interface GroupTablesProps extends Shown {
  groups: Pick<Breakdown, "difficulty" | "degrees" | "sizes" | "margins" | "classes">;
}

/** Where targets were right: by degree, by margin where that is known, and by class. */
export function GroupTables({ groups, attacked, busy }: GroupTablesProps) {
  const graphs = isOfGraphs(useBoard()) ? "Graphs" : "Targets";
  const unit = groups.difficulty === "mean" ? `${graphs} × budgets` : graphs;
  const shown = { unit, attacked, busy };
  return (
    <>
      {groups.degrees.length > 0 && (
        <GroupTable
          name="degrees"
          head="Degree"
          caption="By the number of neighbours that a target has in the graph as it was."
          groups={groups.degrees}
          {...shown}
        />
      )}
      {groups.sizes.length > 0 && (
        <GroupTable
          name="sizes"
          head="Nodes"
          caption="By the number of nodes of a graph."
          groups={groups.sizes}
          {...shown}
        />
      )}
      {groups.margins.length > 0 && (
        <GroupTable
          name="margins"
          head="Margin (%)"
          caption="By how sure the defense was without an attack: the probability of the class that it predicts, less that of the next."
          groups={groups.margins}
          {...shown}
        />
      )}
      <GroupTable
        name="classes"
        head="Class"
        caption="By the true class of the targets."
        groups={groups.classes}
        {...shown}
      />
    </>
  );
}

interface GroupTableProps extends Shown {
  /** What is counted in a group. */
  unit: string;
  name: string;
  head: string;
  caption: string;
  groups: BreakdownGroup[];
}

function GroupTable({ name, head, caption, groups, unit, attacked, busy }: GroupTableProps) {
  return (
    <DataTable name={name} caption={caption} busy={busy}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" className="number">
            {unit}
          </th>
          {attacked && (
            <th scope="col" className="number">
              Without attack (%)
            </th>
          )}
          <th scope="col" className="number">
            Accuracy (%)
          </th>
        </tr>
      </thead>
      <tbody>
        {groups.map((group) => (
          <tr key={group.low}>
            <th scope="row">{group.low === group.high ? group.low : `${group.low} to ${group.high}`}</th>
            <td className="number">{count(group.targets)}</td>
            {attacked && (
              <td className="number clean">
                <ScoreValue score={group.clean ?? undefined} />
              </td>
            )}
            <td className="number">
              <ScoreValue score={group.accuracy} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
