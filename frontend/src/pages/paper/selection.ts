/** What the address of the paper's table holds. */
import { FILES, boardAddress, boardData } from "../../address";
import { selectionText, type Preset, type Selection } from "../../api/tables";
import type { Difficulty } from "../../api/types";

export const PRESETS: readonly Preset[] = ["main", "brief", "complete", "no-defenses"];

export const PRESET_NAMES: Record<Preset, string> = {
  main: "Main",
  brief: "Brief",
  complete: "Complete",
  "no-defenses": "No defenses",
};

/** How differences from the base are told. */
export type Distance = "absolute" | "percent";
export const DISTANCES: readonly Distance[] = ["absolute", "percent"];

export const DISTANCE_NAMES: Record<Distance, string> = { absolute: "Points", percent: "Percent" };

export interface Shown extends Selection {
  distance: Distance;
}

/** What an address says; what it doesn't say, or the board lacks, is the default. */
export function shownOf(search: URLSearchParams, choices: readonly Difficulty[]): Shown {
  const list = (name: string): string[] | null => {
    const text = search.get(name);
    if (text === null) return null;
    const ids = text === "" ? [] : text.split(",");
    return ids.length <= 100 && ids.every((id) => /^[0-9A-Z]{26}$/.test(id)) ? ids : null;
  };
  const words = search.get("difficulties")?.split(",") ?? [];
  const difficulties = choices.filter((name) => words.includes(name));
  const base = search.get("base") ?? "";
  return {
    preset: PRESETS.find((name) => name === search.get("preset")) ?? "main",
    attacks: list("attacks"),
    defenses: list("defenses"),
    difficulties: difficulties.length > 0 ? difficulties : null,
    base: /^(clean|[0-9A-Z]{26})$/.test(base) ? base : null,
    distance: search.get("distance") === "percent" ? "percent" : "absolute",
  };
}

/** Where a table of this board is; with its selection, so that the link is stable. */
export function tableAddress(board: string, shown?: Shown): string {
  const address = `${boardAddress(board)}/table`;
  if (shown === undefined) return address;
  const parts = [selectionText(shown), shown.distance === "percent" ? "distance=percent" : ""];
  const query = parts.filter((part) => part !== "").join("&");
  return query === "" ? address : `${address}?${query}`;
}

/** The same table from the API: as JSON, or as a file of this kind. */
export function tableFile(board: string, shown: Shown, kind: (typeof FILES)[number][1]): string {
  const query = selectionText(shown);
  const address = boardData(board, `table${kind}`);
  return query === "" ? address : `${address}?${query}`;
}
