import { Link } from "react-router";

import { rulesAddress } from "../../address";
import type { Board, Difficulty } from "../../api/types";
import { Facts } from "../../components/Facts";
import { OutsideLink } from "../../components/OutsideLink";
import { bytes, count, exact } from "../../format";
import { BudgetTable } from "./BudgetTable";

const RULES: Record<Board["scenario"], string> = {
  injection:
    "The attacker adds nodes with edges and features of its own; the original graph stays as it is. Accuracy is measured on the targets.",
  modification:
    "The attacker adds and removes edges, each with an end among the targets; nodes and features stay as they are. Accuracy is measured on the targets.",
  adjacency:
    "The attacker adds and removes edges of each graph, as many as the budget says; an added edge has features of its choice.",
  attributes:
    "The attacker adds and removes edges of each graph and changes features of its nodes and edges, as many as the budget says together.",
};

/** What is measured of whole graphs. */
const MEASURED: Record<Board["metric"], string> = {
  accuracy: "Accuracy is measured on the test graphs.",
  error: "The error on the test graphs is measured, in standard deviations of their labels: less is better for a defense.",
};

/** How large what is attacked is; of whole graphs, the test graphs together. */
export function sizesOf(dataset: Board["dataset_details"]): [string, string][] {
  const { graphs, nodes, edges, features, classes } = dataset;
  const whole = graphs > 0;
  return [
    ...(whole ? [["Test graphs", count(graphs)] as [string, string]] : []),
    [whole ? "Their nodes" : "Nodes", count(nodes)],
    [whole ? "Their edges" : "Undirected edges", count(edges)],
    ...(whole
      ? ([
          ["Values of nodes", dataset.by_degree ? "their degree after the flips" : valuesOf(dataset.node_values)],
          ["Values of edges", valuesOf(dataset.edge_values)],
        ] as [string, string][])
      : [["Features", count(features)] as [string, string]]),
    ...(classes > 1 ? [["Classes", count(classes)] as [string, string]] : []),
  ];
}

/** Of each feature the values that it may have. */
function valuesOf(sizes: readonly number[]): string {
  return sizes.map((size) => (size === 1 ? "0" : `0 to ${size - 1}`)).join(", ");
}

/** What is attacked, and what an attacker may do. */
export function BoardFacts({ board, difficulty }: { board: Board; difficulty: Difficulty }) {
  const { dataset_details: dataset, feature_range: range } = board;
  return (
    <div className="board-facts">
      <div>
        <p className="lead">{dataset.description}</p>
        <p>
          {RULES[board.scenario]}{dataset.graphs > 0 && ` ${MEASURED[board.metric]}`} <Link to={rulesAddress(board.id)}>All rules of this board</Link>
        </p>
        {board.ladder_step !== null && (
          <p>
            Half of the targets is hidden: every number is over the other half, until a season is over.{" "}
            <Link to="/guide/ranking#hidden-halves-and-the-ladder">What that means</Link>
          </p>
        )}
        <Facts
          className="strip"
          facts={[
            ...sizesOf(dataset),
            ["Repeats", count(board.repeats)],
            ...(dataset.graphs > 0
              ? []
              : [["Feature range", range === null ? "unchanged" : range.map(exact).join(" to ")] as [string, string]]),
          ]}
        />
        <p className="small">
          Licence: {dataset.licence} · source <OutsideLink href={dataset.source} /> · files up to{" "}
          {bytes(board.attack_bytes)} (attack) and {bytes(board.defense_bytes)} (defense)
          {board.protocol !== null && (
            <>
              {" "}
              · protocol <code>{board.protocol}</code>
            </>
          )}
        </p>
      </div>
      <BudgetTable board={board} chosen={difficulty} />
    </div>
  );
}
