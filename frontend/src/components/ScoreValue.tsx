import type { Score } from "../api/types";
import { DASH, percent } from "../format";

/** `84.21 ±0.35`; a dash where there is no number. */
export function ScoreValue({ score }: { score: Score | undefined }) {
  if (score === undefined) return <span className="none">{DASH}</span>;
  return (
    <span className="score">
      {percent(score.mean)} <span className="std">±{percent(score.std)}</span>
    </span>
  );
}
