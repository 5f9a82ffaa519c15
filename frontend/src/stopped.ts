/** Entries that were taken out, by their owner or by an admin. */
import type { SubmissionSummary } from "./api/types";

type Marked = Pick<
  SubmissionSummary,
  "state" | "withdrawn" | "hidden" | "deleted" | "is_reference"
>;

/** The mark that counts for more than the state: a deletion, or what keeps an entry from its end. */
export function stoppedBy(entry: Marked): "withdrawn" | "hidden" | "deleted" | null {
  if (entry.deleted) return "deleted";
  if (!["received", "validating", "evaluating"].includes(entry.state)) return null;
  if (entry.withdrawn) return "withdrawn";
  return entry.hidden && !entry.is_reference ? "hidden" : null;
}
