import type { Comparison } from "../../api/tables";
import type { Difficulty } from "../../api/types";
import { scaleName, useBoard, useChoices, useScores } from "../../board";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { DASH, sentence } from "../../format";
import { inFull, metricName, orderOf } from "../../scores";
import { CLEAN, DIFFICULTY_NAMES, atDifficulty } from "../../words";
import { Both } from "./Both";

interface TableProps {
  found: Comparison;
  difficulty: Difficulty;
  busy: boolean;
}

const METRICS = ["weighted", "average", "three"] as const;

/** The heads of a table with a column for each entry. */
export function Heads({ found, first }: { found: Comparison; first: string }) {
  return (
    <thead>
      <tr>
        <th scope="col">{first}</th>
        {found.entries.map((entry) => (
          <th scope="col" key={entry.id}>
            <EntryLink entry={entry} />
            <span className="id">
              {entry.family}
              {entry.rank === null ? "" : `, rank ${entry.rank}`}
            </span>
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The scores of the entries, and how often each is best. */
export function MetricTable({ found, difficulty, busy }: TableProps) {
  const { side, entries } = found;
  const rows = found.metrics.filter((row) => row.difficulty === difficulty);
  const counted = found.rows.filter((row) => row.difficulty === difficulty).length;
  const scores = useScores();
  return (
    <DataTable
      name="scores"
      className="compared"
      busy={busy}
      caption={`Scores ${atDifficulty(difficulty)} ${scores.in}, with the difference from the first. ${sentence(orderOf(side, scores))}`}
    >
      <Heads found={found} first={`Score${scores.unit}`} />
      <tbody>
        {METRICS.map((metric) => {
          const row = rows.find((one) => one.metric === metric);
          return (
            <tr key={metric}>
              <th scope="row">{metricName(metric, side, scores)}</th>
              {entries.map((entry, place) => (
                <td key={entry.id}>
                  <Both value={row?.values[place]} first={place === 0} side={side} />
                </td>
              ))}
            </tr>
          );
        })}
        <tr>
          <th scope="row">Best against (of {counted})</th>
          {entries.map((entry) => (
            <td key={entry.id}>{entry.wins[difficulty] ?? DASH}</td>
          ))}
        </tr>
      </tbody>
    </DataTable>
  );
}

/** Each counterpart: the accuracy of each entry, the difference from the first, and where one wins. */
export function ComparisonTable({ found, difficulty, busy }: TableProps) {
  const { side, entries } = found;
  const heads = new Map(found.counterparts.map((entry) => [entry.id, entry]));
  const rows = found.rows.filter((row) => row.difficulty === difficulty);
  const title = side === "defense" ? "Attack" : "Defense";
  const scores = useScores();
  return (
    <DataTable
      name="comparison"
      className="compared"
      busy={busy}
      caption={`${inFull(scores)} against each counterpart ${atDifficulty(difficulty)}; below it the difference from the first${scores.errors ? "" : " in percentage points"}, ± its standard deviation over repeats.`}
    >
      <Heads found={found} first={title} />
      <tbody>
        {rows.map((row) => {
          const head = heads.get(row.counterpart);
          return (
            <tr key={row.counterpart} className={row.counterpart === CLEAN ? "clean" : ""}>
              <th scope="row">
                <EntryLink entry={head ?? { id: row.counterpart, name: row.counterpart }} />
              </th>
              {entries.map((entry, place) => (
                <td key={entry.id}>
                  <Both
                    value={row.values[place]}
                    cell={row.cells[place]}
                    first={place === 0}
                    side={side}
                  />
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}

/** Against how many counterparts each entry is best, at each difficulty. */
export function WinsTable({ found, busy }: Omit<TableProps, "difficulty">) {
  const choices = useChoices();
  const scale = scaleName(useBoard());
  return (
    <DataTable
      name="wins"
      className="compared"
      busy={busy}
      caption={`Against how many counterparts each is the best of these, by ${scale.toLowerCase()}; who shares a first place is counted too.`}
    >
      <Heads found={found} first={scale} />
      <tbody>
        {choices.map((difficulty) => {
          const counted = found.rows.filter((row) => row.difficulty === difficulty).length;
          return (
            counted > 0 && (
              <tr key={difficulty}>
                <th scope="row">
                  {DIFFICULTY_NAMES[difficulty]} (of {counted})
                </th>
                {found.entries.map((entry) => (
                  <td key={entry.id}>{entry.wins[difficulty] ?? DASH}</td>
                ))}
              </tr>
            )
          );
        })}
      </tbody>
    </DataTable>
  );
}
