import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import type { Submission } from "../../api/types";
import { matrix, submission } from "../../testing/fixtures";
import { open, paths } from "../../testing/site";

function show(change: Partial<Submission>) {
  open("/submissions/D3", {
    "/api/v1/submissions/D3": { ...submission, ...change },
    [paths.matrix]: matrix,
  });
}

describe("a submission", () => {
  it("shows how many of its cells are done while it is evaluated", async () => {
    show({});
    const bar = await screen.findByRole("progressbar", { name: "Cells evaluated" });
    expect(bar).toHaveAttribute("value", "3");
    expect(bar).toHaveAttribute("max", "5");
    expect(screen.getByText("3 of 5 cells")).toBeVisible();
  });

  it("says where it stands while it waits", async () => {
    show({ state: "received", results: [], place: { position: 3, waiting: 7, seconds: 240, missing: null } });
    expect(
      await screen.findByText("Position 3 of 7 in the queue; its rank is expected in about 4 min."),
    ).toBeVisible();
  });

  it("lists every violation with place, found, allowed and code", async () => {
    const violations = [
      { code: "node-range", place: "hard/3/edges[1842]", found: "node 2709", allowed: "0..2699" },
      { code: "finite", place: "full/0/features[1, 2]", found: "nan", allowed: "finite numbers" },
    ];
    show({ state: "rejected", violations, results: [] });
    const table = await screen.findByRole("table", { name: /grb check/ });
    const [headers, first] = within(table).getAllByRole("row");
    expect(headers).toHaveTextContent("PlaceFoundAllowedCode");
    expect(first).toHaveTextContent("hard/3/edges[1842]node 27090..2699node-range");
    expect(within(table).getAllByRole("row")).toHaveLength(3);
  });

  it("shows what its author wrote, as the service made it from Markdown", async () => {
    show({ description: "**Bold**", description_html: "<p><strong>Bold</strong></p>" });
    expect((await screen.findByText("Bold")).tagName).toBe("STRONG");
  });

  it("says of each flag why it was raised, with the figures", async () => {
    const flag = {
      code: "graph-agnostic",
      title: "ignores the graph",
      severity: "warning",
      meaning: "Its predictions stay without edges.",
      reason: "100.00 % of its predictions stay.",
      figures: [{ name: "MLP floor", value: 0.7, unit: "share", text: "70.00 %" }],
      dismissed: { reason: "an MLP on purpose", at: "2026-01-01T12:00:00Z" },
    } as const;
    show({ flags: [{ ...flag, figures: [...flag.figures] }] });
    const section = await screen.findByRole("region", { name: "Flags" });
    expect(within(section).getByText("100.00 % of its predictions stay.")).toBeVisible();
    expect(within(section).getByText("70.00 %")).toBeVisible();
    expect(section).toHaveTextContent("dismissed An admin found it to be wrong here");
    expect(section).toHaveTextContent("an MLP on purpose");
    expect(within(section).getByRole("link")).toHaveAttribute("href", "/guide/flags#graph-agnostic");
    expect(within(section).queryByRole("button")).toBeNull(); // only admins dismiss
  });

  it("is had as files once there are results", async () => {
    show({});
    const link = await screen.findByRole("link", { name: "These results as CSV" });
    expect(link).toHaveAttribute("href", "/api/v1/submissions/D3/results.csv");
    expect(screen.getByRole("link", { name: "These results as JSON" })).toHaveAttribute(
      "href",
      "/api/v1/submissions/D3",
    );
  });

  it("has no section of flags where there are none", async () => {
    show({});
    await screen.findByRole("heading", { level: 1, name: submission.name });
    expect(screen.queryByRole("region", { name: "Flags" })).toBeNull();
  });

  it("says why it failed", async () => {
    show({ state: "failed", reason: "FGSM: the model needs 61.2 s, allowed: 60 s" });
    expect(await screen.findByRole("alert")).toHaveTextContent("needs 61.2 s, allowed: 60 s");
  });

  it("leads to the cell that failed", async () => {
    const results = submission.results.map((cell) =>
      cell.id === "C-run" ? ({ ...cell, state: "failed" } as const) : cell,
    );
    show({ state: "failed", reason: "it breaks", results });
    const link = await screen.findByRole("link", { name: "failed …C-run" });
    expect(link).toHaveAttribute("href", "/cells/C-run");
  });

  it("says that not everybody sees it, and where it would stand", async () => {
    const end = "2027-03-01T00:00:00Z";
    show({ state: "ranked", rank: 2, visibility: "embargoed", public_at: end });
    expect(await screen.findByText(/Not public; it would have rank 2 at full/)).toBeVisible();
    expect(screen.getByText("embargoed")).toHaveAttribute("title", expect.stringContaining("owner"));
    expect(screen.getByText("Public from").parentElement?.querySelector("time")).toHaveAttribute(
      "datetime",
      end,
    );
  });

  it("shows its rank once it is ranked", async () => {
    show({ state: "ranked", rank: 2 });
    expect(await screen.findByText(/Rank 2 at full/)).toBeVisible();
    expect(screen.queryByRole("progressbar")).toBeNull();
  });

  it("says that it was withdrawn instead of being evaluated for ever", async () => {
    show({ withdrawn: true, reason: "it was withdrawn" });
    expect(await screen.findByText(/It was withdrawn before its evaluation ended/)).toBeVisible();
    expect(screen.getByText("withdrawn")).toBeVisible();
    expect(screen.queryByText("evaluating")).toBeNull();
    expect(screen.queryByRole("progressbar")).toBeNull();
  });

  it("says that it was deleted, whatever its state, and offers no file", async () => {
    show({ state: "ranked", deleted: true, name: "(deleted)", authors: "", sha256: null });
    expect(await screen.findByText(/It was deleted/)).toBeVisible();
    expect(screen.queryByText("ranked")).toBeNull();
    expect(screen.getAllByText("deleted")).toHaveLength(2);
    expect(screen.queryByRole("link", { name: /Download/ })).toBeNull();
  });

  it("names a counterpart that was deleted as such", async () => {
    const results = [{ id: "C-old", attack: "A9", defense: "D3", state: "done", accuracy: {} }] as const;
    show({ results: [...results], marked: { A9: "(deleted)" } });
    expect(await screen.findByRole("link", { name: "(deleted)" })).toHaveAttribute(
      "href",
      "/submissions/A9",
    );
  });

  it("tells when it was edited", async () => {
    show({ state: "ranked", edited_at: "2026-01-02T12:00:00Z" });
    expect(await screen.findByText("Edited")).toBeVisible();
  });

  it("names its counterparts, and leads to their cells", async () => {
    show({});
    const row = (await screen.findByRole("link", { name: "TDGIA" })).closest("tr");
    if (row === null) throw new Error("no row");
    expect(within(row).getByRole("link", { name: "running" })).toHaveAttribute(
      "href",
      "/cells/C-run",
    );
  });

  it("links web addresses only", async () => {
    show({ paper_url: "https://example.org/paper", code_url: "javascript:alert(1)" });
    const paper = await screen.findByRole("link", { name: "https://example.org/paper" });
    expect(paper).toHaveAttribute("href", "https://example.org/paper");
    expect(screen.getByText("javascript:alert(1)").closest("a")).toBeNull();
  });

  it("offers its file once it has been checked, not before", async () => {
    show({ state: "ranked" });
    expect(await screen.findByRole("link", { name: "Download (2 KiB)" })).toHaveAttribute(
      "href",
      submission.artefact_url,
    );
  });

  it("hides a file that the service hands to nobody", async () => {
    show({ state: "received", results: [] });
    expect(await screen.findByText("2 KiB, not public")).toBeVisible();
    expect(screen.queryByRole("link", { name: /Download/ })).toBeNull();
  });

  it("helps where there is none of this identifier", async () => {
    open("/submissions/NONE", {});
    expect(await screen.findByRole("alert")).toHaveTextContent("no submission NONE");
  });
});

