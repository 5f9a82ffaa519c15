/** What each page reads, and how often it reads it again. */
import {
  QueryClient,
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
} from "@tanstack/react-query";

import { stoppedBy } from "../stopped";
import { Refusal, get } from "./client";
import type { BoardSummary, CellState, Difficulty, Grid, Leaderboard, Metric, Side, SubmissionState, View } from "./types";

const SECOND = 1000;
const CALM = 30 * SECOND;
const SOON = 10 * SECOND;
const BUSY = 2 * SECOND;

/** Where a submission or a cell stays as it is. */
const FINAL: readonly (SubmissionState | CellState)[] = [
  "rejected",
  "ranked",
  "failed",
  "done",
  "dead",
];

export function isFinal(state: SubmissionState | CellState): boolean {
  return FINAL.includes(state);
}

/** Whether an entry's state may still change: the end is not reached, and nobody took it out. */
export function isMoving(entry: Parameters<typeof stoppedBy>[0]): boolean {
  return !isFinal(entry.state) && stoppedBy(entry) === null;
}

/** Whether something moves on a board: its baselines are made, or entries wait. */
function isBusy(board: Pick<BoardSummary, "state" | "pending">): boolean {
  return board.pending > 0 || board.state === "preparing";
}

/** Milliseconds until a board is read again. */
export function boardInterval(board: Parameters<typeof isBusy>[0]): number {
  return isBusy(board) ? BUSY : CALM;
}

/** Milliseconds until a submission or cell is read again; false once nothing can change. */
function unfinishedInterval(
  data: { state: SubmissionState | CellState } | undefined,
  error: Error | null,
  busy: number,
): number | false {
  if (data !== undefined) return isFinal(data.state) ? false : busy;
  return retryInterval(error, busy);
}

/** What is not there won't appear; a service that is down may come back. */
function retryInterval(error: Error | null, busy: number): number | false {
  if (error instanceof Refusal && error.status < 500) return false;
  return error === null ? busy : 5 * SECOND;
}

export function makeQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: "always", // the service may be on this very machine
        staleTime: SECOND,
        retry: (count, error) => count < 2 && !(error instanceof Refusal && error.status < 500),
      },
    },
  });
}

export const boardsQuery = queryOptions({
  queryKey: ["boards"],
  queryFn: ({ signal }) => get("/api/v1/boards", { signal }),
  refetchInterval: ({ state }) =>
    state.data === undefined || state.data.some(isBusy) ? BUSY : CALM,
});

/** `id` is `dataset/scenario@version`. */
export function boardPath(id: string): { dataset: string; scenario: string } {
  const [dataset = "", scenario = ""] = id.split("/");
  return { dataset, scenario };
}

export function boardQuery(id: string) {
  return queryOptions({
    queryKey: ["board", id],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}", { path: boardPath(id), signal }),
    refetchInterval: ({ state }) =>
      state.data === undefined ? retryInterval(state.error, BUSY) : boardInterval(state.data),
  });
}

/** A board as it was when it was first asked for; its difficulties and metric never change. */
export function knownBoardQuery(id: string) {
  return queryOptions({
    ...boardQuery(id),
    enabled: id !== "",
    refetchInterval: ({ state }) =>
      state.data === undefined ? retryInterval(state.error, BUSY) : false,
  });
}

export interface Choice {
  difficulty: Difficulty;
  view: View;
}

/** So many entries are in one part of a table; of a matrix as many as the API gives at once. */
export const STEPS = { defenses: 50, attacks: 50, row: 500, column: 500 } as const;

/** Where the parts of a board's tables begin; 0 is the first. */
export type Places = Record<keyof typeof STEPS, number>;

/** A ranking is of one side, by one metric. */
export interface RankingChoice extends Choice {
  side: Side;
  metric: Metric;
}

/** One part of a ranking, as long as it is the ranking's own order that is shown. */
export function leaderboardQuery(id: string, choice: RankingChoice, row: number, interval: number) {
  return queryOptions({
    queryKey: ["board", id, "leaderboard", choice, row],
    queryFn: ({ signal }) => leaderboard(id, choice, row, STEPS[`${choice.side}s`], signal),
    // intervals come some seconds after a revision
    refetchInterval: ({ state }) =>
      state.data?.intervals?.stale === true ? Math.min(interval, SOON) : interval,
    placeholderData: keepPreviousData,
  });
}

