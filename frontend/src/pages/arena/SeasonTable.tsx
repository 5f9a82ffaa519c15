import { Link } from "react-router";

import { seasonAddress } from "../../address";
import type { Season } from "../../api/arena";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { Time } from "../../components/Time";
import { DASH, sentence } from "../../format";

interface SeasonTableProps {
  season: Season;
  references: Season["references"];
}

/** The references of a season by the hashes of their files, each with why it is one. */
export function SeasonTable({ season, references }: SeasonTableProps) {
  const { number, state, board, id } = season;
  const name = number === null ? `Proposal for ${board}` : `Season ${number} of ${board}`;
  return (
    <>
      <h3>
        {name}{" "}
        {state === "current" && <span className="tag">now</span>}
        {state === "refused" && <span className="tag">refused</span>}
      </h3>
      <p>
        {season.decided_at === null ? (
          <>
            Proposed on <Time at={season.created_at} />, not decided.
          </>
        ) : (
          <>
            {state === "refused" ? "Refused" : "Since"} <Time at={season.decided_at} />
            {season.ended_at !== null && (
              <>
                {" "}
                until <Time at={season.ended_at} />
              </>
            )}
            {season.reason !== null && `. ${sentence(season.reason)}`}
          </>
        )}{" "}
        {number !== null && (
          <Link to={seasonAddress(board, number)}>Rankings over its references</Link>
        )}
      </p>
      <DataTable
        name={`season-${number ?? id}`}
        className="references"
        caption={`${name}: its references, each by the SHA-256 of its file.`}
      >
        <thead>
          <tr>
            <th scope="col">Side</th>
            <th scope="col">Reference</th>
            <th scope="col">Family</th>
            <th scope="col">SHA-256</th>
            <th scope="col">Why</th>
          </tr>
        </thead>
        <tbody>
          {references.map(({ entry, side, family, sha256, reasons }) => (
            <tr key={entry.id}>
              <td>{side}</td>
              <th scope="row">
                <EntryLink entry={entry} />
              </th>
              <td>{family}</td>
              <td>{sha256 === null ? DASH : <code title={sha256}>{sha256.slice(0, 16)}</code>}</td>
              <td>{reasons.join("; ")}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </>
  );
}
