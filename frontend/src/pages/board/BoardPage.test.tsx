import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { ADDRESS, answers, tableNamed, texts } from "../../testing/board";
import { board, defenses, history, matrix, submission } from "../../testing/fixtures";
import { open, paths } from "../../testing/site";

describe("what a board's page reads", () => {
  it("is asked for at once, not one after the other", async () => {
    const asked = open(ADDRESS, answers);
    const first = asked.map((url) => url.replace(/\?.*/, ""));
    expect(first).toEqual(
      expect.arrayContaining(
        ["", "/leaderboard", "/matrix/grid", "/history"].map((end) => `/api/v1${ADDRESS}${end}`),
      ),
    );
    await screen.findByRole("grid", { name: /each defense under each attack/ });
    expect(asked.filter((url) => url.includes("/leaderboard"))).toHaveLength(2);
    expect(asked.filter((url) => url.includes("/matrix"))).toHaveLength(1);
  });

  it("leads to everything else of the board", async () => {
    open(ADDRESS, answers);
    const more = within(await screen.findByRole("navigation", { name: "More of this board" }));
    const addresses = more.getAllByRole("link").map((link) => link.getAttribute("href"));
    expect(addresses).toEqual([
      `${ADDRESS}/rules`,
      `${ADDRESS}/table`,
      `${ADDRESS}/charts`,
      `${ADDRESS}/arena`,
      `${ADDRESS}/snapshots`,
      "/compare?board=digits/injection@1",
      "/submissions?board=digits/injection@1",
      `/api/v1${ADDRESS}/feed.atom`,
      "/submit?board=digits/injection@1",
    ]);
  });
});

describe("the choice in the address", () => {
  it("is what the API is asked for", async () => {
    const asked = open(`${ADDRESS}?difficulty=hard&view=all`, answers);
    await screen.findByRole("grid", { name: /each defense under each attack/ });
    const matrixUrl = asked.find((url) => url.includes("/matrix"));
    expect(matrixUrl).toBe("/api/v1/boards/digits/injection@1/matrix/grid?difficulty=hard&view=all&row=0&rows=500&column=0&columns=500");
  });

  it("is marked, and another one is a link away", async () => {
    const asked = open(`${ADDRESS}?difficulty=hard&view=all`, answers);
    const choices = within(await screen.findByRole("navigation", { name: "Difficulty" }));
    expect(choices.getByRole("link", { current: true })).toHaveTextContent("Hard");
    await userEvent.click(choices.getByRole("link", { name: "Easy" }));
    await waitFor(() => {
      expect(asked.some((url) => url.includes("matrix/grid?difficulty=easy&view=all"))).toBe(true);
    });
    expect(choices.getByRole("link", { current: true })).toHaveTextContent("Easy");
  });
});

describe("a board with many entries", () => {
  const many = {
    ...answers,
    [paths.defenses]: { ...defenses, row: 100, total: 1000 },
    [paths.matrix]: { ...matrix, row: 1000, total_rows: 1020, column: 500, total_columns: 2000 },
  };
  const address = `${ADDRESS}?difficulty=full&view=all&defenses=100&row=1000&column=500`;

  it("shows the parts of its tables that the address names", async () => {
    const asked = open(address, many);
    const rows = await screen.findByRole("navigation", { name: "Rows of the matrix" });
    expect(rows).toHaveTextContent("Attacks 1,001 to 1,020 of 1,020");
    expect(within(rows).queryByRole("link", { name: "Next" })).toBeNull();
    expect(asked.some((url) => url.includes("row=1000&rows=500&column=500&columns=500"))).toBe(true);
    expect(asked.some((url) => url.includes("side=defense&difficulty=full&view=all&metric=weighted&row=100&rows=50"))).toBe(true);
  });

  it("has the next part of one table a link away, the others staying where they are", async () => {
    const asked = open(address, many);
    const columns = await screen.findByRole("navigation", { name: "Columns of the matrix" });
    await userEvent.click(within(columns).getByRole("link", { name: "Next" }));
    await waitFor(() => {
      expect(asked.some((url) => url.includes("row=1000&rows=500&column=1000&columns=500"))).toBe(true);
    });
  });

  it("leaves out the links where one part shows all", async () => {
    open(ADDRESS, answers);
    await screen.findByRole("grid", { name: /each defense under each attack/ });
    expect(screen.queryByRole("link", { name: "Next" })).toBeNull();
  });
});

