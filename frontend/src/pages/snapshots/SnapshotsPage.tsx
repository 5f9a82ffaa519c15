import { useInfiniteQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { boardAddress } from "../../address";
import { snapshotsQuery, type SnapshotList } from "../../api/snapshots";
import { DataTable } from "../../components/DataTable";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { Time } from "../../components/Time";
import { count } from "../../format";
import { Missing } from "../NotFoundPage";
import { snapshotAddress } from "./addresses";

/** The snapshots of a board, newest first, with older ones on demand. */
export function SnapshotsPage() {
  const { dataset = "", scenario = "" } = useParams();
  const id = `${dataset}/${scenario}`;
  const pages = useInfiniteQuery(snapshotsQuery(id));
  return (
    <Page
      title={`Snapshots of ${id}`}
      heading="Snapshots"
      above={
        <>
          <Link to="/">Boards</Link> / <Link to={boardAddress(id)}>{id}</Link>
        </>
      }
    >
      <p>
        A snapshot keeps this board as it stood: every place, every count and every hash, at an address
        that stays. One is made when a month begins.
      </p>
      <Loaded query={pages} what="the snapshots" missing={<Missing kind="board" id={id} />}>
        {(data) => <List lists={data.pages} />}
      </Loaded>
      {pages.hasNextPage && (
        <p>
          <button
            type="button"
            disabled={pages.isFetchingNextPage}
            onClick={() => void pages.fetchNextPage()}
          >
            Older snapshots
          </button>
        </p>
      )}
    </Page>
  );
}

function List({ lists }: { lists: readonly SnapshotList[] }) {
  const snapshots = lists.flatMap((list) => list.snapshots);
  if (snapshots.length === 0) return <Notice kind="note">There is none yet.</Notice>;
  return (
    <DataTable name="snapshots" caption="Snapshots of this board, newest first.">
      <thead>
        <tr>
          <th scope="col">Made</th>
          <th scope="col">Of</th>
          <th scope="col" className="number">
            Defenses
          </th>
          <th scope="col" className="number">
            Attacks
          </th>
          <th scope="col" className="number">
            Cells
          </th>
          <th scope="col">SHA-256 of its numbers</th>
        </tr>
      </thead>
      <tbody>
        {snapshots.map((one) => (
          <tr key={one.id}>
            <th scope="row">
              <Link to={snapshotAddress(one.id)}>
                <Time at={one.made_at} />
              </Link>
            </th>
            <td>{one.month ?? "on request"}</td>
            <td className="number">{count(one.defenses)}</td>
            <td className="number">{count(one.attacks)}</td>
            <td className="number">{count(one.cells)}</td>
            <td>
              <code>{one.digest}</code>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
