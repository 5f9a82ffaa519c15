import { Link } from "react-router";

import { versionsQuery, useAdminQuery, type Versions } from "../../api/admin";
import { boardAddress } from "../../address";
import { DataTable } from "../../components/DataTable";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { StateTag } from "../../components/StateTag";
import { Time } from "../../components/Time";
import { DASH, count } from "../../format";
import { AdminFrame } from "./AdminFrame";

/** Boards with their protocols, and what their current results were measured with. */
export function VersionsPage() {
  const versions = useAdminQuery(versionsQuery);
  return (
    <AdminFrame heading="Versions">
      <Loaded query={versions} what="the versions">
        {(found) => (
          <>
            <Facts
              className="strip"
              facts={[
                ["This service", found.service],
                ["Evaluator", found.evaluator],
                ["Metrics", found.metric],
              ]}
            />
            <BoardTable boards={found.boards} />
            <section aria-labelledby="measured">
              <h2 id="measured">What current results were measured with</h2>
              <MeasuredTable boards={found.boards} evaluator={found.evaluator} />
            </section>
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}

function BoardTable({ boards }: { boards: Versions["boards"] }) {
  return (
    <DataTable
      name="versions"
      caption="A protocol stands for the data, the rules, the metric and the evaluator: cells of two protocols never share a ranking."
    >
      <thead>
        <tr>
          <th scope="col">Board</th>
          <th scope="col">State</th>
          <th scope="col">Protocol</th>
          <th scope="col" className="number">
            Revision
          </th>
          <th scope="col">Needs</th>
          <th scope="col">Changed</th>
          <th scope="col" className="number">
            Undecided re-evaluations
          </th>
        </tr>
      </thead>
      <tbody>
        {boards.map((board) => (
          <tr key={board.id}>
            <th scope="row">
              <Link to={boardAddress(board.id)}>{board.title}</Link>
              <span className="id">{board.id}</span>
            </th>
            <td>
              <StateTag state={board.state} />
              {board.problem !== null && <span className="hint">{board.problem}</span>}
            </td>
            <td>{board.protocol === null ? DASH : <code>{board.protocol}</code>}</td>
            <td className="number">{count(board.revision)}</td>
            <td>{board.need}</td>
            <td>
              <Time at={board.changed_at} />
            </td>
            <td className="number">
              {board.undecided === 0 ? (
                "0"
              ) : (
                <Link to={`/admin/reevaluations?board=${board.id}`}>{count(board.undecided)}</Link>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

interface MeasuredTableProps {
  boards: Versions["boards"];
  evaluator: number;
}

function MeasuredTable({ boards, evaluator }: MeasuredTableProps) {
  const rows = boards.flatMap((board) => board.measured.map((one) => ({ board, ...one })));
  if (rows.length === 0) return <p>Nothing was measured yet.</p>;
  return (
    <DataTable name="measured" caption="Finished cells that the boards show, by what computed them.">
      <thead>
        <tr>
          <th scope="col">Board</th>
          <th scope="col">Protocol</th>
          <th scope="col" className="number">
            Evaluator
          </th>
          <th scope="col">PyTorch</th>
          <th scope="col">Device</th>
          <th scope="col" className="number">
            Cells
          </th>
          <th scope="col">Oldest</th>
          <th scope="col">Once more</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={[row.board.id, row.protocol, row.evaluator, row.torch, row.device].join()}>
            <th scope="row">{row.board.id}</th>
            <td>
              <code>{row.protocol}</code>
              {row.protocol !== row.board.protocol && <span className="tag">not the board’s</span>}
            </td>
            <td className="number">
              {row.evaluator ?? DASH}
              {row.evaluator !== null && row.evaluator < evaluator && (
                <span className="tag">older</span>
              )}
            </td>
            <td>{row.torch ?? DASH}</td>
            <td>{row.device ?? DASH}</td>
            <td className="number">{count(row.cells)}</td>
            <td>
              <Time at={row.oldest} />
            </td>
            <td>
              <Link
                to={`/admin/reevaluations/new?${new URLSearchParams({
                  board: row.board.id,
                  protocol: row.protocol,
                  ...(row.torch === null ? {} : { torch: row.torch }),
                  ...(row.device === null ? {} : { device: row.device }),
                }).toString()}`}
                aria-label={`Compute these ${count(row.cells)} cells of ${row.board.id} once more`}
              >
                Compute these
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