describe("a board that is not complete", () => {
  it("shows how far its preparation is", async () => {
    const preparation = { step: "training GAT+LN", done: 4, total: 10, failed: null };
    open(ADDRESS, { ...answers, [paths.board]: { ...board, state: "preparing", preparation } });
    const bar = await screen.findByRole("progressbar", { name: "training GAT+LN" });
    expect(bar).toHaveAttribute("value", "4");
    expect(screen.getByText("4 of 10 steps")).toBeVisible();
  });

  it("says why its preparation stopped", async () => {
    const preparation = { step: "training GAT+LN", done: 4, total: 10, failed: "disk full" };
    open(ADDRESS, { ...answers, [paths.board]: { ...board, state: "ready", preparation } });
    expect(await screen.findByText(/disk full/)).toBeVisible();
    expect(screen.queryByText(/are being made/)).toBeNull();
  });

  const hint = "data not present: grb datasets fetch digits";

  it("says what to do where its data is not present, and shows no ranking of nothing", async () => {
    const bare = { ...board, state: "no-data", hint, attacks: 0, defenses: 0, pending: 0 };
    open(ADDRESS, { ...answers, [paths.board]: bare });
    expect(await screen.findByText(hint)).toBeVisible();
    expect(screen.queryByRole("heading", { name: "Defenses" })).toBeNull();
  });

  it("keeps its ranking where its data has left the service", async () => {
    open(ADDRESS, { ...answers, [paths.board]: { ...board, state: "no-data", hint } });
    expect(await screen.findByText(hint)).toBeVisible();
    expect(await screen.findByRole("heading", { name: "Defenses" })).toBeVisible();
  });

  it("says so where nothing is registered", async () => {
    open(ADDRESS, { ...answers, [paths.defenses]: { ...defenses, rows: [], total: 0 } });
    expect(await screen.findByText("No defense is registered yet.")).toBeVisible();
  });

  it("lists only the submissions in progress", async () => {
    const ranked = { ...submission, id: "D1", name: "Old one", state: "ranked" };
    open(ADDRESS, {
      ...answers,
      [paths.submissions]: { submissions: [submission, ranked], next: null },
    });
    const table = await tableNamed(/take part in the rankings once/);
    expect(texts(within(table).getAllByRole("rowheader"))).toEqual(["Newcomer"]);
    expect(within(table).getByText("3 of 5")).toBeVisible();
  });
});

describe("the history", () => {
  it("tells when results were replaced, why, and how much that changed", async () => {
    open(ADDRESS, answers);
    const [, first] = within(await tableNamed(/computed once more/)).getAllByRole("row");
    if (first === undefined) throw new Error("no row");
    expect(texts(within(first).getAllByRole("cell"))).toEqual([
      "a faulty GPU",
      "1,234",
      "3",
      "2",
      "0123456789abcdef",
    ]);
  });

  it("is left out where nothing was replaced", async () => {
    open(ADDRESS, { ...answers, [paths.history]: { ...history, applied: [] } });
    await screen.findByRole("grid", { name: /each defense under each attack/ });
    expect(screen.queryByRole("heading", { name: "History" })).toBeNull();
  });

  it("says what newcomers wait for", async () => {
    const coming = {
      id: "J2",
      state: "proposed",
      reason: "the files of the data changed",
      protocol: "fedcba9876543210",
      cells: 30,
      finished: 0,
      since: "2026-01-01T12:00:00Z",
    };
    open(ADDRESS, { ...answers, [paths.history]: { ...history, coming } });
    const notice = await screen.findByText(/Newcomers wait/);
    expect(notice).toHaveTextContent("0 of 30 cells done. An admin has yet to start it.");
    expect(notice).toHaveTextContent("The reason: The files of the data changed.");
  });
});

describe("a board that can't be read", () => {
  it("helps where there is none of this name", async () => {
    open("/boards/digits/nothing@9", {});
    expect(await screen.findByRole("alert")).toHaveTextContent("digits/nothing@9");
  });

  it("says that the service can't be reached, and offers another try", async () => {
    open(ADDRESS, "down");
    expect(await screen.findByRole("alert")).toHaveTextContent("The service can't be reached");
    expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  });

  it("passes on what the service says of an error", async () => {
    const problem = { code: "unavailable", message: "the database does not answer" };
    open(ADDRESS, { [paths.board]: { status: 503, problem } });
    expect(await screen.findByRole("alert")).toHaveTextContent("The database does not answer.");
  });
});
