import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { attacks, board, defenses, entry, history, matrix, submission } from "../../testing/fixtures";
import { open, paths, type Answers } from "../../testing/site";

const ADDRESS = "/boards/digits/injection@1";

const answers: Exclude<Answers, "down"> = {
  [paths.board]: board,
  [paths.defenses]: defenses,
  [paths.attacks]: attacks,
  [paths.matrix]: matrix,
  [paths.history]: history,
  [paths.submissions]: { submissions: [], next: null },
};

function texts(cells: HTMLElement[]): string[] {
  return cells.map((cell) => cell.textContent);
}

async function tableNamed(name: RegExp): Promise<HTMLElement> {
  return await screen.findByRole("table", { name });
}

describe("the ranking of defenses", () => {
  it("has a column for each number, with its unit", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/Higher is better/);
    expect(texts(within(table).getAllByRole("columnheader"))).toEqual([
      "Rank",
      "Defense",
      "Weighted full (%)",
      "Weighted easy (%)",
      "Weighted medium (%)",
      "Weighted hard (%)",
      "Clean full (%)",
      "Flags",
      "Ranks",
      "Avg full (%)",
      "3-Min full (%)",
      "Worst full (%)",
      "n",
      "Family",
      "Architecture",
      "Authors",
      "Links",
      "Date",
    ]);
  });

  it("shows ranks, names and scores as the API gives them", async () => {
    open(ADDRESS, answers);
    const [, first] = within(await tableNamed(/Higher is better/)).getAllByRole("row");
    if (first === undefined) throw new Error("no row");
    expect(within(first).getByRole("rowheader")).toHaveTextContent("GCN+LN");
    expect(texts(within(first).getAllByRole("cell"))).toEqual([
      "1",
      "84.21 ±0.35",
      "–",
      "–",
      "–",
      "99.00",
      "reference",
      "1",
      "70.00 ±1.00",
      "60.00 ±1.00",
      "55.00 ±1.00",
      "3",
      "GCN",
      "GCN",
      "A. Author",
      "",
      "2026-01-01",
    ]);
  });

  it("tells which attempt of its author an entry is", async () => {
    open(ADDRESS, answers);
    expect(await screen.findByText("attempt 2 of 3")).toBeVisible();
  });
});

function names(table: HTMLElement): string[] {
  return texts(within(table).getAllByRole("rowheader"));
}

describe("sorting, searching and filtering", () => {
  it("sorts by a column, the other way round, and back to the ranks", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/Higher is better/);
    const header = within(table).getByRole("columnheader", { name: "Defense" });
    const rank = within(table).getByRole("columnheader", { name: "Rank" });
    expect(rank).toHaveAttribute("aria-sort", "ascending");
    const order: [string | null, string[]][] = [];
    for (let click = 0; click < 3; click += 1) {
      await userEvent.click(within(header).getByRole("button"));
      order.push([header.getAttribute("aria-sort"), names(table)]);
    }
    expect(order).toEqual([
      ["ascending", ["GCN+LN", "GIN"]],
      ["descending", ["GIN", "GCN+LN"]],
      [null, ["GCN+LN", "GIN"]],
    ]);
    expect(rank).toHaveAttribute("aria-sort", "ascending");
  });

  it("puts what has no number last either way", async () => {
    open(`${ADDRESS}?attacks.sort=family`, answers);
    const table = await tableNamed(/Lower is stronger/);
    expect(names(table).at(-1)).toBe("Without attack");
  });

  it("hides rows and never renumbers them", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/Higher is better/);
    await userEvent.type(screen.getByRole("searchbox", { name: "Search defenses" }), "gin");
    await waitFor(() => {
      expect(names(table)).toEqual(["GIN"]);
    });
    expect(texts(within(table).getAllByRole("cell"))[0]).toBe("2");
  });

  it("says that nothing is found, and where it looked", async () => {
    open(`${ADDRESS}?defenses.find=nobody&defenses.kind=upload`, answers);
    expect(await screen.findByText(/The search and the filters found none of 2/)).toBeVisible();
  });

  it("leaves out the columns that the address hides", async () => {
    open(`${ADDRESS}?defenses.hide=n,authors`, answers);
    const table = await tableNamed(/Higher is better/);
    expect(within(table).queryByRole("columnheader", { name: "Authors" })).toBeNull();
    expect(within(table).getByRole("columnheader", { name: "Date" })).toBeVisible();
    expect(screen.getByText("Columns (2 hidden)")).toBeVisible();
  });

  it("concerns every row of a ranking that comes in parts", async () => {
    const many = Array.from({ length: 150 }, (_, place) => ({
      ...(defenses.rows[0] ?? null),
      rank: place + 1,
      entry: entry(`D${place}`, `Defense ${place}`),
    }));
    const asked = open(`${ADDRESS}?defenses.sort=-name`, {
      ...answers,
      [paths.defenses]: (search: URLSearchParams) => {
        const [row, rows] = [Number(search.get("row")), Number(search.get("rows"))];
        return { ...defenses, row, total: 150, rows: many.slice(row, row + rows) };
      },
    });
    const table = await tableNamed(/Higher is better/);
    await waitFor(() => {
      expect(names(table)[0]).toBe("Defense 149");
    });
    expect(names(table)).toHaveLength(50);
    expect(asked.some((url) => url.includes("side=defense") && url.includes("rows=1000"))).toBe(true);
    await userEvent.click(screen.getByRole("link", { name: "Next" }));
    await waitFor(() => {
      expect(names(table)[0]).toBe("Defense 99");
    });
  });
});

