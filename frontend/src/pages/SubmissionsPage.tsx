import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";

import { boardAddress, submissionsAddress } from "../address";
import { boardsQuery, submissionPagesQuery } from "../api/queries";
import { Loaded } from "../components/Loaded";
import { Notice } from "../components/Notice";
import { Page } from "../components/Page";
import { SubmissionTable } from "../components/SubmissionTable";

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
      <Loaded query={pages} what="the list of submissions">
        {({ pages: lists }) => {
          const submissions = lists.flatMap((list) => list.submissions);
          if (submissions.length === 0) {
            return (
              <Notice kind="note">
                Nothing has been submitted{board === null ? "" : " to this board"} yet.
              </Notice>
            );
          }
          return (
            <>
              <SubmissionTable
                caption="Newest first. Every upload of different bytes is a submission of its own."
                submissions={submissions}
                withBoard={board === null}
              />
              {pages.hasNextPage && (
                <p>
                  <button
                    type="button"
                    disabled={pages.isFetchingNextPage}
                    onClick={() => void pages.fetchNextPage()}
                  >
                    Older submissions
                  </button>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </Page>
  );
}

function BoardFilter({ chosen }: { chosen: string | null }) {
  const boards = useQuery(boardsQuery);
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
