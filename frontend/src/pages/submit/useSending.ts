import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useEffect, useRef, useState } from "react";

import { Unreachable } from "../../api/client";
import { announce, isUpload, sendFile, sha256Of, type Sending } from "../../api/uploads";

/** How far a file is. */
export type Step =
  | { step: "idle" }
  /** Its hash is computed, which finds what is there of it already. */
  | { step: "reading" }
  | { step: "announcing" }
  | { step: "sending"; sent: number; trouble: boolean; paused: boolean }
  /** Everything has arrived; the service reads its header. */
  | { step: "checking" }
  /** The line is gone for long; it goes on when the reader says so, or the browser is online. */
  | { step: "lost"; sent: number }
  | { step: "refused"; error: Error };

interface Sender {
  state: Step;
  send: (file: File, fields: Record<string, string>, token: string) => void;
  pause: () => void;
  resume: () => void;
  /** Back to the form; what arrived is kept by the service for a day. */
  stop: () => void;
}

/** Brings one file to the service; `done` is told its submission, and whether it was there before. */
export function useSending(done: (submission: string, again: boolean) => void): Sender {
  const client = useQueryClient();
  const [state, setState] = useState<Step>({ step: "idle" });
  const running = useRef<Sending | null>(null);
  const turn = useRef(0); // what an earlier file still tells is not heard

  const stop = useCallback(() => {
    turn.current += 1;
    running.current?.pause();
    running.current = null;
    setState({ step: "idle" });
  }, []);

  const resume = useCallback(() => {
    setState((now) =>
      now.step === "lost" || now.step === "sending"
        ? { step: "sending", sent: now.sent, trouble: false, paused: false }
        : now,
    );
    running.current?.resume();
  }, []);

  const pause = useCallback(() => {
    running.current?.pause();
    setState((now) => (now.step === "sending" ? { ...now, trouble: false, paused: true } : now));
  }, []);

  const send = useCallback(
    (file: File, fields: Record<string, string>, token: string) => {
      const own = (turn.current += 1);
      const heard = () => own === turn.current;
      const tell = (next: Step | ((now: Step) => Step)) => { if (heard()) setState(next); };
      const end = (submission: string, again: boolean) => {
        if (!heard()) return;
        running.current = null;
        setState({ step: "idle" });
        void client.invalidateQueries({ queryKey: ["account"] });
        done(submission, again);
      };
      const bring = async () => {
        tell({ step: "reading" });
        const sha256 = await sha256Of(file);
        tell({ step: "announcing" });
        const said = sha256 === null ? fields : { ...fields, sha256 };
        const answer = await announce(said, file.size, token);
        if (!heard()) return;
        if (!isUpload(answer)) {
          end(answer.id, true);
          return;
        }
        tell({ step: "sending", sent: answer.arrived, trouble: false, paused: false });
        const sending = await sendFile(file, answer, token, {
          progress: (sent) => {
            tell((now) =>
              now.step === "sending" && now.paused
                ? now
                : sent >= file.size
                  ? { step: "checking" }
                  : { step: "sending", sent, trouble: false, paused: false },
            );
          },
          trouble: () => {
            tell((now) =>
              now.step === "sending"
                ? { ...now, trouble: true }
                : { step: "sending", sent: 0, trouble: true, paused: false },
            );
          },
          done: end,
          failed: (error) => {
            if (error instanceof Unreachable) {
              tell((now) => ({ step: "lost", sent: now.step === "sending" ? now.sent : 0 }));
            } else {
              running.current = null;
              tell({ step: "refused", error });
              void client.invalidateQueries({ queryKey: ["auth"] });
              void client.invalidateQueries({ queryKey: ["account"] });
            }
          },
        });
        if (heard()) running.current = sending;
        else sending.pause();
      };
      bring().catch((error: unknown) => {
        tell({ step: "refused", error: error instanceof Error ? error : new Unreachable() });
      });
    },
    [client, done],
  );

  const busy = state.step !== "idle" && state.step !== "refused";
  useEffect(() => {
    if (!busy) return;
    const ask = (event: BeforeUnloadEvent) => { event.preventDefault(); };
    window.addEventListener("beforeunload", ask);
    return () => { window.removeEventListener("beforeunload", ask); };
  }, [busy]);

  const lost = state.step === "lost";
  useEffect(() => {
    if (!lost) return;
    window.addEventListener("online", resume);
    return () => { window.removeEventListener("online", resume); };
  }, [lost, resume]);

  useEffect(
    () => () => {
      turn.current += 1;
      running.current?.pause();
    },
    [],
  );

  return { state, send, pause, resume, stop };
}
