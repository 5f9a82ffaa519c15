import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { ADDRESS, tableNamed, texts } from "../../testing/board";
import { open } from "../../testing/site";

const API = "/api/v1/boards/digits/injection@1";

function entry(id: string, name: string) {
  return { id, name, rank: null, is_reference: false, state: "ranked", visibility: "public" };
}

const defenses = {
  board: "digits/injection@1",
  revision: 7,
  side: "defense",
  difficulty: "full",
  too_large: false,
  opponents: 3,
  opponent_clusters: 2,
  mute: 0,
  explanation: "3 attacks are registered, and 1 of them are near-duplicates of another.",
  robust: { tau: 1, fragile: false },
  own: { tau: 0.333, fragile: true },
  rows: [
    {
      entry: entry("D1", "GAT"),
      robust: { rank: 1, score: 0.71234 },
      own: { rank: 2, score: 0.6 },
      duplicates: 1,
      influence: null,
    },
    {
      entry: entry("D2", "GIN"),
      robust: { rank: 2, score: 0.7 },
      own: { rank: 1, score: 0.65 },
      duplicates: 3,
      influence: { opponent: "A1", name: "PGD", members: 2, rank: 1 },
    },
  ],
  frontier: {
    value: 0.4797,
    attacks: [{ entry: entry("A1", "PGD"), members: 2, share: 1 }],
    defenses: [{ entry: entry("D1", "GAT"), members: 1, share: 0.7 }],
  },
  clusters: [
    { side: "attack", members: [entry("A1", "PGD"), entry("A2", "PGD too")], why: "near", apart: 0.004 },
  ],
  scanned_revision: 7,
  scanned_at: "2026-01-01T12:00:00Z",
};

const season = {
  id: "S1",
  board: "digits/injection@1",
  number: 1,
  state: "current",
  protocol: "0123456789abcdef",
  revision: 3,
  references: [
    {
      entry: entry("A1", "PGD"),
      side: "attack",
      family: "PGD",
      sha256: "ab".repeat(32),
      reasons: ["a baseline of the board"],
    },
  ],
  left_out: [],
  reason: "the baselines of the board",
  created_at: "2026-01-01T12:00:00Z",
  decided_at: "2026-01-01T12:00:00Z",
  ended_at: null,
};

const answers = {
  [`${API}/arena#defense`]: defenses,
  [`${API}/arena#attack`]: { ...defenses, side: "attack", rows: [], explanation: "Nothing is measured." },
  [`${API}/seasons`]: { seasons: [season] },
};

describe("the open arena", () => {
  it("shows both forms and on whom a rank hangs", async () => {
    open(`${ADDRESS}/arena`, answers);
    const table = await tableNamed(/Every defense over every registered entry/);
    const rows = within(table).getAllByRole("row").slice(1);
    expect(rows.map((row) => texts(within(row).getAllByRole("cell")))).toEqual([
      ["1", "71.23", "2", "60.00", "0", "no single opponent"],
      ["2", "70.00", "1", "65.00", "2", "without PGD and its 1 duplicate: rank 1"],
    ]);
    expect(screen.getByText(/1 of them are near-duplicates/)).toBeVisible();
    expect(screen.getByRole("link", { name: "These defenses as LaTeX" })).toHaveAttribute(
      "href",
      `${API}/arena.tex?side=defense&difficulty=full`,
    );
    expect(screen.getByRole("link", { name: "These defenses as JSON" })).toBeVisible();
  });

  it("marks the ranking that one opponent could turn, and no other", async () => {
    open(`${ADDRESS}/arena`, { ...answers, [`${API}/arena#attack`]: { ...defenses, side: "attack", own: defenses.robust } });
    await tableNamed(/Every attack over every registered entry/);
    expect(screen.getAllByText("fragile")).toHaveLength(1);
  });

  it("names the frontier, the duplicates and the references by hash", async () => {
    open(`${ADDRESS}/arena`, answers);
    expect(await tableNamed(/How often the best attacker/)).toHaveTextContent("70.00");
    expect(await tableNamed(/count as one opponent/)).toHaveTextContent("the same behaviour0.40");
    expect(await tableNamed(/each by the SHA-256/)).toHaveTextContent("abababababababab");
  });
});
