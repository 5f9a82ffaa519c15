import { Link } from "react-router";

import { jobsQuery, useAdminQuery, type Job } from "../../api/admin";
import { Choose } from "../../components/Choose";
import { DataTable } from "../../components/DataTable";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { StateTag } from "../../components/StateTag";
import { Time } from "../../components/Time";
import { count, progress } from "../../format";
import { AdminFrame } from "./AdminFrame";
import { BoardChoice } from "./BoardChoice";
import { CursorLinks, FilterForm, useFilters } from "./FilterForm";
import { JOB_STATES } from "./words";

const STATES = [
  ["", "every state"],
  ...Object.keys(JOB_STATES).map((state) => [state, state] as const),
] as const;

/** Re-evaluations, newest first. */
export function JobsPage() {
  const filters = useFilters(["board", "state"]);
  const jobs = useAdminQuery(jobsQuery(filters));
  return (
    <AdminFrame
      heading="Re-evaluations"
      beside={<Link to="/admin/reevaluations/new">Compute results once more</Link>}
    >
      <FilterForm what="re-evaluations">
        <BoardChoice chosen={filters.board} />
        <Choose label="State" name="state" defaultValue={filters.state} options={STATES} />
      </FilterForm>
      <Loaded query={jobs} what="the re-evaluations">
        {(found) =>
          found.reevaluations.length === 0 ? (
            <Notice kind="note">There is no such re-evaluation.</Notice>
          ) : (
            <>
              <JobTable jobs={found.reevaluations} />
              <CursorLinks what="re-evaluations" next={found.next} />
            </>
          )
        }
      </Loaded>
    </AdminFrame>
  );
}

function JobTable({ jobs }: { jobs: Job[] }) {
  return (
    <DataTable
      name="reevaluations"
      caption="Results are computed beside those that a board shows; nobody’s rank moves until one is applied."
    >
      <thead>
        <tr>
          <th scope="col">Reason</th>
          <th scope="col">Board</th>
          <th scope="col">State</th>
          <th scope="col" className="number">
            Cells done
          </th>
          <th scope="col" className="number">
            Failed
          </th>
          <th scope="col" className="number">
            Dead
          </th>
          <th scope="col">By</th>
          <th scope="col">Made</th>
        </tr>
      </thead>
      <tbody>
        {jobs.map((job) => (
          <tr key={job.id}>
            <th scope="row">
              <Link to={`/admin/reevaluations/${job.id}`}>{job.reason}</Link>
            </th>
            <td>{job.board}</td>
            <td>
              <StateTag state={job.state} />
            </td>
            <td className="number">
              {count(job.progress.done)} of {count(progress(job.progress).total)}
            </td>
            <td className="number">{count(job.progress.failed)}</td>
            <td className="number">{count(job.progress.dead)}</td>
            <td>{job.author ?? "the service"}</td>
            <td>
              <Time at={job.created_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
