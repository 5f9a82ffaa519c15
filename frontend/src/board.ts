/** The board that a page is about: its difficulties, and how its scores are named and written. */
import { createContext, useContext, useMemo } from "react";

import type { Board, BoardSummary, Difficulty } from "./api/types";
import { ACCURACIES, ERRORS, type Scores } from "./scores";

/** Of the board whose page it is; `OfBoard` gives it. */
export const BoardContext = createContext<Board | null>(null);

/** The board that this is part of the page of. */
export function useBoard(): Board {
  const board = useContext(BoardContext);
  if (board === null) throw new Error("outside of a board");
  return board;
}

type Scale = Pick<BoardSummary, "difficulties" | "ranked">;

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

export function scoresOf({ metric }: Pick<BoardSummary, "metric">): Scores {
  return metric === "error" ? ERRORS : ACCURACIES;
}

export function useScores(): Scores {
  return scoresOf(useBoard());
}
