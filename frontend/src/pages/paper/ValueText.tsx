import type { Value } from "../../api/tables";
import { useScores } from "../../board";
import { DASH, percent } from "../../format";
import { MARK_TITLES, type Mark } from "../../words";
import type { Distance } from "./selection";

/** A difference (points, a part of the base in percent, or of errors), with its sign. */
export function signed(fraction: number, write = percent): string {
  const text = write(Math.abs(fraction));
  if (/^[0.]+$/.test(text)) return text;
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
  const scores = useScores();
  if (value == null) return <span className="none">{DASH}</span>;
  const mark = marks ? markOf(value) : null;
  const shown =
    distance === null ? value : distance === "absolute" ? value.difference : value.relative;
  const write = distance === "percent" ? percent : scores.write; // parts of the base
  if (shown === null) return <span className="none">{DASH}</span>;
  return (
    <span
      className="score"
      data-mark={mark ?? undefined}
      title={mark === null ? undefined : MARK_TITLES[mark]}
    >
      {distance === null ? write(shown.mean) : signed(shown.mean, write)}
      {shown.std !== null && " "}
      <span className="std">{shown.std === null ? "" : `±${write(shown.std)}`}</span>
    </span>
  );
}
