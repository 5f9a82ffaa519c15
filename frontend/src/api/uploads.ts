/** A file that arrives in parts: announced first, then sent by tus from where an earlier try stopped. */
import { queryOptions } from "@tanstack/react-query";
import type { DetailedError, HttpResponse } from "tus-js-client";

import { Refusal, Unreachable, get, refusalOf, send } from "./client";
import type { components } from "./schema";
import type { Submission } from "./types";

type Schemas = components["schemas"];

export type Upload = Schemas["UploadOut"];
export type Quota = Schemas["QuotaOut"];

/** Bytes of one request: what a proxy has to take, and what is sent again after a loss. */
const PART = 8 * 1024 * 1024;

/** Milliseconds before each try in a row that brings nothing; after the last one it waits for the reader. */
const WAITS = [500, 1000, 2000, 4000, 8000, 15_000, 30_000, 30_000];

/** Answers after which the service is asked how far it is. */
const PASSING = new Set([408, 409, 423, 500, 502, 503, 504]);

export const uploadsQuery = queryOptions({
  queryKey: ["account", "uploads"],
  queryFn: ({ signal }) => get("/api/v1/uploads", { signal }),
});

export const quotaQuery = queryOptions({
  queryKey: ["account", "quota"],
  queryFn: ({ signal }) => get("/api/v1/me/quota", { signal }),
});

/**
 * The SHA-256 of a file in hexadecimal; null where the browser has no means, as without TLS.
 *
 * @throws Error when the file can't be read, as it is not the one that was chosen any more.
 */
export async function sha256Of(file: Blob): Promise<string | null> {
  // the types promise what browsers give to secure pages only
  const { subtle } = crypto as { subtle?: SubtleCrypto };
  if (subtle === undefined) return null;
  let content: ArrayBuffer;
  try {
    content = await file.arrayBuffer();
  } catch {
    throw new Error("the file can’t be read, as it was changed since it was chosen: choose it again");
  }
  const digest = new Uint8Array(await subtle.digest("SHA-256", content));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Announces a file with what is said of it.
 *
 * @returns where its bytes go, or the submission that these bytes are already.
 * @throws Unreachable when nothing answers, Refusal when something is wrong with the fields.
 */
export function announce(
  fields: Record<string, string>,
  size: number,
  token: string,
): Promise<Upload | Submission> {
  return send("POST", "/api/v1/uploads", token, fields, { "Upload-Length": String(size) });
}

export function isUpload(answer: Upload | Submission): answer is Upload {
  return "arrived" in answer;
}

interface Listener {
  progress: (sent: number) => void;
  /** A try failed and the next one follows by itself. */
  trouble: () => void;
  /** The file was taken in; `again`: it was there before. */
  done: (submission: string, again: boolean) => void;
  /** Unreachable after the last try, Refusal where the service does not take the file. */
  failed: (error: Error) => void;
}

/** A file on its way. */
export interface Sending {
  /** Stops; what arrived is kept. */
  pause: () => void;
  /** Goes on from where the service is. */
  resume: () => void;
}

/** Sends a file to where it was announced, also over a line that breaks. */
export async function sendFile(
  file: File,
  upload: Pick<Upload, "id" | "location">,
  token: string,
  listener: Listener,
): Promise<Sending> {
  const tus = await import("tus-js-client");
  const sending = new tus.Upload(file, {
    uploadUrl: upload.location,
    uploadSize: file.size,
    chunkSize: PART,
    retryDelays: WAITS,
    storeFingerprintForResuming: false,
    headers: { "X-CSRF-Token": token, Prefer: "return=representation" },
    onProgress: listener.progress,
    onShouldRetry: (error) => {
      const status = statusOf(error);
      const again = status === null || PASSING.has(status);
      if (again) listener.trouble();
      return again;
    },
    onSuccess: ({ lastResponse }) => {
      listener.done(lastResponse.getHeader("Submission") ?? "", wasThere(lastResponse));
    },
    onError: (error) => {
      void told(upload.id, error).then(listener.failed);
    },
  });
  sending.start();
  return {
    pause: () => void sending.abort(),
    resume: () => { sending.start(); },
  };
}

/** Only the answer to the last bytes has a body; 200 says that the submission is not new. */
function wasThere(answer: HttpResponse): boolean {
  return answer.getStatus() === 200 && answer.getBody() !== "";
}

function statusOf(error: Error | DetailedError): number | null {
  const answer = "originalResponse" in error ? error.originalResponse : null;
  return answer === null || answer.getStatus() === 0 ? null : answer.getStatus();
}

/** Why a file was not taken; an answer without a body does not say it, the upload itself does. */
async function told(id: string, error: Error | DetailedError): Promise<Error> {
  const status = statusOf(error);
  if (status === null || !("originalResponse" in error)) return new Unreachable();
  const body = error.originalResponse?.getBody() ?? "";
  if (body !== "") return refusalOf(status, body);
  try {
    const { reason, violations } = await get("/api/v1/uploads/{upload_id}", {
      path: { upload_id: id },
    });
    const message = reason ?? `The service answered ${status}.`;
    return new Refusal(status, "invalid-file", message, new Map(), violations);
  } catch (failure) {
    return failure instanceof Error ? failure : new Unreachable();
  }
}
