/** What the states of a re-evaluation mean for an admin. */
import type { JobState } from "../../api/admin";

export const JOB_STATES: Record<JobState, string> = {
  proposed: "Nothing is computed yet; it waits for an admin to start it.",
  running: "Its cells wait for a worker or are being computed. New submissions come first.",
  ready: "No cell waits any more. Look at what would change, then apply or cancel it.",
  applied: "Its results stand in the place of the old ones.",
  cancelled: "It ended without a trace on the board.",
};
