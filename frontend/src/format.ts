/** Numbers and times as the page prints them.  Formatting only: every number is the API's. */
import type { CellCounts, Entry, LeaderboardRow, Place, Spent, Unserved } from "./api/types";

type Kind = Spent["kind"];

export const DASH = "–";

// Half to even, as Python's formatting rounds: the page and the files agree in every digit.
const twoDecimals = new Intl.NumberFormat("en", {
  minimumFractionDigits: 2,
  maximumFractionDigits: 2,
  useGrouping: false,
  roundingMode: "halfEven",
});

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** A fraction in percent with two decimals, without the sign: the unit is in the header. */
export function percent(fraction: number | null | undefined): string {
  return fraction == null || Number.isNaN(fraction) ? DASH : twoDecimals.format(fraction * 100);
}

const threeDecimals = new Intl.NumberFormat("en", {
  minimumFractionDigits: 3,
  maximumFractionDigits: 3,
  useGrouping: false,
  roundingMode: "halfEven",
});

/** A number without a unit, such as an error, with three decimals. */
export function number(value: number | null | undefined): string {
  return value == null || Number.isNaN(value) ? DASH : threeDecimals.format(value);
}

/** An integer with its thousands marked. */
export function count(value: number | null | undefined): string {
  return value == null ? DASH : whole.format(value);
}

const decimals = new Intl.NumberFormat("en", { maximumFractionDigits: 2, roundingMode: "halfEven" });
const signed = new Intl.NumberFormat("en", {
  maximumFractionDigits: 2,
  roundingMode: "halfEven",
  signDisplay: "exceptZero",
});

/** A mean of counts, with as many decimals as it has, at most two. */
export function meanCount(value: number): string {
  return decimals.format(value);
}

/** A difference of such means, with its sign. */
export function difference(value: number): string {
  return signed.format(value).replace("-", "−");
}

const KINDS: [Kind, string][] = [
  ["nodes", "nodes"],
  ["edges", "edges"],
  ["added", "edges added"],
  ["removed", "edges removed"],
  ["values", "values changed"],
];

/** What an attack uses, as `90 nodes, 1,350 edges`. */
export function spentWords(spent: Partial<Record<Kind, number>> | null): string {
  if (spent === null) return "Not counted";
  return KINDS.flatMap(([kind, words]) =>
    spent[kind] === undefined ? [] : [`${meanCount(spent[kind])} ${words}`],
  ).join(", ");
}

const UNITS = ["B", "KiB", "MiB", "GiB"];

export function bytes(value: number): string {
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  const digits = unit === 0 || Number.isInteger(size) ? 0 : 1;
  return `${size.toFixed(digits)} ${UNITS[unit] ?? ""}`;
}

export function seconds(value: number | null | undefined): string {
  return value == null ? DASH : `${value.toFixed(2)} s`;
}

const SPANS = [
  ["s", 1, 90],
  ["min", 60, 90],
  ["h", 3600, 36],
] as const;

/** A time to wait, in the largest unit that tells enough. */
export function duration(value: number | null | undefined): string {
  if (value == null) return DASH;
  for (const [unit, size, most] of SPANS) {
    const rounded = Math.round(value / size);
    if (rounded < most) return `${rounded} ${unit}`;
  }
  return `${Math.round(value / 86_400)} days`;
}

/** Where a submission stands in the queue, as a sentence. */
export function placeWords({ position, waiting, seconds: wait, missing }: Place): string {
  const where =
    position === null ? "A worker is at it" : `Position ${position} of ${waiting} in the queue`;
  const when = wait === null ? "" : `; its rank is expected in about ${duration(wait)}`;
  const who = missing === null ? "" : `; no worker that takes ${missing} boards is alive`;
  return `${where}${when}${who}.`;
}

/** What waits for workers of a kind that there is none of, as a sentence. */
export function unservedWords({ need, cells, validations }: Unserved): string {
  const parts = [
    ...(cells ? [`${count(cells)} ${cells === 1 ? "cell" : "cells"}`] : []),
    ...(validations
      ? [`${count(validations)} ${validations === 1 ? "check of a file" : "checks of files"}`]
      : []),
  ];
  const verb = cells + validations === 1 ? "waits" : "wait";
  return `${parts.join(" and ")} ${verb} for ${need}: no worker that takes it is alive.`;
}

const dateTime = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });

/** The reader's local time, such as `3 Feb 2026, 14:05`. */
export function time(iso: string): string {
  const date = new Date(iso);
  return Number.isNaN(date.getTime()) ? iso : dateTime.format(date);
}

/** The day of a moment in UTC, such as `2026-02-03`: what a column of dates sorts and compares by. */
export function day(iso: string): string {
  return iso.slice(0, 10);
}

type Interval = LeaderboardRow["interval"];

/** The best and the last rank that an entry could have, and with how many others it is tied. */
export function ranks(interval: Interval): string {
  const [best, last] = interval?.ranks ?? [];
  if (best === undefined || last === undefined) return DASH;
  const found = best === last ? String(best) : `${best} to ${last}`;
  return interval?.tied ? `${found}, tied with ${interval.tied}` : found;
}

/** Between which scores an expected one is. */
export function span(interval: Interval, write = percent): string {
  if (interval === null) return DASH;
  const found = `${write(interval.low)} to ${write(interval.high)}`;
  return interval.repeated ? found : `${found}, targets only`;
}

/** A message as a sentence: a capital first, a full stop last. */
export function sentence(message: string): string {
  const text = message.trim();
  const end = /[.!?…]$/.test(text) ? "" : ".";
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}${end}`;
}

/** Done and all cells of a submission, for `x of y cells`. */
export function progress(cells: CellCounts): { done: number; total: number } {
  const { queued, running, done, failed, dead } = cells;
  return { done, total: queued + running + done + failed + dead };
}

/** The address if it is a web address, else null: a link never runs anything. */
export function webAddress(url: string | null | undefined): string | null {
  if (!url) return null;
  try {
    const { protocol, href } = new URL(url);
    return protocol === "https:" || protocol === "http:" ? href : null;
  } catch {
    return null;
  }
}

const significant = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** A number as the board defines it, with at most six decimals. */
export function exact(value: number): string {
  return significant.format(value).replace("-", "−");
}

/** What a defense reaches under the same attacks at other budgets, and under unseen families. */
export function heldOutWords(
  found: Entry["held_out"],
  write = (mean: number) => `${percent(mean)} %`,
): string {
  if (found === null) return "Not measured";
  const words: [number | null, string][] = [
    [found.half, "at half the budget"],
    [found.same, "at the board’s"],
    [found.double, "at double"],
    [found.unseen, "under unseen families"],
  ];
  return words.flatMap(([mean, where]) => (mean === null ? [] : [`${write(mean)} ${where}`])).join(", ");
}
