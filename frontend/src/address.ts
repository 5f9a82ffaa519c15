/** Where things are on this site, and what of a page's state its address holds. */
import { useSearchParams } from "react-router";

import { segment } from "./api/client";
import { STEPS, boardPath, type Choice, type Places } from "./api/queries";
import type { Metric, Side, View } from "./api/types";
import { choicesOf, useBoard } from "./board";
import { METRICS, VIEWS } from "./words";

/**
 * A board's page; with a choice, both of its parts are spelled out, so that the link is stable. Places
 * where its tables do not begin at the first entry follow.
 */
export function boardAddress(id: string, choice?: Choice, places?: Places): string {
  const { dataset, scenario } = boardPath(id);
  const address = `/boards/${segment(dataset)}/${segment(scenario)}`;
  if (choice === undefined) return address;
  const begun = Object.entries(places ?? {}).filter(([, place]) => place > 0);
  const tail = begun.map(([name, place]) => `&${name}=${place}`).join("");
  return `${address}?difficulty=${choice.difficulty}&view=${choice.view}${tail}`;
}

/** What the API has of a board. */
export function boardData(id: string, name: string): string {
  return `/api/v1${boardAddress(id)}/${name}`;
}

/** As what a table may be had from the API. */
export const FILES = [
  ["CSV", ".csv"],
  ["LaTeX", ".tex"],
  ["JSON", ""],
] as const;

/** What the API has at a path, as files and as JSON, which may be at another one. */
export function filesOf(data: string, query = "", json = data): [kind: string, address: string][] {
  return FILES.map(([kind, end]) => [kind, `/api/v1${end === "" ? json : data + end}${query}`]);
}

/** The files of a ranking, of those entries alone that the filters of the API leave; or of the whole matrix. */
export function sheets(
  id: string,
  { difficulty, view }: Choice,
  side?: Side,
  metric: Metric = "weighted",
  { best, flag }: { best: string; flag: string } = { best: "", flag: "" },
): [kind: string, address: string][] {
  const name = side === undefined ? "matrix" : "leaderboard";
  const by = side === undefined || metric === "weighted" ? "" : `&metric=${metric}`;
  const only = `${best && `&best=${best}`}${flag && `&flag=${encodeURIComponent(flag)}`}`;
  const tail = side === undefined ? "" : `&side=${side}${by}${only}`;
  return FILES.map(([kind, end]) => [
    kind,
    `${boardData(id, name + (side === undefined && end === "" ? "/grid" : end))}?difficulty=${difficulty}&view=${view}${tail}`,
  ]);
}

/** What happens on a board, for feed readers. */
export function feedAddress(id: string): string {
  return boardData(id, "feed.atom");
}

export function submissionAddress(id: string): string {
  return `/submissions/${segment(id)}`;
}

/** A board's identifier in a query, readable. */
export function boardWord(id: string): string {
  return id.split("/").map(segment).join("/");
}

export function submissionsAddress(board?: string): string {
  return board === undefined ? "/submissions" : `/submissions?board=${boardWord(board)}`;
}

/** Where one submits, to this board and on this side where they are known. */
export function submitAddress(board?: string, side?: Side): string {
  const asked = [
    ...(board === undefined ? [] : [`board=${boardWord(board)}`]),
    ...(side === undefined ? [] : [`side=${side}`]),
  ];
  return asked.length === 0 ? "/submit" : `/submit?${asked.join("&")}`;
}

/** Where one signs in, to come back to an address of this site. */
export function signInAddress(next: string): string {
  return `/account/sign-in?next=${encodeURIComponent(next)}`;
}

/** Where the address says to go on after signing in; only to a page of this site. */
export function nextOf(search: URLSearchParams): string {
  const next = search.get("next") ?? "";
  return /^\/(?![/\\])[^\\\s]*$/.test(next) ? next : "/account";
}

export function rulesAddress(board: string): string {
  return `${boardAddress(board)}/rules`;
}

export function arenaAddress(board: string): string {
  return `${boardAddress(board)}/arena`;
}

export function seasonAddress(board: string, number: number): string {
  return `${boardAddress(board)}/seasons/${number}`;
}

export function cellAddress(id: string): string {
  return `/cells/${segment(id)}`;
}

/** The choice that an address makes; what it doesn't say, or the board lacks, is the default. */
export function choiceOf(search: URLSearchParams, board: Parameters<typeof choicesOf>[0]): Choice {
  const difficulty = search.get("difficulty");
  return {
    difficulty: choicesOf(board).find((name) => name === difficulty) ?? board.ranked,
    view: viewOf(search),
  };
}

export function viewOf(search: URLSearchParams): View {
  const view = search.get("view");
  return VIEWS.find((name) => name === view) ?? "reference";
}

/** Where the tables of an address begin; what it doesn't say, or misspells, is the first entry. */
export function placesOf(search: URLSearchParams): Places {
  const at = (name: keyof typeof STEPS) => {
    const asked = search.get(name) ?? "";
    return /^[0-9]{1,6}$/.test(asked) ? Number(asked) : 0;
  };
  return { defenses: at("defenses"), attacks: at("attacks"), row: at("row"), column: at("column") };
}

export function usePlaces(): Places {
  const [search] = useSearchParams();
  return placesOf(search);
}

/** The choice of the address on the page of a board. */
export function useChoice(): Choice {
  const [search] = useSearchParams();
  return choiceOf(search, useBoard());
}

/** What ranks, as an address says it; what it misspells is Weighted. */
export function metricOf(search: URLSearchParams): Metric {
  const metric = search.get("metric");
  return METRICS.find((name) => name === metric) ?? "weighted";
}

/** An address's query with some parts changed; null leaves one out, the others stay as they are. */
export function changed(search: URLSearchParams, parts: Record<string, string | null>): string {
  const next = new URLSearchParams(search);
  for (const [name, value] of Object.entries(parts)) {
    if (value === null) next.delete(name);
    else next.set(name, value);
  }
  return `?${next.toString()}`;
}
