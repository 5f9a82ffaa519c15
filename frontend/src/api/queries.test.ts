import { describe, expect, it } from "vitest";

import { summary } from "../testing/fixtures";
import { boardInterval, isFinal } from "./queries";

describe("polling", () => {
  it("is quick while references are made or entries wait, and slow otherwise", () => {
    expect(boardInterval(summary)).toBe(30_000);
    expect(boardInterval({ ...summary, pending: 1 })).toBe(2000);
    expect(boardInterval({ ...summary, state: "preparing" })).toBe(2000);
  });

  it("ends with a state that can't change", () => {
    expect(["rejected", "ranked", "failed"].every((s) => isFinal(s as "ranked"))).toBe(true);
    expect(["received", "validating", "evaluating"].some((s) => isFinal(s as "ranked"))).toBe(
      false,
    );
  });
});
