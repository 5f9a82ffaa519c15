/** The columns of a ranking, the same and in the same order as without JavaScript. */
import type { AccessorFnColumnDef } from "@tanstack/react-table";
import type { ReactNode } from "react";

import { submissionAddress } from "../../../address";
import type { Difficulty, Entry, FlagKind, LeaderboardRow, Score, Side } from "../../../api/types";
import { Flags, flagsOf } from "../../../components/Flags";
import { OutsideLink } from "../../../components/OutsideLink";
import { drawScore } from "../../../components/ScoreValue";
import { DASH, count, day, heldOutWords, percent, ranks, span, spentWords, webAddress } from "../../../format";
import { hintOf, inWords, metricName, type Scores } from "../../../scores";
import { CLEAN, CLEAN_NAME, METRICS, difficultyWord, type Metric } from "../../../words";
import { Interval, type Scale } from "./Interval";
import type { Value } from "./state";

export interface ColumnMeta {
  /** What a row shows, without a component for each cell: there are many. */
  draw: (row: LeaderboardRow) => ReactNode;
  className?: string;
  /** What the column is, longer than its header. */
  hint?: string;
}

type Definition = AccessorFnColumnDef<LeaderboardRow, Value>;
interface Own {
  /** What the address calls it. */
  id: string;
  header: string;
  meta: ColumnMeta;
}
export type Column = Definition &
  Own & {
    /** What it sorts by. */
    value: (row: LeaderboardRow) => Value;
  };

function column(
  value: (row: LeaderboardRow) => Value,
  definition: Own & Pick<Definition, "sortDescFirst">,
): Column {
  return { ...definition, accessorFn: value, value };
}

/** Columns that can't be hidden. */
export const FIXED = ["rank", "name"];

function scored(
  id: string,
  header: string,
  score: (row: LeaderboardRow) => Score | undefined,
  descending: boolean,
  cell: (score: Score | undefined, row: LeaderboardRow) => ReactNode,
  meta: Partial<ColumnMeta> = {},
): Column {
  return column((row) => score(row)?.mean, {
    id,
    header,
    sortDescFirst: descending,
    meta: { className: "number", draw: (row: LeaderboardRow) => cell(score(row), row), ...meta },
  });
}

function about(
  id: string,
  header: string,
  text: (entry: Entry) => string,
  cell: (entry: Entry) => ReactNode = text,
  className = "",
): Column {
  return column((row) => (row.entry === null || text(row.entry) === "" ? undefined : text(row.entry)), {
    id,
    header,
    sortDescFirst: false,
    meta: { className, draw: ({ entry }: LeaderboardRow) => entry && cell(entry) },
  });
}

/** What an attack uses of its budget; in its title, of what. */
function budgetColumn(difficulty: Difficulty): Column {
  return column((row) => row.entry?.budget_used ?? undefined, {
    id: "budget",
    header: `Budget used ${difficultyWord(difficulty)} (%)`,
    sortDescFirst: true,
    meta: {
      className: "number",
      hint: "Of all edges, flips or changes that are allowed; mean over repeats, counted by the service",
      draw: ({ entry }) =>
        entry && <span title={spentWords(entry.spent)}>{percent(entry.budget_used)}</span>,
    },
  });
}

function flagText(entry: Entry, kinds: readonly FlagKind[]): string {
  const words = flagsOf(entry, kinds).map(({ title }) => title);
  return [...words, entry.not_finite && "not finite"]
    .filter(Boolean)
    .join(" ");
}

function Links({ entry }: { entry: Entry }) {
  const { paper_url: paper, code_url: code } = entry;
  return (
    <span className="entry">
      {webAddress(paper) && <OutsideLink href={paper}>paper</OutsideLink>}
      {webAddress(code) && <OutsideLink href={code}>code</OutsideLink>}
    </span>
  );
}

/** What a defense keeps when attacks may do twice as much; in its title, what it has otherwise. */
function doubleColumn(difficulty: Difficulty, scores: Scores): Column {
  return column((row) => row.entry?.held_out?.double ?? undefined, {
    id: "double",
    header: `Double budget ${difficultyWord(difficulty)}${scores.unit}`,
    sortDescFirst: !scores.errors,
    meta: {
      className: "number",
      hint: `Mean ${scores.one} under the references at twice the board’s budget; it ranks nobody`,
      draw: ({ entry }) =>
        entry && (
          <span title={heldOutWords(entry.held_out, (mean) => inWords(scores, mean))}>
            {scores.write(entry.held_out?.double)}
          </span>
        ),
    },
  });
}

export interface Ranked {
  side: Side;
  difficulty: Difficulty;
  /** What the board may be ranked by, in order. */
  choices: readonly Difficulty[];
  metric: Metric;
  scores: Scores;
  scale: Scale;
  /** The flags that the ranking's rows name. */
  kinds: readonly FlagKind[];
  /** Whether hold-outs of any are known. */
  held: boolean;
}

