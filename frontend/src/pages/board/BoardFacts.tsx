import { Link } from "react-router";

import { boardAddress } from "../../address";
import type { Board, Difficulty } from "../../api/types";
import { DataTable } from "../../components/DataTable";
import { Facts } from "../../components/Facts";
import { OutsideLink } from "../../components/OutsideLink";
import { bytes, count, exact } from "../../format";
import { DIFFICULTIES, DIFFICULTY_NAMES } from "../../words";

const RULES: Record<Board["scenario"], string> = {
  injection:
    "The attacker adds nodes with edges and features of its own; the original graph stays as it is. Accuracy is measured on the targets.",
  modification:
    "The attacker adds and removes edges, each with an end among the targets; nodes and features stay as they are. Accuracy is measured on the targets.",
};

/** What is attacked, and what an attacker may do. */
export function BoardFacts({ board, difficulty }: { board: Board; difficulty: Difficulty }) {
  const { dataset_details: dataset, feature_range: range } = board;
  return (
    <div className="board-facts">
      <div>
        <p className="lead">{dataset.description}</p>
        <p>
          {RULES[board.scenario]} <Link to={`${boardAddress(board.id)}/rules`}>All rules of this board</Link>
        </p>
        <Facts
          className="strip"
          facts={[
            ["Nodes", count(dataset.nodes)],
            ["Edges", count(dataset.edges)],
            ["Features", count(dataset.features)],
            ["Classes", count(dataset.classes)],
            ["Repeats", count(board.repeats)],
            ["Feature range", range === null ? "unchanged" : `${exact(range[0])} to ${exact(range[1])}`],
          ]}
        />
        <p className="small">
          Licence {dataset.licence} · source <OutsideLink href={dataset.source} /> · files up to{" "}
          {bytes(board.attack_bytes)} (attack) and {bytes(board.defense_bytes)} (defense)
          {board.protocol !== null && (
            <>
              {" "}
              · protocol <code>{board.protocol}</code>
            </>
          )}
        </p>
      </div>
      <BudgetTable board={board} difficulty={difficulty} />
    </div>
  );
}

function BudgetTable({ board, difficulty }: { board: Board; difficulty: Difficulty }) {
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
            <tr key={name} className={name === difficulty ? "chosen" : ""}>
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
