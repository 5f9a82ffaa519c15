/** What the interval of a difference says, in words; as the page without JavaScript has it. */
import type { ComparedDifferences } from "../../api/tables";
import type { Scores } from "../../scores";

type Known = ComparedDifferences["pairs"][number]["metrics"][number];

/** Who wins by how much, with the interval; or that the two can't be told apart. */
export function verdict(
  { mean, low, high, winner }: Known,
  names: ReadonlyMap<string, string>,
  { write }: Scores,
): string {
  const points = (value: number) => write(value).replace(/^-(0\.0+)$/, "$1").replace("-", "−");
  if (winner === null) return `can't be told apart (${points(low)} to ${points(high)})`;
  // both ends are on the winner's side of zero
  const [least, most] = low < 0 ? [-high, -low] : [low, high];
  return `${names.get(winner) ?? winner} wins by ${points(Math.abs(mean))} (${points(least)} to ${points(most)})`;
}

const THOUSANDTH = 0.001;

export function pValue(value: number): string {
  return value < THOUSANDTH ? "<0.001" : value.toFixed(3);
}
