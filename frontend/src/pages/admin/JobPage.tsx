import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { jobQuery, useAdminQuery, type Job } from "../../api/admin";
import { boardAddress, submissionAddress } from "../../address";
import { submissionQuery } from "../../api/queries";
import { Facts } from "../../components/Facts";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Progress } from "../../components/Progress";
import { StateTag } from "../../components/StateTag";
import { Time } from "../../components/Time";
import { count, duration, progress } from "../../format";
import { AdminFrame } from "./AdminFrame";
import { Details } from "./AuditPage";
import { JobActions } from "./JobActions";
import { PreviewSection } from "./PreviewSection";
import { selectionWords } from "./selection";
import { JOB_STATES } from "./words";

/** One re-evaluation: watched, previewed, and then applied or cancelled. */
export function JobPage() {
  const { id = "" } = useParams();
  const job = useAdminQuery(jobQuery(id));
  return (
    <AdminFrame
      heading="Re-evaluation"
      beside={job.data !== undefined && <StateTag state={job.data.state} />}
    >
      <Loaded
        query={job}
        what="the re-evaluation"
        missing={
          <Notice kind="error">
            <p>
              This service knows no re-evaluation <code>{id}</code>. See{" "}
              <Link to="/admin/reevaluations">all of them</Link>.
            </p>
          </Notice>
        }
      >
        {(found) => <Content job={found} />}
      </Loaded>
    </AdminFrame>
  );
}

function Content({ job }: { job: Job }) {
  const { done, total } = progress(job.progress);
  const { failed, dead } = job.progress;
  const undecided = job.state !== "applied" && job.state !== "cancelled";
  return (
    <>
      <p className="lead">{job.reason}</p>
      <p role="status">{JOB_STATES[job.state]}</p>
      {undecided && job.state !== "proposed" && (
        <Progress
          label={
            job.state === "running"
              ? `Computing, about ${duration(job.progress.seconds_left)} left`
              : "Computed"
          }
          done={done + failed}
          total={total}
          unit="cells"
        />
      )}
      {undecided && dead > 0 && (
        <Notice kind="warning">
          Dead cells: {count(dead)}. They could not be computed on this service; once what stopped them is
          mended, give them their attempts back.
        </Notice>
      )}
      <JobActions job={job} />
      <Facts
        facts={[
          ["Board", <Link to={boardAddress(job.board)}>{job.board}</Link>],
          ["Protocol", <code>{job.protocol}</code>],
          ["Cells", <SelectedCells selection={job.selection} />],
          ["Made", <Moment at={job.created_at} by={job.author ?? "the service"} />],
          ["Done, failed, dead", `${count(done)}, ${count(failed)}, ${count(dead)}`],
          ...(job.decided_at === null
            ? []
            : ([
                ["Decided", <Moment at={job.decided_at} by={job.decided_by ?? "the service"} />],
              ] as [string, React.ReactNode][])),
          ...(job.outcome === null
            ? []
            : ([["What it changed", <Details of={job.outcome} />]] as [string, React.ReactNode][])),
          [
            "On record",
            <Link to={`/admin/audit?subject_kind=reevaluation&subject_id=${job.id}`}>
              who did what to it
            </Link>,
          ],
        ]}
      />
      {(job.state === "running" || job.state === "ready") && <PreviewSection job={job} />}
    </>
  );
}

const NAMED = 20; // entries; more are only counted

/** Which cells were selected, the entries by their names. */
function SelectedCells({ selection: { submissions, ...others } }: { selection: Job["selection"] }) {
  if (!Array.isArray(submissions)) return selectionWords(others).join("; ");
  const words = Object.keys(others).length === 0 ? "" : `${selectionWords(others).join("; ")}; `;
  const ids = submissions.map(String);
  return (
    <>
      {words}in which one of these entries takes part:{" "}
      {ids.slice(0, NAMED).map((id, place) => (
        <span key={id}>
          {place > 0 && ", "}
          <Named id={id} />
        </span>
      ))}
      {ids.length > NAMED && ` and ${count(ids.length - NAMED)} more`}
    </>
  );
}

/** An entry by its name, by its identifier until that is known. */
function Named({ id }: { id: string }) {
  const entry = useQuery({ ...submissionQuery(id), refetchInterval: false });
  return <Link to={submissionAddress(id)}>{entry.data?.name ?? (entry.isPending ? "…" : id)}</Link>;
}

function Moment({ at, by }: { at: string; by: string }) {
  return (
    <>
      <Time at={at} /> by {by}
    </>
  );
}
