/** What the address of a board's charts holds. */
import { boardAddress } from "../../address";
import type { Difficulty } from "../../api/types";

export type Cost = "parameters" | "seconds";
export const COSTS: readonly Cost[] = ["parameters", "seconds"];
export const COST_NAMES: Record<Cost, string> = { parameters: "Parameters", seconds: "Seconds" };

export function costOf(search: URLSearchParams): Cost {
  return search.get("cost") === "seconds" ? "seconds" : "parameters";
}

/** Where the charts of this board are; the choice is spelled out, so that the link is stable. */
export function chartsAddress(board: string, difficulty?: Difficulty, cost: Cost = "parameters"): string {
  const address = `${boardAddress(board)}/charts`;
  if (difficulty === undefined) return address;
  return `${address}?difficulty=${difficulty}${cost === "parameters" ? "" : `&cost=${cost}`}`;
}
