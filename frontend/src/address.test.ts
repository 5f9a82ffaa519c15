import { describe, expect, it } from "vitest";

import { boardAddress, choiceOf, submissionsAddress } from "./address";

describe("addresses", () => {
  it("keeps a board's identifier readable", () => {
    expect(boardAddress("grb-cora/injection@1")).toBe("/boards/grb-cora/injection@1");
    expect(submissionsAddress("grb-cora/injection@1")).toBe(
      "/submissions?board=grb-cora/injection@1",
    );
  });

  it("spells out both parts of a choice", () => {
    expect(boardAddress("digits/injection@1", { difficulty: "hard", view: "all" })).toBe(
      "/boards/digits/injection@1?difficulty=hard&view=all",
    );
  });

  it("reads a choice back from the address", () => {
    const search = new URLSearchParams("difficulty=hard&view=all");
    expect(choiceOf(search)).toEqual({ difficulty: "hard", view: "all" });
  });

  it("falls back to full and reference where the address says nothing, or nonsense", () => {
    const fallback = { difficulty: "full", view: "reference" };
    expect(choiceOf(new URLSearchParams())).toEqual(fallback);
    expect(choiceOf(new URLSearchParams("difficulty=extreme&view=mine"))).toEqual(fallback);
  });
});