describe("another metric", () => {
  it("is what the API ranks by, and what the columns show", async () => {
    const asked = open(`${ADDRESS}?metric=worst`, {
      ...answers,
      [paths.defenses]: { ...defenses, metric: "worst" },
      [paths.attacks]: { ...attacks, metric: "worst" },
    });
    const table = await tableNamed(/the lowest accuracy, in each repeat/);
    expect(within(table).getByRole("columnheader", { name: "Worst full (%)" })).toBeVisible();
    expect(within(table).getByRole("columnheader", { name: "Weighted full (%)" })).toBeVisible();
    expect(asked.filter((url) => url.includes("metric=worst"))).toHaveLength(2);
  });
});

describe("the ranking of attacks", () => {
  it("shows the clean row last, unranked", async () => {
    open(ADDRESS, answers);
    const rows = within(await tableNamed(/Lower is stronger/)).getAllByRole("row");
    const row = rows.at(-1);
    if (row === undefined) throw new Error("no row");
    const last = within(row);
    expect(rows).toHaveLength(4);
    expect(last.getByRole("rowheader")).toHaveTextContent("Without attack");
    expect(last.queryByRole("link")).toBeNull();
    expect(texts(last.getAllByRole("cell"))[0]).toBe("–");
  });
});

describe("the matrix", () => {
  it("has attacks as rows, defenses as columns, and the clean row last", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
    const columns = texts(within(table).getAllByRole("columnheader"));
    expect(columns.slice(1)).toEqual(["GCN+LNrank 1", "GINrank 2", "Newcomerevaluating"]);
    const rows = texts(within(table).getAllByRole("rowheader"));
    expect(rows).toEqual(["TDGIArank 1", "RNDrank 2", "Without attack"]);
  });

  it("links each number to its cell", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
    const number = within(table).getByRole("link", { name: "26.53 ±0.80" });
    expect(number).toHaveAttribute("href", "/cells/C-A1-D2");
  });

  it("says in words what is not done", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
    expect(within(table).getByRole("link", { name: "running" })).toBeVisible();
    expect(within(table).getByRole("link", { name: "queued" })).toBeVisible();
    expect(within(table).getByText("not evaluated")).toBeInTheDocument();
  });
});

describe("the choice in the address", () => {
  it("is what the API is asked for", async () => {
    const asked = open(`${ADDRESS}?difficulty=hard&view=all`, answers);
    await tableNamed(/each defense under each attack/);
    const matrixUrl = asked.find((url) => url.includes("/matrix"));
    expect(matrixUrl).toBe("/api/v1/boards/digits/injection@1/matrix?difficulty=hard&view=all&row=0&rows=50&column=0&columns=30");
  });

  it("is marked, and another one is a link away", async () => {
    const asked = open(`${ADDRESS}?difficulty=hard&view=all`, answers);
    const choices = within(await screen.findByRole("navigation", { name: "Difficulty" }));
    expect(choices.getByRole("link", { current: true })).toHaveTextContent("Hard");
    await userEvent.click(choices.getByRole("link", { name: "Easy" }));
    await waitFor(() => {
      expect(asked.some((url) => url.includes("matrix?difficulty=easy&view=all"))).toBe(true);
    });
    expect(choices.getByRole("link", { current: true })).toHaveTextContent("Easy");
  });
});

