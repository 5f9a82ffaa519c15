import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useParams } from "react-router";

import { boardAddress } from "../../address";
import { useLive } from "../../api/live";
import { isMoving, submissionKey, submissionQuery } from "../../api/queries";
import type { Submission } from "../../api/types";
import { Command } from "../../components/Command";
import { Loaded } from "../../components/Loaded";
import { Page } from "../../components/Page";
import { SubmissionMarks } from "../../components/SubmissionTable";
import { Written } from "../../components/Written";
import { SIDE_NAMES } from "../../words";
import { Missing } from "../NotFoundPage";
import { bibtex } from "./cite";
import { Flags } from "./Flags";
import { OwnSection } from "./OwnSection";
import { ResultsTable } from "./ResultsTable";
import { ScoreSection } from "./ScoreSection";
import { StateSection } from "./StateSection";
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
      <Written html={submission.description_html} />
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
      {submission.state === "ranked" && <ScoreSection submission={submission} />}
      <Flags submission={submission} />
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
      <OwnSection submission={submission} />
    </>
  );
}
