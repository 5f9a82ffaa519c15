import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

import { Refusal, Unreachable } from "../api/client";
import { sentence, time } from "../format";
import { Notice } from "./Notice";

interface LoadedProps<T> {
  query: UseQueryResult<T>;
  /** What is read, as in "the board". */
  what: string;
  /** Shown where the API says that there is no such thing. */
  missing?: ReactNode;
  children: (data: T) => ReactNode;
}

/** Data when it is there; before that, and without it, what the reader should know. */
export function Loaded<T>({ query, what, missing, children }: LoadedProps<T>) {
  const { data, error, dataUpdatedAt } = query;
  if (data !== undefined) {
    return (
      <>
        {error !== null && (
          <Notice kind="warning">
            {explain(error)} This is {what} as it was on{" "}
            {time(new Date(dataUpdatedAt).toISOString())}; it is tried again by itself.
          </Notice>
        )}
        {children(data)}
      </>
    );
  }
  if (error === null) {
    return (
      <p className="loading" role="status">
        Reading {what} …
      </p>
    );
  }
  if (missing !== undefined && error instanceof Refusal && error.status === 404) return missing;
  return (
    <Notice kind="error">
      <p>{explain(error)}</p>
      <p>
        <button type="button" onClick={() => void query.refetch()}>
          Try again
        </button>
      </p>
    </Notice>
  );
}

function explain(error: Error): string {
  if (error instanceof Unreachable) {
    return navigator.onLine
      ? "The service can't be reached at the moment."
      : "This device is offline, so the service can't be reached.";
  }
  return sentence(error.message);
}
