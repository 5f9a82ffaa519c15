import { useQuery } from "@tanstack/react-query";
import type { CSSProperties } from "react";
import { useSearchParams } from "react-router";

import { cellAddress, changed, filesOf } from "../address";
import { confusionQuery } from "../api/queries";
import type { Cell, Confusion } from "../api/types";
import { ChoiceLinks } from "../components/ChoiceLinks";
import { DataTable } from "../components/DataTable";
import { Exports } from "../components/Exports";
import { Loaded } from "../components/Loaded";
import { difference, meanCount } from "../format";
import { CLEAN, addedUp } from "../words";
import { useMeasuredChoice } from "./measured";

const SHOWN = { after: "With the attack", before: "Without attack", change: "Change" };
type Shown = keyof typeof SHOWN;
const ALL = Object.keys(SHOWN) as Shown[];

const CAPTIONS: Record<Shown, string> = {
  after: "Targets by their true class (rows) and the class that they were taken for (columns), mean over repeats{added}. What is right is on the diagonal.",
  before: "The same of this defense without the attack.",
  change: "Targets with the attack, less those without it, mean over repeats{added}.",
};

/** For which class the targets were taken at the difficulty of the address, with the attack and without. */
export function CellConfusion({ cell }: { cell: Cell }) {
  const difficulty = useMeasuredChoice(cell);
  const confusion = useQuery(confusionQuery(cell.id, difficulty));
  return (
    <section aria-labelledby="confusion">
      <h2 id="confusion">What they were taken for</h2>
      <Loaded query={confusion} what="what they were taken for">
        {(found) => (
          <Content
            confusion={found}
            attacked={cell.attack.id !== CLEAN}
            busy={confusion.isPlaceholderData}
          />
        )}
      </Loaded>
    </section>
  );
}

interface ContentProps {
  confusion: Confusion;
  attacked: boolean;
  busy: boolean;
}

function Content({ confusion, attacked, busy }: ContentProps) {
  const [search] = useSearchParams();
  const { missing, clean, change, mean } = confusion;
  if (missing !== null) return <p>It can’t be told: {missing}.</p>;
  const tables: Record<Shown, number[][] | null> = { after: mean, before: clean, change };
  const asked = ALL.find((one) => one === search.get("taken")) ?? "after";
  const shown = tables[asked] === null ? "after" : asked;
  return (
    <>
      {attacked && clean === null && <p>What they were taken for without the attack is not known.</p>}
      {clean !== null && (
        <ChoiceLinks
          label="Show"
          names={SHOWN}
          options={ALL}
          chosen={shown}
          address={(one) => `${changed(search, { taken: one })}#confusion`}
        />
      )}
      <ConfusionTable counts={tables[shown] ?? mean} sizes={mean} shown={shown} added={addedUp(confusion.difficulty)} busy={busy} />
      <Exports
        what="These tables"
        files={filesOf(`${cellAddress(confusion.cell)}/confusion`, `?difficulty=${confusion.difficulty}`)}
      />
    </>
  );
}

interface TableProps {
  counts: number[][];
  /** Of which the rows’ sums are the targets of each class. */
  sizes: number[][];
  shown: Shown;
  added: string;
  busy: boolean;
}

function ConfusionTable({ counts, sizes, shown, added, busy }: TableProps) {
  const words = shown === "change" ? difference : meanCount;
  return (
    <DataTable name="confusion" className="confusion" caption={CAPTIONS[shown].replace("{added}", added)} busy={busy}>
      <thead>
        <tr>
          <th scope="col">True class</th>
          {counts.map((_, predicted) => (
            <th scope="col" className="number" key={predicted}>
              {predicted}
            </th>
          ))}
          <th scope="col" className="number" title="Targets whose logits were not finite">
            Not finite
          </th>
        </tr>
      </thead>
      <tbody>
        {counts.map((row, label) => (
          <tr key={label}>
            <th scope="row">{label}</th>
            {row.map((targets, predicted) => (
              <td
                className={predicted === label ? "number right" : "number"}
                style={depth(targets, sizes[label] ?? [])}
                key={predicted}
              >
                {words(targets)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

/** How deep a cell is coloured: its part of the targets of its class. */
function depth(targets: number, row: readonly number[]): CSSProperties {
  const size = row.reduce((sum, one) => sum + one, 0);
  const share = size === 0 ? 0 : Math.min(1, Math.abs(targets) / size);
  return { "--share": share.toFixed(3) } as CSSProperties;
}
