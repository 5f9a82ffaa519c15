import { describe, expect, it } from "vitest";

import { summary } from "../testing/fixtures";
import { boardInterval, isFinal, isMoving } from "./queries";

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

  it("ends with an entry that was taken out on its way", () => {
    const entry = { state: "evaluating", withdrawn: false, hidden: false, deleted: false, is_reference: false } as const;
    expect(isMoving(entry)).toBe(true);
    expect(isMoving({ ...entry, withdrawn: true })).toBe(false);
    expect(isMoving({ ...entry, hidden: true })).toBe(false);
    expect(isMoving({ ...entry, hidden: true, is_reference: true })).toBe(true);
  });
});
