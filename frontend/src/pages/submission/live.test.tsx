import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { submissionQuery } from "../../api/queries";
import type { Submission, SubmissionProgress } from "../../api/types";
import { matrix, submission } from "../../testing/fixtures";
import { open, paths } from "../../testing/site";
import { Stream, giveStreams } from "../../testing/stream";

const ADDRESS = "/api/v1/submissions/D3";

const progress: SubmissionProgress = {
  state: "evaluating",
  withdrawn: false,
  hidden: false,
  deleted: false,
  cells: { queued: 2, running: 1, done: 37, failed: 0, dead: 0 },
  place: null,
  reason: null,
};

function show(change: Partial<Submission> = {}): string[] {
  const found = { ...submission, ...change };
  return open("/submissions/D3", { [ADDRESS]: () => found, [paths.matrix]: matrix });
}

async function stream(): Promise<Stream> {
  await waitFor(() => { expect(Stream.all).not.toHaveLength(0); });
  const [first] = Stream.all;
  if (first === undefined) throw new Error("no stream");
  return first;
}

function interval(live: boolean, data: Submission): unknown {
  const { refetchInterval } = submissionQuery("D3", live);
  if (typeof refetchInterval !== "function") throw new Error("not a function");
  type Query = Parameters<typeof refetchInterval>[0];
  return refetchInterval({ state: { data, error: null } } as unknown as Query);
}

function look(state: DocumentVisibilityState) {
  vi.spyOn(document, "visibilityState", "get").mockReturnValue(state);
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

describe("a submission that is followed", () => {
  beforeEach(giveStreams);
  afterEach(() => {
    vi.restoreAllMocks();
    vi.unstubAllGlobals();
  });

  it("moves its bar with the events of its stream", async () => {
    show();
    const found = await stream();
    expect(found.url).toBe(`${ADDRESS}/events`);
    found.begin();
    found.send("progress", progress);
    expect(await screen.findByText("37 of 40 cells")).toBeVisible();
    const bar = screen.getByRole("progressbar", { name: "Cells evaluated" });
    expect(bar).toHaveAttribute("value", "37");
  });

  it("says where it stands and why it waits, as the stream does", async () => {
    show();
    const found = await stream();
    found.send("progress", {
      ...progress,
      place: { position: 2, waiting: 9, seconds: null, missing: null },
      reason: "cell C1 waits for an admin",
    });
    expect(await screen.findByText("Position 2 of 9 in the queue.")).toBeVisible();
    expect(screen.getByText("cell C1 waits for an admin")).toBeVisible();
  });

  it("is read as a whole when its state changes, and at the end", async () => {
    const asked = show();
    const found = await stream();
    const reads = () => asked.filter((url) => url === ADDRESS).length;
    expect(reads()).toBe(1);
    found.send("progress", { ...progress, state: "ranked" });
    await waitFor(() => { expect(reads()).toBe(2); });
    found.send("end", { ...progress, state: "ranked" });
    await waitFor(() => { expect(reads()).toBe(3); });
    expect(found.closed).toBe(true);
  });

  it("has no stream where nothing can change", async () => {
    show({ state: "ranked", rank: 2 });
    await screen.findByText(/Rank 2 at full/);
    expect(Stream.all).toHaveLength(0);
  });

  it("has no stream while nobody sees it", async () => {
    show();
    const found = await stream();
    look("hidden");
    expect(found.closed).toBe(true);
    look("visible");
    await waitFor(() => { expect(Stream.all).toHaveLength(2); });
  });
});

describe("reading a submission again", () => {
  it("is left to its stream while that is open, but for its results", () => {
    expect(interval(true, submission)).toBe(5000);
    expect(interval(true, { ...submission, state: "received" })).toBe(30_000);
  });

  it("is done each second without a stream", () => {
    expect(interval(false, submission)).toBe(1000);
  });
});

describe("a browser without streams", () => {
  it("shows the same, by asking", async () => {
    expect(typeof EventSource).toBe("undefined");
    show();
    expect(await screen.findByText("3 of 5 cells")).toBeVisible();
  });
});