/**
 * A ranking with all of its entries, to sort, search and filter them here; read once for each
 * revision of the board and of its intervals, which are those of the ``part`` that is known.
 */
export function wholeQuery(id: string, choice: RankingChoice, part: Leaderboard | undefined) {
  return queryOptions<Leaderboard>({
    queryKey: ["board", id, "whole", choice, part?.revision ?? 0, part?.intervals ?? null],
    queryFn: async ({ signal }) => {
      let found = await leaderboard(id, choice, 0, MOST, signal);
      while (ranked(found) < found.total) {
        const next = await leaderboard(id, choice, ranked(found), MOST, signal);
        // of another revision, or nothing new: what is there is shown until its key changes
        if (next.revision !== found.revision || next.row !== ranked(found)) break;
        const clean = next.rows.filter(({ entry }) => entry === null);
        const entries = (rows: Leaderboard["rows"]) => rows.filter(({ entry }) => entry !== null);
        found = { ...next, row: 0, rows: [...entries(found.rows), ...entries(next.rows), ...clean] };
      }
      return found;
    },
    staleTime: Infinity,
    gcTime: 30 * SECOND, // of large boards it is large, and the next revision takes its place
    structuralSharing: false,
    // what was there before of the same stays sorted and filtered until the new revision is here
    placeholderData: (before: Leaderboard | undefined) =>
      before !== undefined && isOf(before, id, choice) ? before : undefined,
  });
}

function isOf(found: Leaderboard, id: string, choice: RankingChoice): boolean {
  const { board, side, difficulty, view, metric } = found;
  return board === id && Object.entries({ side, difficulty, view, metric }).every(
    ([name, value]) => choice[name as keyof RankingChoice] === value,
  );
}

/** So many entries the API gives at once at most. */
const MOST = 1000;

function ranked({ rows }: Leaderboard): number {
  return rows.filter(({ entry }) => entry !== null).length;
}

function leaderboard(
  id: string,
  { side, difficulty, view, metric }: RankingChoice,
  row: number,
  rows: number,
  signal: AbortSignal,
): Promise<Leaderboard> {
  return get("/api/v1/boards/{dataset}/{scenario}/leaderboard", {
    path: boardPath(id),
    query: { side, difficulty, view, metric, row, rows },
    signal,
  });
}

/** So many cells are read again as often as the rest of a board; more of them less often. */
const OFTEN = 5000;

/** The matrix at one difficulty. */
export function gridQuery(
  id: string,
  choice: Choice,
  { row, column }: Pick<Places, "row" | "column">,
  interval: number,
) {
  return queryOptions<Grid>({
    queryKey: ["board", id, "grid", choice, row, column],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/matrix/grid", {
        path: boardPath(id),
        query: { ...choice, row, rows: STEPS.row, column, columns: STEPS.column },
        signal,
      }),
    refetchInterval: ({ state: { data } }) => {
      const cells = data === undefined ? 0 : data.attacks.length * data.defenses.length;
      return interval * Math.max(1, Math.ceil(cells / OFTEN));
    },
    structuralSharing: false, // comparing so many numbers takes longer than drawing those in sight
    placeholderData: keepPreviousData,
  });
}

/** The re-evaluations that changed a board, and the one that newcomers wait for. */
export function historyQuery(id: string) {
  return queryOptions({
    queryKey: ["board", id, "history"],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/history", { path: boardPath(id), signal }),
    refetchInterval: CALM,
  });
}

/** A board at its revision, as BibTeX. */
export function citationQuery(id: string) {
  return queryOptions({
    queryKey: ["board", id, "citation"],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/citation", { path: boardPath(id), signal }),
  });
}

/** The newest submissions to a board, those in progress among them. */
export function newestQuery(board: string, interval: number) {
  return queryOptions({
    queryKey: ["submissions", board, "newest"],
    queryFn: ({ signal }) => get("/api/v1/submissions", { query: { board }, signal }),
    refetchInterval: interval,
  });
}

/** Submissions page by page, newest first; of every board where `board` is null. */
export function submissionPagesQuery(board: string | null) {
  return pagesQuery(["submissions", board, "pages"], { board });
}

