/** A submission followed by server-sent events, where that is possible. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState, useSyncExternalStore } from "react";

import { fill } from "./client";
import { isMoving, submissionKey, submissionQuery } from "./queries";
import type { Submission, SubmissionProgress } from "./types";

/** While many cells end one after the other, the whole is read again so often; milliseconds. */
const WHOLE = 5000;

/**
 * Keeps what the page knows of a submission fresh while it moves.
 *
 * A page that nobody sees has no stream: browsers open only a few to one server.
 *
 * @returns whether the stream is open; where it is not, the submission has to be asked for.
 */
export function useLive(id: string, moving: boolean): boolean {
  const client = useQueryClient();
  const [open, setOpen] = useState(false);
  const seen = useSyncExternalStore(onVisibility, isVisible);
  const wanted = moving && seen && typeof EventSource !== "undefined";
  useEffect(() => {
    if (!wanted) return;
    const key = submissionKey(id);
    let read = Date.now();
    const readWhole = () => {
      read = Date.now();
      void client.invalidateQueries({ queryKey: key });
    };
    const source = new EventSource(
      fill("/api/v1/submissions/{submission_id}/events", { submission_id: id }),
    );
    source.addEventListener("open", () => { setOpen(true); });
    source.addEventListener("error", () => { setOpen(false); }); // it may come back by itself
    source.addEventListener("progress", ({ data }: MessageEvent<string>) => {
      const told = JSON.parse(data) as SubmissionProgress;
      const before = client.getQueryData<Submission>(key);
      if (before === undefined) return;
      client.setQueryData<Submission>(key, { ...before, ...told });
      if (told.state !== before.state || Date.now() - read > WHOLE) readWhole();
    });
    source.addEventListener("end", () => {
      source.close();
      setOpen(false);
      readWhole();
    });
    return () => {
      source.close();
      setOpen(false);
    };
  }, [client, id, wanted]);
  return open;
}

/** A submission, followed live until its state is final. */
export function useSubmission(id: string) {
  const known = useQueryClient().getQueryData<Submission>(submissionKey(id));
  const live = useLive(id, known !== undefined && isMoving(known));
  return useQuery(submissionQuery(id, live));
}

function onVisibility(changed: () => void): () => void {
  document.addEventListener("visibilitychange", changed);
  return () => { document.removeEventListener("visibilitychange", changed); };
}

function isVisible(): boolean {
  return document.visibilityState !== "hidden";
}
