import { Link } from "react-router";

import { boardAddress, submissionAddress, submissionsAddress } from "../address";
import type { BoardSummary } from "../api/types";
import { DataTable } from "../components/DataTable";
import { Notice } from "../components/Notice";
import { PreparationProgress } from "../components/PreparationProgress";
import { StateTag } from "../components/StateTag";
import { Time } from "../components/Time";
import { DASH, count, number, percent } from "../format";
import { isAbsent } from "../words";

/** The boards that something can be read on; folded below them, those that wait for their data. */
export function BoardList({ boards }: { boards: BoardSummary[] }) {
  if (boards.length === 0) {
    return <Notice kind="note">This service has no boards yet.</Notice>;
  }
  const absent = boards.filter(isAbsent);
  const present = boards.filter((board) => !isAbsent(board));
  return (
    <>
      {present.length > 0 && <BoardTable boards={present} />}
      {absent.length > 0 && (
        <details open={present.length === 0}>
          <summary>
            {absent.length === 1 ? "1 board" : `${count(absent.length)} boards`} whose data is not on this host
          </summary>
          <AbsentTable boards={absent} />
        </details>
      )}
    </>
  );
}

function AbsentTable({ boards }: { boards: BoardSummary[] }) {
  return (
    <DataTable
      name="absent"
      caption="They can be read about, and take submissions once who runs this service has fetched their data."
    >
      <thead>
        <tr>
          <th scope="col">Board</th>
          <th scope="col">What it waits for</th>
        </tr>
      </thead>
      <tbody>
        {boards.map((board) => (
          <tr key={board.id}>
            <BoardName board={board} />
            <td>{board.hint !== null && <Hint hint={board.hint} />}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}

function BoardName({ board }: { board: BoardSummary }) {
  return (
    <th scope="row">
      <Link className="board-name" to={boardAddress(board.id)}>
        {board.title}
      </Link>
      <span className="id board-name">{board.id}</span>
      {board.graphs > 0 && <span className="id board-name">{count(board.graphs)} test graphs</span>}
    </th>
  );
}

function BoardTable({ boards }: { boards: BoardSummary[] }) {
  return (
    <DataTable
      name="boards"
      caption={
        "A board is a dataset under a scenario. Best: first place by Weighted accuracy (%) over the references, at full or in the mean over budgets. " +
        "A high score is a strong defense, a low one a strong attack" +
        (boards.some(({ metric }) => metric === "error") ? "; an error the other way round." : ".")
      }
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
          <tr key={board.id}>
            <BoardName board={board} />
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
              <Best entry={board.best_defense} of={board} />
            </td>
            <td>
              <Best entry={board.best_attack} of={board} />
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
      {board.hint !== null && <Hint hint={board.hint} />}
      {board.preparation !== null && <PreparationProgress preparation={board.preparation} />}
    </>
  );
}

/** The hint without the words that the state beside it says already. */
function Hint({ hint }: { hint: string }) {
  return <code className="hint">{hint.replace(/^data not present: /, "")}</code>;
}

function Best({ entry, of }: { entry: BoardSummary["best_attack"]; of: BoardSummary }) {
  if (entry === null) return <span className="none">{DASH}</span>;
  return (
    <span className="best">
      <span className="score">
        {of.metric === "error" ? `error ${number(entry.score)}` : percent(entry.score)}
      </span>
      <Link to={submissionAddress(entry.id)} title={entry.name}>
        {entry.name}
      </Link>
    </span>
  );
}
