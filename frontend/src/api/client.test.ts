import { describe, expect, it, vi } from "vitest";

import { Refusal, Unreachable, fill, get } from "./client";

function answering(response: Response) {
  vi.stubGlobal("fetch", () => Promise.resolve(response));
}

describe("fill", () => {
  it("escapes what is not part of an identifier", () => {
    expect(fill("/cells/{id}", { id: "../a b" })).toBe("/cells/..%2Fa%20b");
  });

  it("leaves out a query that is null", () => {
    expect(fill("/submissions", {}, { board: "digits/injection@1", cursor: null })).toBe(
      "/submissions?board=digits%2Finjection%401",
    );
  });
});

describe("get", () => {
  it("tells the code and the message of a refusal", async () => {
    const problem = { code: "board-unknown", message: "board: found 'x'", violations: [] };
    answering(Response.json(problem, { status: 404 }));
    await expect(get("/api/v1/boards")).rejects.toMatchObject({
      name: "Refusal",
      status: 404,
      code: "board-unknown",
      message: "board: found 'x'",
    });
  });

  it("survives an error page that is not JSON", async () => {
    answering(new Response("<h1>Bad gateway</h1>", { status: 502 }));
    await expect(get("/api/v1/boards")).rejects.toThrow(Refusal);
  });

  it("tells no answer from an error", async () => {
    vi.stubGlobal("fetch", () => Promise.reject(new TypeError("network")));
    await expect(get("/api/v1/boards")).rejects.toThrow(Unreachable);
  });
});
