/** What an admin selects to be computed once more, between the form and the API. */
import type { Selection } from "../../api/admin";

const DAY = 86_400_000;

export const STATES = ["done", "failed", "dead"] as const;

/** The fields of the form, as the address names them. */
export const FIELDS = [
  "board",
  "side",
  "submissions",
  "families",
  "state",
  "protocol",
  "evaluator_before",
  "torch",
  "device",
  "older_than_days",
] as const;

/** Words between spaces or commas, each once. */
export function words(text: string): string[] {
  return [...new Set(text.split(/[\s,]+/).filter((word) => word !== ""))];
}

/**
 * The selection that a form asks for; what is left empty narrows nothing.
 *
 * @param now the moment from which "older than" counts back, in milliseconds.
 */
export function selectionOf(values: FormData, now: number): Selection {
  const text = (name: string) => {
    const value = values.get(name);
    return typeof value === "string" ? value.trim() : "";
  };
  const states = STATES.filter((state) => values.getAll("state").includes(state));
  const side = text("side");
  const days = Number(text("older_than_days"));
  const families = text("families").split(",").map((family) => family.trim());
  return {
    submissions: words(text("submissions")),
    families: [...new Set(families.filter((family) => family !== ""))],
    states: states.length === 0 ? ["done"] : [...states],
    side: side === "attack" || side === "defense" ? side : null,
    protocol: text("protocol") || null,
    evaluator_before: text("evaluator_before") === "" ? null : Number(text("evaluator_before")),
    torch: text("torch") || null,
    device: text("device") || null,
    finished_before: days > 0 ? new Date(now - days * DAY).toISOString() : null,
  };
}

/** A stored selection in words, one a line. */
export function selectionWords(selection: Readonly<Record<string, unknown>>): string[] {
  const names: Record<string, string> = {
    submissions: "in which one of these entries takes part",
    families: "of these families",
    side: "counted on the side",
    states: "in state",
    protocol: "measured under protocol",
    evaluator_before: "measured by an evaluator older than version",
    torch: "measured with PyTorch",
    device: "measured on",
    finished_before: "finished before",
  };
  const lines = Object.entries(selection).map(([name, value]) => {
    const said = Array.isArray(value) ? value.join(", ") : String(value);
    return `${names[name] ?? name}: ${said}`;
  });
  return lines.length === 0 ? ["every finished cell of the board"] : lines;
}
