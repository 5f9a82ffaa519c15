import type { Leaderboard } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { EntryName } from "../../components/EntryName";
import { Notice } from "../../components/Notice";
import { ScoreValue } from "../../components/ScoreValue";
import { DASH, count } from "../../format";
import { CLEAN, CLEAN_NAME } from "../../words";
import { WeightedCell } from "./WeightedCell";

/** The ranking of attacks: lower is stronger; the clean row stands below it, unranked. */
export function AttackTable({ leaderboard, busy }: { leaderboard: Leaderboard; busy: boolean }) {
  const { rows, difficulty, total } = leaderboard;
  if (total === 0) return <Notice kind="note">No attack is registered yet.</Notice>;
  return (
    <DataTable
      name="attacks"
      busy={busy}
      className="ranking"
      caption="Ranked by Weighted: accuracy that is left to the defenses, the best weighing most. Lower is stronger."
    >
      <thead>
        <tr>
          <th scope="col" className="number">
            Rank
          </th>
          <th scope="col">Attack</th>
          <th scope="col" className="aside">
            Family
          </th>
          <th scope="col" className="aside">
            Authors
          </th>
          <th scope="col" className="number" aria-sort="ascending">
            Weighted (%)
          </th>
          <th scope="col" className="number">
            Avg (%)
          </th>
          <th scope="col" className="number">
            <abbr title="Mean of the three highest accuracies">3-Max</abbr> (%)
          </th>
          <th scope="col" className="number">
            <abbr title="Defenses behind the score">n</abbr>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ rank, entry, metrics }) => {
          const at = metrics[difficulty];
          return (
            <tr key={entry?.id ?? CLEAN} className={entry === null ? "clean" : ""}>
              <td className="number rank">{rank ?? DASH}</td>
              <th scope="row">{entry === null ? CLEAN_NAME : <EntryName entry={entry} />}</th>
              <td className="aside">{entry?.family}</td>
              <td className="aside authors">{entry?.authors}</td>
              <WeightedCell score={at?.weighted} />
              <td className="number">
                <ScoreValue score={at?.average} />
              </td>
              <td className="number">
                <ScoreValue score={at?.three} />
              </td>
              <td className="number">{count(at?.n)}</td>
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}
