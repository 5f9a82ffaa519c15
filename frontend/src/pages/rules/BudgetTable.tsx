import type { Board } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { count } from "../../format";
import { DIFFICULTIES, DIFFICULTY_NAMES } from "../../words";

/** What an attacker may do at each difficulty. */
export function BudgetTable({ board }: { board: Board }) {
  const injection = board.scenario === "injection";
  return (
    <DataTable
      name="budgets"
      className="compact"
      caption="What an attacker may do at each difficulty, and how many nodes are its targets."
    >
      <thead>
        <tr>
          <th scope="col">Difficulty</th>
          {injection ? (
            <>
              <th scope="col" className="number">
                Injected nodes
              </th>
              <th scope="col" className="number">
                Edges of each
              </th>
            </>
          ) : (
            <th scope="col" className="number">
              Flipped edges
            </th>
          )}
          <th scope="col" className="number">
            Targets
          </th>
        </tr>
      </thead>
      <tbody>
        {DIFFICULTIES.map((difficulty) => {
          const budget = board.budgets[difficulty];
          return (
            <tr key={difficulty}>
              <th scope="row">{DIFFICULTY_NAMES[difficulty]}</th>
              {injection ? (
                <>
                  <td className="number">{count(budget?.nodes)}</td>
                  <td className="number">{count(budget?.edges_per_node)}</td>
                </>
              ) : (
                <td className="number">{count(budget?.flips)}</td>
              )}
              <td className="number">{count(budget?.targets)}</td>
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}
