import { Link } from "react-router";

import { cellAddress } from "../../address";
import type { Submission } from "../../api/types";
import { useBoard } from "../../board";
import { Notice } from "../../components/Notice";
import { Progress } from "../../components/Progress";
import { placeWords, progress } from "../../format";
import { stoppedBy } from "../../stopped";
import { STOPPED, SUBMISSION_STATES, at } from "../../words";

/** The state in words; announced when it changes. */
export function StateSection({ submission }: { submission: Submission }) {
  const { state, reason, rank, place } = submission;
  const { ranked } = useBoard();
  const { done, total } = progress(submission.cells);
  const stopped = stoppedBy(submission);
  const broken = state === "rejected" || state === "failed";
  return (
    <section aria-label="State">
      <p role="status" className="lead">
        {stopped === null ? SUBMISSION_STATES[state] : STOPPED[stopped]}
        {rank !== null && ` ${rankWords(submission.visibility, rank)} ${at(ranked)}, over the references.`}
      </p>
      {state === "evaluating" && stopped === null && (
        <Progress label="Cells evaluated" done={done} total={total} unit="cells" />
      )}
      {place !== null && stopped === null && <p>{placeWords(place)}</p>}
      {reason !== null && stopped === null && <Notice kind={broken ? "error" : "warning"}>{reason}</Notice>}
      <BrokenCells submission={submission} />
    </section>
  );
}

function rankWords(visibility: Submission["visibility"], rank: number): string {
  return visibility === "public" ? `Rank ${rank}` : `Not public; it would have rank ${rank}`;
}

const MOST_LINKS = 3;

/** Leads to what the evaluator wrote where it failed. */
function BrokenCells({ submission }: { submission: Submission }) {
  const broken = submission.results.filter(({ state }) => state === "failed" || state === "dead");
  if (broken.length === 0) return null;
  return (
    <p>
      The error, its code and what the evaluator wrote:{" "}
      {broken.slice(0, MOST_LINKS).map(({ id, state }, index) => (
        <span key={id}>
          {index > 0 && ", "}
          <Link to={cellAddress(id)}>
            {state} <code>…{id.slice(-6)}</code>
          </Link>
        </span>
      ))}
    </p>
  );
}
