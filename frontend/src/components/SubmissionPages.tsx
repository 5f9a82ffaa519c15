import type { InfiniteData, UseInfiniteQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import type { SubmissionList } from "../api/types";
import { Loaded } from "./Loaded";
import { Notice } from "./Notice";
import { SubmissionTable } from "./SubmissionTable";

interface SubmissionPagesProps {
  pages: UseInfiniteQueryResult<InfiniteData<SubmissionList>>;
  /** What is read, as in "the list of submissions". */
  what: string;
  caption: string;
  /** Said where there is none. */
  none: ReactNode;
  withBoard: boolean;
}

/** Submissions, newest first, with older ones on demand. */
export function SubmissionPages({ pages, what, caption, none, withBoard }: SubmissionPagesProps) {
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = pages;
  return (
    <Loaded query={pages} what={what}>
      {({ pages: lists }) => {
        const submissions = lists.flatMap((list) => list.submissions);
        if (submissions.length === 0) return <Notice kind="note">{none}</Notice>;
        return (
          <>
            <SubmissionTable caption={caption} submissions={submissions} withBoard={withBoard} />
            {hasNextPage && (
              <p>
                <button
                  type="button"
                  aria-disabled={isFetchingNextPage || undefined}
                  onClick={() => {
                    if (!isFetchingNextPage) void fetchNextPage();
                  }}
                >
                  Older submissions
                </button>
              </p>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
