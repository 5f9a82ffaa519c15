/** What the address of a board's charts holds. */
import { boardAddress } from "../../address";
import type { Choice } from "../../api/queries";

export type Cost = "parameters" | "seconds";
export const COSTS: readonly Cost[] = ["parameters", "seconds"];
export const COST_NAMES: Record<Cost, string> = { parameters: "Parameters", seconds: "Seconds" };

export function costOf(search: URLSearchParams): Cost {
  return search.get("cost") === "seconds" ? "seconds" : "parameters";
}

/** Where the charts of this board are; the choice is spelled out, so that the link is stable. */
export function chartsAddress(board: string, choice?: Choice, cost: Cost = "parameters"): string {
  const address = boardAddress(board, choice).replace("?", "/charts?");
  if (choice === undefined) return `${address}/charts`;
  return cost === "parameters" ? address : `${address}&cost=${cost}`;
}
