import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { ADDRESS, answers, tableNamed, texts } from "../../../testing/board";
import { attacks, board, defenses, entry, submission } from "../../../testing/fixtures";
import { open, paths } from "../../../testing/site";

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
      "95 % interval (%)",
      "First (%)",
      "Worst attack",
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
      "1 to 2, tied with 1",
      "82.00 to 86.00",
      "50.00",
      "TDGIA",
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

  it("says of what its intervals are, and that they are computed anew after a change", async () => {
    const stale = { ...defenses, intervals: defenses.intervals && { ...defenses.intervals, stale: true } };
    open(ADDRESS, { ...answers, [paths.defenses]: stale, [paths.attacks]: { ...attacks, intervals: null } });
    expect(
      await screen.findByText(/Intervals of 2,000 draws, those of ranks of 500, for revision 4 of the board; they are being recomputed/),
    ).toBeVisible();
    expect(await screen.findByText(/Intervals are not computed yet/)).toBeVisible();
  });

  it("says where there are too many cells for intervals", async () => {
    const large = { ...defenses, intervals: defenses.intervals && { ...defenses.intervals, too_large: true } };
    open(ADDRESS, { ...answers, [paths.defenses]: large });
    expect(await screen.findByText(/Intervals are not computed: too many cells/)).toBeVisible();
  });

  it("says how many defenses an attack breaks", async () => {
    open(ADDRESS, answers);
    const table = await tableNamed(/Lower is stronger/);
    expect(within(table).getAllByRole("cell", { name: "1 of 2" })).toHaveLength(2);
  });

  it("tells which attempt of its author an entry is", async () => {
    open(ADDRESS, answers);
    expect(await screen.findByText("attempt 2 of 3")).toBeVisible();
  });

  it("names the flags of an entry in words that open what they mean", async () => {
    open(ADDRESS, answers);
    const [, first, second] = within(await tableNamed(/Higher is better/)).getAllByRole("row");
    if (first === undefined || second === undefined) throw new Error("no row");
    const word = within(second).getByRole("button", { name: "ignores the graph" });
    const meaning = document.getElementById(word.getAttribute("popovertarget") ?? "");
    expect(meaning).toHaveTextContent("Its predictions stay without edges.");
    expect(meaning).toHaveAttribute("popover", "auto");
    expect(within(first).getByRole("button").textContent).toBe("reference"); // no context
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

  it("tells how many of all are shown", async () => {
    open(`${ADDRESS}?defenses.find=gin`, answers);
    expect(await screen.findByText("1 of 2 defenses are shown.")).toHaveRole("status");
  });

  it("leads to an entry without loading the page anew", async () => {
    open(ADDRESS, { ...answers, "/api/v1/submissions/D1": submission });
    const table = await tableNamed(/Higher is better/);
    await userEvent.click(within(table).getByRole("link", { name: "GCN+LN" }));
    expect(await screen.findByRole("heading", { name: "Newcomer", level: 1 })).toBeVisible();
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

it("stays sorted while a newer revision is read", async () => {
  let revision = 4;
  const many = Array.from({ length: 60 }, (_, place) => ({
    ...(defenses.rows[0] ?? null),
    rank: place + 1,
    entry: entry(`D${place}`, `Defense ${place}`),
  }));
  const asked = open(`${ADDRESS}?defenses.sort=-name`, {
    ...answers,
    [paths.board]: { ...board, pending: 1 }, // read again every two seconds
    [paths.defenses]: (search: URLSearchParams) => {
      const [row, rows] = [Number(search.get("row")), Number(search.get("rows"))];
      if (rows > 50 && revision > 4) return new Promise(() => undefined);
      return { ...defenses, revision, row, total: 60, rows: many.slice(row, row + rows) };
    },
  });
  const table = await tableNamed(/Higher is better/);
  await waitFor(() => { expect(names(table)[0]).toBe("Defense 59"); });
  revision = 5;
  const wholes = () => asked.filter((url) => url.includes("side=defense") && url.includes("rows=1000"));
  await waitFor(() => { expect(wholes()).toHaveLength(2); });
  expect(names(table)[0]).toBe("Defense 59");
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
    expect(within(last.getByRole("rowheader")).queryByRole("link")).toBeNull();
    expect(texts(last.getAllByRole("cell"))[0]).toBe("–");
  });
});

describe("the budget of attacks", () => {
  it("is a column that sorts, after what is not counted", async () => {
    const spent = { nodes: 67.5, edges: 1275, ends: 1350 };
    const [first, second] = attacks.rows;
    if (!first?.entry || !second?.entry) throw new Error("no entries");
    const used = [
      { ...first, entry: { ...first.entry, budget_used: 0.75, spent } },
      { ...second, entry: { ...second.entry, budget_used: 1 } },
      { ...second, rank: 3, entry: entry("A3", "Old") },
    ];
    const rows = [...used, ...attacks.rows.slice(2)];
    open(`${ADDRESS}?attacks.sort=-budget`, {
      ...answers,
      [paths.attacks]: { ...attacks, total: 3, rows },
    });
    const table = await tableNamed(/Lower is stronger/);
    await waitFor(() => {
      expect(texts(within(table).getAllByRole("rowheader")).slice(0, 3)).toEqual(["RND", "TDGIA", "Old"]);
    });
    expect(within(table).getByText("75.00")).toHaveAttribute("title", "67.5 nodes, 1,275 edges");
  });
});

describe("a defense without finite logits", () => {
  it("is marked", async () => {
    const [first] = defenses.rows;
    if (!first?.entry) throw new Error("no entry");
    const marked = { ...first, entry: { ...first.entry, not_finite: { cells: 2, targets: 7 } } };
    open(ADDRESS, { ...answers, [paths.defenses]: { ...defenses, total: 1, rows: [marked] } });
    expect(await screen.findByText("7 not finite")).toBeVisible();
  });
});
