import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { DetailedError, UploadOptions } from "tus-js-client";
import type { Board } from "../../api/types";
import type { Quota } from "../../api/uploads";
import { board, submission, summary } from "../../testing/fixtures";
import { open, paths, posted } from "../../testing/site";
import { curlCommand, quoted, submitCommand, suffixSide } from "./commands";
import { fileFault } from "./Submit";

const auth = {
  session: { name: "ann", role: "user", csrf_token: "proof" },
  sign_up: "closed",
  confirm_email: false,
  mail: false,
  providers: [],
};

const quota: Quota = {
  exempt: false,
  day: "2026-01-01T00:00:00Z",
  frees_at: "2026-01-02T00:00:00Z",
  boards: [{ board: board.id, used: 3, limit: 20, left: 17 }],
  invalid: { used: 0, limit: 50, left: 50 },
  stored_bytes: { used: 1024, limit: null, left: null },
};

const upload = {
  id: "U1",
  location: "/api/v1/uploads/U1",
  board: board.id,
  side: "defense",
  name: "Mine",
  sha256: null,
  bytes: 5,
  arrived: 2,
  state: "open",
  created_at: "2026-01-01T12:00:00Z",
  expires_at: "2026-01-02T12:00:00Z",
  submission: null,
  reason: null,
  violations: [],
};

/** What stands in for the library that sends bytes: a test plays the line. */
const line = vi.hoisted(() => ({
  options: [] as UploadOptions[],
  started: 0,
  aborted: 0,
}));

vi.mock("tus-js-client", () => ({
  Upload: class {
    constructor(_file: File, options: UploadOptions) {
      line.options.push(options);
    }
    start() {
      line.started += 1;
    }
    abort() {
      line.aborted += 1;
      return Promise.resolve();
    }
  },
}));

beforeEach(() => {
  vi.stubGlobal("crypto", {}); // as without TLS: the file is not hashed
  Object.assign(line, { options: [], started: 0, aborted: 0 });
});

const ADDRESS = `/submit?board=${board.id}&side=defense`;
const POST = "POST /api/v1/uploads";

function show(more: Record<string, unknown> = {}, change: Partial<Board> = {}) {
  return open(ADDRESS, {
    [paths.boards]: [summary],
    [paths.board]: { ...board, ...change },
    "/api/v1/auth": auth,
    "/api/v1/me/quota": quota,
    "/api/v1/uploads": { uploads: [] },
    "/api/v1/submissions/D3": submission,
    ...more,
  });
}

async function fill(name = "mine.safetensors") {
  await userEvent.upload(await screen.findByLabelText("File"), new File(["12345"], name), {
    applyAccept: false,
  });
  await userEvent.type(screen.getByLabelText("Name"), "Mine");
  await userEvent.type(screen.getByLabelText("Authors"), "Ann");
}

async function send(answer: unknown = upload) {
  show({ [POST]: answer });
  await fill();
  await userEvent.click(screen.getByRole("button", { name: "Submit the defense" }));
}

async function lastOptions(): Promise<UploadOptions> {
  await waitFor(() => { expect(line.options).toHaveLength(1); });
  const [options] = line.options;
  if (options === undefined) throw new Error("nothing is sent");
  return options;
}

function failure(status: number, body: string): DetailedError {
  const answer = { getStatus: () => status, getBody: () => body, getHeader: () => undefined };
  return Object.assign(new Error("tus"), { originalResponse: answer }) as unknown as DetailedError;
}

