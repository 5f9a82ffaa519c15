import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";

import { boardAddress, submissionsAddress } from "../address";
import { boardsQuery, submissionPagesQuery } from "../api/queries";
import { Page } from "../components/Page";
import { SubmissionPages } from "../components/SubmissionPages";

/** The newest submissions, of one board or of all. */
export function SubmissionsPage() {
  const [search] = useSearchParams();
  const board = search.get("board");
  const pages = useInfiniteQuery(submissionPagesQuery(board));
  return (
    <Page
      title={board === null ? "Submissions" : `Submissions to ${board}`}
      heading="Submissions"
      above={
        board === null ? undefined : (
          <>
            <Link to={boardAddress(board)}>{board}</Link>
          </>
        )
      }
    >
      <BoardFilter chosen={board} />
      <SubmissionPages
        pages={pages}
        what="the list of submissions"
        caption="Newest first. Every upload of different bytes is a submission of its own."
        none={`Nothing has been submitted${board === null ? "" : " to this board"} yet.`}
        withBoard={board === null}
      />
    </Page>
  );
}

function BoardFilter({ chosen }: { chosen: string | null }) {
  const boards = useQuery(boardsQuery);
  if (boards.isPending && boards.failureReason === null) {
    return <p className="loading">Reading the boards …</p>;
  }
  const listed = (boards.data ?? []).filter((board) => board.state !== "no-data");
  return (
    <nav className="choice" aria-label="Board">
      <ul>
        <li>
          <Link to={submissionsAddress()} aria-current={chosen === null ? "true" : undefined}>
            All boards
          </Link>
        </li>
        {listed.map(({ id }) => (
          <li key={id}>
            <Link to={submissionsAddress(id)} aria-current={chosen === id ? "true" : undefined}>
              {id}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
