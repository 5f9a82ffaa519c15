import { cleanup, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import type { Snapshot } from "../../api/snapshots";
import { open } from "../../testing/site";

const BOARD = "digits/injection@1";
const ID = "S".repeat(26);
const LIST = `/api/v1/boards/${BOARD}/snapshots`;

const brief = {
  id: ID,
  board: BOARD,
  month: "2026-12",
  made_at: "2026-12-01T00:05:00Z",
  revision: 7,
  protocol: "0123456789abcdef",
  attacks: 1,
  defenses: 2,
  cells: 4,
  digest: "d".repeat(64),
  reissued_at: null,
  url: `/snapshots/${ID}`,
};

const score = (mean: number) => ({ mean, std: null });
const metrics = { weighted: score(0.72), average: score(0.75), three: score(0.75), worst: score(0.7), n: 2 };

const snapshot: Snapshot = {
  ...brief,
  title: "Digits: injection",
  metric: "accuracy",
  reason: null,
  files: [
    {
      name: "cells.csv",
      sha256: "c".repeat(64),
      bytes: 1234,
      url: `/api/v1/snapshots/${ID}/files/cells.csv?sha256=${"c".repeat(64)}`,
    },
  ],
  rankings: {
    defense: [
      { rank: 1, id: "A", name: "(withdrawn)", family: "GCN", mark: "withdrawn", metrics, clean: score(0.8), sha256: "a" },
      { rank: null, id: "B", name: "Base", family: "GIN", mark: null, metrics: null, clean: null, sha256: "b" },
    ],
    attack: [],
  },
  bibtex: "@misc{grb}",
  command: `grb reproduce ${ID} --server https://board.org`,
};

describe("the snapshots of a board", () => {
  it("are listed with their months and hashes, older ones on demand", async () => {
    const older = { ...brief, id: "R".repeat(26), month: null, digest: "9".repeat(64) };
    open(`/boards/${BOARD}/snapshots`, {
      [LIST]: (search: URLSearchParams) =>
        search.get("cursor") === ID ? { snapshots: [older], next: null } : { snapshots: [brief], next: ID },
    });
    const row = (await screen.findByText(brief.digest)).closest("tr");
    expect(row).toHaveTextContent("2026-12");
    expect(within(row as HTMLElement).getByRole("link")).toHaveAttribute("href", `/snapshots/${ID}`);
    await userEvent.click(screen.getByRole("button", { name: "Older snapshots" }));
    expect((await screen.findByText(older.digest)).closest("tr")).toHaveTextContent("on request");
    expect(screen.queryByRole("button", { name: "Older snapshots" })).toBeNull();
  });

  it("may be none", async () => {
    open(`/boards/${BOARD}/snapshots`, { [LIST]: { snapshots: [], next: null } });
    expect(await screen.findByText("There is none yet.")).toBeVisible();
  });
});

/** What a service answers about a board that its catalog has no more. */
const gone = { status: 404, problem: { code: "not-found", message: "no such board" } };

describe("a snapshot", () => {
  it("is shown of a board that has left the catalog, by the scenario in its name", async () => {
    for (const [of, level] of [["old/injection@1", "At full"], ["old/attributes@2", "At the mean over budgets"]] as const) {
      open(`/snapshots/${ID}`, {
        [`/api/v1/snapshots/${ID}`]: { ...snapshot, board: of },
        [`/api/v1/boards/${of}`]: gone,
      });
      const places = await screen.findByRole("table", { name: new RegExp(`${level} over the references`) });
      expect(within(places).getAllByRole("row")[1]).toHaveTextContent("1(withdrawn)GCN72.00");
      cleanup();
    }
  });

  it("has its places, its files by hash, and how to cite and to check it", async () => {
    open(`/snapshots/${ID}`, { [`/api/v1/snapshots/${ID}`]: snapshot });
    const places = await screen.findByRole("table", { name: /higher is better/ });
    const [, first, second] = within(places).getAllByRole("row");
    expect(first).toHaveTextContent("1(withdrawn)GCN72.0075.0075.0070.0080.002");
    expect(second).toHaveTextContent("–BaseGIN");
    expect(screen.getByText("None was ranked.")).toBeVisible();
    expect(screen.getByRole("link", { name: "cells.csv" })).toHaveAttribute("href", snapshot.files[0]?.url);
    expect(screen.getByText("@misc{grb}")).toBeVisible();
    expect(screen.getByText(snapshot.command)).toBeVisible();
    expect(screen.getByText(snapshot.digest)).toBeVisible();
  });

  it("that is not there is said to be missing", async () => {
    open(`/snapshots/${ID}`, {});
    expect(await screen.findByText(/knows no snapshot/)).toBeVisible();
  });
});
