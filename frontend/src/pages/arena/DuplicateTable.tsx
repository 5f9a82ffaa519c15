import { Fragment } from "react";

import type { Arena, Cluster } from "../../api/arena";
import { DataTable } from "../../components/DataTable";
import { EntryLink } from "../../components/EntryLink";
import { Time } from "../../components/Time";
import { count, percent } from "../../format";

const WHY: Record<Cluster["why"], string> = {
  exact: "the same content",
  near: "the same behaviour",
  unmoved: "no reference attack moves them",
  decided: "decided by an admin",
};

/** Entries that count as one opponent, and why. */
export function DuplicateTable({ arena: { clusters, scanned_at: at } }: { arena: Arena }) {
  return (
    <section aria-labelledby="duplicates">
      <h2 id="duplicates">Near-duplicates</h2>
      {at === null ? (
        <p>Nobody has looked for duplicates yet.</p>
      ) : (
        <p>
          As found on <Time at={at} />. Whose entry was taken for a copy, and is none, may ask an admin
          to split the cluster.
        </p>
      )}
      {clusters.length === 0 ? (
        at !== null && <p>No two entries are near-duplicates.</p>
      ) : (
        <DataTable name="duplicates" caption="Entries that count as one opponent.">
          <thead>
            <tr>
              <th scope="col">Side</th>
              <th scope="col" className="number">
                Entries
              </th>
              <th scope="col">Members</th>
              <th scope="col">Why</th>
              <th scope="col" className="number">
                Apart (%)
              </th>
            </tr>
          </thead>
          <tbody>
            {clusters.map((cluster) => (
              <Row key={cluster.members[0]?.id} cluster={cluster} />
            ))}
          </tbody>
        </DataTable>
      )}
    </section>
  );
}

function Row({ cluster: { side, members, why, apart } }: { cluster: Cluster }) {
  return (
    <tr>
      <td>{side}</td>
      <td className="number">{count(members.length)}</td>
      <th scope="row">
        {members.map((entry, place) => (
          <Fragment key={entry.id}>
            {place > 0 && ", "}
            <EntryLink entry={entry} />
          </Fragment>
        ))}
      </th>
      <td>{WHY[why]}</td>
      <td className="number">{percent(apart)}</td>
    </tr>
  );
}
