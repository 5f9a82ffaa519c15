import { screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, it } from "vitest";

import { open, posted } from "../../testing/site";

const closed = {
  session: null,
  sign_up: "closed",
  confirm_email: false,
  mail: false,
  providers: [],
};
const ann = { ...closed, session: { name: "ann", role: "user", csrf_token: "proof" } };
const token = {
  id: "T",
  name: "laptop",
  scopes: ["read", "submit"],
  created_at: "2026-01-01T12:00:00Z",
  expires_at: null,
  last_used_at: null,
};
const session = {
  id: "S",
  agent: "Firefox",
  current: true,
  created_at: "2026-01-01T12:00:00Z",
  seen_at: "2026-01-01T12:00:00Z",
  expires_at: "2026-02-01T12:00:00Z",
};
const mine = {
  "/api/v1/auth": ann,
  "/api/v1/me/tokens": { tokens: [token] },
  "/api/v1/me/sessions": { sessions: [session, { ...session, id: "P", agent: "Phone", current: false }] },
};

function refused(place: string, code = "invalid-fields") {
  const violations = [{ code: "field", place, found: "5 characters", allowed: "12" }];
  return { status: 422, problem: { code, message: "fields to correct", violations } };
}

describe("the page to sign in", () => {
  it("sends name and password, and shows what is wrong", async () => {
    open("/account/sign-in", {
      "/api/v1/auth": closed,
      "POST /api/v1/auth/sign-in": {
        status: 401,
        problem: { code: "sign-in", message: "sign in: found another name or password" },
      },
    });
    await userEvent.type(await screen.findByLabelText("Name"), "ann");
    await userEvent.type(screen.getByLabelText("Password"), "a secret{Enter}");
    expect(await screen.findByRole("alert")).toHaveTextContent("found another name or password");
    expect(posted.map(({ call }) => call)).toEqual(["POST /api/v1/auth/sign-in"]);
    expect(posted[0]?.body).toEqual({ name: "ann", password: "a secret" });
  });

  it("offers nothing that the service does not", async () => {
    open("/account/sign-in", { "/api/v1/auth": closed });
    await screen.findByLabelText("Name");
    expect(screen.queryByRole("link", { name: "Sign up" })).toBeNull();
    expect(screen.queryByText("Forgot your password?")).toBeNull();
  });

  it("offers to sign up, to reset and other ways in where there are some", async () => {
    const auth = { ...closed, sign_up: "open", mail: true, providers: [{ id: "oidc", name: "Lab" }] };
    open("/account/sign-in", { "/api/v1/auth": auth });
    expect(await screen.findByRole("link", { name: "Sign up" })).toBeVisible();
    expect(screen.getByText("Forgot your password?")).toBeVisible();
    expect(screen.getByRole("button", { name: "Sign in with Lab" })).toBeVisible();
  });

  it("says how a sign-in elsewhere ended", async () => {
    open("/account/sign-in?problem=cancelled", { "/api/v1/auth": closed });
    expect(await screen.findByRole("alert")).toHaveTextContent("not signed in there");
  });
});

describe("the page to sign up", () => {
  it("shows each error beside its field and puts the focus there", async () => {
    open("/account/sign-up", {
      "/api/v1/auth": { ...closed, sign_up: "open" },
      "POST /api/v1/auth/sign-up": refused("body/password"),
    });
    await userEvent.type(await screen.findByLabelText("Name"), "ann");
    await userEvent.type(screen.getByLabelText("Password"), "short");
    await userEvent.click(screen.getByRole("button", { name: "Sign up" }));
    const field = screen.getByLabelText("Password");
    await waitFor(() => {
      expect(field).toBeInvalid();
    });
    expect(field).toHaveFocus();
    expect(field).toHaveAccessibleDescription(/5 characters, allowed: 12/);
  });

  it("says who makes accounts where nobody may sign up", async () => {
    open("/account/sign-up", { "/api/v1/auth": closed });
    expect(await screen.findByText(/makes the accounts here/)).toBeVisible();
  });
});

describe("the account", () => {
  it("is named in the head of every page", async () => {
    open("/nowhere", { "/api/v1/auth": ann });
    const site = screen.getByRole("navigation", { name: "Site" });
    expect(await within(site).findByRole("link", { name: "ann" })).toBeVisible();
  });

  it("leads who is not signed in to where they do that", async () => {
    open("/account", { "/api/v1/auth": closed });
    expect(await screen.findByRole("heading", { name: "Sign in" })).toBeVisible();
  });

  it("revokes a token with the proof that this page asks", async () => {
    open("/account", { ...mine, "DELETE /api/v1/me/tokens/T": null });
    await userEvent.click(await screen.findByRole("button", { name: "Revoke laptop" }));
    await waitFor(() => {
      expect(posted).toEqual([
        { call: "DELETE /api/v1/me/tokens/T", body: undefined, csrf: "proof" },
      ]);
    });
  });

  it("forgets what it was shown once one signs out", async () => {
    let signedIn = true;
    const asked = open("/account", {
      ...mine,
      "/api/v1/auth": () => (signedIn ? ann : closed),
      "POST /api/v1/auth/sign-out": () => {
        signedIn = false;
        return null;
      },
    });
    await screen.findByRole("rowheader", { name: "laptop" });
    await userEvent.click(screen.getByRole("button", { name: "Sign out" }));
    expect(await screen.findByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(asked.filter((url) => url === "/api/v1/auth").length).toBeGreaterThan(1);
    expect(screen.queryByText("laptop")).toBeNull();
  });

  it("says why a token could not be revoked", async () => {
    const problem = { code: "unavailable", message: "the database does not answer" };
    open("/account", { ...mine, "DELETE /api/v1/me/tokens/T": { status: 503, problem } });
    await userEvent.click(await screen.findByRole("button", { name: "Revoke laptop" }));
    expect(await screen.findByRole("alert")).toHaveTextContent("The database does not answer.");
  });

  it("shows a new token once", async () => {
    open("/account", { ...mine, "POST /api/v1/me/tokens": { ...token, token: "grb_new" } });
    await userEvent.type(await screen.findByLabelText("Name of the token"), "laptop");
    await userEvent.click(screen.getByRole("button", { name: "Make a token" }));
    expect(await screen.findByText("grb_new")).toBeVisible();
    expect(posted[0]?.body).toEqual({
      name: "laptop",
      scopes: ["read", "submit"],
      expires_in_days: 90,
    });
  });

  it("ends another session, never this one", async () => {
    open("/account", { ...mine, "DELETE /api/v1/me/sessions/P": null });
    await userEvent.click(await screen.findByRole("button", { name: "End the session in Phone" }));
    expect(screen.queryByRole("button", { name: /session in Firefox/ })).toBeNull();
    await waitFor(() => {
      expect(posted.map(({ call }) => call)).toEqual(["DELETE /api/v1/me/sessions/P"]);
    });
  });

  it("is deleted only with its name and its password", async () => {
    open("/account", { ...mine, "POST /api/v1/me/account/delete": refused("body/name") });
    await userEvent.click(await screen.findByText("Delete the account"));
    await userEvent.click(screen.getByRole("button", { name: "Delete my account for good" }));
    const field = screen.getByLabelText("Type ann to confirm");
    await waitFor(() => {
      expect(field).toBeInvalid();
    });
  });
});
