/** Reads the API: typed by the generated paths, with every failure told apart. */
import type { components, paths } from "./schema";

type Json<R> = R extends { responses: { 200: { content: { "application/json": infer T } } } }
  ? T
  : never;

type Parameters<R, Where extends "path" | "query"> = R extends {
  parameters: Partial<Record<Where, infer P extends object>>;
}
  ? P
  : object;

/** The paths that can be read as JSON. */
export type ReadablePath = {
  [P in keyof paths]: paths[P] extends { get: infer R } ? (Json<R> extends never ? never : P) : never;
}[keyof paths];

type Get<P extends ReadablePath> = paths[P] extends { get: infer R } ? R : never;

export type Answer<P extends ReadablePath> = Json<Get<P>>;

interface Question<P extends ReadablePath> {
  path?: Parameters<Get<P>, "path">;
  query?: Parameters<Get<P>, "query">;
  signal?: AbortSignal;
}

/** The API answered with an error. */
export class Refusal extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    /** What is wrong with each field, by its name. */
    readonly faults: ReadonlyMap<string, string> = new Map(),
    /** The same, and what is wrong with a file, as the API told it. */
    readonly violations: readonly components["schemas"]["ViolationOut"][] = [],
  ) {
    super(message);
    this.name = "Refusal";
  }
}

/** There was no answer at all: no network, or the service is down. */
export class Unreachable extends Error {
  constructor() {
    super("The service can't be reached.");
    this.name = "Unreachable";
  }
}

/** One segment of an address, readable: `@` and `+` stay as they are. */
export function segment(text: string): string {
  return encodeURIComponent(text).replaceAll("%40", "@").replaceAll("%2B", "+");
}

/** A template such as `/api/v1/cells/{cell_id}` with its parameters filled in; null ones are left out. */
export function fill(template: string, path: object = {}, query: object = {}): string {
  const values = new Map(Object.entries(path) as [string, string][]);
  const place = template.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    segment(values.get(name) ?? ""),
  );
  const given = (Object.entries(query) as [string, string | number | null][]).flatMap(([name, value]) =>
    value === null ? [] : [[name, String(value)]],
  );
  const search = new URLSearchParams(given);
  return search.size > 0 ? `${place}?${search.toString()}` : place;
}

/**
 * Reads one path of the API.
 *
 * @throws Unreachable when nothing answers, Refusal when the answer is an error.
 */
export async function get<P extends ReadablePath>(
  template: P,
  { path, query, signal }: Question<P> = {},
): Promise<Answer<P>> {
  let response: Response;
  try {
    response = await fetch(fill(template, path, query), {
      headers: { Accept: "application/json" },
      signal: signal ?? null,
    });
  } catch (error) {
    if (signal?.aborted) throw error;
    throw new Unreachable();
  }
  if (!response.ok) throw await refusal(response);
  return (await response.json()) as Answer<P>;
}

export type Method = "POST" | "PUT" | "PATCH" | "DELETE";

/**
 * Changes something as who is signed in; `token` shows that this page asks for it.
 *
 * @throws Unreachable when nothing answers, Refusal when the answer is an error.
 */
export async function send<T = void>(
  method: Method,
  path: string,
  token: string,
  body?: object,
  more: Record<string, string> = {},
): Promise<T> {
  const headers: Record<string, string> = {
    Accept: "application/json",
    "X-CSRF-Token": token,
    ...more,
  };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  let response: Response;
  try {
    const sent = body === undefined ? null : JSON.stringify(body);
    response = await fetch(path, { method, headers, body: sent });
  } catch {
    throw new Unreachable();
  }
  if (!response.ok) throw await refusal(response);
  const text = await response.text();
  return (text === "" ? undefined : JSON.parse(text)) as T;
}

async function refusal(response: Response): Promise<Refusal> {
  return refusalOf(response.status, await response.text());
}

/** What an answer with an error says. */
export function refusalOf(status: number, body: string): Refusal {
  const fallback = `The service answered ${status}.`;
  try {
    const problem = JSON.parse(body) as {
      code?: unknown;
      message?: unknown;
      violations?: components["schemas"]["ViolationOut"][];
    };
    const code = typeof problem.code === "string" ? problem.code : "unknown";
    const message = typeof problem.message === "string" ? problem.message : fallback;
    const violations = problem.violations ?? [];
    const faults = violations.map(({ place, found, allowed }): [string, string] => [
      place.split("/").at(1) ?? place,
      `Found ${found}, allowed: ${allowed}.`,
    ]);
    return new Refusal(status, code, message, new Map(faults), violations);
  } catch {
    // a proxy answers in HTML
    return new Refusal(status, "unknown", fallback);
  }
}
