import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";

import { boardAddress, submissionAddress, submissionsAddress } from "../address";
import { boardsQuery } from "../api/queries";
import type { BoardSummary } from "../api/types";
import { Command } from "../components/Command";
import { DataTable } from "../components/DataTable";
import { Loaded } from "../components/Loaded";
import { Notice } from "../components/Notice";
import { Page } from "../components/Page";
import { PreparationProgress } from "../components/PreparationProgress";
import { StateTag } from "../components/StateTag";
import { Time } from "../components/Time";
import { DASH, count, percent } from "../format";

const TAKE_PART = `. .venv/bin/activate
export GRB_SERVER=${window.location.origin} GRB_TOKEN=…
grb train digits/injection@1 --architecture GCN --out gcn.safetensors
grb attack digits/injection@1 --method FGSM --surrogate gcn.safetensors --out fgsm.npz
grb check fgsm.npz --board digits/injection@1
grb submit fgsm.npz --board digits/injection@1 --name "My FGSM" --authors "A. Author"
grb status`;

/** The list of boards, and how to take part. */
export function HomePage() {
  const boards = useQuery(boardsQuery);
  return (
    <Page title="Graph Robustness Leaderboard" heading="Graph Robustness Leaderboard">
      <p className="lead">
        How well do graph neural networks hold up when somebody tampers with the graph? After the
        Graph Robustness Benchmark (GRB), every defense is measured against every attack of its
        board, under the same budgets, and both sides are ranked.
      </p>
      <section aria-labelledby="boards">
        <h2 id="boards">Boards</h2>
        <Loaded query={boards} what="the list of boards">
          {(list) => <BoardTable boards={list} />}
        </Loaded>
      </section>
      <section aria-labelledby="take-part">
        <h2 id="take-part">Take part</h2>
        <p>
          Train a defense, attack it, check the file offline, submit it with a token, and watch. A
          defense is one <code>.safetensors</code> file, an attack one <code>.npz</code>. The same by
          REST: see the <a href="/docs">API</a>. Who runs this service makes tokens with{" "}
          <code>grb admin token --user NAME</code>.
        </p>
        <Command label="The commands to take part">{TAKE_PART}</Command>
      </section>
    </Page>
  );
}

function BoardTable({ boards }: { boards: BoardSummary[] }) {
  if (boards.length === 0) {
    return <Notice kind="note">This service has no boards yet.</Notice>;
  }
  return (
    <DataTable
      name="boards"
      caption="A board is a dataset under a scenario. Best: first place by Weighted accuracy (%) at full, over the references. A high score is a strong defense, a low one a strong attack."
    >
      <thead>
        <tr>
          <th scope="col">Board</th>
          <th scope="col">State</th>
          <th scope="col" className="number">
            Defenses
          </th>
          <th scope="col" className="number">
            Attacks
          </th>
          <th scope="col" className="number">
            Pending
          </th>
          <th scope="col">Best defense (%)</th>
          <th scope="col">Best attack (%)</th>
          <th scope="col">Last change</th>
        </tr>
      </thead>
      <tbody>
        {boards.map((board) => (
          <tr key={board.id} className={board.state === "no-data" ? "quiet" : ""}>
            <th scope="row">
              <Link className="board-name" to={boardAddress(board.id)}>
                {board.title}
              </Link>
              <span className="id board-name">{board.id}</span>
            </th>
            <td>
              <BoardStateCell board={board} />
            </td>
            <td className="number">{count(board.defenses)}</td>
            <td className="number">{count(board.attacks)}</td>
            <td className="number">
              {board.pending > 0 ? (
                <Link to={submissionsAddress(board.id)}>{count(board.pending)}</Link>
              ) : (
                count(board.pending)
              )}
            </td>
            <td>
              <Best entry={board.best_defense} />
            </td>
            <td>
              <Best entry={board.best_attack} />
            </td>
            <td>
              <Time at={board.changed_at} />
            </td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function BoardStateCell({ board }: { board: BoardSummary }) {
  return (
    <>
      <StateTag state={board.state} />
      {board.hint !== null && <code className="hint">{fetchCommand(board.hint)}</code>}
      {board.preparation !== null && <PreparationProgress preparation={board.preparation} />}
    </>
  );
}

/** The hint without the words that the state beside it says already. */
function fetchCommand(hint: string): string {
  return hint.replace(/^data not present: /, "");
}

function Best({ entry }: { entry: BoardSummary["best_attack"] }) {
  if (entry === null) return <span className="none">{DASH}</span>;
  return (
    <span className="best">
      <span className="score">{percent(entry.score)}</span>
      <Link to={submissionAddress(entry.id)} title={entry.name}>
        {entry.name}
      </Link>
    </span>
  );
}
