import { Link, useSearchParams } from "react-router";

import { submissionAddress, submitAddress } from "../../address";
import { useSubmission } from "../../api/live";
import type { Side } from "../../api/types";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { SubmissionMarks } from "../../components/SubmissionTable";
import { Missing } from "../NotFoundPage";
import { OfBoard } from "../OfBoard";
import { StateSection } from "../submission/StateSection";
import { Violations } from "../submission/ViolationTable";

/** What became of the file that was sent: live until its end. */
export function Sent({ id, again }: { id: string; again: boolean }) {
  const [search] = useSearchParams();
  const submission = useSubmission(id);
  const side: Side = search.get("side") === "attack" ? "attack" : "defense";
  return (
    <>
      {again ? (
        <Notice kind="note">
          You had submitted these very bytes before: this is that submission. Nothing was sent again,
          and nothing was counted.
        </Notice>
      ) : (
        <Notice kind="note">
          The file has arrived and its header is in order. What follows happens by itself; you may
          leave this page.
        </Notice>
      )}
      <Loaded
        query={submission}
        what="the submission"
        missing={<Missing kind="submission" id={id} />}
      >
        {(found) => (
          <>
            <p className="entry">
              <Link to={submissionAddress(id)}>{found.name}</Link>
              <SubmissionMarks submission={found} />
            </p>
            <OfBoard id={found.board} former={found.metric}>
              <StateSection submission={found} />
            </OfBoard>
            <Violations violations={found.violations} />
          </>
        )}
      </Loaded>
      <p>
        <Link to={submitAddress(search.get("board") ?? undefined, side)}>Submit another file</Link>{" "}
        or see <Link to="/mine">all of yours</Link>.
      </p>
    </>
  );
}
