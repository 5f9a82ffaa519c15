import { describe, expect, it } from "vitest";

import { boardAddress, choiceOf, filesOf, submissionsAddress } from "./address";
import { choicesOf } from "./board";
import { board } from "./testing/fixtures";
import { graphBoard } from "./testing/graphs";

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
    expect(choiceOf(search, board)).toEqual({ difficulty: "hard", view: "all" });
  });

  it("has the files of what the API tells beside its JSON, which may lie elsewhere", () => {
    expect(filesOf("/cells/C/breakdown", "?difficulty=hard")).toEqual([
      ["CSV", "/api/v1/cells/C/breakdown.csv?difficulty=hard"],
      ["LaTeX", "/api/v1/cells/C/breakdown.tex?difficulty=hard"],
      ["JSON", "/api/v1/cells/C/breakdown?difficulty=hard"],
    ]);
    expect(filesOf("/cells/C/results", "", "/cells/C").map(([, address]) => address)).toEqual([
      "/api/v1/cells/C/results.csv",
      "/api/v1/cells/C/results.tex",
      "/api/v1/cells/C",
    ]);
  });

  it("falls back to full and reference where the address says nothing, or nonsense", () => {
    const fallback = { difficulty: "full", view: "reference" };
    expect(choiceOf(new URLSearchParams(), board)).toEqual(fallback);
    expect(choiceOf(new URLSearchParams("difficulty=extreme&view=mine"), board)).toEqual(fallback);
    expect(choiceOf(new URLSearchParams("difficulty=mean"), board)).toEqual(fallback);
  });

  it("has budgets and their mean on boards of whole graphs, the mean by default", () => {
    const chosen = (text: string) => choiceOf(new URLSearchParams(text), graphBoard).difficulty;
    expect(chosen("")).toBe("mean");
    expect(chosen("difficulty=full")).toBe("mean");
    expect(chosen("difficulty=3")).toBe("3");
    expect(choicesOf(graphBoard)).toEqual(["1", "2", "3", "4", "5", "mean"]);
    expect(choicesOf(board)).toEqual(["easy", "medium", "hard", "full"]);
  });
});
