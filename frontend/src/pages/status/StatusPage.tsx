import { useQuery } from "@tanstack/react-query";

import { statusQuery } from "../../api/queries";
import type { Status } from "../../api/types";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { PaceTable } from "./PaceTable";
import { StatusSections, UnservedNotices } from "./StatusSections";

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
      <UnservedNotices status={status} />
      <StatusSections status={status} />
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
