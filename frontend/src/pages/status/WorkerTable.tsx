import { Link } from "react-router";

import { submissionAddress } from "../../address";
import type { Worker } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { StateTag } from "../../components/StateTag";
import { Time } from "../../components/Time";
import { duration } from "../../format";

/** Who is there, and at what; `at` is the moment of which this is told. */
export function WorkerTable({ workers, at }: { workers: Worker[]; at: string }) {
  return (
    <DataTable
      name="workers"
      caption="A worker is alive if it was heard of within 45 seconds; one that is lost did not stop in good order."
    >
      <thead>
        <tr>
          <th scope="col">Worker</th>
          <th scope="col">State</th>
          <th scope="col">Works on</th>
          <th scope="col">Device</th>
          <th scope="col">Software</th>
          <th scope="col">Last heard of</th>
          <th scope="col">Started</th>
        </tr>
      </thead>
      <tbody>
        {workers.map((worker) => (
          <tr key={worker.id} className={worker.state === "stopped" ? "quiet" : ""}>
            <th scope="row">
              {worker.host} <span className="id">{worker.pid}</span>
            </th>
            <td>
              <StateTag state={worker.state} />
            </td>
            <td>
              <Work worker={worker} />
            </td>
            <td>
              {worker.device} <span className="hint">takes {worker.takes.join(", ")}</span>
            </td>
            <td>
              {Object.entries(worker.versions)
                .map(([name, version]) => `${name} ${version}`)
                .join(", ")}
            </td>
            <td>
              <time dateTime={worker.heartbeat_at} title={worker.heartbeat_at}>
                {duration((Date.parse(at) - Date.parse(worker.heartbeat_at)) / 1000)} ago
              </time>
            </td>
            <td>
              <Time at={worker.started_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function Work({ worker: { work, avoided } }: { worker: Worker }) {
  return (
    <>
      {work === null ? (
        <span className="none">nothing</span>
      ) : (
        <>
          {words(work)}{" "}
          {work.submission === null ? (
            "an entry that is not public"
          ) : (
            <Link to={submissionAddress(work.submission)}>{work.name}</Link>
          )}
          , {work.board}
        </>
      )}
      {Object.entries(avoided).map(([board, reason]) => (
        <span className="hint" key={board}>
          avoids {board}: {reason}
        </span>
      ))}
    </>
  );
}

function words({ kind, cells }: NonNullable<Worker["work"]>): string {
  if (kind === "validation") return "the check of";
  return cells === 1 ? "1 cell of" : `${cells} cells of`;
}
