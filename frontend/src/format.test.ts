import { describe, expect, it } from "vitest";

import {
  DASH,
  bytes,
  count,
  duration,
  exact,
  percent,
  placeWords,
  progress,
  sentence,
  spentWords,
  time,
  unservedWords,
  webAddress,
} from "./format";

describe("percent", () => {
  it("has two decimals", () => {
    expect(percent(0.84213)).toBe("84.21");
    expect(percent(1)).toBe("100.00");
    expect(percent(0)).toBe("0.00");
  });

  it("is a dash where there is no number", () => {
    expect(percent(null)).toBe(DASH);
    expect(percent(undefined)).toBe(DASH);
    expect(percent(NaN)).toBe(DASH);
  });

  it("rounds a tie to the even digit, as Python does", () => {
    // 0.03125 and 0.09375 are exact in binary: 3.125 and 9.375 lie in the middle
    expect(percent(0.03125)).toBe("3.12");
    expect(percent(0.09375)).toBe("9.38");
  });
});

describe("other numbers", () => {
  it("marks thousands", () => {
    expect(count(1797)).toBe("1,797");
  });

  it("counts a missing number as a dash, never as zero", () => {
    expect(count(null)).toBe(DASH);
    expect(count(0)).toBe("0");
  });

  it("gives bytes in binary units", () => {
    expect(bytes(512)).toBe("512 B");
    expect(bytes(1536)).toBe("1.5 KiB");
    expect(bytes(64 * 1024 * 1024)).toBe("64 MiB");
  });

  it("keeps six decimals of a feature range", () => {
    expect(exact(-0.940568)).toBe("−0.940568");
  });

  it("counts the cells of a submission in every state", () => {
    const cells = { queued: 1, running: 2, done: 3, failed: 4, dead: 5 };
    expect(progress(cells)).toEqual({ done: 3, total: 15 });
  });
});

describe("texts", () => {
  it("shows a time that it can't read as it is", () => {
    expect(time("soon")).toBe("soon");
  });

  it("makes a sentence of a message", () => {
    expect(sentence("the database does not answer")).toBe("The database does not answer.");
    expect(sentence("Gone.")).toBe("Gone.");
  });

  it("takes only http and https as web addresses", () => {
    expect(webAddress("https://example.org/paper")).toBe("https://example.org/paper");
    expect(webAddress("javascript:alert(1)")).toBeNull();
    expect(webAddress("data:text/html,x")).toBeNull();
    expect(webAddress("example.org")).toBeNull();
    expect(webAddress(null)).toBeNull();
  });
});

describe("a time to wait", () => {
  it.each([
    [0.4, "0 s"],
    [89.4, "89 s"],
    [89.5, "1 min"],
    [5369, "89 min"],
    [5400, "2 h"],
    [36 * 3600, "2 days"],
    [null, DASH],
  ])("of %s seconds is %s", (value, words) => {
    expect(duration(value)).toBe(words);
  });

  it("is told with the position, where there is one", () => {
    expect(placeWords({ position: 2, waiting: 5, seconds: 61, missing: null })).toBe(
      "Position 2 of 5 in the queue; its rank is expected in about 61 s.",
    );
    expect(placeWords({ position: null, waiting: 0, seconds: null, missing: null })).toBe(
      "A worker is at it.",
    );
  });

  it("says which workers are missing", () => {
    expect(placeWords({ position: 1, waiting: 1, seconds: null, missing: "gpu-large" })).toBe(
      "Position 1 of 1 in the queue; no worker that takes gpu-large boards is alive.",
    );
  });
});

describe("work that nobody takes", () => {
  it("is counted by its kind", () => {
    expect(unservedWords({ need: "gpu-large", cells: 1200, validations: 1 })).toBe(
      "1,200 cells and 1 check of a file wait for gpu-large: no worker that takes it is alive.",
    );
    expect(unservedWords({ need: "gpu", cells: 1, validations: 0 })).toBe(
      "1 cell waits for gpu: no worker that takes it is alive.",
    );
  });
});

describe("what an attack uses", () => {
  it("is told in words", () => {
    expect(spentWords({ nodes: 67.5, edges: 1275, ends: 1350 })).toBe("67.5 nodes, 1,275 edges");
    expect(spentWords({ added: 4, removed: 0.5 })).toBe("4 edges added, 0.5 edges removed");
    expect(spentWords(null)).toBe("Not counted");
  });
});
