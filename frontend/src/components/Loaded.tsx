import type { UseQueryResult } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore, type ReactNode } from "react";

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

/**
 * Data when it is there; before that, and without it, what the reader should know.
 *
 * A service that does not answer is told of at once, and stays told of while it is asked again.
 */
export function Loaded<T>({ query, what, missing, children }: LoadedProps<T>) {
  const { data, dataUpdatedAt, isFetching } = query;
  const error = useLastError(query);
  const online = useOnline();
  useReturn(query);

  if (data !== undefined) {
    return (
      <>
        {error !== null && (
          <Notice kind="warning">
            {explain(error, online)} This is {what} as it was on{" "}
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
      <p>{explain(error, online)}</p>
      <p>
        <button type="button" onClick={() => void query.refetch()}>
          {isFetching ? "Trying again …" : "Try again"}
        </button>
      </p>
    </Notice>
  );
}

/**
 * What the last attempt ended with; null once one succeeds.  The query forgets it whenever it is asked
 * again without data, which would show "Reading …" in turns with the error.
 */
function useLastError<T>(query: UseQueryResult<T>): Error | null {
  const { error, failureReason, data } = query;
  const [last, setLast] = useState<Error | null>(null);
  // of what may answer at the next attempt, silence is told at once
  const now = error ?? (failureReason instanceof Unreachable ? failureReason : null);
  const known = now ?? (data === undefined ? last : null);
  if (known !== last) setLast(known);
  return known;
}

function useOnline(): boolean {
  return useSyncExternalStore(listen, () => navigator.onLine);
}

function listen(changed: () => void): () => void {
  window.addEventListener("online", changed);
  window.addEventListener("offline", changed);
  return () => {
    window.removeEventListener("online", changed);
    window.removeEventListener("offline", changed);
  };
}

/** Asks again as soon as the device is online again. */
function useReturn<T>({ refetch, isError }: UseQueryResult<T>): void {
  useEffect(() => {
    if (!isError) return;
    const again = () => void refetch();
    window.addEventListener("online", again);
    return () => {
      window.removeEventListener("online", again);
    };
  }, [isError, refetch]);
}

function explain(error: Error, online: boolean): string {
  if (error instanceof Unreachable) {
    return online
      ? "The service can't be reached at the moment."
      : "This device is offline, so the service can't be reached.";
  }
  return sentence(error.message);
}
