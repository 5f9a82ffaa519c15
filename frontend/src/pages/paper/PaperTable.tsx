import { cellAddress } from "../../address";
import type { Table, TableEntry, TableFoot, TableRow } from "../../api/tables";
import type { Difficulty } from "../../api/types";
import { scaleName, useBoard, useChoices, useScores } from "../../board";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { useFollow } from "../../components/follow";
import { inFull, metricName, type Scores } from "../../scores";
import { CLEAN, CLEAN_NAME, DIFFICULTY_NAMES, difficultyWord } from "../../words";
import { ValueText } from "./ValueText";
import type { Distance } from "./selection";

const METRICS = ["average", "three", "weighted"] as const;

interface PaperTableProps {
  table: Table;
  distance: Distance | null;
  busy: boolean;
}

/** Rows attack × difficulty, columns defenses, and the metrics of both sides at its edges. */
export function PaperTable({ table, distance, busy }: PaperTableProps) {
  const choices = useChoices();
  const scale = scaleName(useBoard());
  const scores = useScores();
  const heads = new Map(table.attacks.map((entry) => [entry.id, entry]));
  // of a base of one side, the metrics of the other have no difference
  const ofAttacks = distance === null || table.attacks.some(({ id }) => id === table.base);
  const ofDefenses = distance === null || !ofAttacks;
  const groups = grouped(table.rows, (row) => row.attack);
  const follow = useFollow();
  const feet = grouped(table.foot, (foot) => foot.metric);
  return (
    <div onClick={follow}>
      <DataTable name="paper" className="paper" busy={busy} caption={captionOf(table, distance, scores, scale.toLowerCase())}>
        <thead>
          <tr>
            <th scope="col">Attack</th>
            <th scope="col" className="at">
              <abbr title={`${scale}: ${choices.map(difficultyWord).join(", ")}`}>{scale === "Budget" ? scale : "Diff."}</abbr>
            </th>
            {table.defenses.map((entry) => (
              <th scope="col" className="number" key={entry.id}>
                <EntryLink entry={entry} />
              </th>
            ))}
            {ofAttacks &&
              METRICS.map((metric) => (
                <th scope="col" className="number metric" key={metric}>
                  {metricName(metric, "attack", scores)}
                </th>
              ))}
          </tr>
        </thead>
        {[...groups].map(([attack, rows]) => (
          <tbody key={attack} className={attack === CLEAN ? "clean" : ""}>
            {rows.map((row, place) => (
              <tr key={row.difficulty}>
                {place === 0 && (
                  <th scope="rowgroup" rowSpan={rows.length}>
                    <EntryLink entry={heads.get(attack) ?? { id: attack, name: attack }} />
                  </th>
                )}
                <At difficulty={row.difficulty} />
                <Cells row={row} defenses={table.defenses} distance={distance} />
                {ofAttacks &&
                  METRICS.map((metric) => (
                    <td className="number metric" key={metric}>
                      <ValueText value={row.metrics[metric]} distance={distance} />
                    </td>
                  ))}
              </tr>
            ))}
          </tbody>
        ))}
        {ofDefenses &&
          [...feet].map(([metric, rows]) => (
            <tbody key={metric} className="foot">
              {rows.map((foot, place) => (
                <tr key={foot.difficulty}>
                  {place === 0 && (
                    <th scope="rowgroup" rowSpan={rows.length}>
                      {metricName(metric, "defense", scores)}
                    </th>
                  )}
                  <At difficulty={foot.difficulty} />
                  <Foot foot={foot} defenses={table.defenses} distance={distance} />
                  {ofAttacks && <td colSpan={METRICS.length} className="metric" />}
                </tr>
              ))}
            </tbody>
          ))}
      </DataTable>
    </div>
  );
}

function captionOf(
  { base, attacks, defenses }: Table,
  distance: Distance | null,
  scores: Scores,
  scale: string,
): string {
  if (distance === null) {
    return `${inFull(scores)} of each defense under each attack and ${scale}, ± its standard deviation over repeats.`;
  }
  const name = [...attacks, ...defenses].find(({ id }) => id === base);
  const what = name === undefined ? "" : name.id === CLEAN ? CLEAN_NAME.toLowerCase() : name.name;
  const unit = distance === "absolute" ? scores.apart : `in % of the number of ${what}`;
  return `Differences from ${what} ${unit}, in each repeat first; ± is their standard deviation over repeats.`;
}

function grouped<T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item]);
  return groups;
}

function At({ difficulty }: { difficulty: Difficulty }) {
  return (
    <th scope="row" className="at">
      {DIFFICULTY_NAMES[difficulty]}
    </th>
  );
}

interface CellsProps {
  defenses: readonly TableEntry[];
  distance: Distance | null;
}

function Cells({ row, defenses, distance }: CellsProps & { row: TableRow }) {
  const cells = new Map(row.cells.map((cell) => [cell.defense, cell]));
  return defenses.map(({ id }) => {
    const cell = cells.get(id);
    const text = <ValueText value={cell?.value} distance={distance} />;
    return (
      <td className="number" key={id}>
        {cell === undefined ? text : <a href={cellAddress(cell.id)}>{text}</a>}
      </td>
    );
  });
}

function Foot({ foot, defenses, distance }: CellsProps & { foot: TableFoot }) {
  return defenses.map(({ id }) => (
    <td className="number" key={id}>
      <ValueText value={foot.values[id]} distance={distance} />
    </td>
  ));
}
