import type { Frontier } from "../../api/arena";
import { useScores } from "../../board";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { percent } from "../../format";

/** What the best attacker and the best defender play against each other. */
export function FrontierTable({ frontier }: { frontier: Frontier | null }) {
  const { errors, write } = useScores();
  if (frontier === null) return null;
  const rows = [
    ...frontier.attacks.map((played) => ({ side: "attack", played })),
    ...frontier.defenses.map((played) => ({ side: "defense", played })),
  ];
  return (
    <section aria-labelledby="frontier">
      <h2 id="frontier">Current frontier</h2>
      <p>
        If an attacker chose the attack and a defender the defense, each knowing the other’s odds,{" "}
        {errors
          ? `the error would be ${write(frontier.value)}.`
          : `${write(frontier.value)} % of the targets would be classified correctly.`}
      </p>
      <DataTable name="frontier" caption="How often the best attacker and the best defender play what.">
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Entry</th>
            <th scope="col" className="number">
              Share (%)
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ side, played: { entry, share } }) => (
            <tr key={entry.id}>
              <td>{side}</td>
              <th scope="row">
                <EntryLink entry={entry} />
              </th>
              <td className="number">{percent(share)}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </section>
  );
}
