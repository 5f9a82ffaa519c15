import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import type { Flag } from "../../api/types";
import { submission } from "../../testing/fixtures";
import { open, posted } from "../../testing/site";

const session = { name: "ada", role: "admin", csrf_token: "secret" };
const flag: Flag = {
  code: "graph-agnostic",
  title: "ignores the graph",
  severity: "warning",
  meaning: "Its predictions stay without edges.",
  reason: "100.00 % of its predictions stay.",
  figures: [],
  dismissed: null,
};
const declared: Flag = { ...flag, code: "reference", title: "reference", reason: flag.meaning };

it("lets an admin dismiss a measured flag with a reason", async () => {
  const dismissed = { reason: "an MLP on purpose", at: "2026-01-01T12:00:00Z" };
  open("/submissions/D3", {
    "/api/v1/auth": { session, sign_up: "closed", mail: false, providers: [] },
    "/api/v1/submissions/D3": { ...submission, flags: [flag, declared] },
    "POST /api/v1/submissions/D3/flags/graph-agnostic/dismiss": {
      ...submission,
      flags: [{ ...flag, dismissed }],
    },
  });
  const section = await screen.findByRole("region", { name: "Flags" });
  await userEvent.click(await within(section).findByRole("button", { name: "Dismiss it" })); // of one
  const dialog = screen.getByRole("dialog", { name: "Dismiss: ignores the graph" });
  await userEvent.type(within(dialog).getByLabelText(/Reason/), dismissed.reason);
  await userEvent.click(within(dialog).getByRole("button", { name: "Dismiss it" }));
  expect(posted.map(({ call, body }) => [call, body])).toEqual([
    [
      "POST /api/v1/submissions/D3/flags/graph-agnostic/dismiss",
      { reason: "an MLP on purpose" },
    ],
  ]);
});
