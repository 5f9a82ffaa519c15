/** The columns of a ranking, the same and in the same order as without JavaScript. */
import type { AccessorFnColumnDef } from "@tanstack/react-table";
import type { ReactNode } from "react";

import { submissionAddress } from "../../../address";
import type { Difficulty, Entry, LeaderboardRow, Score, Side } from "../../../api/types";
import { Flags } from "../../../components/Flags";
import { OutsideLink } from "../../../components/OutsideLink";
import { drawScore } from "../../../components/ScoreValue";
import { DASH, count, day, percent, ranks, spentWords, webAddress } from "../../../format";
import { CLEAN_NAME, DIFFICULTIES, METRICS, metricName, type Metric } from "../../../words";
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
  meta: Partial<ColumnMeta> = {},
  cell: (score: Score | undefined) => ReactNode = drawScore,
): Column {
  return column((row) => score(row)?.mean, {
    id,
    header,
    sortDescFirst: descending,
    meta: { className: "number", draw: (row: LeaderboardRow) => cell(score(row)), ...meta },
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
    header: `Budget used ${difficulty} (%)`,
    sortDescFirst: true,
    meta: {
      className: "number",
      hint: "Of all edges, or flips, that are allowed; mean over repeats, counted by the service",
      draw: ({ entry }) =>
        entry && <span title={spentWords(entry.spent)}>{percent(entry.budget_used)}</span>,
    },
  });
}

function flagText(entry: Entry): string {
  const { is_reference: reference, adversarially_trained: trained, stochastic, not_finite } = entry;
  return [reference && "reference", trained && "AT", stochastic && "stochastic", not_finite && "not finite"]
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

const HINTS: Record<Metric, Record<Side, string>> = {
  weighted: { defense: "The worst counterpart weighs most", attack: "The best counterpart weighs most" },
  average: { defense: "Mean over the counterparts", attack: "Mean over the counterparts" },
  three: { defense: "Mean of the three lowest accuracies", attack: "Mean of the three highest accuracies" },
  worst: { defense: "The lowest accuracy, in each repeat", attack: "The highest accuracy, in each repeat" },
};

export function columnsOf(side: Side, difficulty: Difficulty, metric: Metric, scale: Scale): Column[] {
  const defense = side === "defense";
  const name = (by: Metric) => metricName(by, side);
  const others = DIFFICULTIES.filter((other) => other !== difficulty);
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
      `${name(metric)} ${difficulty} (%)`,
      ({ metrics }) => metrics[difficulty]?.[metric],
      defense,
      { className: "number chosen-score", hint: HINTS[metric][side] },
      (score) => <Interval score={score} scale={scale} />,
    ),
    ...others.map((other) =>
      scored(other, `${name(metric)} ${other} (%)`, ({ metrics }) => metrics[other]?.[metric], defense),
    ),
    ...(defense
      ? [scored("clean", `Clean ${difficulty} (%)`, ({ clean }) => clean?.[difficulty], true)]
      : [budgetColumn(difficulty)]),
    about("flags", "Flags", flagText, (entry) => <Flags entry={entry} />, "flags"),
    column((row) => row.rank_interval?.[0], {
      id: "ranks",
      header: "Ranks",
      sortDescFirst: false,
      meta: {
        className: "nowrap",
        hint: "The ranks that it could have, were every score anywhere in its ±",
        draw: (row) => ranks(row.rank_interval),
      },
    }),
    ...METRICS.filter((by) => by !== metric).map((by) =>
      scored(by, `${name(by)} ${difficulty} (%)`, ({ metrics }) => metrics[difficulty]?.[by], defense, {
        hint: HINTS[by][side],
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
