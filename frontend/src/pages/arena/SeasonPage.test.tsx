import { QueryClient, QueryObserver } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { seasonQuery, type SeasonRanking } from "../../api/arena";
import { ADDRESS, tableNamed, texts } from "../../testing/board";
import { open } from "../../testing/site";

const PATH = "/api/v1/boards/digits/injection@1/seasons/1";

function row(id: string, rank: number, weighted: number, hidden: number | null) {
  const entry = { id, name: id, rank, is_reference: false, state: "ranked", visibility: "public" };
  return { entry, rank, weighted, hidden };
}

function season(hidden: number | null) {
  return {
    season: {
      id: "S1",
      board: "digits/injection@1",
      number: 1,
      state: "past",
      references: [],
      left_out: [],
      reason: "the baselines of the board",
      decided_at: "2026-01-01T12:00:00Z",
      ended_at: "2026-07-01T12:00:00Z",
    },
    difficulty: "full",
    defenses: [row("GAT", 1, 0.71234, hidden), row("GIN", 2, 0.7, null)],
    attacks: [],
  };
}

describe("a season", () => {
  it("shows the score over the hidden targets beside the public one", async () => {
    open(`${ADDRESS}/seasons/1`, { [PATH]: season(0.654) });
    const table = await tableNamed(/Every defense over the references of season 1/);
    const rows = within(table).getAllByRole("row").slice(1);
    expect(rows.map((one) => texts(within(one).getAllByRole("cell")))).toEqual([
      ["1", "71.23", "65.40"],
      ["2", "70.00", "–"],
    ]);
    expect(screen.getByText(/hidden until the season was over/)).toBeVisible();
    const files = ["CSV", "LaTeX", "JSON"].map((kind) =>
      screen.getByRole("link", { name: `Both rankings as ${kind}` }).getAttribute("href"),
    );
    expect(files).toEqual(
      ["/ranking.csv", "/ranking.tex", ""].map((end) => `${PATH}${end}?difficulty=full`),
    );
  });

  it("speaks of nothing hidden where nobody has such a score", async () => {
    open(`${ADDRESS}/seasons/1`, { [PATH]: season(null) });
    const table = await tableNamed(/Every defense over the references of season 1/);
    expect(texts(within(table).getAllByRole("columnheader"))).toEqual([
      "Rank",
      "Defense",
      "Weighted (%)",
    ]);
    expect(screen.queryByText(/hidden/i)).toBeNull();
  });

  it("is never shown as another while that one is fetched", () => {
    const client = new QueryClient();
    const first = seasonQuery("digits/injection@1", 1, "full");
    client.setQueryData(first.queryKey, season(null) as unknown as SeasonRanking);
    const observer = new QueryObserver(client, first);
    const shown = (board: string, number: number) => {
      observer.setOptions(seasonQuery(board, number, "easy"));
      return observer.getCurrentResult().data;
    };
    expect(shown("digits/injection@1", 1)?.season.number).toBe(1);
    expect(shown("digits/injection@1", 2)).toBeUndefined();
    expect(shown("digits/modification@1", 1)).toBeUndefined();
  });

  it("says that there is none of this number", async () => {
    open(`${ADDRESS}/seasons/first`, {});
    expect(await screen.findByRole("alert")).toHaveTextContent("knows no season first");
  });
});
