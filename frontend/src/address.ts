/** Where things are on this site, and what of a page's state its address holds. */
import { useSearchParams } from "react-router";

import { boardPath, type Choice } from "./api/queries";
import { segment } from "./api/client";
import { DIFFICULTIES, VIEWS } from "./words";

export const DEFAULT_CHOICE: Choice = { difficulty: "full", view: "reference" };

/** A board's page; with a choice, both of its parts are spelled out, so that the link is stable. */
export function boardAddress(id: string, choice?: Choice): string {
  const { dataset, scenario } = boardPath(id);
  const place = `/boards/${segment(dataset)}/${segment(scenario)}`;
  return choice === undefined
    ? place
    : `${place}?difficulty=${choice.difficulty}&view=${choice.view}`;
}

export function submissionAddress(id: string): string {
  return `/submissions/${segment(id)}`;
}

export function submissionsAddress(board?: string): string {
  if (board === undefined) return "/submissions";
  return `/submissions?board=${board.split("/").map(segment).join("/")}`;
}

export function cellAddress(id: string): string {
  return `/cells/${segment(id)}`;
}

/** The choice that an address makes; what it doesn't say, or misspells, is the default. */
export function choiceOf(search: URLSearchParams): Choice {
  const difficulty = search.get("difficulty");
  const view = search.get("view");
  return {
    difficulty: DIFFICULTIES.find((name) => name === difficulty) ?? DEFAULT_CHOICE.difficulty,
    view: VIEWS.find((name) => name === view) ?? DEFAULT_CHOICE.view,
  };
}

export function useChoice(): Choice {
  const [search] = useSearchParams();
  return choiceOf(search);
}
