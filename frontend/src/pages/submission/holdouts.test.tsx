import { screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";

import type { Holdouts } from "../../api/types";
import { submission } from "../../testing/fixtures";
import { open, posted } from "../../testing/site";

const ADDRESS = "/api/v1/submissions/D3/holdouts";
const ranked = { ...submission, state: "ranked" } as const;
const none: Holdouts = {
  submission: "D3",
  difficulty: "full",
  due: false,
  attacks: 3,
  done: 0,
  failed: 0,
  rows: [],
  measured: [],
};

it("tells what a defense reaches at other budgets", async () => {
  const row = { kind: "budget", attacks: 1, worst_attack: "FGSM" } as const;
  const found: Holdouts = {
    ...none,
    due: true,
    done: 3,
    rows: [
      { ...row, factor: 1, mean: 0.75, worst: 0.7 },
      { ...row, factor: 2, mean: 0.4, worst: 0.35 },
      { ...row, kind: "unseen", factor: 1, mean: 0.5, worst: 0.5, worst_attack: "AGIA" },
    ],
  };
  open("/submissions/D3", { "/api/v1/submissions/D3": ranked, [ADDRESS]: found });
  const table = await screen.findByRole("table", { name: /once more at half/ });
  expect(within(table).getByRole("row", { name: /Double the budget/ })).toHaveTextContent("140.0035.00FGSM");
  expect(within(table).getByRole("row", { name: /Unseen families/ })).toHaveTextContent("150.0050.00AGIA");
  expect(screen.queryByRole("button", { name: "Measure it" })).toBeNull();
  const file = screen.getByRole("link", { name: "These hold-outs as CSV" });
  expect(file).toHaveAttribute("href", `${ADDRESS}.csv?difficulty=full`);
});

it("lets an admin have a defense measured", async () => {
  const session = { name: "ada", role: "admin", csrf_token: "secret" };
  open("/submissions/D3", {
    "/api/v1/auth": { session, sign_up: "closed", mail: false, providers: [] },
    "/api/v1/submissions/D3": ranked,
    [ADDRESS]: none,
    [`POST ${ADDRESS}`]: { ...none, due: true },
  });
  await userEvent.click(await screen.findByRole("button", { name: "Measure it" }));
  expect(posted.map(({ call }) => call)).toEqual([`POST ${ADDRESS}`]);
});
