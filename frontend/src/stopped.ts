/** Entries that were taken out before their evaluation ended. */
import type { SubmissionSummary } from "./api/types";

type Marked = Pick<SubmissionSummary, "state" | "withdrawn" | "hidden" | "is_reference">;

/** The mark that keeps an entry from ever reaching the end; null where it goes on or has ended. */
export function stoppedBy(entry: Marked): "withdrawn" | "hidden" | null {
  if (!["received", "validating", "evaluating"].includes(entry.state)) return null;
  if (entry.withdrawn) return "withdrawn";
  return entry.hidden && !entry.is_reference ? "hidden" : null;
}
