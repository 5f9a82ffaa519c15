import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import type { Breakdown, SubmissionScore } from "../../api/types";
import { board, cell, matrix, submission } from "../../testing/fixtures";
import { open } from "../../testing/site";
import { familyName } from "../../words";
import { badgeMarkdown, bibtex, reproduction } from "./cite";

const one = { mean: 0.5, std: null };
const [attack, , clean] = matrix.attacks;
if (attack === undefined || clean === undefined) throw new Error("no attack");

const score: SubmissionScore = {
  submission: "D3",
  difficulty: "hard",
  view: "all",
  repeats: 2,
  rank: 4,
  metrics: { weighted: { mean: 0.58, std: 0.02 }, average: one, three: one, worst: one, n: 2 },
  parts: [
    {
      counterpart: attack,
      cell: "C1",
      accuracy: { mean: 0.5, std: 0.1 },
      accuracies: [0.4, 0.6],
      places: [1, 1],
      weights: [0.8, 0.8],
      weight: 0.8,
      share: 0.4,
    },
    {
      counterpart: clean,
      cell: "C2",
      accuracy: { mean: 0.9, std: null },
      accuracies: [0.9],
      places: [2, 2],
      weights: [0.2, 0.2],
      weight: 0.2,
      share: 0.18,
    },
  ],
  provenance: {
    protocol: "0123456789abcdef",
    evaluator_versions: [1],
    devices: ["cpu"],
    software: ["torch 2.13.0"],
    seconds: 1.25,
  },
};

const answers = {
  "/api/v1/submissions/D3": { ...submission, state: "ranked", rank: 4 },
  "/api/v1/submissions/D3/score": score,
};

describe("what a score is made of", () => {
  it("shows each counterpart with its places, weight and share, as the API gives them", async () => {
    const asked = open("/submissions/D3?difficulty=hard&view=all", answers);
    const table = await screen.findByRole("table", { name: /share of the score/ });
    const rows = within(table).getAllByRole("row").map((row) => row.textContent);
    expect(rows).toEqual([
      "AttackAccuracy (%)Repeat 0 (%)Repeat 1 (%)Weight (%)Share (points)",
      "TDGIA50.00 ±10.0040.00 no. 160.00 no. 180.0040.00",
      "Without attack90.0090.00 no. 290.00 no. 220.0018.00",
      "Weighted58.00",
    ]);
    expect(asked).toContain("/api/v1/submissions/D3/score?difficulty=hard&view=all");
  });

  it("has no commands where half of the targets is hidden", async () => {
    open("/submissions/D3", { ...answers, "/api/v1/boards/digits/injection@1": board });
    expect(await screen.findByText(/grb evaluate digits/)).toBeVisible();
    cleanup();
    const halved = { ...board, ladder_step: 0.01 };
    open("/submissions/D3", { ...answers, "/api/v1/boards/digits/injection@1": halved });
    expect(await screen.findByText(/The board hides half of its targets/)).toBeVisible();
    expect(screen.queryByText(/grb evaluate digits/)).toBeNull();
  });

  it("keeps the choice in the address", async () => {
    open("/submissions/D3?difficulty=hard&view=all", answers);
    expect(await screen.findByRole("link", { name: "Easy" })).toHaveAttribute(
      "href",
      "/submissions/D3?difficulty=easy&view=all#score",
    );
  });

  it("says that there is none", async () => {
    const none = { ...score, metrics: null, rank: null, parts: [], provenance: null };
    open("/submissions/D3", { ...answers, "/api/v1/submissions/D3/score": none });
    expect(await screen.findByText(/It has no score at difficulty hard/)).toBeVisible();
  });

  it("is asked for once the entry is ranked only", async () => {
    const asked = open("/submissions/D3", { "/api/v1/submissions/D3": submission });
    await screen.findByText("3 of 5 cells");
    expect(asked.some((url) => url.includes("/score"))).toBe(false);
  });
});