describe("the page to submit", () => {
  it("leads who is not signed in to do so, and back", async () => {
    show({ "/api/v1/auth": { ...auth, session: null } });
    const link = await screen.findByText(/Submitting takes an account/);
    const links = screen.getAllByRole("link", { name: "Sign in" });
    expect(link).toBeVisible();
    expect(links.map((one) => one.getAttribute("href"))).toContain(
      `/account/sign-in?next=${encodeURIComponent(ADDRESS)}`,
    );
    expect(await screen.findByRole("button", { name: "Submit the defense" })).toBeDisabled();
  });

  it("says what is left of the quota", async () => {
    show();
    expect(await screen.findByText(/17 of 20 uploads to this board are left today/)).toBeVisible();
  });

  it("takes nothing where the quota is used up", async () => {
    const boards = [{ board: board.id, used: 20, limit: 20, left: 0 }];
    show({ "/api/v1/me/quota": { ...quota, boards } });
    expect(await screen.findByText(/All 20 uploads to this board are used up/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Submit the defense" })).toBeDisabled();
  });

  it("takes nothing for a board without data", async () => {
    show({}, { state: "no-data", hint: "data not present: grb datasets fetch digits" });
    expect(await screen.findByText(/takes no uploads at the moment/)).toBeVisible();
    expect(screen.getByRole("button", { name: "Submit the defense" })).toBeDisabled();
  });

  it("takes the side from the name of the file", async () => {
    show();
    await fill("fgsm.npz");
    expect(await screen.findByRole("button", { name: "Submit the attack" })).toBeVisible();
    expect(screen.getByLabelText("Method")).toHaveValue("RND");
  });

  it("asks for the file before it sends anything", async () => {
    show();
    await userEvent.click(await screen.findByRole("button", { name: "Submit the defense" }));
    expect(await screen.findByText("Choose the file first.")).toBeVisible();
    expect(posted).toEqual([]);
  });

  it("announces what the form says, and then sends the bytes", async () => {
    await send();
    const options = await lastOptions();
    expect(options.uploadUrl).toBe("/api/v1/uploads/U1");
    expect(options.headers).toMatchObject({ "X-CSRF-Token": "proof" });
    expect(posted[0]?.body).toMatchObject({
      board: board.id,
      side: "defense",
      name: "Mine",
      authors: "Ann",
      visibility: "public",
    });
    expect(posted[0]?.csrf).toBe("proof");
    expect(screen.getByText("2 B of 5 B")).toBeVisible();
  });

  it("shows the entry that the bytes are already", async () => {
    await send(submission);
    expect(await screen.findByText(/these very bytes before/)).toBeVisible();
    expect(await screen.findByRole("link", { name: "Newcomer" })).toHaveAttribute("href", "/submissions/D3");
    expect(line.options).toEqual([]);
  });

  it("puts the focus on a field that is wrong", async () => {
    const violations = [{ code: "field", place: "body/name", found: "a tab", allowed: "a name" }];
    await send({
      status: 422,
      problem: { code: "invalid-fields", message: "fields to correct", violations },
    });
    await waitFor(() => { expect(screen.getByLabelText("Name")).toHaveFocus(); });
    expect(screen.getByText("Found a tab, allowed: a name.")).toBeVisible();
  });

  it("tells what is wrong with the header of a file", async () => {
    await send();
    const violations = [{ code: "shape", place: "weight.0", found: "4x100", allowed: "4x64" }];
    const problem = { code: "invalid-file", message: "the file is refused: 1 violation", violations };
    (await lastOptions()).onError?.(failure(422, JSON.stringify(problem)));
    const table = await screen.findByRole("table", { name: /grb check/ });
    expect(within(table).getByText("4x100")).toBeVisible();
    expect(screen.getByRole("button", { name: "Submit the defense" })).toBeEnabled();
  });

  it("says that a lost line is tried again, and follows the entry at the end", async () => {
    await send();
    const options = await lastOptions();
    expect(options.onShouldRetry?.(failure(0, ""), 0, options)).toBe(true);
    expect(await screen.findByText(/The connection was lost/)).toBeVisible();
    options.onProgress?.(5, 5);
    expect(await screen.findByText(/its header is being checked/)).toBeVisible();
    const lastResponse = {
      getStatus: () => 202,
      getBody: () => "{}",
      getHeader: () => "D3",
    } as never;
    options.onSuccess?.({ lastResponse });
    expect(await screen.findByText(/its header is in order/)).toBeVisible();
  });

  it("is not tried again where the service has said no", async () => {
    await send();
    const options = await lastOptions();
    const again = [422, 413, 429, 403].map((status) =>
      options.onShouldRetry?.(failure(status, ""), 0, options),
    );
    expect(again).toEqual([false, false, false, false]);
  });

  it("waits for the reader once the line is gone for long, and goes on from there", async () => {
    await send();
    (await lastOptions()).onError?.(new Error("network"));
    expect(await screen.findByText(/It goes on from there|it goes on from there/)).toBeVisible();
    await userEvent.click(screen.getByRole("button", { name: "Go on" }));
    expect(line.started).toBe(2);
    await userEvent.click(screen.getByRole("button", { name: "Pause" }));
    expect(line.aborted).toBe(1);
    expect(screen.getByText(/Paused/)).toBeVisible();
  });

  it("lists what stopped on its way, to be given up", async () => {
    show({
      "/api/v1/uploads": { uploads: [upload] },
      "DELETE /api/v1/uploads/U1": null,
    });
    await userEvent.click(await screen.findByRole("button", { name: "Give up Mine" }));
    await waitFor(() => { expect(posted[0]?.call).toBe("DELETE /api/v1/uploads/U1"); });
  });
});

describe("a file before it is sent", () => {
  const file = new File(["12345"], "mine.safetensors");

  it("is told to be too large, with how large it may be", () => {
    expect(fileFault(file, "defense", 4, false)).toBe(
      "mine.safetensors has 5 B; this board takes at most 4 B.",
    );
  });

  it("has the suffix of its side", () => {
    expect(fileFault(file, "defense", 5, false)).toBeUndefined();
    expect(fileFault(file, "attack", 5, false)).toContain(".npz");
    expect([suffixSide("a.npz"), suffixSide("a.pt")]).toEqual(["attack", null]);
  });
});

describe("the same without a browser", () => {
  const said = {
    board: "digits/injection@1",
    side: "attack" as const,
    file: "my file.npz",
    fields: { name: "It's mine", authors: "Ann", family: "other:New", visibility: "private" },
  };

  it("is a command that says what the form says", () => {
    expect(submitCommand(said, "https://board.org")).toBe(
      [
        "export GRB_SERVER=https://board.org GRB_TOKEN=…",
        "grb submit 'my file.npz' --board digits/injection@1 \\",
        String.raw`  --name 'It'\''s mine' ` + "\\",
        "  --authors Ann \\",
        "  --family other:New \\",
        "  --private",
      ].join("\n"),
    );
  });

  it("is a request in which no value is read as a file", () => {
    const command = curlCommand({ ...said, fields: { name: "@secret" } }, "https://board.org");
    expect(command).toContain("--form-string name=@secret");
    expect(command).toContain("-F 'file=@my file.npz'");
  });

  it("keeps words from a shell", () => {
    expect(quoted("a/b@1")).toBe("a/b@1");
    expect(quoted("$(rm)")).toBe("'$(rm)'");
  });
});
