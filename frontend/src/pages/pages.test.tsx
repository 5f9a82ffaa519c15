import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it, vi } from "vitest";

import { cell, submission, summary } from "../testing/fixtures";
import { open, paths } from "../testing/site";

describe("the list of boards", () => {
  const absent = {
    ...summary,
    id: "grb-cora/injection@1",
    title: "grb-cora: injection",
    state: "no-data",
    hint: "data not present: grb datasets fetch grb-cora",
    attacks: 0,
    defenses: 0,
    pending: 0,
    best_attack: null,
    best_defense: null,
  };

  it("shows the best of both sides with their scores", async () => {
    open("/", { [paths.boards]: [summary] });
    const row = (await screen.findByRole("link", { name: "Digits: injection" })).closest("tr");
    expect(row).toHaveTextContent("84.00GCN+LN");
    expect(row).toHaveTextContent("51.00TDGIA");
  });

  it("leads to where a file is submitted", async () => {
    open("/", { [paths.boards]: [summary] });
    const link = await screen.findByRole("link", { name: "Submit the file here" });
    expect(link).toHaveAttribute("href", "/submit");
  });

  it("folds the boards away whose data is not present, with how to fetch it", async () => {
    open("/", { [paths.boards]: [absent, summary] });
    const fold = await screen.findByText("1 board whose data is not on this host");
    expect(screen.getByText("grb datasets fetch grb-cora")).not.toBeVisible();
    await userEvent.click(fold);
    expect(screen.getByText("grb datasets fetch grb-cora")).toBeVisible();
  });

  it("shows them at once where no board has data", async () => {
    open("/", { [paths.boards]: [absent] });
    expect(await screen.findByText("grb datasets fetch grb-cora")).toBeVisible();
  });

  it("folds no entry away: a board that lost its data stays with those that are read", async () => {
    open("/", { [paths.boards]: [{ ...absent, attacks: 2 }] });
    expect(await screen.findByText("data not present")).toBeVisible();
    expect(screen.queryByText(/not on this host/)).toBeNull();
  });

  it("says why a board's preparation stopped", async () => {
    const preparation = { step: "training GAT+LN", done: 4, total: 10, failed: "disk full" };
    open("/", { [paths.boards]: [{ ...summary, preparation }] });
    expect(await screen.findByText(/disk full/)).toBeVisible();
  });

  it("names the page in the title of the document", async () => {
    open("/", { [paths.boards]: [summary] });
    await waitFor(() => {
      expect(document.title).toBe("Graph Robustness Leaderboard");
    });
  });
});

