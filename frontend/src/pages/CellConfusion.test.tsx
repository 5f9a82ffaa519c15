import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import type { Cell, Confusion } from "../api/types";
import { cell } from "../testing/fixtures";
import { open } from "../testing/site";

const confusion: Confusion = {
  cell: "C",
  difficulty: "full",
  classes: 2,
  repeats: [],
  mean: [
    [1, 1.333333, 0],
    [0, 0.666667, 2],
  ],
  clean: [
    [2, 0.333333, 0],
    [0, 2.666667, 0],
  ],
  change: [
    [-1, 1, 0],
    [0, -2, 2],
  ],
  missing: null,
};

function show(found: Partial<Confusion>, of: Partial<Cell> = {}, query = "") {
  open(`/cells/C${query}`, {
    "/api/v1/cells/C": { ...cell, id: "C", ...of },
    "/api/v1/cells/C/confusion": { ...confusion, ...found },
  });
}

async function rows(name: RegExp): Promise<(string | null)[]> {
  const table = await screen.findByRole("table", { name });
  return within(table)
    .getAllByRole("row")
    .map((row) => row.textContent);
}

describe("what targets were taken for", () => {
  it("has true classes as rows, and a column for logits that are not finite", async () => {
    show({});
    expect(await rows(/by their true class/)).toEqual(["True class01Not finite", "011.330", "100.672"]);
  });

  it("shows what was before the attack, and what it changed", async () => {
    show({});
    await userEvent.click(await screen.findByRole("link", { name: "Change" }));
    expect(await rows(/less those without it/)).toEqual(["True class01Not finite", "0−1+10", "10−2+2"]);
    await userEvent.click(screen.getByRole("link", { name: "Without attack" }));
    expect(await rows(/without the attack\.$/)).toEqual(["True class01Not finite", "020.330", "102.670"]);
    const file = screen.getByRole("link", { name: "These tables as LaTeX" });
    expect(file).toHaveAttribute("href", "/api/v1/cells/C/confusion.tex?difficulty=full");
  });

  it("says where it is not known, of the attack or of what was before", async () => {
    show({ missing: "it was not kept", mean: [], clean: null, change: null }, { macro_f1: {}, balanced_accuracy: {} });
    expect(await screen.findByText("It can’t be told: it was not kept.")).toBeVisible();
    expect(screen.getByText(/A re-evaluation keeps it/)).toBeVisible();
  });

  it("offers no choice where nothing is known of what was before", async () => {
    show({ clean: null, change: null }, {}, "?taken=change");
    expect(await rows(/by their true class/)).toHaveLength(3);
    expect(screen.getByText(/without the attack is not known/)).toBeVisible();
    expect(screen.queryByRole("link", { name: "Change" })).toBeNull();
  });
});
