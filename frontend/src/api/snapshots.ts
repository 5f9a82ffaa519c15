/** Boards as they stood, as the API gives them. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";

import { get, type Answer } from "./client";
import { boardPath } from "./queries";

export type SnapshotList = Answer<"/api/v1/boards/{dataset}/{scenario}/snapshots">;
export type Snapshot = Answer<"/api/v1/snapshots/{snapshot_id}">;
export type SnapshotLine = Snapshot["rankings"][string][number];

export function snapshotsQuery(board: string) {
  return infiniteQueryOptions({
    queryKey: ["board", board, "snapshots"],
    queryFn: ({ pageParam, signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/snapshots", {
        path: boardPath(board),
        query: { cursor: pageParam },
        signal,
      }),
    initialPageParam: null as string | null,
    getNextPageParam: (last: SnapshotList) => last.next,
  });
}

export function snapshotQuery(id: string) {
  return queryOptions({
    queryKey: ["snapshot", id],
    queryFn: ({ signal }) =>
      get("/api/v1/snapshots/{snapshot_id}", { path: { snapshot_id: id }, signal }),
  });
}
