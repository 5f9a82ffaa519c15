/** The board that a page is about: its difficulties, and how its scores are named and written. */
import { createContext, useContext, useMemo } from "react";

import { boardPath } from "./api/queries";
import type { Board, BoardMetric, BoardSummary, Difficulty } from "./api/types";
import { ACCURACIES, ERRORS, type Scores } from "./scores";

/** What a page needs to know of the board that its numbers are of. */
export type Known = Pick<Board, "difficulties" | "ranked" | "metric" | "ladder_step"> & {
  /** Whether it has left the catalog. */
  left?: boolean;
};

/** Of the board whose page it is; `OfBoard` gives it. */
export const BoardContext = createContext<Known | null>(null);

/** The board that this is part of the page of. */
export function useBoard(): Known {
  const board = useContext(BoardContext);
  if (board === null) throw new Error("outside of a board");
  return board;
}

type Scale = Pick<BoardSummary, "difficulties" | "ranked">;

const NODES: Scale = { difficulties: ["easy", "medium", "hard", "full"], ranked: "full" };
const GRAPHS: Scale = { difficulties: ["1", "2", "3", "4", "5"], ranked: "mean" };

/** The scale of the scenario that is named in a board's id, whether the catalog has the board or not. */
export function scaleOf(id: string): Scale {
  return /^(adjacency|attributes)(@|$)/.test(boardPath(id).scenario) ? GRAPHS : NODES;
}

/** What is known of a board that has left the catalog, whose numbers are of this metric. */
export function formerBoard(id: string, metric: BoardMetric): Known {
  return { ...scaleOf(id), metric, ladder_step: null, left: true };
}

/** What rankings of a board may be ordered by: its difficulties, and the mean where it ranks. */
export function choicesOf({ difficulties, ranked }: Scale): readonly Difficulty[] {
  return difficulties.includes(ranked) ? difficulties : [...difficulties, ranked];
}

/** The same of the board that this is part of the page of; the same array as long as it is that. */
export function useChoices(): readonly Difficulty[] {
  const { difficulties, ranked } = useBoard();
  return useMemo(() => choicesOf({ difficulties, ranked }), [difficulties, ranked]);
}

/** What a choice between the difficulties of a board is of. */
export function scaleName({ difficulties, ranked }: Scale): "Difficulty" | "Budget" {
  return difficulties.includes(ranked) ? "Difficulty" : "Budget";
}

/** The same of several. */
export function scaleNames(board: Scale): "Difficulties" | "Budgets" {
  return scaleName(board) === "Budget" ? "Budgets" : "Difficulties";
}

/** Whether whole graphs are classified, and not the nodes of one. */
export function isOfGraphs(board: Scale): boolean {
  return scaleName(board) === "Budget";
}

/** How the table over all of a board is called: the paper of GRB has none of whole graphs. */
export function tableName(id: string): string {
  return isOfGraphs(scaleOf(id)) ? "All results as a table" : "The paper's table";
}

export function scoresOf({ metric }: Pick<BoardSummary, "metric">): Scores {
  return metric === "error" ? ERRORS : ACCURACIES;
}

export function useScores(): Scores {
  return scoresOf(useBoard());
}
