import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { statusQuery } from "../../api/queries";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { count, unservedWords } from "../../format";
import { FailureTable } from "../status/FailureTable";
import { QueueTable } from "../status/QueueTable";
import { WorkerTable } from "../status/WorkerTable";
import { AdminFrame } from "./AdminFrame";

/** Queue, workers and failures, read again every five seconds, and what waits for an admin. */
export function OverviewPage() {
  const status = useQuery(statusQuery);
  return (
    <AdminFrame heading="Now">
      <Loaded query={status} what="the status">
        {(found) => (
          <>
            {found.alive === 0 && (
              <Notice kind="warning">
                No worker is alive: what is submitted now is kept, and waits.
              </Notice>
            )}
            {found.unserved.map((work) => (
              <Notice kind="warning" key={work.need}>
                {unservedWords(work)}
              </Notice>
            ))}
            {found.cells.stopped > 0 && (
              <Notice kind="warning">
                <p>
                  Cells that wait for an admin: {count(found.cells.stopped)}. Once what stopped them is
                  mended,{" "}
                  <Link to="/admin/reevaluations/new?state=dead">compute the dead cells again</Link>, or
                  queue one of them from its page.
                </p>
              </Notice>
            )}
            {found.validations.stopped > 0 && (
              <Notice kind="warning">
                <p>
                  Files whose check has stopped: {count(found.validations.stopped)}. They are among{" "}
                  <Link to="/admin/entries?state=validating">entries being checked</Link> and{" "}
                  <Link to="/admin/entries?state=received">those received</Link>.
                </p>
              </Notice>
            )}
            <section aria-labelledby="queue">
              <h2 id="queue">Queue</h2>
              <QueueTable status={found} />
            </section>
            <section aria-labelledby="workers">
              <h2 id="workers">Workers</h2>
              {found.workers.length === 0 ? (
                <p>No worker was heard of within a day.</p>
              ) : (
                <WorkerTable workers={found.workers} at={found.at} />
              )}
            </section>
            <section aria-labelledby="failures">
              <h2 id="failures">Failures in 24 hours</h2>
              {found.failures.length === 0 ? (
                <p>Nothing failed.</p>
              ) : (
                <FailureTable failures={found.failures} />
              )}
            </section>
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}