export function columnsOf(ranked: Ranked): Column[] {
  const { side, difficulty, choices, metric, scores, scale, kinds, held } = ranked;
  const defense = side === "defense";
  const falling = defense !== scores.errors; // the best first
  const head = (by: Metric, at: Difficulty) =>
    `${metricName(by, side, scores)} ${difficultyWord(at)}${scores.unit}`;
  const draw = (score: Score | undefined) => drawScore(score, scores);
  const others = choices.filter((other) => other !== difficulty);
  return [
    column((row) => row.rank ?? undefined, {
      id: "rank",
      header: "Rank",
      sortDescFirst: false,
      meta: { className: "number rank", draw: ({ rank }) => rank ?? DASH },
    }),
    column((row) => row.entry?.name, {
      id: "name",
      header: defense ? "Defense" : "Attack",
      sortDescFirst: false,
        meta: {
        draw: ({ entry }) =>
          entry === null ? CLEAN_NAME : <a href={submissionAddress(entry.id)}>{entry.name}</a>,
      },
    }),
    scored(
      difficulty,
      head(metric, difficulty),
      ({ metrics }) => metrics[difficulty]?.[metric],
      falling,
      (score, { interval }) => <Interval {...{ score, interval, scale, scores }} />,
      { className: "number chosen-score", hint: hintOf(metric, side, scores) },
    ),
    ...others.map((other) =>
      scored(other, head(metric, other), ({ metrics }) => metrics[other]?.[metric], falling, draw),
    ),
    ...(defense
      ? [
          scored(
            "clean",
            `Clean${choices.includes("mean") ? "" : ` ${difficultyWord(difficulty)}`}${scores.unit}`,
            ({ clean }) => clean?.[difficulty],
            falling,
            draw,
          ),
        ]
      : [budgetColumn(difficulty)]),
    about(
      "flags",
      "Flags",
      (entry) => flagText(entry, kinds),
      (entry) => <Flags entry={entry} kinds={kinds} side={side} />,
      "flags",
    ),
    column((row) => row.interval?.ranks?.[0], {
      id: "ranks",
      header: "Ranks",
      sortDescFirst: false,
      meta: {
        className: "nowrap",
        hint: "The ranks that it may have (95 %), and how many it can't be told from",
        draw: (row) => ranks(row.interval),
      },
    }),
    column((row) => row.interval?.low, {
      id: "interval",
      header: `95 % interval${scores.unit}`,
      sortDescFirst: falling,
      meta: {
        className: "nowrap",
        hint: "Where the expected score is, over new attack samples and new targets",
        draw: (row) => span(row.interval, scores.write),
      },
    }),
    column((row) => row.interval?.first ?? undefined, {
      id: "first",
      header: "First (%)",
      sortDescFirst: true,
      meta: {
        className: "number",
        hint: "How likely it is the first",
        draw: (row) => percent(row.interval?.first),
      },
    }),
    column((row) => row.worst?.name, {
      id: "counterpart",
      header: defense ? "Worst attack" : "Best defense",
      sortDescFirst: false,
      meta: {
        hint: defense ? `Under which its ${scores.one} is ${scores.worst}` : "Which stands it best",
        draw: ({ worst }) =>
          worst === null || worst.id === CLEAN ? (worst?.name ?? DASH) : (
            <a href={submissionAddress(worst.id)}>{worst.name}</a>
          ),
      },
    }),
    ...(defense
      ? held ? [doubleColumn(difficulty, scores)] : []
      : [
          column((row) => row.breaks?.broken, {
            id: "breaks",
            header: "Breaks",
            sortDescFirst: true,
            meta: {
              className: "nowrap",
              hint: `Of how many defenses it makes the ${scores.one} worse by more than chance`,
              draw: ({ breaks }: LeaderboardRow) =>
                breaks === null ? DASH : `${breaks.broken} of ${breaks.of}`,
            },
          }),
        ]),
    ...METRICS.filter((by) => by !== metric).map((by) =>
      scored(by, head(by, difficulty), ({ metrics }) => metrics[difficulty]?.[by], falling, draw, {
        hint: hintOf(by, side, scores),
      }),
    ),
    column((row) => row.metrics[difficulty]?.n, {
      id: "n",
      header: "n",
      meta: {
        className: "number",
        draw: ({ metrics }) => count(metrics[difficulty]?.n),
        hint: defense ? "Rows behind the score, the clean one included" : "Defenses behind the score",
      },
    }),
    about("family", "Family", (entry) => entry.family),
    defense
      ? about("detail", "Architecture", (entry) => entry.architecture ?? "", (entry) => entry.architecture ?? DASH)
      : about("detail", "Surrogate", (entry) => entry.surrogate ?? "", (entry) => entry.surrogate ?? DASH),
    about("authors", "Authors", (entry) => entry.authors, (entry) => entry.authors, "authors"),
    about(
      "links",
      "Links",
      ({ paper_url: paper, code_url: code }) =>
        `${webAddress(paper) ? "paper" : ""} ${webAddress(code) ? "code" : ""}`.trim(),
      (entry) => <Links entry={entry} />,
    ),
    about(
      "date",
      "Date",
      (entry) => entry.registered_at,
      (entry) => (
        <time dateTime={entry.registered_at} title={entry.registered_at}>
          {day(entry.registered_at)}
        </time>
      ),
    ),
  ];
}
