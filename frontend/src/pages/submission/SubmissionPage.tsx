import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { boardAddress, cellAddress } from "../../address";
import { useLive } from "../../api/live";
import { isMoving, submissionKey, submissionQuery } from "../../api/queries";
import type { Submission } from "../../api/types";
import { Loaded } from "../../components/Loaded";
import { Notice } from "../../components/Notice";
import { Page } from "../../components/Page";
import { Progress } from "../../components/Progress";
import { SubmissionMarks } from "../../components/SubmissionTable";
import { Written } from "../../components/Written";
import { placeWords, progress } from "../../format";
import { stoppedBy } from "../../stopped";
import { SIDE_NAMES, STOPPED, SUBMISSION_STATES } from "../../words";
import { Missing } from "../NotFoundPage";
import { ResultsTable } from "./ResultsTable";
import { SubmissionFacts } from "./SubmissionFacts";
import { ViolationTable } from "./ViolationTable";

/** Everything about one entry; live until its state is final. */
export function SubmissionPage() {
  const { id = "" } = useParams();
  const moving = useQueryClient().getQueryData<Submission>(submissionKey(id));
  const live = useLive(id, moving !== undefined && isMoving(moving));
  const submission = useQuery(submissionQuery(id, live));
  const { data } = submission;
  return (
    <Page
      title={data ? `${data.name}, ${data.side} on ${data.board}` : "Submission"}
      heading={data?.name ?? "Submission"}
      above={
        data && (
          <>
            <Link to="/">Boards</Link> / <Link to={boardAddress(data.board)}>{data.board}</Link> /{" "}
            {SIDE_NAMES[data.side]}
          </>
        )
      }
      beside={data && <SubmissionMarks submission={data} />}
    >
      <Loaded
        query={submission}
        what="the submission"
        missing={<Missing kind="submission" id={id} />}
      >
        {(found) => <SubmissionContent submission={found} />}
      </Loaded>
    </Page>
  );
}

function SubmissionContent({ submission }: { submission: Submission }) {
  return (
    <>
      <StateSection submission={submission} />
      {submission.violations.length > 0 && (
        <section aria-labelledby="violations">
          <h2 id="violations">What is wrong with the file</h2>
          <ViolationTable violations={submission.violations} />
        </section>
      )}
      {submission.results.length > 0 && (
        <section aria-labelledby="results">
          <h2 id="results">{submission.side === "defense" ? "Under each attack" : "Against each defense"}</h2>
          <ResultsTable submission={submission} />
        </section>
      )}
      <section aria-labelledby="about">
        <h2 id="about">About this {submission.side}</h2>
        <Written html={submission.description_html} />
        <SubmissionFacts submission={submission} />
      </section>
    </>
  );
}

/** The state in words; announced when it changes. */
function StateSection({ submission }: { submission: Submission }) {
  const { state, reason, rank, place } = submission;
  const { done, total } = progress(submission.cells);
  const stopped = stoppedBy(submission);
  const broken = state === "rejected" || state === "failed";
  return (
    <section aria-label="State">
      <p role="status" className="lead">
        {stopped === null ? SUBMISSION_STATES[state] : STOPPED[stopped]}
        {rank !== null && ` ${rankWords(submission.visibility, rank)} at full, over the references.`}
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
