/** The open arena of a board, its near-duplicates and its seasons. */
import { queryOptions } from "@tanstack/react-query";

import { get, type Answer } from "./client";
import { boardPath } from "./queries";
import type { Difficulty, Side } from "./types";

export type Arena = Answer<"/api/v1/boards/{dataset}/{scenario}/arena">;
export type ArenaRow = Arena["rows"][number];
export type Cluster = Arena["clusters"][number];
export type Frontier = NonNullable<Arena["frontier"]>;
export type Season = Answer<"/api/v1/boards/{dataset}/{scenario}/seasons">["seasons"][number];
export type SeasonRanking = Answer<"/api/v1/boards/{dataset}/{scenario}/seasons/{number}">;

const CALM = 30_000;

export function arenaQuery(board: string, side: Side, difficulty: Difficulty) {
  return queryOptions<Arena>({
    queryKey: ["board", board, "arena", side, difficulty],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/arena", {
        path: boardPath(board),
        query: { side, difficulty },
        signal,
      }),
    refetchInterval: CALM,
    // another difficulty of the same side, never of another board
    placeholderData: (before: Arena | undefined) =>
      before?.board === board && before.side === side ? before : undefined,
  });
}

export function seasonsQuery(board: string) {
  return queryOptions({
    queryKey: ["board", board, "seasons"],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/seasons", { path: boardPath(board), signal }),
  });
}

/** Everybody over the references of one season. */
export function seasonQuery(board: string, number: number, difficulty: Difficulty) {
  return queryOptions<SeasonRanking>({
    queryKey: ["board", board, "seasons", number, difficulty],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/seasons/{number}", {
        path: { ...boardPath(board), number },
        query: { difficulty },
        signal,
      }),
    // another difficulty of the same season, never another season
    placeholderData: (before: SeasonRanking | undefined) =>
      before?.season.board === board && before.season.number === number ? before : undefined,
  });
}

/** Seasons and proposals of every board, or of one; for admins. */
export function proposalsQuery(board: string) {
  return queryOptions({
    queryKey: ["admin", "seasons", board],
    queryFn: ({ signal }) =>
      get("/api/v1/admin/seasons", { query: board === "" ? {} : { board }, signal }),
  });
}
