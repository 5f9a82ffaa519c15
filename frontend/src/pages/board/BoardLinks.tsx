import { Link } from "react-router";

import { arenaAddress, feedAddress, rulesAddress, submissionsAddress, submitAddress } from "../../address";
import { tableName } from "../../board";
import { chartsAddress } from "../charts/addresses";
import { compareAddress } from "../compare/addresses";
import { tableAddress } from "../paper/selection";
import { snapshotsAddress } from "../snapshots/addresses";

/** Other ways to look at the board, and to take part. */
export function BoardLinks({ board }: { board: string }) {
  return (
    <nav className="board-links" aria-label="More of this board">
      <Link to={rulesAddress(board)}>Rules</Link>
      <Link to={tableAddress(board)}>{tableName(board)}</Link>
      <Link to={chartsAddress(board)}>Charts</Link>
      <Link to={arenaAddress(board)}>Open arena</Link>
      <Link to={snapshotsAddress(board)}>Snapshots</Link>
      <Link to={compareAddress(board)}>Compare entries</Link>
      <Link to={submissionsAddress(board)}>Submissions</Link>
      <a href={feedAddress(board)}>Atom feed</a>
      <Link to={submitAddress(board)}>Submit</Link>
    </nav>
  );
}
