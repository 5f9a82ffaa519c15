/** A browser's EventSource whose server is the test. */
import { act } from "@testing-library/react";
import { vi } from "vitest";

export class Stream extends EventTarget {
  static all: Stream[] = [];
  closed = false;

  constructor(readonly url: string) {
    super();
    Stream.all.push(this);
  }

  close() {
    this.closed = true;
  }

  /** The server answers. */
  begin() {
    act(() => void this.dispatchEvent(new Event("open")));
  }

  /** The server sends an event. */
  send(name: string, data: unknown) {
    act(() => void this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(data) })));
  }

  /** The connection breaks. */
  fail() {
    act(() => void this.dispatchEvent(new Event("error")));
  }
}

/** Gives the page an EventSource, as browsers have; the streams that it opens are in `Stream.all`. */
export function giveStreams(): void {
  Stream.all = [];
  vi.stubGlobal("EventSource", Stream);
}
