/** What admins read and change. */
import { queryOptions, useQuery, type QueryKey, type UseQueryOptions } from "@tanstack/react-query";

import { authQuery, everything, useChange } from "./account";
import { get } from "./client";
import type { Difficulty, View } from "./types";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type AdminUser = Schemas["UserOut"];
export type AnyEntry = Schemas["AnyEntryOut"];
export type FailedUpload = Schemas["FailedUploadOut"];
export type Job = Schemas["ReevaluationOut"];
export type JobState = Job["state"];
export type Plan = Schemas["PlanOut"];
export type Selection = NonNullable<Schemas["ReevaluationRequest"]["selection"]>;
export type JobPreview = Schemas["PreviewOut"];
export type AuditLine = Schemas["AuditEntry"];
export type Versions = Schemas["VersionsOut"];

const ONE_PAGE = 50;
const BUSY = 2000;
const CALM = 15_000;

/** What an address filters by; empty and missing parts filter nothing. */
export type Filters = Readonly<Record<string, string>>;

function asked(filters: Filters): object {
  return Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== ""));
}

export function usersQuery(filters: Filters) {
  return queryOptions({
    queryKey: ["admin", "users", filters],
    queryFn: ({ signal }) =>
      get("/api/v1/admin/users", { query: { ...asked(filters), limit: ONE_PAGE }, signal }),
  });
}

export function uploadsQuery(filters: Filters) {
  return queryOptions({
    queryKey: ["admin", "uploads", filters],
    queryFn: ({ signal }) =>
      get("/api/v1/admin/uploads", { query: { ...asked(filters), limit: ONE_PAGE }, signal }),
  });
}

export function entriesQuery(filters: Filters) {
  return queryOptions({
    queryKey: ["admin", "entries", filters],
    queryFn: ({ signal }) =>
      get("/api/v1/admin/entries", { query: { ...asked(filters), limit: ONE_PAGE }, signal }),
  });
}

export function auditQuery(filters: Filters) {
  return queryOptions({
    queryKey: ["admin", "audit", filters],
    queryFn: ({ signal }) =>
      get("/api/v1/admin/audit", { query: { ...asked(filters), limit: ONE_PAGE }, signal }),
  });
}

/** Whether a re-evaluation moves by itself. */
function moves(job: Job): boolean {
  return job.state === "running";
}

export function jobsQuery(filters: Filters) {
  return queryOptions({
    queryKey: ["admin", "jobs", filters],
    queryFn: ({ signal }) =>
      get("/api/v1/admin/reevaluations", { query: { ...asked(filters), limit: ONE_PAGE }, signal }),
    refetchInterval: ({ state }) =>
      state.data?.reevaluations.some(moves) === true ? BUSY : CALM,
  });
}

export function jobQuery(id: string) {
  return queryOptions({
    queryKey: ["admin", "job", id],
    queryFn: ({ signal }) =>
      get("/api/v1/admin/reevaluations/{job_id}", { path: { job_id: id }, signal }),
    refetchInterval: ({ state }) =>
      state.data !== undefined && moves(state.data) ? BUSY : CALM,
  });
}

export function previewQuery(id: string, view: View, difficulty: Difficulty, state: JobState) {
  return queryOptions({
    queryKey: ["admin", "preview", id, view, difficulty, state],
    queryFn: ({ signal }) =>
      get("/api/v1/admin/reevaluations/{job_id}/preview", {
        path: { job_id: id },
        query: { view, difficulty },
        signal,
      }),
    refetchInterval: CALM, // cells end, and submissions move what it compares with
  });
}

export const versionsQuery = queryOptions({
  queryKey: ["admin", "boards"],
  queryFn: ({ signal }) => get("/api/v1/admin/boards", { signal }),
});

/** Reads what only admins may; nobody else's browser asks for it. */
export function useAdminQuery<T, K extends QueryKey>(options: UseQueryOptions<T, Error, T, K>) {
  const role = useQuery(authQuery).data?.session?.role;
  return useQuery({ ...options, enabled: role === "admin" });
}

/** Sends a change as the admin who is signed in; everything that is shown may have changed. */
export function useAdminChange<T = unknown>(done?: (answer: T) => void) {
  return useChange(done, everything);
}
