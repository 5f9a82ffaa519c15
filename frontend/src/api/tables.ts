/** The paper's table over a choice, entries side by side, and what charts are drawn from. */
import { keepPreviousData, queryOptions } from "@tanstack/react-query";

import { get, segment, type Answer } from "./client";
import { boardPath, type Choice } from "./queries";
import type { Difficulty, View } from "./types";

export type Table = Answer<"/api/v1/boards/{dataset}/{scenario}/table">;
export type TableRow = Table["rows"][number];
export type TableFoot = Table["foot"][number];
export type TableEntry = Table["defenses"][number];
export type Preset = NonNullable<Table["preset"]>;
export type Value = TableFoot["values"][string];
export type Comparison = Answer<"/api/v1/boards/{dataset}/{scenario}/comparison">;
export type ComparedDifferences =
  Answer<"/api/v1/boards/{dataset}/{scenario}/comparison/differences">;
export type ComparedDegrees = Answer<"/api/v1/boards/{dataset}/{scenario}/comparison/degrees">;
export type Charts = Answer<"/api/v1/boards/{dataset}/{scenario}/charts">;
export type ChartEntry = Charts["defenses"][number];

const CALM = 30_000;

/** What stands in a table; null is what the preset has. */
export interface Selection {
  preset: Preset;
  attacks: readonly string[] | null;
  defenses: readonly string[] | null;
  difficulties: readonly Difficulty[] | null;
  base: string | null;
}

/** A selection as the API and the address spell it: only what is not the default, in a fixed order. */
export function selectionText({ preset, attacks, defenses, difficulties, base }: Selection): string {
  const parts = [
    ...(preset === "main" ? [] : [`preset=${preset}`]),
    ...(attacks === null ? [] : [`attacks=${attacks.map(segment).join(",")}`]),
    ...(defenses === null ? [] : [`defenses=${defenses.map(segment).join(",")}`]),
    ...(difficulties === null ? [] : [`difficulties=${difficulties.join(",")}`]),
    ...(base === null ? [] : [`base=${segment(base)}`]),
  ];
  return parts.join("&");
}

export function tableQuery(board: string, chosen: Selection) {
  const { preset, base } = chosen;
  return queryOptions({
    queryKey: ["board", board, "table", selectionText(chosen)],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/table", {
        path: boardPath(board),
        query: {
          preset,
          attacks: chosen.attacks?.join(",") ?? null,
          defenses: chosen.defenses?.join(",") ?? null,
          difficulties: chosen.difficulties?.join(",") ?? null,
          base,
        },
        signal,
      }),
    refetchInterval: CALM,
    placeholderData: keepPreviousData,
  });
}

export function comparisonQuery(board: string, ids: readonly string[], view: View) {
  return queryOptions({
    queryKey: ["board", board, "comparison", ids, view],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/comparison", {
        path: boardPath(board),
        query: { ids: ids.join(","), view },
        signal,
      }),
    enabled: board !== "" && ids.length > 0,
    refetchInterval: CALM,
    placeholderData: keepPreviousData,
  });
}

/** How sure the differences of these are. */
export function differencesQuery(board: string, ids: readonly string[], choice: Choice) {
  return queryOptions({
    queryKey: ["board", board, "comparison", ids, "differences", choice],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/comparison/differences", {
        path: boardPath(board),
        query: { ids: ids.join(","), ...choice },
        signal,
      }),
    refetchInterval: CALM,
  });
}

/** The same by the degree of the targets. */
export function degreesQuery(board: string, ids: readonly string[], choice: Choice) {
  return queryOptions({
    queryKey: ["board", board, "comparison", ids, "degrees", choice],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/comparison/degrees", {
        path: boardPath(board),
        query: { ids: ids.join(","), ...choice },
        signal,
      }),
    refetchInterval: CALM,
    placeholderData: keepPreviousData,
  });
}

export function chartsQuery(board: string, choice: Choice) {
  return queryOptions({
    queryKey: ["board", board, "charts", choice],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/charts", {
        path: boardPath(board),
        query: { ...choice },
        signal,
      }),
    refetchInterval: CALM,
    placeholderData: keepPreviousData,
  });
}
