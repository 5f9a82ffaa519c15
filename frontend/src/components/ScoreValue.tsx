import type { Score } from "../api/types";
import { useScores } from "../board";
import { DASH } from "../format";
import type { Scores } from "../scores";

/** `84.21 ±0.35`, `84.21` of one repeat; a dash where there is no number. */
export function ScoreValue({ score }: { score: Score | undefined }) {
  return drawScore(score, useScores());
}

/** The same for large tables, without a component for each cell. */
export function drawScore(score: Score | undefined, { write }: Scores) {
  if (score === undefined) return <span className="none">{DASH}</span>;
  const { mean, std } = score;
  return (
    <span className="score">
      {std === null ? write(mean) : `${write(mean)} `}
      <span className="std">{std === null ? "" : `±${write(std)}`}</span>
    </span>
  );
}
