import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { statusQuery } from "../../api/queries";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { count } from "../../format";
import { StatusSections, UnservedNotices } from "../status/StatusSections";
import { AdminFrame } from "./AdminFrame";

/** Queue, workers and failures, read again every five seconds, and what waits for an admin. */
export function OverviewPage() {
  const status = useQuery(statusQuery);
  return (
    <AdminFrame heading="Now">
      <Loaded query={status} what="the status">
        {(found) => (
          <>
            <UnservedNotices status={found} />
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
            <StatusSections status={found} />
          </>
        )}
      </Loaded>
    </AdminFrame>
  );
}
