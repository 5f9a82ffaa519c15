import type { Leaderboard } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { EntryName } from "../../components/EntryName";
import { Notice } from "../../components/Notice";
import { ScoreValue } from "../../components/ScoreValue";
import { DASH, count } from "../../format";
import { WeightedCell } from "./WeightedCell";

/** The ranking of defenses: higher is better. */
export function DefenseTable({ leaderboard, busy }: { leaderboard: Leaderboard; busy: boolean }) {
  const { rows, difficulty, total } = leaderboard;
  if (total === 0) return <Notice kind="note">No defense is registered yet.</Notice>;
  return (
    <DataTable
      name="defenses"
      busy={busy}
      className="ranking"
      caption="Ranked by Weighted: accuracy over all attacks and the clean graph, the worst weighing most. Higher is better."
    >
      <thead>
        <tr>
          <th scope="col" className="number">
            Rank
          </th>
          <th scope="col">Defense</th>
          <th scope="col" className="aside">
            Family
          </th>
          <th scope="col" className="aside">
            Authors
          </th>
          <th scope="col" className="aside number">
            Clean (%)
          </th>
          <th scope="col" className="number" aria-sort="descending">
            Weighted (%)
          </th>
          <th scope="col" className="number">
            Avg (%)
          </th>
          <th scope="col" className="number">
            <abbr title="Mean of the three lowest accuracies">3-Min</abbr> (%)
          </th>
          <th scope="col" className="number">
            <abbr title="Rows behind the score, the clean one included">n</abbr>
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ rank, entry, metrics, clean }) => {
          const at = metrics[difficulty];
          return (
            <tr key={entry?.id}>
              <td className="number rank">{rank ?? DASH}</td>
              <th scope="row">{entry !== null && <EntryName entry={entry} />}</th>
              <td className="aside">{entry?.family}</td>
              <td className="aside authors">{entry?.authors}</td>
              <td className="aside number">
                <ScoreValue score={clean?.[difficulty]} />
              </td>
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
