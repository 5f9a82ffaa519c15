import { screen, within } from "@testing-library/react";
import { describe, expect, it } from "vitest";

import { status } from "../../testing/fixtures";
import { open, paths } from "../../testing/site";

/** The cells of the row with this head, in the table of this name. */
async function row(table: string, head: RegExp | string) {
  await screen.findByRole("heading", { name: "Queue" });
  const found = document.querySelector<HTMLElement>(`table[data-table=${table}]`);
  if (found === null) throw new Error(`no table ${table}`);
  return within(found).getByRole("rowheader", { name: head }).closest("tr");
}

describe("the status", () => {
  it("shows what waits, since when, and what was done", async () => {
    open("/status", { [paths.status]: status });
    expect(await row("queue", "Cells")).toHaveTextContent("Cells1275 s21,2341");
  });

  it("shows each worker with its work, and what it avoids", async () => {
    open("/status", { [paths.status]: status });
    const worker = await row("workers", "machine 77");
    expect(worker).toHaveTextContent("alive2 cells of Newcomer, digits/injection@1");
    expect(worker).toHaveTextContent("8 s ago");
    expect(worker).toHaveTextContent("cpu takes cpu, gpu");
    expect(worker).toHaveTextContent("avoids grb-cora/injection@1: its data is not here");
    expect(screen.getByRole("link", { name: "Newcomer" })).toHaveAttribute(
      "href",
      "/submissions/D3",
    );
  });

  it("does not name what is not public", async () => {
    const [worker] = status.workers;
    if (worker?.work == null) throw new Error("no work");
    const hidden = { ...worker, work: { ...worker.work, submission: null, name: null } };
    open("/status", { [paths.status]: { ...status, workers: [hidden] } });
    expect(await row("workers", "machine 77")).toHaveTextContent(
      "2 cells of an entry that is not public, digits/injection@1",
    );
  });

  it("tells whose fault a failure was", async () => {
    open("/status", { [paths.status]: status });
    expect(await row("failures", "the submission")).toHaveTextContent(
      "the submissiona celltime-limitfailed, for good3",
    );
  });

  it("gives the expected wait of each side, and a dash where nothing is known", async () => {
    open("/status", { [paths.status]: status });
    expect(await row("expected", /digits/)).toHaveTextContent(/readycpu220\.252 min–$/);
  });

  it("warns where no worker is alive", async () => {
    open("/status", { [paths.status]: { ...status, alive: 0, workers: [] } });
    expect(await screen.findByText(/No worker is alive/)).toBeVisible();
    expect(screen.getByText("No worker was heard of within a day.")).toBeVisible();
  });

  it("warns where work waits for workers of a kind that there is none of", async () => {
    const unserved = [{ need: "gpu-large" as const, cells: 12, validations: 0 }];
    open("/status", { [paths.status]: { ...status, unserved } });
    expect(await screen.findByText(/12 cells wait for gpu-large/)).toBeVisible();
  });

  it("is led to from every page", async () => {
    open("/submissions", {});
    expect(screen.getByRole("link", { name: "Status" })).toHaveAttribute("href", "/status");
    await screen.findByRole("alert");
  });
});
