import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { submitAddress } from "../address";
import { boardsQuery } from "../api/queries";
import { Command } from "../components/Command";
import { Facts } from "../components/Facts";
import { Loaded } from "../components/Loaded";
import { Page } from "../components/Page";
import { BoardList } from "./BoardList";

const BOARD = "digits/injection@1";

const MAKE = `. .venv/bin/activate
grb train ${BOARD} --architecture GCN --out gcn.safetensors
grb attack ${BOARD} --method FGSM --surrogate gcn.safetensors --out fgsm.npz`;

const CHECK = `grb check gcn.safetensors fgsm.npz --board ${BOARD}`;

const SUBMIT = `export GRB_SERVER=${window.location.origin} GRB_TOKEN=…
grb submit fgsm.npz --board ${BOARD} --name "My FGSM" --authors "A. Author" --family FGSM
grb status`;

/** What is compared and why, the list of boards, and how to take part. */
export function HomePage() {
  const boards = useQuery(boardsQuery);
  const settled = boards.data !== undefined || boards.error !== null;
  return (
    <Page title="Graph Robustness Leaderboard" heading="Graph Robustness Leaderboard">
      <p className="lead">
        How well do graph neural networks hold up when somebody tampers with the graph? After the
        Graph Robustness Benchmark (GRB), every defense is measured against every attack of its
        board, under the same budgets, and both sides are ranked.
      </p>
      <Facts
        className="reasons"
        facts={[
          [
            "An attack",
            "adds nodes, adds and removes edges, or changes features, within a budget, so that a model misjudges the targets. The less accuracy it leaves to the defenses, the higher it stands.",
          ],
          [
            "A defense",
            "is a trained model. The more accuracy it keeps under all attacks, the worst weighing most, the higher it stands.",
          ],
          [
            "Why both",
            "A defense looks strong until the right attack comes, and an attack until it meets an unlike model. Only a full table of each against every other shows what holds.",
          ],
        ]}
      />
      <section aria-labelledby="boards">
        <h2 id="boards">Boards</h2>
        <Loaded query={boards} what="the list of boards">
          {(list) => <BoardList boards={list} />}
        </Loaded>
      </section>
      {settled && <TakePart />}
    </Page>
  );
}

function TakePart() {
  return (
    <section aria-labelledby="take-part">
      <h2 id="take-part">Take part in three steps</h2>
      <ol className="steps">
        <li>
          <h3>Make</h3>
          <p>
            Train a defense, one <code>.safetensors</code> file of a registered architecture, or
            make an attack, one <code>.npz</code> with what it adds or changes.
          </p>
          <Command label="The commands that make files">{MAKE}</Command>
        </li>
        <li>
          <h3>Check</h3>
          <p>The same check as here, without a network: every fault at once, with its place.</p>
          <Command label="The command that checks files">{CHECK}</Command>
        </li>
        <li>
          <h3>Submit and watch</h3>
          <p>
            <Link to={submitAddress()}>Submit the file here</Link>, or with a token, from{" "}
            <Link to="/account">your account</Link> or from who runs this service (
            <code>grb admin token --user NAME</code>). It is measured against every counterpart, and
            then ranked. The same by REST: see the <Link to="/docs">API</Link>.
          </p>
          <Command label="The commands that submit">{SUBMIT}</Command>
        </li>
      </ol>
    </section>
  );
}
