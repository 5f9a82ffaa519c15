import { Refusal, Unreachable } from "../../api/client";
import { Notice } from "../../components/Notice";
import { bytes, sentence } from "../../format";
import { Violations } from "../submission/ViolationTable";
import type { Step } from "./useSending";

interface SendingPanelProps {
  state: Step;
  file: File;
  pause: () => void;
  resume: () => void;
  stop: () => void;
}

/** How far the file is, with what one may do about it. */
export function SendingPanel({ state, file, pause, resume, stop }: SendingPanelProps) {
  const sent = "sent" in state ? state.sent : state.step === "checking" ? file.size : 0;
  return (
    <div className="panel sending">
      <p role="status">{words(state, file)}</p>
      <div className="progress">
        <span id="sending">{file.name}</span>
        <progress aria-labelledby="sending" value={sent} max={Math.max(file.size, 1)} />
        <span className="progress-count">
          {bytes(sent)} of {bytes(file.size)}
        </span>
      </div>
      <p className="actions">
        {state.step === "sending" && !state.paused && (
          <button type="button" onClick={pause}>
            Pause
          </button>
        )}
        {(state.step === "lost" || (state.step === "sending" && state.paused)) && (
          <button type="button" onClick={resume}>
            Go on
          </button>
        )}
        {state.step !== "checking" && (
          <button type="button" onClick={stop}>
            Back to the form
          </button>
        )}
      </p>
    </div>
  );
}

function words(state: Step, file: File): string {
  if (state.step === "reading") return "Computing the hash of the file …";
  if (state.step === "announcing") return "Asking what the service has of it …";
  if (state.step === "checking") return "The file has arrived; its header is being checked.";
  if (state.step === "lost") {
    return "The service can’t be reached. What arrived is kept for a day; it goes on from there.";
  }
  if (state.step !== "sending") return "";
  if (state.paused) return "Paused. What arrived is kept for a day.";
  if (state.trouble) return "The connection was lost; it is tried again by itself.";
  return `Sending ${file.name} …`;
}

/** Why the service did not take it; faults of fields stand beside them instead. */
export function RefusedPanel({ error }: { error: Error }) {
  if (error instanceof Unreachable) {
    return (
      <Notice kind="error">
        {navigator.onLine
          ? "The service can’t be reached at the moment. Nothing was sent; try again."
          : "This device is offline. Nothing was sent; try again once it is online."}
      </Notice>
    );
  }
  if (!(error instanceof Refusal)) return <Notice kind="error">{sentence(error.message)}</Notice>;
  if (error.code === "invalid-fields") return null;
  if (error.code === "invalid-file") {
    return (
      <Violations violations={error.violations}>
        <Notice kind="error">{sentence(error.message)} Nothing was stored of it.</Notice>
      </Violations>
    );
  }
  return (
    <Notice kind="error">
      <p>{REFUSALS[error.code] ?? sentence(error.message)}</p>
      {error.code in REFUSALS && <p className="small">{sentence(error.message)}</p>}
    </Notice>
  );
}

/** What to do about a refusal, by its code. */
const REFUSALS: Record<string, string> = {
  quota: "You have used up today’s uploads to this board.",
  "quota-invalid": "Too many files were refused today; check the next one offline with grb check.",
  "quota-bytes": "Your stored files take up all the room that you have.",
  "too-many-uploads": "You have other unfinished uploads; finish them or give them up first.",
  token: "You are not signed in any more. Sign in, then choose the same file: it goes on.",
  "disk-full": "The service has no room at the moment. Try again later.",
};
