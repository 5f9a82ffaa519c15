import { arenaAddress, filesOf } from "../../address";
import type { Arena, ArenaRow } from "../../api/arena";
import { useScores } from "../../board";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { Exports } from "../../components/Exports";
import { DASH, count } from "../../format";
import { at } from "../../words";

const NAMES = { attack: "Attacks", defense: "Defenses" };

/** One side of the arena by both forms, and on whom its ranks hang. */
export function ArenaSection({ board, arena }: { board: string; arena: Arena }) {
  const { side, difficulty, robust, own } = arena;
  const { unit } = useScores();
  const heading = `${side}s`;
  return (
    <section aria-labelledby={heading}>
      <h2 id={heading}>{NAMES[side]}</h2>
      <p>{arena.explanation}</p>
      {!arena.too_large && (
        <p>
          Lowest Kendall’s tau without one opponent: clone-robust <Tau {...robust} />, GRB’s own form{" "}
          <Tau {...own} />.
        </p>
      )}
      {arena.rows.length > 0 && (
        <>
          <DataTable
            name={`arena-${side}s`}
            className="arena"
            caption={`Every ${side} over every registered entry of the other side, ${at(difficulty)}.`}
          >
            <thead>
              <tr>
                <th scope="col" className="number">
                  Rank
                </th>
                <th scope="col">{side === "attack" ? "Attack" : "Defense"}</th>
                <th scope="col" className="number">
                  Clone-robust{unit}
                </th>
                <th scope="col" className="number">
                  GRB’s rank
                </th>
                <th scope="col" className="number">
                  GRB’s form{unit}
                </th>
                <th scope="col" className="number">
                  Duplicates
                </th>
                <th scope="col">Depends most on</th>
              </tr>
            </thead>
            <tbody>
              {arena.rows.map((row) => (
                <Row key={row.entry.id} row={row} />
              ))}
            </tbody>
          </DataTable>
          <Exports
            what={`These ${side}s`}
            files={filesOf(arenaAddress(board), `?side=${side}&difficulty=${difficulty}`)}
          />
        </>
      )}
    </section>
  );
}

function Row({ row: { entry, robust, own, duplicates, influence } }: { row: ArenaRow }) {
  const { write } = useScores();
  return (
    <tr>
      <td className="number rank">{robust.rank}</td>
      <th scope="row">
        <EntryLink entry={entry} />
      </th>
      <td className="number">{write(robust.score)}</td>
      <td className="number">{own.rank}</td>
      <td className="number">{write(own.score)}</td>
      <td className="number">{count(duplicates - 1)}</td>
      <td>
        {influence === null ? (
          "no single opponent"
        ) : (
          <>
            without <EntryLink entry={{ id: influence.opponent, name: influence.name }} />
            {influence.members > 1 && ` and its ${count(influence.members - 1)} ${influence.members === 2 ? "duplicate" : "duplicates"}`}: rank{" "}
            {influence.rank}
          </>
        )}
      </td>
    </tr>
  );
}

/** The mark stands where one opponent could turn the order. */
function Tau({ tau, fragile }: Arena["robust"]) {
  return (
    <>
      <b>{tau === null ? DASH : tau.toFixed(2)}</b>
      {fragile && <> <span className="tag">fragile</span></>}
    </>
  );
}
