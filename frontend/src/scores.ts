/** How the numbers of a board are named and written: accuracies in percent, or errors as they are. */
import type { Metric, Side } from "./api/types";
import { number, percent } from "./format";

export interface Scores {
  /** Whether less is better for a defense. */
  errors: boolean;
  one: "accuracy" | "error";
  many: "accuracies" | "errors";
  /** What an attack leaves. */
  left: string;
  /** Where the worst of a defense is, and the best. */
  worst: "lowest" | "highest";
  best: "lowest" | "highest";
  /** Behind a heading. */
  unit: " (%)" | "";
  /** Behind a word that a caption begins with. */
  measured: string;
  /** What a table of them is in, and a difference. */
  in: string;
  apart: string;
  write: (value: number | null | undefined) => string;
}

export const ACCURACIES: Scores = {
  errors: false,
  one: "accuracy",
  many: "accuracies",
  left: "accuracy that is left to the defenses",
  worst: "lowest",
  best: "highest",
  unit: " (%)",
  measured: " (%)",
  in: "in percent",
  apart: "in percentage points",
  write: percent,
};

export const ERRORS: Scores = {
  errors: true,
  one: "error",
  many: "errors",
  left: "error that the defenses make",
  worst: "highest",
  best: "lowest",
  unit: "",
  measured: " (standard deviations of the labels)",
  in: "in standard deviations of the labels",
  apart: "of the errors",
  write: number,
};

/** `Accuracy (%)`, or `Error`. */
export function heading({ one, unit }: Scores): string {
  return `${one.slice(0, 1).toUpperCase()}${one.slice(1)}${unit}`;
}

/** The same as a caption says it: `Accuracy (%)`, or `Error (standard deviations of the labels)`. */
export function inFull(scores: Scores): string {
  return heading({ ...scores, unit: "" }) + scores.measured;
}

/** A score with its unit in a sentence: `84.21 %`, or `0.412`. */
export function inWords({ write, errors }: Scores, value: number | null | undefined): string {
  return errors ? write(value) : `${write(value)} %`;
}

/** A metric as the header of a side's column. */
export function metricName(metric: Metric, side: Side, { worst, best }: Scores): string {
  const three = { lowest: "3-Min", highest: "3-Max" }[side === "defense" ? worst : best];
  return { weighted: "Weighted", average: "Avg", three, worst: "Worst" }[metric];
}

/** What ranks, as the caption of a ranking says it; `graphs`: where there are several without an attack. */
export function rankedBy(metric: Metric, side: Side, scores: Scores, graphs: boolean): string {
  const { errors, one, many, left, worst, best } = scores;
  const every = `over all attacks and the clean ${graphs ? "graphs" : "graph"}`;
  const name = metricName("three", side, scores);
  const words: Record<Side, Record<Metric, string>> = {
    defense: {
      weighted: `Weighted: ${one} ${every}, the worst weighing most`,
      average: `Avg: mean ${one} ${every}`,
      three: `${name}: mean of the three ${worst} ${many}`,
      worst: `the worst case: the ${worst} ${one}, in each repeat`,
    },
    attack: {
      weighted: `Weighted: ${left}, the best weighing most`,
      average: `Avg: mean ${left}`,
      three: `${name}: mean of the three ${best} ${many}`,
      worst: `the worst case: the ${best} ${left}, in each repeat`,
    },
  };
  return `Ranked by ${words[side][metric]}${errors ? `; ${scores.in}` : ""}.`;
}

/** What a column of a metric is, longer than its header. */
export function hintOf(metric: Metric, side: Side, { one, many, worst, best }: Scores): string {
  const end = side === "defense" ? worst : best;
  return {
    weighted: `The ${side === "defense" ? "worst" : "best"} counterpart weighs most`,
    average: "Mean over the counterparts",
    three: `Mean of the three ${end} ${many}`,
    worst: `The ${end} ${one}, in each repeat`,
  }[metric];
}

/** Which end of a ranking is its first. */
export function orderOf(side: Side, { errors }: Scores): string {
  if (side === "defense") return errors ? "lower is better" : "higher is better";
  return errors ? "higher is stronger" : "lower is stronger";
}
