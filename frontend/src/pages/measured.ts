import { useChoice } from "../address";
import type { Cell, Difficulty } from "../api/types";
import { useChoices } from "../board";

/** The choices of its board that a cell has a number at, in order. */
export function useMeasured({ accuracy }: Cell): Difficulty[] {
  return useChoices().filter((difficulty) => accuracy[difficulty] !== undefined);
}

/** That of the address, or the last that the cell has where it lacks it. */
export function useMeasuredChoice(cell: Cell): Difficulty {
  const measured = useMeasured(cell);
  const { difficulty } = useChoice();
  return measured.includes(difficulty) ? difficulty : (measured.at(-1) ?? difficulty);
}
