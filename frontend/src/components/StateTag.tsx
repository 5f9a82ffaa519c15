import type { JobState } from "../api/admin";
import type { BoardState, CellState, SubmissionState, WorkerState } from "../api/types";
import { BOARD_STATES } from "../words";

/** A state in its own word; the colour of the dot only repeats it. */
export function StateTag({
  state,
}: {
  state: BoardState | SubmissionState | CellState | WorkerState | JobState;
}) {
  const word = state in BOARD_STATES ? BOARD_STATES[state as BoardState] : state;
  return (
    <span className="tag state" data-state={state}>
      {word}
    </span>
  );
}
