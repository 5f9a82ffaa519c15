import type { Board, Difficulty } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { count } from "../../format";
import { DIFFICULTIES, DIFFICULTY_NAMES } from "../../words";

/** What an attacker may do at each difficulty; the one that is looked at is marked. */
export function BudgetTable({ board, chosen }: { board: Board; chosen?: Difficulty }) {
  const injection = board.scenario === "injection";
  return (
    <DataTable name="budgets" className="compact" caption="What an attacker may do at each difficulty.">
      <thead>
        <tr>
          <th scope="col">Difficulty</th>
          <th scope="col" className="number">
            Targets
          </th>
          {injection ? (
            <>
              <th scope="col" className="number">
                New nodes
              </th>
              <th scope="col" className="number">
                Edges each
              </th>
            </>
          ) : (
            <th scope="col" className="number">
              Edges changed
            </th>
          )}
        </tr>
      </thead>
      <tbody>
        {DIFFICULTIES.map((name) => {
          const allowance = board.budgets[name];
          return (
            <tr key={name} className={name === chosen ? "chosen" : ""}>
              <th scope="row">{DIFFICULTY_NAMES[name]}</th>
              <td className="number">{count(allowance?.targets)}</td>
              {injection ? (
                <>
                  <td className="number">{count(allowance?.nodes)}</td>
                  <td className="number">{count(allowance?.edges_per_node)}</td>
                </>
              ) : (
                <td className="number">{count(allowance?.flips)}</td>
              )}
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}
