import type { Value } from "../../api/tables";
import { DASH, percent } from "../../format";
import { MARK_TITLES, type Mark } from "../../words";
import type { Distance } from "./selection";

/** A difference in percent (points, or a part of the base), with its sign. */
export function signed(fraction: number): string {
  const text = percent(Math.abs(fraction));
  if (text === "0.00") return text;
  return `${fraction < 0 ? "−" : "+"}${text}`;
}

/** Which mark a number has. */
export function markOf(value: Pick<Value, "best_attack" | "best_defense">): Mark | null {
  if (value.best_attack) return value.best_defense ? "both" : "attack";
  return value.best_defense ? "defense" : null;
}

interface ValueTextProps {
  value: Value | null | undefined;
  /** Show the difference from the base instead of the number itself. */
  distance?: Distance | null;
  marks?: boolean;
}

/** A number of the table with its ± small beside it; a dash where there is none. */
export function ValueText({ value, distance = null, marks = true }: ValueTextProps) {
  if (value == null) return <span className="none">{DASH}</span>;
  const mark = marks ? markOf(value) : null;
  const shown =
    distance === null ? value : distance === "absolute" ? value.difference : value.relative;
  if (shown === null) return <span className="none">{DASH}</span>;
  return (
    <span
      className="score"
      data-mark={mark ?? undefined}
      title={mark === null ? undefined : MARK_TITLES[mark]}
    >
      {distance === null ? percent(shown.mean) : signed(shown.mean)}
      {shown.std !== null && " "}
      <span className="std">{shown.std === null ? "" : `±${percent(shown.std)}`}</span>
    </span>
  );
}
