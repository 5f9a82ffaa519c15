import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import type { Submission } from "../../api/types";
import { matrix, submission } from "../../testing/fixtures";
import { open, paths, posted } from "../../testing/site";

const auth = {
  session: { name: "ann", role: "user", csrf_token: "proof" },
  sign_up: "closed",
  confirm_email: false,
  mail: false,
  providers: [],
};
const used = { used: 3, limit: 20, left: 17 };
const none = { used: 0, limit: null, left: null };
const own = {
  "/api/v1/auth": auth,
  [paths.submissions]: { submissions: [submission], next: null },
  "/api/v1/uploads": { uploads: [] },
  "/api/v1/me/quota": {
    exempt: false,
    day: "2026-01-01T00:00:00Z",
    frees_at: "2026-01-02T00:00:00Z",
    boards: [
      { board: "digits/injection@1", ...used },
      { board: "grb-cora/injection@1", used: 0, limit: 20, left: 20 },
    ],
    invalid: none,
    stored_bytes: none,
  },
  "/api/v1/me": {
    name: "ann",
    role: "user",
    notifications: {
      webhook_url: "https://lab.org/old",
      email: null,
      email_confirmed: false,
      mail_available: false,
    },
  },
  "/api/v1/me/notices": { notices: [] },
};

describe("the page of what is mine", () => {
  it("leads who is not signed in to do so, and back", async () => {
    open("/mine", { ...own, "/api/v1/auth": { ...auth, session: null } });
    const main = await screen.findByText(/This page is about what is yours/);
    expect(within(main).getByRole("link")).toHaveAttribute("href", "/account/sign-in?next=%2Fmine");
  });

  it("lists what one has submitted, with its state", async () => {
    const asked = open("/mine", own);
    expect(await screen.findByRole("link", { name: "Newcomer" })).toBeVisible();
    expect(asked).toContain("/api/v1/submissions?mine=true");
  });

  it("shows what is used and left", async () => {
    open("/mine", own);
    const row = (await screen.findByRole("rowheader", { name: "digits/injection@1" })).closest("tr");
    expect(row).toHaveTextContent("digits/injection@132017");
    expect(screen.getByRole("rowheader", { name: "Each other board" })).toBeVisible();
  });

  it("changes only what was changed of where one is told", async () => {
    open("/mine", {
      ...own,
      "PUT /api/v1/me/notifications": {
        ...own["/api/v1/me"].notifications,
        webhook_url: "https://lab.org/new",
        webhook_secret: "whsec_1",
        mail_sent: false,
        mail_problem: null,
      },
    });
    const field = await screen.findByLabelText("Webhook");
    await userEvent.clear(field);
    await userEvent.type(field, "https://lab.org/new");
    await userEvent.click(screen.getByRole("button", { name: "Save" }));
    expect(await screen.findByText("whsec_1")).toBeVisible();
    expect(posted[0]?.body).toEqual({ webhook_url: "https://lab.org/new" });
  });
});

describe("an entry of one's own", () => {
  function show(change: Partial<Submission>, more: Record<string, unknown> = {}, role = "user") {
    const session = { ...auth.session, role };
    open("/submissions/D3", {
      "/api/v1/auth": { ...auth, session },
      "/api/v1/submissions/D3": { ...submission, ...change },
      [paths.matrix]: matrix,
      ...more,
    });
  }

  it("is changed by its owner", async () => {
    show({ yours: true }, { "PATCH /api/v1/submissions/D3": { ...submission, name: "Better" } });
    await userEvent.click(await screen.findByText(/Change what is said of it/));
    const name = screen.getByLabelText("Name");
    await userEvent.clear(name);
    await userEvent.type(name, "Better");
    await userEvent.click(screen.getByRole("button", { name: "Save the changes" }));
    expect(await screen.findByRole("heading", { name: "Better", level: 1 })).toBeVisible();
    expect(posted[0]?.body).toMatchObject({ name: "Better", visibility: "public", public_at: "" });
  });

  it("is withdrawn only after a second step", async () => {
    show(
      { yours: true },
      { "POST /api/v1/submissions/D3/withdraw": { ...submission, withdrawn: true } },
    );
    expect(await screen.findByText("Withdraw it")).toBeVisible();
    expect(screen.queryByRole("button", { name: "Withdraw it for good" })).toBeNull();
    await userEvent.click(screen.getByText("Withdraw it"));
    expect(screen.getByRole("dialog", { name: "Withdraw Newcomer?" })).toBeVisible();
    expect(posted).toEqual([]);
    await userEvent.click(screen.getByRole("button", { name: "Withdraw it for good" }));
    await waitFor(() => { expect(posted[0]?.call).toBe("POST /api/v1/submissions/D3/withdraw"); });
    expect(await screen.findByText(/It was withdrawn before its evaluation ended/)).toBeVisible();
  });

  it("is deleted by its owner after a second step, without a reason", async () => {
    show(
      { yours: true, attempt: 2, attempts: 3 },
      { "DELETE /api/v1/submissions/D3": { ...submission, name: "(deleted)", deleted: true } },
    );
    await userEvent.click(await screen.findByText("Delete it"));
    const dialog = screen.getByRole("dialog", { name: "Delete Newcomer?" });
    expect(dialog).toHaveTextContent("counted as before (2 of 3)");
    expect(screen.queryByLabelText("Reason")).toBeNull();
    await userEvent.click(screen.getByRole("button", { name: "Delete it for good" }));
    expect(await screen.findByRole("heading", { name: "(deleted)", level: 1 })).toBeVisible();
  });

  it("can’t be taken back where it is a reference, and says why", async () => {
    show({ yours: true, is_reference: true });
    expect(await screen.findByText(/neither withdrawn nor deleted/)).toBeVisible();
    expect(screen.queryByText("Delete it")).toBeNull();
  });

  it("is not changed by what was typed for another", async () => {
    const other = { ...submission, id: "A1", side: "attack", name: "Other", yours: true };
    show({ yours: true }, { "/api/v1/submissions/A1": other });
    const counterpart = async () => {
      const table = await screen.findByRole("table", { name: /leads to its cell/ });
      await userEvent.click(within(table).getAllByRole("link")[0] ?? table);
    };
    await screen.findByRole("heading", { name: "Newcomer", level: 1 });
    await counterpart();
    await screen.findByRole("heading", { name: "Other", level: 1 });
    await userEvent.click(screen.getByText(/Change what is said of it/));
    await userEvent.type(screen.getByLabelText("Name"), " typed");
    await counterpart(); // the first one, which is known already
    expect(await screen.findByRole("heading", { name: "Newcomer", level: 1 })).toBeVisible();
    expect(screen.queryByLabelText("Name")).toBeNull();
  });

  it("offers nothing to anybody else, and deletion to admins only", async () => {
    show({ yours: false });
    await screen.findByRole("heading", { name: "Newcomer", level: 1 });
    expect(screen.queryByText("Withdraw it")).toBeNull();
  });

  it("is deleted by an admin, with a reason", async () => {
    show({}, { "DELETE /api/v1/submissions/D3": { ...submission, deleted: true } }, "admin");
    await userEvent.click(await screen.findByText("Delete it"));
    await userEvent.type(screen.getByLabelText(/Reason/), "a request");
    await userEvent.click(screen.getByRole("button", { name: "Delete it for good" }));
    await waitFor(() => {
      expect(posted[0]?.call).toBe("DELETE /api/v1/submissions/D3?reason=a+request");
    });
  });
});
