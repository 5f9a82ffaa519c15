import { useQuery } from "@tanstack/react-query";

import { statusQuery } from "../../api/queries";
import type { Status } from "../../api/types";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { unservedWords } from "../../format";
import { FailureTable } from "./FailureTable";
import { PaceTable } from "./PaceTable";
import { QueueTable } from "./QueueTable";
import { WorkerTable } from "./WorkerTable";

/** What the service does at the moment; read again every five seconds. */
export function StatusPage() {
  const status = useQuery(statusQuery);
  return (
    <Page title="Status" heading="Status">
      <Loaded query={status} what="the status">
        {(found) => <StatusContent status={found} />}
      </Loaded>
    </Page>
  );
}

function StatusContent({ status }: { status: Status }) {
  return (
    <>
      {status.alive === 0 ? (
        <Notice kind="warning">
          No worker is alive: what is submitted now is kept, and waits.
        </Notice>
      ) : (
        status.unserved.map((work) => (
          <Notice kind="warning" key={work.need}>
            {unservedWords(work)}
          </Notice>
        ))
      )}
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
      <section aria-labelledby="expected">
        <h2 id="expected">Expected wait</h2>
        {status.boards.length === 0 ? (
          <p>This service has no boards yet.</p>
        ) : (
          <PaceTable boards={status.boards} />
        )}
      </section>
    </>
  );
}