describe("an entry at home", () => {
  it("is cited with its special characters kept from TeX", () => {
    const record = bibtex(
      { ...submission, name: "50% & more_", authors: "A. Author, B. Other and C. Third" },
      "https://board.org",
    );
    expect(record).toContain(String.raw`title = {{50\% \& more\_}, defense on digits/injection@1}`);
    expect(record).toContain("author = {A. Author and B. Other and C. Third}");
    expect(record).toContain(String.raw`\url{https://board.org/submissions/D3}`);
  });

  it("is measured again with the files of its counterparts", () => {
    expect(reproduction(submission, ["A1"], "https://board.org")).toBe(
      [
        "curl -fo defense.safetensors https://board.org/api/v1/submissions/D3/artefact",
        "curl -fo A1.npz https://board.org/api/v1/submissions/A1/artefact",
        "grb evaluate digits/injection@1 --defense defense.safetensors \\",
        "  --attack A1.npz",
      ].join("\n"),
    );
  });

  it("has a badge that leads to its page, whatever its name", () => {
    expect(badgeMarkdown({ ...submission, name: "GCN [v2]" }, "https://board.org")).toBe(
      String.raw`[![GCN \[v2\] on digits/injection@1](https://board.org/api/v1/submissions/D3/badge.svg)](https://board.org/submissions/D3)`,
    );
  });

  it("has a family in words", () => {
    expect(familyName("other:My method")).toBe("My method (own method)");
    expect(familyName("GCN+AT")).toBe("GCN+AT");
  });
});

describe("where a cell was right", () => {
  const breakdown: Breakdown = {
    cell: cell.id,
    difficulty: "full",
    degrees: [
      { low: 1, high: 3, targets: 10, correct: [4, 6], accuracy: one, clean: { mean: 1, std: null } },
    ],
    sizes: [],
    margins: [{ low: 90, high: 100, targets: 12, correct: [12, 12], accuracy: one, clean: null }],
    classes: [{ low: 7, high: 7, targets: 20, correct: [10, 10], accuracy: one, clean: null }],
    change: { kept: [4, 5], lost: [6, 5], gained: [0, 1], missed: [2, 1] },
    missing: null,
  };
  const address = `/api/v1/cells/${cell.id}`;

  function show(found: Breakdown) {
    open(`/cells/${cell.id}`, { [address]: cell, [`${address}/breakdown`]: found });
  }

  it("shows degrees, margins, classes, and what the attack changed", async () => {
    show(breakdown);
    const degrees = await screen.findByRole("table", { name: /number of neighbours/ });
    expect(within(degrees).getByRole("row", { name: /1 to 3/ })).toHaveTextContent("1 to 310100.0050.00");
    const margins = screen.getByRole("table", { name: /how sure the defense was/ });
    expect(within(margins).getByRole("row", { name: /90 to 100/ })).toHaveTextContent("12");
    const change = screen.getByRole("table", { name: /without the attack/ });
    expect(within(change).getByRole("row", { name: /Right before, wrong after/ })).toHaveTextContent("65");
    const file = screen.getByRole("link", { name: "These groups as CSV" });
    expect(file).toHaveAttribute("href", `${address}/breakdown.csv?difficulty=full`);
  });

  it("says why there is nothing", async () => {
    show({ ...breakdown, degrees: [], margins: [], classes: [], change: null, missing: "it was not kept" });
    expect(await screen.findByText("It can’t be told: it was not kept.")).toBeVisible();
  });
});

describe("where an entry was right", () => {
  const address = "/api/v1/submissions/D3";
  const group = { low: 1, high: 3, targets: 20, correct: [10], accuracy: one, clean: one };
  const found = { submission: "D3", difficulty: "full", counted: 2, total: 3, missing: null };

  it("is read once it is opened, over all references together", async () => {
    const asked = open("/submissions/D3", {
      ...answers,
      [`${address}/breakdown`]: { ...found, degrees: [group], sizes: [], margins: [], classes: [] },
    });
    const summary = await screen.findByText(/By degree, margin and class/);
    expect(asked.some((url) => url.includes("/breakdown"))).toBe(false);
    await userEvent.click(summary);
    const degrees = await screen.findByRole("table", { name: /number of neighbours/ });
    expect(within(degrees).getByRole("row", { name: /1 to 3/ })).toHaveTextContent("1 to 32050.0050.00");
    expect(screen.getByText(/Over 2 of 3 references together/)).toBeVisible();
    const file = screen.getByRole("link", { name: "These groups as JSON" });
    expect(file).toHaveAttribute("href", `${address}/breakdown?difficulty=full`);
  });
});
