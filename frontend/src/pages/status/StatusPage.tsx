import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { statusQuery } from "../../api/queries";
import type { Status } from "../../api/types";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { count } from "../../format";
import { isAbsent } from "../../words";
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
  const served = status.boards.filter((board) => !isAbsent(board));
  const absent = status.boards.length - served.length;
  return (
    <>
      <UnservedNotices status={status} />
      <StatusSections status={status} />
      <section aria-labelledby="expected">
        <h2 id="expected">Expected wait</h2>
        {served.length > 0 && <PaceTable boards={served} />}
        {absent > 0 && (
          <p className="small">
            {absent === 1 ? "1 board" : `${count(absent)} boards`} whose data is not on this host{" "}
            {absent === 1 ? "takes" : "take"} no uploads: <Link to="/">all boards</Link>.
          </p>
        )}
        {status.boards.length === 0 && <p>This service has no boards yet.</p>}
      </section>
    </>
  );
}
