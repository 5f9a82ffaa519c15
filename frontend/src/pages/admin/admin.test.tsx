import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import { summary } from "../../testing/fixtures";
import { open, posted } from "../../testing/site";

const session = { name: "ada", role: "admin", csrf_token: "secret" };
const auth = (who: object | null) => ({ session: who, sign_up: "closed", mail: false, providers: [] });

const job = {
  id: "01AAAAAAAAAAAAAAAAAAAAAAAA",
  board: "digits/injection@1",
  protocol: "0123456789abcdef",
  state: "ready",
  selection: {},
  reason: "a faulty GPU",
  author: "ada",
  cells: 2,
  seconds: 1,
  created_at: "2026-01-01T12:00:00Z",
  started_at: null,
  ready_at: null,
  decided_at: null,
  decided_by: null,
  outcome: null,
  progress: { queued: 0, running: 0, done: 2, failed: 0, dead: 0, seconds_left: null },
};

const head = (id: string, name: string) => ({
  id,
  name,
  rank: 1,
  is_reference: true,
  state: "ranked",
  visibility: "public",
});

const preview = {
  id: job.id,
  board: job.board,
  state: "ready",
  revision: 12,
  view: "reference",
  difficulty: "full",
  unfinished: 0,
  changed: 1,
  moved: 1,
  defenses: [
    { entry: head("D1", "GCN"), rank_before: 2, rank_after: 1, weighted_before: 0.5, weighted_after: 0.75 },
    { entry: head("D2", "GIN"), rank_before: 3, rank_after: 3, weighted_before: 0.2, weighted_after: 0.2 },
  ],
  attacks: [],
  largest: [{ attack: head("clean", ""), defense: head("D1", "GCN"), before: 0, after: 0.98 }],
  unmeasured: [],
  failing: [head("D3", "Broken")],
  waiting: [],
  revived: [],
};

const ADMIN = "/api/v1/admin";
const known = {
  "/api/v1/auth": auth(session),
  "/api/v1/boards": [summary],
  [`${ADMIN}/reevaluations/${job.id}`]: job,
  [`${ADMIN}/reevaluations/${job.id}/preview`]: preview,
  [`POST ${ADMIN}/reevaluations/${job.id}/apply`]: { ...job, state: "applied" },
};

test("somebody who is not signed in is told who this is for", async () => {
  const asked = open("/admin/users", { "/api/v1/auth": auth(null) });
  await screen.findByText(/This part is for admins/);
  expect(screen.queryByRole("navigation", { name: "Admin" })).toBeNull();
  expect(screen.queryByRole("table")).toBeNull();
  expect(asked.filter((url) => url.startsWith(ADMIN))).toEqual([]);
});

test("a user who is no admin is told so, by name, and has no link to it", async () => {
  open("/admin", { "/api/v1/auth": auth({ ...session, name: "bob", role: "user" }) });
  await screen.findByText(/bob is not one/);
  expect(screen.queryByRole("link", { name: "Admin" })).toBeNull();
});

test("a preview tells what moves, and who will have failed", async () => {
  open(`/admin/reevaluations/${job.id}`, known);
  const ranks = await screen.findByRole("table", { name: /^Defenses/ });
  expect(within(ranks).getByRole("row", { name: "GCN 2 1 50.00 75.00" })).toBeInTheDocument();
  expect(within(ranks).queryByText("GIN")).toBeNull();
  await userEvent.click(screen.getByRole("button", { name: "Defenses that stay as they are: 1" }));
  expect(within(ranks).getByText("GIN")).toBeInTheDocument();
  const largest = screen.getByRole("table", { name: /^The largest/ });
  expect(
    within(largest).getByRole("row", { name: "Without attack GCN 0.00 98.00" }),
  ).toBeInTheDocument();
  expect(screen.getByRole("heading", { name: "Will have failed" })).toBeInTheDocument();
});

test("applying asks first, and names the revision that was previewed", async () => {
  open(`/admin/reevaluations/${job.id}`, known);
  await userEvent.click(await screen.findByRole("button", { name: "Apply it to the board" }));
  expect(posted).toEqual([]);
  const dialog = screen.getByRole("dialog", { name: "Apply to digits/injection@1?" });
  await userEvent.click(within(dialog).getByRole("button", { name: "Apply it" }));
  expect(posted).toEqual([
    {
      call: `POST ${ADMIN}/reevaluations/${job.id}/apply`,
      body: { revision: 12 },
      csrf: "secret",
    },
  ]);
});

