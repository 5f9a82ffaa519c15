import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";

import { cellAddress, changed, filesOf } from "../address";
import { breakdownQuery } from "../api/queries";
import type { Breakdown, BreakdownChange, Cell } from "../api/types";
import { scaleName, useBoard } from "../board";
import { ChoiceLinks } from "../components/ChoiceLinks";
import { DataTable } from "../components/DataTable";
import { Exports } from "../components/Exports";
import { Loaded } from "../components/Loaded";
import { count } from "../format";
import { CLEAN, DIFFICULTY_NAMES, addedUp } from "../words";
import { GroupTables } from "./GroupTables";
import { useMeasured, useMeasuredChoice } from "./measured";

/** Where the defense was right at the difficulty of the address: by degree, margin and class, before and after. */
export function CellBreakdown({ cell }: { cell: Cell }) {
  const [search] = useSearchParams();
  const scale = scaleName(useBoard());
  const measured = useMeasured(cell);
  const difficulty = useMeasuredChoice(cell);
  const breakdown = useQuery(breakdownQuery(cell.id, difficulty));
  return (
    <section aria-labelledby="breakdown">
      <h2 id="breakdown">Where it was right</h2>
      <ChoiceLinks
        label={scale}
        names={DIFFICULTY_NAMES}
        options={measured}
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
  const { missing, change } = breakdown;
  if (missing !== null) return <p>It can’t be told: {missing}.</p>;
  return (
    <>
      {change !== null && <ChangeTable change={change} added={addedUp(breakdown.difficulty)} busy={busy} />}
      <GroupTables groups={breakdown} {...{ attacked, busy }} />
      <Exports
        what="These groups"
        files={filesOf(`${cellAddress(breakdown.cell)}/breakdown`, `?difficulty=${breakdown.difficulty}`)}
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

interface ChangeProps {
  change: BreakdownChange;
  added: string;
  busy: boolean;
}

function ChangeTable({ change, added, busy }: ChangeProps) {
  return (
    <DataTable
      name="change"
      busy={busy}
      caption={`Targets by what the same defense predicted without the attack (before) and with it (after)${added}.`}
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
