import { Link } from "react-router";

import { chartsAddress } from "../charts/addresses";
import { compareAddress } from "../compare/addresses";
import { tableAddress } from "../paper/selection";

/** Other ways to look at the board. */
export function BoardLinks({ board }: { board: string }) {
  return (
    <nav className="board-links" aria-label="This board in other forms">
      <Link to={tableAddress(board)}>The paper's table</Link>
      <Link to={chartsAddress(board)}>Charts</Link>
      <Link to={compareAddress(board)}>Compare entries</Link>
    </nav>
  );
}
