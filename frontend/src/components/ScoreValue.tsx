import type { Score } from "../api/types";
import { DASH, percent } from "../format";

/** `84.21 ±0.35`, `84.21` of one repeat; a dash where there is no number. */
export function ScoreValue({ score }: { score: Score | undefined }) {
  if (score === undefined) return <span className="none">{DASH}</span>;
  return (
    <span className="score">
      {percent(score.mean)}
      {score.std !== null && " "}
      <span className="std">{score.std === null ? "" : `±${percent(score.std)}`}</span>
    </span>
  );
}
