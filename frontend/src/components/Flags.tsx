import type { Entry } from "../api/types";
import { VisibilityTag } from "./VisibilityTag";

/** What a reader must know of an entry beside its numbers. */
export function Flags({ entry }: { entry: Entry }) {
  return (
    <span className="entry">
      {entry.is_reference && (
        <span className="tag" title="One of the board's frozen references">
          reference
        </span>
      )}
      <VisibilityTag of={entry} />
      {entry.adversarially_trained && (
        <span className="tag" title="Declared as adversarially trained">
          AT
        </span>
      )}
      {entry.stochastic && (
        <span className="tag" title="It draws at random when it predicts: the mean of several passes">
          stochastic
        </span>
      )}
      {entry.not_finite !== null && (
        <span
          className="tag"
          title={`${entry.not_finite.targets} targets without a finite output in one repeat; in ${entry.not_finite.cells} of its cells there are such`}
        >
          {entry.not_finite.targets} not finite
        </span>
      )}
      {!entry.is_reference && entry.attempts > 1 && (
        <span className="small">
          attempt {entry.attempt} of {entry.attempts}
        </span>
      )}
    </span>
  );
}