describe("measures of a submission", () => {
  const results = [{ id: "C-A1", attack: "A1", defense: "D3", state: "done" as const, accuracy: { full: { mean: 0.9, std: null } } }];

  it("are accuracy, or those that weigh every class alike", async () => {
    open("/submissions/D3?measure=macro_f1", {
      "/api/v1/submissions/D3": { ...submission, results },
      "/api/v1/submissions/D3/measures": {
        submission: "D3",
        view: "all",
        cells: [
          { cell: "C-A1", counterpart: "A1", macro_f1: { full: { mean: 0.61, std: 0.02 } }, balanced_accuracy: {} },
        ],
        unknown: 2,
      },
    });
    const table = await screen.findByRole("table", { name: /mean of F1/ });
    expect(within(table).getAllByRole("row")[1]).toHaveTextContent("TDGIAdone–––61.00 ±2.00");
    expect(screen.getByText(/Of 2 cells it is not known/)).toBeVisible();
    const links = screen.getAllByRole("link", { name: "Accuracy" });
    expect(links[0]).toHaveAttribute("href", "/submissions/D3?measure=accuracy#results");
  });
});

describe("the budget of an attack", () => {
  const attack: Partial<Submission> = { side: "attack", results: [] };

  it("is told beside what is allowed", async () => {
    const spent = [
      { kind: "nodes", mean: 67.5, most: 90, allowed: 90 },
      { kind: "edges", mean: 1275, most: 1275, allowed: null },
    ] as const;
    show({ ...attack, budget: { full: { share: 0.75, spent: [...spent] } } });
    const table = await screen.findByRole("table", { name: /Counted by the service/ });
    expect(within(table).getAllByRole("row")[1]).toHaveTextContent("Full75.0067.5 at most 90, of 901,275");
  });

  it("is not known of files that were checked before it was counted", async () => {
    show({ ...attack, budget: null });
    expect(await screen.findByText(/was checked before the service counted it/)).toBeVisible();
  });

  it("says how long the evaluation took", async () => {
    show({ evaluation: { cells: 3, total: 1.5, mean: 0.5 } });
    expect(await screen.findByText("1.50 s for 3 cells, 0.50 s each on average")).toBeVisible();
  });
});
