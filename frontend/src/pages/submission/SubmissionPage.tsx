import { Link, useParams } from "react-router";

import { boardAddress, filesOf, submissionAddress } from "../../address";
import { useSubmission } from "../../api/live";
import type { Submission } from "../../api/types";
import { scoresOf, useBoard } from "../../board";
import { Command } from "../../components/Command";
import { Exports } from "../../components/Exports";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { SubmissionMarks } from "../../components/SubmissionTable";
import { Written } from "../../components/Written";
import { SIDE_NAMES } from "../../words";
import { Missing } from "../NotFoundPage";
import { OfBoard } from "../OfBoard";
import { BudgetSection } from "./BudgetSection";
import { badgeAddress, badgeMarkdown, bibtex } from "./cite";
import { FlagsSection } from "./FlagsSection";
import { HoldoutsSection } from "./HoldoutsSection";
import { OwnSection } from "./OwnSection";
import { Results } from "./ResultsTable";
import { ScoreSection } from "./ScoreSection";
import { StateSection } from "./StateSection";
import { SubmissionFacts } from "./SubmissionFacts";
import { Violations } from "./ViolationTable";
import { WhereSection } from "./WhereSection";

/** Everything about one entry; live until its state is final. */
export function SubmissionPage() {
  const { id = "" } = useParams();
  const submission = useSubmission(id);
  const { data } = submission;
  return (
    <Page
      title={data ? `${data.name}, ${data.side} on ${data.board}` : "Submission"}
      heading={data?.name ?? "Submission"}
      above={
        <>
          <Link to="/">Boards</Link>
          {data && (
            <>
              {" "}
              / <Link to={boardAddress(data.board)}>{data.board}</Link> / {SIDE_NAMES[data.side]}
            </>
          )}
        </>
      }
      beside={data && <SubmissionMarks submission={data} />}
    >
      <Loaded
        query={submission}
        what="the submission"
        missing={<Missing kind="submission" id={id} />}
      >
        {(found) => (
          <OfBoard id={found.board} former={found.metric}>
            <SubmissionContent key={found.id} submission={found} />
          </OfBoard>
        )}
      </Loaded>
    </Page>
  );
}

function SubmissionContent({ submission }: { submission: Submission }) {
  const at = submissionAddress(submission.id);
  const board = useBoard();
  const { errors } = scoresOf(board);
  const scored = submission.state === "ranked" && board.left !== true;
  return (
    <>
      {board.left === true && submission.state === "ranked" ? (
        <p>Its board has left the catalog: nothing is ranked there any more. Its results stay.</p>
      ) : (
        <StateSection submission={submission} />
      )}
      <Written html={submission.description_html} />
      <Violations violations={submission.violations} />
      {submission.results.length > 0 && (
        <section aria-labelledby="results">
          <h2 id="results">{submission.side === "defense" ? "Under each attack" : "Against each defense"}</h2>
          <Results submission={submission} />
          <Exports what="These results" files={filesOf(`${at}/results`, "", at)} />
        </section>
      )}
      {scored && <ScoreSection submission={submission} />}
      {scored && !errors && <WhereSection submission={submission} />}
      <BudgetSection submission={submission} />
      <HoldoutsSection submission={submission} />
      <FlagsSection submission={submission} />
      <section aria-labelledby="about">
        <h2 id="about">About this {submission.side}</h2>
        <SubmissionFacts submission={submission} />
      </section>
      {submission.authors !== "" && (
        <section aria-labelledby="cite">
          <h2 id="cite">Cite it</h2>
          <Command label="BibTeX">{bibtex(submission, window.location.origin)}</Command>
        </section>
      )}
      {hasStanding(submission) && <Badge submission={submission} />}
      <OwnSection submission={submission} />
    </>
  );
}

/** Whether others are shown where it stands. */
function hasStanding({ visibility, withdrawn, hidden, deleted }: Submission): boolean {
  return visibility === "public" && !withdrawn && !hidden && !deleted;
}

/** Where it stands, as a picture for other pages. */
function Badge({ submission }: { submission: Submission }) {
  const { id, name, board } = submission;
  return (
    <section aria-labelledby="badge">
      <h2 id="badge">Show where it stands</h2>
      <p className="badge">
        <img src={badgeAddress(id)} alt={`Badge of ${name} on ${board}`} height="20" />
      </p>
      <Command label="The badge in Markdown">{badgeMarkdown(submission, window.location.origin)}</Command>
    </section>
  );
}
