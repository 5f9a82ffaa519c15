import type { Score } from "../api/types";
import { DASH, percent } from "../format";

/** `84.21 ±0.35`, `84.21` of one repeat; a dash where there is no number. */
export function ScoreValue({ score }: { score: Score | undefined }) {
  return drawScore(score);
}

/** The same for large tables, without a component for each cell. */
export function drawScore(score: Score | undefined) {
  if (score === undefined) return <span className="none">{DASH}</span>;
  const { mean, std } = score;
  return (
    <span className="score">
      {std === null ? percent(mean) : `${percent(mean)} `}
      <span className="std">{std === null ? "" : `±${percent(std)}`}</span>
    </span>
  );
}
