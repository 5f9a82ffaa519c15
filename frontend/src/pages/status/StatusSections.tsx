import type { Status } from "../../api/types";
import { Notice } from "../../components/Notice";
import { unservedWords } from "../../format";
import { FailureTable } from "./FailureTable";
import { QueueTable } from "./QueueTable";
import { WorkerTable } from "./WorkerTable";

/** What waits for workers that there are none of. */
export function UnservedNotices({ status }: { status: Status }) {
  if (status.alive === 0) {
    return (
      <Notice kind="warning">No worker is alive: what is submitted now is kept, and waits.</Notice>
    );
  }
  return status.unserved.map((work) => (
    <Notice kind="warning" key={work.need}>
      {unservedWords(work)}
    </Notice>
  ));
}

/** Queue, workers and failures. */
export function StatusSections({ status }: { status: Status }) {
  return (
    <>
      <section aria-labelledby="queue">
        <h2 id="queue">Queue</h2>
        <QueueTable status={status} />
      </section>
      <section aria-labelledby="workers">
        <h2 id="workers">Workers</h2>
        {status.workers.length === 0 ? (
          <p>No worker was heard of within a day.</p>
        ) : (
          <WorkerTable workers={status.workers} at={status.at} />
        )}
      </section>
      <section aria-labelledby="failures">
        <h2 id="failures">Failures in 24 hours</h2>
        {status.failures.length === 0 ? (
          <p>Nothing failed.</p>
        ) : (
          <FailureTable failures={status.failures} />
        )}
      </section>
    </>
  );
}
