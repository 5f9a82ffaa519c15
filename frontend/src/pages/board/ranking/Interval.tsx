import type { CSSProperties } from "react";

import type { Difficulty, LeaderboardRow, Score } from "../../../api/types";
import { drawScore } from "../../../components/ScoreValue";
import type { Metric } from "../../../words";

/** The ends of the drawing, as fractions. */
export interface Scale {
  low: number;
  high: number;
}

/** A scale that every score of a ranking fits on with its deviation, its ends whole percents. */
export function scaleOf(
  rows: readonly LeaderboardRow[],
  difficulty: Difficulty,
  metric: Metric,
): Scale {
  let low = 1;
  let high = 0;
  for (const { metrics } of rows) {
    const score = metrics[difficulty]?.[metric];
    if (score === undefined) continue;
    low = Math.min(low, score.mean - (score.std ?? 0));
    high = Math.max(high, score.mean + (score.std ?? 0));
  }
  if (low >= high) return { low: 0, high: 1 };
  return {
    low: Math.max(0, Math.floor(100 * low) / 100),
    high: Math.min(1, Math.ceil(100 * high) / 100),
  };
}

/** A score; below the number its mean as a point, and mean ± deviation as a line. */
export function Interval({ score, scale }: { score: Score | undefined; scale: Scale }) {
  if (score === undefined) return drawScore(score);
  const at = (value: number) => {
    const share = (value - scale.low) / (scale.high - scale.low);
    return `${100 * Math.min(1, Math.max(0, share))}%`;
  };
  const std = score.std ?? 0;
  const style = {
    "--from": at(score.mean - std),
    "--mean": at(score.mean),
    "--to": at(score.mean + std),
  } as CSSProperties;
  return (
    <>
      {drawScore(score)}
      <span className="interval" style={style} aria-hidden="true" />
    </>
  );
}
