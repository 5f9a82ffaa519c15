import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";

import { changed, useChoice } from "../address";
import { breakdownQuery } from "../api/queries";
import type { Breakdown, BreakdownChange, BreakdownGroup, Cell } from "../api/types";
import { ChoiceLinks } from "../components/ChoiceLinks";
import { DataTable } from "../components/DataTable";
import { Loaded } from "../components/Loaded";
import { ScoreValue } from "../components/ScoreValue";
import { count } from "../format";
import { CLEAN, DIFFICULTIES, DIFFICULTY_NAMES } from "../words";

/** Where the defense was right at the difficulty of the address: by degree, margin and class, before and after. */
export function CellBreakdown({ cell }: { cell: Cell }) {
  const [search] = useSearchParams();
  const chosen = useChoice().difficulty;
  const carried = DIFFICULTIES.filter((difficulty) => cell.correct[difficulty] !== undefined);
  const difficulty = carried.includes(chosen) ? chosen : (carried.at(-1) ?? chosen);
  const breakdown = useQuery(breakdownQuery(cell.id, difficulty));
  return (
    <section aria-labelledby="breakdown">
      <h2 id="breakdown">Where it was right</h2>
      <ChoiceLinks
        label="Difficulty"
        names={DIFFICULTY_NAMES}
        options={carried}
        chosen={difficulty}
        address={(option) => `${changed(search, { difficulty: option })}#breakdown`}
      />
      <Loaded query={breakdown} what="where it was right">
        {(found) => (
          <Content
            breakdown={found}
            attacked={cell.attack.id !== CLEAN}
            busy={breakdown.isPlaceholderData}
          />
        )}
      </Loaded>
    </section>
  );
}

interface ContentProps {
  breakdown: Breakdown;
  attacked: boolean;
  busy: boolean;
}

function Content({ breakdown, attacked, busy }: ContentProps) {
  const { missing, change, degrees, margins, classes } = breakdown;
  if (missing !== null) return <p>It can’t be told: {missing}.</p>;
  return (
    <>
      {change !== null && <ChangeTable change={change} busy={busy} />}
      <GroupTable
        name="degrees"
        head="Degree"
        caption="By the number of neighbours that a target has in the graph as it was."
        groups={degrees}
        {...{ attacked, busy }}
      />
      {margins.length > 0 && (
        <GroupTable
          name="margins"
          head="Margin (%)"
          caption="By how sure the defense was without an attack: the probability of the class that it predicts, less that of the next."
          groups={margins}
          {...{ attacked, busy }}
        />
      )}
      <GroupTable
        name="classes"
        head="Class"
        caption="By the true class of the targets."
        groups={classes}
        {...{ attacked, busy }}
      />
    </>
  );
}

const CHANGES: [keyof BreakdownChange, string][] = [
  ["kept", "Right before and after"],
  ["lost", "Right before, wrong after"],
  ["gained", "Wrong before, right after"],
  ["missed", "Wrong before and after"],
];

function ChangeTable({ change, busy }: { change: BreakdownChange; busy: boolean }) {
  return (
    <DataTable
      name="change"
      busy={busy}
      caption="Targets by what the same defense predicted without the attack (before) and with it (after)."
    >
      <thead>
        <tr>
          <th scope="col">Targets</th>
          {change.kept.map((_, repeat) => (
            <th scope="col" className="number" key={repeat}>
              Repeat {repeat}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {CHANGES.map(([name, words]) => (
          <tr key={name}>
            <th scope="row">{words}</th>
            {change[name].map((targets, repeat) => (
              <td className="number" key={repeat}>
                {count(targets)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

interface GroupTableProps extends Omit<ContentProps, "breakdown"> {
  name: string;
  head: string;
  caption: string;
  groups: BreakdownGroup[];
}

function GroupTable({ name, head, caption, groups, attacked, busy }: GroupTableProps) {
  return (
    <DataTable name={name} caption={caption} busy={busy}>
      <thead>
        <tr>
          <th scope="col">{head}</th>
          <th scope="col" className="number">
            Targets
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
              <td className="number">
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
