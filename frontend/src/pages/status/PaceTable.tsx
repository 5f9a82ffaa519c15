import { Link } from "react-router";

import { boardAddress } from "../../address";
import type { BoardPace } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { StateTag } from "../../components/StateTag";
import { DASH, count, duration } from "../../format";

/** How long a new entry would take on each board. */
export function PaceTable({ boards }: { boards: BoardPace[] }) {
  return (
    <DataTable
      name="expected"
      caption="From an upload now until its rank is known: the queue in front, shared by the workers, and one cell per counterpart, by the median of the latest cells. A dash where nothing was measured, or no worker that takes the board is alive."
    >
      <thead>
        <tr>
          <th scope="col">Board</th>
          <th scope="col">State</th>
          <th scope="col">Needs</th>
          <th scope="col" className="number">
            Attacks
          </th>
          <th scope="col" className="number">
            Defenses
          </th>
          <th scope="col" className="number">
            Median cell (s)
          </th>
          <th scope="col" className="number">
            New attack
          </th>
          <th scope="col" className="number">
            New defense
          </th>
        </tr>
      </thead>
      <tbody>
        {boards.map((board) => (
          <tr key={board.id} className={board.state === "no-data" ? "quiet" : ""}>
            <th scope="row">
              <Link className="board-name" to={boardAddress(board.id)}>
                {board.title}
              </Link>{" "}
              <span className="id board-name">{board.id}</span>
            </th>
            <td>
              <StateTag state={board.state} />
            </td>
            <td>{board.need}</td>
            <td className="number">{count(board.attacks)}</td>
            <td className="number">{count(board.defenses)}</td>
            <td className="number">{board.cell_seconds?.toFixed(2) ?? DASH}</td>
            <td className="number">{duration(board.attack_wait)}</td>
            <td className="number">{duration(board.defense_wait)}</td>
          </tr>
        ))}
      </tbody>
    </DataTable>
  );
}
