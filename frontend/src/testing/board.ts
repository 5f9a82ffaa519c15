/** The page of the board of digits, with answers as small as a test needs them. */
import { screen } from "@testing-library/react";

import { attacks, board, defenses, history, matrix } from "./fixtures";
import { paths, type Answers } from "./site";

export const ADDRESS = "/boards/digits/injection@1";

export const answers: Exclude<Answers, "down"> = {
  [paths.board]: board,
  [paths.defenses]: defenses,
  [paths.attacks]: attacks,
  [paths.matrix]: matrix,
  [paths.history]: history,
  [paths.submissions]: { submissions: [], next: null },
};

export function texts(cells: HTMLElement[]): string[] {
  return cells.map((cell) => cell.textContent);
}

export async function tableNamed(name: RegExp): Promise<HTMLElement> {
  return await screen.findByRole("table", { name });
}
