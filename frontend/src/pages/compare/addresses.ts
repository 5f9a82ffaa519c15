/** What the address of a comparison holds. */
import { FILES, boardData, boardWord, choiceOf } from "../../address";
import { segment } from "../../api/client";
import type { Board, Difficulty, View } from "../../api/types";

/** At most so many entries are compared. */
export const MOST = 5;

export interface Compared {
  board: string;
  ids: readonly string[];
  view: View;
  difficulty: Difficulty;
}

/** The board of a comparison, as its address names it. */
export function boardOf(search: URLSearchParams): string {
  return search.get("board") ?? "";
}

export function comparedOf(search: URLSearchParams, board: Pick<Board, "difficulties" | "ranked">): Compared {
  const ids = (search.get("ids") ?? "").split(",").filter((id) => /^[0-9A-Z]{26}$/.test(id));
  return { board: boardOf(search), ids: [...new Set(ids)].slice(0, MOST), ...choiceOf(search, board) };
}

/** Entries of one side of a board side by side; differences are from the first. */
export function compareAddress(board: string, ids: readonly string[] = [], rest: Partial<Compared> = {}): string {
  const parts = [
    `board=${boardWord(board)}`,
    ...(ids.length > 0 ? [`ids=${ids.map(segment).join(",")}`] : []),
    ...(rest.difficulty === undefined ? [] : [`difficulty=${rest.difficulty}`]),
    ...(rest.view === undefined ? [] : [`view=${rest.view}`]),
  ];
  return `/compare?${parts.join("&")}`;
}

/** The comparison as files: all difficulties, in LaTeX the chosen one. */
export function comparisonFiles(compared: Compared): [kind: string, address: string][] {
  return FILES.map(([kind, end]) => [kind, fileOf(compared, end, kind === "LaTeX")]);
}

/** Where each entry is the best as files; the comparison has it too. */
export function winsFiles(compared: Compared): [kind: string, address: string][] {
  return FILES.map(([kind, end]) => [kind, fileOf(compared, end && `/wins${end}`)]);
}

/** The comparison by the degree of the targets, or the size of graphs, as files. */
export function degreeFiles(compared: Compared): [kind: string, address: string][] {
  return FILES.map(([kind, end]) => [kind, fileOf(compared, `/degrees${end}`, true)]);
}

function fileOf({ board, ids, view, difficulty }: Compared, rest: string, at = false): string {
  const asked = `ids=${ids.map(segment).join(",")}&view=${view}${at ? `&difficulty=${difficulty}` : ""}`;
  return `${boardData(board, `comparison${rest}`)}?${asked}`;
}