describe("a cell", () => {
  it("shows counts of every repeat, and the mean that the API gives", async () => {
    open("/cells/C", { "/api/v1/cells/C": cell });
    const header = await screen.findByRole("rowheader", { name: "Full" });
    expect(header.closest("tr")).toHaveTextContent(
      "Full91.00 ±0.8181.00 ±0.7272.00 ±0.63270 of 300273 of 300276 of 300",
    );
    const file = screen.getByRole("link", { name: "These counts as LaTeX" });
    expect(file).toHaveAttribute("href", `/api/v1/cells/${cell.id}/results.tex`);
  });

  it("shows what the evaluator wrote in the try that failed, and whose fault it was", async () => {
    const dead = {
      ...cell,
      state: "dead",
      attempts: 2,
      error_code: "evaluator-died",
      error_family: "infrastructure",
      log: "Traceback (most recent call last):\n<b>MemoryError</b>",
    } as const;
    open("/cells/C", { "/api/v1/cells/C": dead });
    const log = await screen.findByRole("region", { name: /evaluator wrote/ });
    expect(log).toHaveTextContent("Traceback (most recent call last): <b>MemoryError</b>");
    expect(log).toBeVisible();
    const said = screen.getByText("evaluator-died").closest("p");
    expect(said).toHaveTextContent(
      "Error evaluator-died, through a fault of this service; 2 of at most 4 tries ended without a result.",
    );
  });

  it("has no words about errors where there was none", async () => {
    open("/cells/C", { "/api/v1/cells/C": cell });
    await screen.findByRole("rowheader", { name: "Full" });
    expect(screen.queryByRole("heading", { name: "What went wrong" })).toBeNull();
  });

  it("says on how many predictions the logits were not finite, where there are any", async () => {
    const broken = { ...cell, not_finite: { hard: [1, 0, 0], full: [1, 0, 3] } };
    open("/cells/C", { "/api/v1/cells/C": broken });
    expect(await screen.findByText(/On 5 predictions the logits were not finite/)).toBeVisible();
  });

  it("says nothing of logits where all are finite", async () => {
    open("/cells/C", { "/api/v1/cells/C": cell });
    await screen.findByRole("rowheader", { name: "Full" });
    expect(screen.queryByText(/not finite/)).toBeNull();
  });

  it("gives the command that recomputes it", async () => {
    open("/cells/C", { "/api/v1/cells/C": cell });
    expect(await screen.findByText(/^grb evaluate/)).toBeVisible();
  });

  it("says why there is no command where a file was deleted", async () => {
    open("/cells/C", { "/api/v1/cells/C": { ...cell, command: null } });
    expect(await screen.findByText(/was deleted with its entry/)).toBeVisible();
    expect(screen.queryByText(/grb evaluate/)).toBeNull();
  });

  it("says why it is dead, and shows no numbers", async () => {
    const dead = { ...cell, state: "dead", reason: "ended by signal 9", correct: {}, accuracy: {} };
    open("/cells/C", { "/api/v1/cells/C": dead });
    expect(await screen.findByRole("alert")).toHaveTextContent("ended by signal 9");
    expect(screen.queryByRole("table")).toBeNull();
  });

  it("says by which it was replaced", async () => {
    const past = { ...cell, replaced_at: "2026-02-03T12:00:00Z", replaced_by: "C-new" };
    open("/cells/C", { "/api/v1/cells/C": past });
    const newer = await screen.findByRole("link", { name: "a newer one" });
    expect(newer).toHaveAttribute("href", "/cells/C-new");
  });

  it("lists what its pair's result was before", async () => {
    const earlier = {
      id: "C-old",
      state: "done",
      protocol: "0123456789abcdef",
      evaluator_version: 1,
      finished_at: "2026-01-01T12:00:00Z",
      replaced_at: "2026-02-03T12:00:00Z",
      accuracy: { full: { mean: 0.5, std: 0.01 } },
    };
    open("/cells/C", { "/api/v1/cells/C": { ...cell, earlier: [earlier] } });
    const table = await screen.findByRole("table", { name: /before it was computed once more/ });
    expect(within(table).getByRole("link")).toHaveAttribute("href", "/cells/C-old");
    expect(within(table).getByText("50.00")).toBeVisible();
  });

  it("calls the clean row by its name", async () => {
    const clean = { ...cell, attack: { ...cell.attack, id: "clean", name: "without attack" } };
    open("/cells/C", { "/api/v1/cells/C": clean });
    expect(
      await screen.findByRole("heading", { name: "Without attack against GCN+LN" }),
    ).toBeVisible();
  });
});

describe("the list of submissions", () => {
  it("asks for one board's where the address names it", async () => {
    const asked = open("/submissions?board=digits/injection@1", {
      [paths.boards]: [summary],
      [paths.submissions]: { submissions: [submission], next: null },
    });
    await screen.findByRole("link", { name: "Newcomer" });
    expect(asked).toContain("/api/v1/submissions?board=digits%2Finjection%401");
  });

  it("goes on to older ones", async () => {
    open("/submissions", {
      [paths.boards]: [],
      [paths.submissions]: (search: URLSearchParams) =>
        search.get("cursor") === "01ARZ3"
          ? { submissions: [{ ...submission, id: "D0", name: "Older one" }], next: null }
          : { submissions: [submission], next: "01ARZ3" },
    });
    const older = await screen.findByRole("button", { name: "Older submissions" });
    await userEvent.click(older);
    expect(await screen.findByRole("link", { name: "Older one" })).toBeVisible();
    expect(screen.getByRole("link", { name: "Newcomer" })).toBeVisible();
    expect(older).not.toBeInTheDocument();
  });

  it("says so where there is none", async () => {
    open("/submissions", {
      [paths.boards]: [],
      [paths.submissions]: { submissions: [], next: null },
    });
    expect(await screen.findByText("Nothing has been submitted yet.")).toBeVisible();
  });
});

describe("an address without a page", () => {
  it("shows the way back", () => {
    open("/nowhere", {});
    const main = within(screen.getByRole("main"));
    expect(main.getByText("/nowhere")).toBeVisible();
    expect(main.getByRole("link", { name: "the boards" })).toHaveAttribute("href", "/");
  });
});

describe("a part of a page that the address names", () => {
  it("is led to once it is there", async () => {
    const shown = vi.spyOn(Element.prototype, "scrollIntoView");
    vi.spyOn(Element.prototype, "getBoundingClientRect").mockReturnValue(new DOMRect(0, 5000, 10, 10));
    open("/cells/C#provenance", { "/api/v1/cells/C": cell });
    expect(shown).not.toHaveBeenCalled();
    const part = await screen.findByRole("heading", { name: "Where the numbers come from" });
    await waitFor(() => {
      expect(shown.mock.contexts).toEqual([part]);
    });
    vi.restoreAllMocks();
  });
});
