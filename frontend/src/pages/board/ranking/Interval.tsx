import type { CSSProperties } from "react";

import type { Difficulty, LeaderboardRow, Score } from "../../../api/types";
import { drawScore } from "../../../components/ScoreValue";
import type { Metric } from "../../../words";

/** The ends of the drawing, as fractions. */
export interface Scale {
  low: number;
  high: number;
}

/** A scale that every score of a ranking fits on with its interval, its ends whole percents. */
export function scaleOf(
  rows: readonly LeaderboardRow[],
  difficulty: Difficulty,
  metric: Metric,
): Scale {
  let low = 1;
  let high = 0;
  for (const { metrics, interval } of rows) {
    const score = metrics[difficulty]?.[metric];
    if (score === undefined) continue;
    low = Math.min(low, score.mean, interval?.low ?? 1);
    high = Math.max(high, score.mean, interval?.high ?? 0);
  }
  if (low >= high) return { low: 0, high: 1 };
  return {
    low: Math.max(0, Math.floor(100 * low) / 100),
    high: Math.min(1, Math.ceil(100 * high) / 100),
  };
}

interface IntervalProps {
  score: Score | undefined;
  interval: LeaderboardRow["interval"];
  scale: Scale;
}

/** A score; below the number it is a point, and its interval, where one is known, a line. */
export function Interval({ score, interval, scale }: IntervalProps) {
  if (score === undefined) return drawScore(score);
  const at = (value: number) => {
    const share = (value - scale.low) / (scale.high - scale.low);
    return `${100 * Math.min(1, Math.max(0, share))}%`;
  };
  const style = {
    "--from": at(interval?.low ?? score.mean),
    "--mean": at(score.mean),
    "--to": at(interval?.high ?? score.mean),
  } as CSSProperties;
  return (
    <>
      {drawScore(score)}
      <span className="interval" style={style} aria-hidden="true" />
    </>
  );
}
