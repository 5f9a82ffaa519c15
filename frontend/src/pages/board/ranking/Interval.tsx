import type { CSSProperties } from "react";

import type { Difficulty, LeaderboardRow, Score } from "../../../api/types";
import { drawScore } from "../../../components/ScoreValue";
import type { Scores } from "../../../scores";
import type { Metric } from "../../../words";

/** The ends of the drawing, as scores. */
export interface Scale {
  low: number;
  high: number;
}

/** A scale that every score of a ranking fits on with its interval, its ends whole hundredths. */
export function scaleOf(
  rows: readonly LeaderboardRow[],
  difficulty: Difficulty,
  metric: Metric,
  { errors }: Scores,
): Scale {
  let low = Infinity;
  let high = -Infinity;
  for (const { metrics, interval } of rows) {
    const score = metrics[difficulty]?.[metric];
    if (score === undefined) continue;
    low = Math.min(low, score.mean, interval?.low ?? Infinity);
    high = Math.max(high, score.mean, interval?.high ?? -Infinity);
  }
  if (low >= high) return { low: 0, high: 1 };
  return {
    low: Math.max(0, Math.floor(100 * low) / 100),
    high: Math.min(errors ? Infinity : 1, Math.ceil(100 * high) / 100),
  };
}

interface IntervalProps {
  score: Score | undefined;
  interval: LeaderboardRow["interval"];
  scale: Scale;
  scores: Scores;
}

/** A score; below the number it is a point, and its interval, where one is known, a line. */
export function Interval({ score, interval, scale, scores }: IntervalProps) {
  if (score === undefined) return drawScore(score, scores);
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
      {drawScore(score, scores)}
      <span className="interval" style={style} aria-hidden="true" />
    </>
  );
}
