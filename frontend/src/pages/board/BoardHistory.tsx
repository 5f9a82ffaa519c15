import type { Applied, Coming, History } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Notice } from "../../components/Notice";
import { Time } from "../../components/Time";
import { count, sentence } from "../../format";

const WAITING: Record<Coming["state"], string> = {
  proposed: "An admin has yet to start it.",
  running: "It is being computed.",
  ready: "An admin has yet to look through it.",
};

/** Why nobody new is ranked: the board moves to another protocol. */
export function ComingNotice({ coming }: { coming: Coming }) {
  return (
    <Notice kind="note">
      Newcomers wait: every entry is measured once more under protocol <code>{coming.protocol}</code>
      , {count(coming.finished)} of {count(coming.cells)} cells done. {WAITING[coming.state]} Until
      then the board stays as it was. The reason: {sentence(coming.reason)}
    </Notice>
  );
}

/** When results of this board were replaced, why, and what that changed. */
export function BoardHistory({ history }: { history: History }) {
  if (history.applied.length === 0) return null;
  return (
    <section aria-labelledby="history">
      <h2 id="history">History</h2>
      <DataTable
        name="history"
        caption="Re-evaluations of this board: results that were computed once more and replaced. Each cell's page keeps its earlier results."
      >
        <thead>
          <tr>
            <th scope="col">Applied</th>
            <th scope="col">Reason</th>
            <th scope="col" className="number">
              Cells computed
            </th>
            <th scope="col" className="number">
              Results changed
            </th>
            <th scope="col" className="number">
              Ranks changed
            </th>
            <th scope="col">Protocol</th>
          </tr>
        </thead>
        <tbody>
          {history.applied.map((job) => (
            <AppliedRow key={job.id} job={job} />
          ))}
        </tbody>
      </DataTable>
      {history.next !== null && (
        <p className="small">These are the latest; the API has the older ones.</p>
      )}
    </section>
  );
}

function AppliedRow({ job }: { job: Applied }) {
  return (
    <tr id={job.id}>
      <th scope="row">
        <Time at={job.at} />
      </th>
      <td className="prose">{job.reason}</td>
      <td className="number">{count(job.cells)}</td>
      <td className="number">{count(job.changed)}</td>
      <td className="number">{count(job.ranks)}</td>
      <td>
        <code>{job.protocol}</code>
      </td>
    </tr>
  );
}
