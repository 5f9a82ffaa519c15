/** The whole page at an address, over answers that a test chooses. */
import { QueryClientProvider } from "@tanstack/react-query";
import { render } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { vi } from "vitest";

import { makeQueryClient } from "../api/queries";
import { App } from "../App";
import { board } from "./fixtures";

const BOARD = "/api/v1/boards/digits/injection@1";

interface Refused {
  status: number;
  problem: { code: string; message: string };
}

/** What the API answers, by path without the query; "down" is no answer at all. */
export type Answers = Record<string, unknown> | "down";

/** An answer that depends on the query. */
type Depends = (search: URLSearchParams) => unknown;

function isRefused(answer: unknown): answer is Refused {
  return typeof answer === "object" && answer !== null && "problem" in answer;
}

/** What the page sent, in order. */
export const posted: { call: string; body: unknown; csrf: string | undefined }[] = [];

/** Opens an address; gives the addresses that were asked for, in order.  The board of digits is known. */
export function open(address: string, given: Answers): string[] {
  const answers = given === "down" ? given : { [BOARD]: board, ...given };
  const asked: string[] = [];
  posted.length = 0;
  vi.stubGlobal("fetch", (url: string, sent: RequestInit = {}) => {
    asked.push(url);
    if (sent.method !== undefined) {
      const body = typeof sent.body === "string" ? (JSON.parse(sent.body) as unknown) : undefined;
      const headers = sent.headers as Record<string, string>;
      posted.push({ call: `${sent.method} ${url}`, body, csrf: headers["X-CSRF-Token"] });
      if (answers !== "down") return answer(answers, url, `${sent.method} `);
    }
    return answers === "down" ? Promise.reject(new TypeError("network")) : answer(answers, url);
  });
  const client = makeQueryClient();
  client.setDefaultOptions({
    queries: { ...client.getDefaultOptions().queries, retry: false, staleTime: Infinity },
  });
  render(
    <QueryClientProvider client={client}>
      <MemoryRouter initialEntries={[address]}>
        <App />
      </MemoryRouter>
    </QueryClientProvider>,
  );
  return asked;
}

function answer(
  answers: Record<string, unknown>,
  url: string,
  method = "",
): Promise<Response> {
  const { pathname, searchParams } = new URL(url, "http://localhost");
  const side = searchParams.get("side");
  const named = answers[method + (side === null ? pathname : `${pathname}#${side}`)];
  const found = typeof named === "function" ? (named as Depends)(searchParams) : named;
  if (found instanceof Promise) return found as Promise<Response>; // one that takes its time
  if (found === null) return Promise.resolve(new Response(null, { status: 204 }));
  if (found === undefined) {
    const missing = { code: "unknown", message: `no answer for ${url}` };
    return Promise.resolve(Response.json(missing, { status: 404 }));
  }
  return Promise.resolve(
    isRefused(found) ? Response.json(found.problem, { status: found.status }) : Response.json(found),
  );
}

/** The paths that the page of the board of digits reads. */
export const paths = {
  boards: "/api/v1/boards",
  board: BOARD,
  defenses: `${BOARD}/leaderboard#defense`,
  attacks: `${BOARD}/leaderboard#attack`,
  matrix: `${BOARD}/matrix/grid`,
  history: `${BOARD}/history`,
  submissions: "/api/v1/submissions",
  status: "/api/v1/status",
} as const;