test("what is selected is counted first; a changed selection forgets the count", async () => {
  const plan = { board: job.board, protocol: "p", cells: 3, attacks: 2, defenses: 1 };
  open(`/admin/reevaluations/new?board=${job.board}&state=dead`, {
    ...known,
    [`POST ${ADMIN}/reevaluations`]: { ...plan, seconds: 90, expected: 45 },
  });
  await screen.findByRole("option", { name: job.board });
  await userEvent.click(screen.getByRole("button", { name: "How much is it?" }));
  await screen.findByRole("button", { name: "Compute these 3 cells" });
  expect(posted[0]?.body).toMatchObject({
    board: job.board,
    dry_run: true,
    selection: { states: ["dead"] },
  });
  await userEvent.type(screen.getByLabelText("Families"), "GCN");
  expect(screen.queryByRole("button", { name: "Compute these 3 cells" })).toBeNull();
});

test("a filter keeps the focus, and follows the address", async () => {
  const asked = open("/admin/users", { ...known, [`${ADMIN}/users`]: { users: [], next: null } });
  const name = await screen.findByLabelText("Part of the name");
  await userEvent.type(name, "dora{Enter}");
  await screen.findByText("No user has such a name.");
  expect(asked.some((url) => url.includes("/users?name=dora"))).toBe(true);
  expect(name).toHaveFocus();
  expect(name).toHaveValue("dora");
});

test("who signs in as an admin comes back", async () => {
  open("/admin/entries?side=attack", { "/api/v1/auth": auth(null) });
  const main = within(await screen.findByRole("main"));
  expect(await main.findByRole("link", { name: "Sign in" })).toHaveAttribute(
    "href",
    "/account/sign-in?next=%2Fadmin%2Fentries%3Fside%3Dattack",
  );
});

test("a role is given to others only, with the admin’s own password", async () => {
  const used = { used: 0, limit: null };
  const user = (id: string, name: string, role: string) => ({
    ...{ id, name, role, created_at: job.created_at, suspended_at: null, has_password: true },
    ...{ email: null, email_confirmed: false, entries: 0, last_upload_at: null },
    ...{ quota_per_day: null, quota_bytes: null, quota_reset_at: null },
    quota: { exempt: false, boards: [], stored_bytes: used },
  });
  open("/admin/users", {
    ...known,
    [`${ADMIN}/users`]: { users: [user("U1", "ada", "admin"), user("U2", "bob", "user")], next: null },
    [`POST ${ADMIN}/users/U2/role`]: user("U2", "bob", "admin"),
  });
  await userEvent.click(await screen.findByRole("button", { name: "Role of bob" }));
  expect(screen.queryByRole("button", { name: "Role of ada" })).toBeNull();
  const dialog = screen.getByRole("dialog", { name: "Make bob an admin?" });
  await userEvent.type(within(dialog).getByLabelText("Your own password"), "open sesame");
  await userEvent.type(within(dialog).getByLabelText("Reason"), "helps");
  await userEvent.click(within(dialog).getByRole("button", { name: "Make bob an admin" }));
  await waitFor(() => { expect(screen.queryByRole("dialog")).toBeNull(); });
  expect(posted.at(-1)?.body).toEqual({ role: "admin", reason: "helps", password: "open sesame" });
});

test("entries are chosen from a list that is searched, and left out again", async () => {
  const entry = (id: string, name: string) => ({
    ...{ id, name, board: job.board, side: "attack", family: "PGD", state: "ranked" },
  });
  const listed = [entry("E1", "PGD on GCN"), entry("E2", "PGD on GIN")];
  const plan = { board: job.board, protocol: "p", cells: 3, attacks: 2, defenses: 1 };
  open(`/admin/reevaluations/new?board=${job.board}&submissions=E9`, {
    ...known,
    [`${ADMIN}/entries`]: (search: URLSearchParams) => ({
      entries: listed.filter(({ name }) => name.includes(search.get("name") ?? "")),
      next: null,
    }),
    "/api/v1/submissions/E9": { ...entry("E9", "From the address") },
    [`POST ${ADMIN}/reevaluations`]: { ...plan, seconds: 90, expected: 45 },
  });
  const finder = await screen.findByLabelText("Find entries by a part of their name");
  await userEvent.type(finder, "GIN");
  await waitFor(() => { expect(screen.queryByLabelText(/PGD on GCN/)).toBeNull(); });
  await userEvent.click(await screen.findByLabelText(/PGD on GIN/));
  await userEvent.click(screen.getByRole("button", { name: "How much is it?" }));
  await screen.findByRole("button", { name: "Compute these 3 cells" });
  expect(posted[0]?.body).toMatchObject({ selection: { submissions: ["E9", "E2"] } });
  await userEvent.click(await screen.findByRole("button", { name: "Leave out From the address" }));
  expect(screen.queryByRole("button", { name: "Compute these 3 cells" })).toBeNull();
  expect(finder).toHaveFocus();
});
