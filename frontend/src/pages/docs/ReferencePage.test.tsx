import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test } from "vitest";

import { open } from "../../testing/site";

const html = '<p>How</p><pre><code>curl a\ncurl b\n</code></pre><ul><li><pre>grb up</pre></li></ul><a href="#Type">Type</a><details><summary>Types</summary><div id="Type">fields</div></details><a href="/guide">On</a>';

test("the reference stands in the frame, and each block of code can be copied", async () => {
  const user = userEvent.setup(); // with a clipboard
  open("/docs", { "/api/v1/reference": { title: "API 1.2", html }, "/api/v1/docs": [] });
  expect(await screen.findByRole("heading", { name: "API 1.2", level: 1 })).toBeVisible();
  expect(screen.getByRole("navigation", { name: "Site" })).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Copy block 1" }));
  expect(await screen.findByRole("button", { name: "Copied block 1" })).toBeVisible();
  expect(await navigator.clipboard.readText()).toBe("curl a\ncurl b");
  await user.click(screen.getByRole("button", { name: "Copy block 2" }));
  expect(await navigator.clipboard.readText()).toBe("grb up");
  expect(screen.getByText("fields")).not.toBeVisible();
  await user.click(screen.getByRole("link", { name: "Type" })); // what is led to is opened
  expect(screen.getByText("fields")).toBeVisible();
  await user.click(screen.getByRole("link", { name: "On" })); // within the page
  expect(await screen.findByRole("heading", { name: "Guide", level: 1 })).toBeVisible();
  expect(screen.queryByText("curl a")).toBeNull();
});