/** What one has submitted, page by page; forgotten when one signs out. */
export const minePagesQuery = pagesQuery(["account", "submissions"], { mine: true });

function pagesQuery(queryKey: (string | null)[], which: { board?: string | null; mine?: boolean }) {
  return infiniteQueryOptions({
    queryKey,
    queryFn: ({ pageParam, signal }) =>
      get("/api/v1/submissions", {
        query: { ...which, cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    refetchInterval: ({ state }) =>
      state.data === undefined
        ? retryInterval(state.error, BUSY)
        : state.data.pages.some((page) => page.submissions.some(isMoving))
          ? BUSY
          : CALM,
  });
}

export function submissionKey(id: string) {
  return ["submission", id];
}

/** `live`: a stream tells what changes, so only its results are read again, now and then. */
export function submissionQuery(id: string, live = false) {
  return queryOptions({
    queryKey: submissionKey(id),
    queryFn: ({ signal }) =>
      get("/api/v1/submissions/{submission_id}", { path: { submission_id: id }, signal }),
    refetchInterval: ({ state }) => {
      if (state.data !== undefined && stoppedBy(state.data) !== null) return CALM;
      if (live) return state.data?.state === "evaluating" ? 5 * SECOND : CALM;
      return unfinishedInterval(state.data, state.error, SECOND);
    },
  });
}

/** What an entry's score is made of; read again when its submission is. */
export function scoreQuery(id: string, choice: Choice) {
  return queryOptions({
    queryKey: [...submissionKey(id), "score", choice],
    queryFn: ({ signal }) =>
      get("/api/v1/submissions/{submission_id}/score", {
        path: { submission_id: id },
        query: { ...choice },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: CALM,
  });
}

export const statusQuery = queryOptions({
  queryKey: ["status"],
  queryFn: ({ signal }) => get("/api/v1/status", { signal }),
  refetchInterval: 5 * SECOND,
});

export function cellQuery(id: string) {
  return queryOptions({
    queryKey: ["cell", id],
    queryFn: ({ signal }) => get("/api/v1/cells/{cell_id}", { path: { cell_id: id }, signal }),
    refetchInterval: ({ state }) => unfinishedInterval(state.data, state.error, BUSY),
  });
}

/** Where a cell's defense was right; a finished cell stays as it is. */
export function breakdownQuery(id: string, difficulty: Difficulty) {
  return queryOptions({
    queryKey: ["cell", id, "breakdown", difficulty],
    queryFn: ({ signal }) =>
      get("/api/v1/cells/{cell_id}/breakdown", {
        path: { cell_id: id },
        query: { difficulty },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: CALM,
  });
}

/** Where an entry's cells against the references were right, together. */
export function entryBreakdownQuery(id: string, difficulty: Difficulty) {
  return queryOptions({
    queryKey: [...submissionKey(id), "breakdown", difficulty],
    queryFn: ({ signal }) =>
      get("/api/v1/submissions/{submission_id}/breakdown", {
        path: { submission_id: id },
        query: { difficulty },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: CALM,
  });
}

export function confusionQuery(id: string, difficulty: Difficulty) {
  return queryOptions({
    queryKey: ["cell", id, "confusion", difficulty],
    queryFn: ({ signal }) =>
      get("/api/v1/cells/{cell_id}/confusion", {
        path: { cell_id: id },
        query: { difficulty },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: CALM,
  });
}

/** A defense under attacks that it was not trained for. */
export function holdoutsQuery(id: string, difficulty: Difficulty) {
  return queryOptions({
    queryKey: [...submissionKey(id), "holdouts", difficulty],
    queryFn: ({ signal }) =>
      get("/api/v1/submissions/{submission_id}/holdouts", {
        path: { submission_id: id },
        query: { difficulty },
        signal,
      }),
    placeholderData: keepPreviousData,
    staleTime: CALM,
  });
}

/** Scores of an entry's cells that weigh every class alike; read where they are asked for. */
export function measuresQuery(id: string, enabled: boolean) {
  return queryOptions({
    queryKey: [...submissionKey(id), "measures"],
    queryFn: ({ signal }) =>
      get("/api/v1/submissions/{submission_id}/measures", {
        path: { submission_id: id },
        query: { view: "all" },
        signal,
      }),
    enabled,
    staleTime: CALM,
  });
}
