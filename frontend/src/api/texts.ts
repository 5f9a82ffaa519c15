/** The rules of a board and the documents, as the API gives them. */
import { queryOptions } from "@tanstack/react-query";

import { get } from "./client";
import { boardPath } from "./queries";
import type { components } from "./schema";

export type Rules = components["schemas"]["RulesOut"];
export type DegreeBin = components["schemas"]["DegreeBin"];
export type TextSummary = components["schemas"]["TextSummary"];

const HOUR = 3_600_000;

export function rulesQuery(id: string) {
  return queryOptions({
    queryKey: ["rules", id],
    queryFn: ({ signal }) =>
      get("/api/v1/boards/{dataset}/{scenario}/rules", { path: boardPath(id), signal }),
    staleTime: HOUR,
  });
}

export const textsQuery = queryOptions({
  queryKey: ["docs"],
  queryFn: ({ signal }) => get("/api/v1/docs", { signal }),
  staleTime: HOUR,
});

export const referenceQuery = queryOptions({
  queryKey: ["reference"],
  queryFn: ({ signal }) => get("/api/v1/reference", { signal }),
  staleTime: HOUR,
});

export function textQuery(name: string) {
  return queryOptions({
    queryKey: ["docs", name],
    queryFn: ({ signal }) => get("/api/v1/docs/{name}", { path: { name }, signal }),
    staleTime: HOUR,
  });
}
