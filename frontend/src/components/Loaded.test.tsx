import { QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, test, vi } from "vitest";

import { Refusal, Unreachable } from "../api/client";
import { Loaded } from "./Loaded";

/** A page that reads one word; `answer` gives it, or fails. */
function Word({ answer, every }: { answer: () => Promise<string>; every: number | false }) {
  const query = useQuery({
    queryKey: ["word"],
    queryFn: answer,
    networkMode: "always",
    refetchInterval: every,
    retry: 3,
    retryDelay: 40,
  });
  return (
    <Loaded query={query} what="the word" missing={<p>No such word.</p>}>
      {(word) => <p>The word is {word}.</p>}
    </Loaded>
  );
}

function show(answer: () => Promise<string>, every: number | false = false) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <Word answer={answer} every={every} />
    </QueryClientProvider>,
  );
}

test("a service that does not answer is told of before the last retry, and stays told of", async () => {
  const answer = vi.fn(() => Promise.reject<string>(new Unreachable()));
  show(answer, 30);
  expect(screen.getByText("Reading the word …")).toBeInTheDocument();
  await screen.findByText("The service can't be reached at the moment.");
  const asked = answer.mock.calls.length;
  expect(asked).toBeLessThan(4);
  for (let moment = 0; moment < 40; moment += 1) {
    expect(screen.getByRole("alert")).toHaveTextContent("can't be reached");
    await new Promise((done) => setTimeout(done, 10));
  }
  expect(answer.mock.calls.length).toBeGreaterThan(asked);
});

test("once the service answers, the word is there", async () => {
  let down = true;
  show(() => (down ? Promise.reject(new Unreachable()) : Promise.resolve("robust")));
  const button = await screen.findByRole("button", { name: /^Try/ });
  down = false;
  await userEvent.click(button);
  await screen.findByText("The word is robust.");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("a device that is offline is named", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  show(() => Promise.reject(new Unreachable()));
  await screen.findByText("This device is offline, so the service can't be reached.");
  vi.restoreAllMocks();
});

test("what is not there is said in the page's own words", async () => {
  show(() => Promise.reject(new Refusal(404, "not-found", "no such word")));
  await screen.findByText("No such word.");
});
