import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { boardAddress } from "../../address";
import { quotaQuery, type Quota } from "../../api/uploads";
import { DataTable } from "../../components/DataTable";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Time } from "../../components/Time";
import { bytes, count } from "../../format";

/** What one may upload, and what is left of it. */
export function QuotaSection() {
  const quota = useQuery(quotaQuery);
  return (
    <section aria-labelledby="quota">
      <h2 id="quota">Quotas</h2>
      <Loaded query={quota} what="your quotas">
        {(found) => <Quotas quota={found} />}
      </Loaded>
    </section>
  );
}

type Line = [name: string, address: string | null, of: Quota["invalid"], written: (value: number | null) => string];

function Quotas({ quota }: { quota: Quota }) {
  const used = quota.boards.filter((board) => board.used > 0);
  const unused = quota.boards.filter((board) => board.used === 0);
  const lines: Line[] = [
    ...used.map(({ board, ...of }): Line => [board, boardAddress(board), of, count]),
    ...unused
      .slice(0, 1)
      .map((of): Line => [used.length === 0 ? "Each board" : "Each other board", null, of, count]),
    ["Files that were refused", null, quota.invalid, count],
    ["Room for stored files", null, quota.stored_bytes, size],
  ];
  return (
    <>
      {quota.exempt && <Notice kind="note">You are an admin: no quota holds for you.</Notice>}
      <DataTable
        name="quotas"
        caption={
          <>
            Uploads of today, in UTC; they are free again from <Time at={quota.frees_at} />. Only
            files that are valid count in the end.
          </>
        }
      >
        <thead>
          <tr>
            <th scope="col">Of</th>
            <th scope="col" className="number">
              Used
            </th>
            <th scope="col" className="number">
              Allowed
            </th>
            <th scope="col" className="number">
              Left
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(([name, address, { used, limit, left }, written]) => (
            <tr key={name}>
              <th scope="row">{address === null ? name : <Link to={address}>{name}</Link>}</th>
              <td className="number">{written(used)}</td>
              <td className="number">{limit === null ? "no limit" : written(limit)}</td>
              <td className="number">{left === null ? "no limit" : written(left)}</td>
            </tr>
          ))}
        </tbody>
      </DataTable>
    </>
  );
}

function size(value: number | null): string {
  return bytes(value ?? 0);
}
