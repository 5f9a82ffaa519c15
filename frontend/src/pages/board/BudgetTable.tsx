import type { Board, Difficulty } from "../../api/types";
import { scaleName } from "../../board";
import { DataTable } from "../../components/DataTable";
import { count } from "../../format";
import { DIFFICULTY_NAMES } from "../../words";

type Allowance = NonNullable<Board["budgets"][string]>;

/** What is limited on the boards of a scenario. */
const LIMITS: Record<Board["scenario"], [keyof Allowance, string][]> = {
  injection: [
    ["nodes", "New nodes"],
    ["edges_per_node", "Edges each"],
  ],
  modification: [["flips", "Edges changed"]],
  adjacency: [["changes", "Edges changed in each graph"]],
  attributes: [["changes", "Edges or features changed in each graph"]],
};

/** What an attacker may do at each difficulty; the one that is looked at is marked. */
export function BudgetTable({ board, chosen }: { board: Board; chosen?: Difficulty }) {
  const { graphs } = board.dataset_details;
  const limits = LIMITS[board.scenario];
  return (
    <DataTable name="budgets" className="compact" caption={captionOf(board)}>
      <thead>
        <tr>
          <th scope="col">{scaleName(board)}</th>
          <th scope="col" className="number">
            {graphs > 0 ? "Test graphs" : "Targets"}
          </th>
          {limits.map(([name, words]) => (
            <th scope="col" className="number" key={name}>
              {words}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {board.difficulties.map((difficulty) => {
          const allowance = board.budgets[difficulty];
          return (
            <tr key={difficulty} className={difficulty === chosen ? "chosen" : ""}>
              <th scope="row">{DIFFICULTY_NAMES[difficulty]}</th>
              <td className="number">{count(allowance?.targets ?? (graphs || null))}</td>
              {limits.map(([name]) => (
                <td className="number" key={name}>
                  {count(allowance?.[name])}
                </td>
              ))}
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}

function captionOf(board: Board): string {
  return scaleName(board) === "Difficulty"
    ? "What an attacker may do at each difficulty."
    : "What an attacker may do to each test graph, at each budget. The mean over the budgets ranks.";
}