describe("a board with many entries", () => {
  const many = {
    ...answers,
    [paths.defenses]: { ...defenses, row: 100, total: 1000 },
    [paths.matrix]: { ...matrix, row: 100, total_rows: 120, column: 30, total_columns: 1000 },
  };
  const address = `${ADDRESS}?difficulty=full&view=all&defenses=100&row=100&column=30`;

  it("shows the parts of its tables that the address names", async () => {
    const asked = open(address, many);
    const rows = await screen.findByRole("navigation", { name: "Rows of the matrix" });
    expect(rows).toHaveTextContent("Attacks 101 to 120 of 120");
    expect(within(rows).queryByRole("link", { name: "Next" })).toBeNull();
    expect(asked.some((url) => url.includes("row=100&rows=50&column=30&columns=30"))).toBe(true);
    expect(asked.some((url) => url.includes("side=defense&difficulty=full&view=all&metric=weighted&row=100&rows=50"))).toBe(true);
  });

  it("has the next part of one table a link away, the others staying where they are", async () => {
    const asked = open(address, many);
    const columns = await screen.findByRole("navigation", { name: "Columns of the matrix" });
    await userEvent.click(within(columns).getByRole("link", { name: "Next" }));
    await waitFor(() => {
      expect(asked.some((url) => url.includes("row=100&rows=50&column=60&columns=30"))).toBe(true);
    });
  });

  it("leaves out the links where one part shows all", async () => {
    open(ADDRESS, answers);
    await tableNamed(/each defense under each attack/);
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

  it("says what to do where its data is not present, and shows no ranking", async () => {
    const hint = "data not present: grb datasets fetch digits";
    open(ADDRESS, { ...answers, [paths.board]: { ...board, state: "no-data", hint } });
    expect(await screen.findByText(hint)).toBeVisible();
    expect(screen.queryByRole("heading", { name: "Defenses" })).toBeNull();
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
    await tableNamed(/each defense under each attack/);
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

describe("the matrix by keyboard", () => {
  it("is one stop, from which arrow keys lead to every cell and head", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
    const stops = () => [...table.querySelectorAll('[tabindex="0"]')];
    const start = within(table).getByRole("link", { name: "80.52 ±0.40" });
    expect(stops()).toEqual([start]);
    start.focus();
    await userEvent.keyboard("{ArrowRight}");
    expect(within(table).getByRole("link", { name: "26.53 ±0.80" })).toHaveFocus();
    await userEvent.keyboard("{ArrowUp}");
    expect(within(table).getByRole("link", { name: "GIN" })).toHaveFocus();
    await userEvent.keyboard("{Control>}{End}{/Control}");
    expect(document.activeElement).toHaveTextContent("not evaluated");
    await userEvent.keyboard("{Control>}{Home}{/Control}");
    expect(within(table).getByRole("link", { name: "TDGIA" })).toHaveFocus();
    expect(stops()).toHaveLength(1);
  });

  it("leads over an edge to the next part", async () => {
    const asked = open(ADDRESS, {
      ...answers,
      [paths.matrix]: (search: URLSearchParams) => ({
        ...matrix,
        total_columns: 60,
        column: Number(search.get("column")),
      }),
    });
    const table = await tableNamed(/each defense under each attack/);
    within(table).getByRole("link", { name: "running" }).focus();
    await userEvent.keyboard("{ArrowRight}");
    await waitFor(() => {
      expect(asked.some((url) => url.includes("row=0&rows=50&column=30&columns=30"))).toBe(true);
    });
    await waitFor(() => {
      expect(within(table).getByRole("link", { name: "80.52 ±0.40" })).toHaveFocus();
    });
  });

  it("marks the best by more than a colour", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/each defense under each attack/);
    const best = within(table).getByRole("link", { name: "26.53 ±0.80" });
    expect(best).toHaveAttribute("title", "Strongest of the attacks shown");
    expect(best.closest("td")).toHaveAttribute("data-mark", "attack");
  });
});
