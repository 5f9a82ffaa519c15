/** Who is signed in, and what their page reads and changes. */
import {
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
  type QueryClient,
} from "@tanstack/react-query";

import { Refusal, get, send, type Method } from "./client";
import type { components } from "./schema";

type Schemas = components["schemas"];

export type Auth = Schemas["AuthOut"];
export type SignedIn = Schemas["SignedIn"];
export type TokenMade = Schemas["TokenMade"];
export type Notifications = Schemas["NotificationsOut"];
export type NotificationsSet = Schemas["NotificationsSet"];
export type Tests = Schemas["TestList"];
export type TokenScope = Schemas["TokenOut"]["scopes"][number];

/** Tokens that may do everything are an admin's own business. */
export const SCOPES: Record<TokenScope, string> = {
  read: "see what is yours",
  submit: "upload",
  manage: "change, withdraw and delete entries, change settings",
  admin: "what admins do",
};

/** What a sign-in elsewhere can end with, by the word in the address. */
export const PROBLEMS: Record<string, string> = {
  cancelled: "You were not signed in there, so you are not signed in here.",
  "link-ended": "That took too long, or began in another browser. Please try again.",
  provider: "The provider did not say who you are. Please try again later.",
  "sign-up-closed": "You have no account here yet; who runs this service makes one for you.",
  suspended: "This account is suspended; ask an admin.",
  "linked-elsewhere": "That identity signs in to another account here already.",
};

export const authQuery = queryOptions({
  queryKey: ["auth"],
  queryFn: ({ signal }) => get("/api/v1/auth", { signal }),
  retry: false,
  staleTime: 60_000,
});

export const tokensQuery = queryOptions({
  queryKey: ["account", "tokens"],
  queryFn: ({ signal }) => get("/api/v1/me/tokens", { signal }),
});

export const sessionsQuery = queryOptions({
  queryKey: ["account", "sessions"],
  queryFn: ({ signal }) => get("/api/v1/me/sessions", { signal }),
});

export const identitiesQuery = queryOptions({
  queryKey: ["account", "identities"],
  queryFn: ({ signal }) => get("/api/v1/me/identities", { signal }),
});

export const meQuery = queryOptions({
  queryKey: ["account", "me"],
  queryFn: ({ signal }) => get("/api/v1/me", { signal }),
});

export const noticesQuery = queryOptions({
  queryKey: ["account", "notices"],
  queryFn: ({ signal }) => get("/api/v1/me/notices", { signal }),
});

export interface Change {
  method: Method;
  /** Below `/api/v1`. */
  path: string;
  body?: object;
}

/** Whether what a key begins with is read again after a change. */
type Touches = (what: unknown) => boolean;

const ownThings: Touches = (what) => what === "auth" || what === "account";

/** What an entry, a user or a result is may be shown anywhere. */
export const everything: Touches = (what) => what !== "auth";

/** Refusals after which the page shows how things are by now: one is signed out, or came too late. */
const OVERTAKEN = [401, 403, 404, 409];

/** Sends a change with the token of the session, and reads again what may have changed. */
export function useChange<T = unknown>(
  done: (answer: T) => void = () => undefined,
  touches: Touches = ownThings,
) {
  const client = useQueryClient();
  const session = useQuery(authQuery).data?.session;
  return useMutation<T, Error, Change>({
    networkMode: "always",
    mutationFn: ({ method, path, body }) =>
      send<T>(method, `/api/v1${path}`, session?.csrf_token ?? "", body),
    onSuccess: async (answer) => {
      await client.invalidateQueries({ predicate: ({ queryKey }) => touches(queryKey[0]) });
      const now = client.getQueryData(authQuery.queryKey)?.session;
      if (now?.name !== session?.name) forget(client);
      done(answer);
    },
    onError: (error) => {
      if (!(error instanceof Refusal) || !OVERTAKEN.includes(error.status)) return;
      void client.invalidateQueries({
        predicate: ({ queryKey: [what] }) => what === "auth" || touches(what),
      });
    },
  });
}

/** What one was shown is not kept for the next, who may see less or more of it. */
function forget(client: QueryClient): void {
  void client.resetQueries({ predicate: ({ queryKey: [what] }) => what !== "auth" });
}
