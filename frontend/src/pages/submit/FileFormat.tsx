import { Link } from "react-router";

import type { Board, Side } from "../../api/types";
import { count } from "../../format";

/** Where an attack's members stand, and what each is. */
const MEMBERS: Record<Board["scenario"], [place: string, parts: [string, string][]]> = {
  injection: [
    "difficulty",
    [
      ["edges", "(2, e) int64, each with an end among the new nodes n, n+1, …"],
      ["features", "(k, d) float32, those of the new nodes"],
    ],
  ],
  modification: ["difficulty", [["flips", "(2, f) int64, pairs whose edge is added or removed"]]],
  adjacency: [
    "budget",
    changesOf("(3, 0) int64: none here", "of edges that are added: end, end, feature, value"),
  ],
  attributes: ["budget", changesOf("(3, A) int64: node, feature, new value", "end, end, feature, new value")],
};

function changesOf(nodes: string, edges: string): [string, string][] {
  return [
    ["graph_ptr, node_ptr, edge_ptr", "(G+1) int64, where each test graph’s columns of the next three begin"],
    ["flips", "(2, F) int64, pairs u < v whose edge is added or removed"],
    ["node_changes", nodes],
    ["edge_changes", `(4, B) int64, ${edges}`],
  ];
}

/** What an attack's file holds. */
export function FileMembers({ scenario }: Pick<Board, "scenario">) {
  const [place, parts] = MEMBERS[scenario];
  return (
    <>
      Members <code>{`<${place}>/<repeat>/<part>`}</code>:
      <ul className="members">
        {parts.map(([name, what]) => (
          <li key={name}>
            <code>{name}</code> {what}
          </li>
        ))}
      </ul>
    </>
  );
}

/** What the file of a side holds, for who makes one. */
export function FileFormat({ board, side }: { board: Board; side: Side }) {
  const { graphs } = board.dataset_details;
  const { difficulties } = board;
  const more = graphs > 0 ? "/guide/reproduction-graph-level#boards" : "/guide/rules#files";
  return (
    <details>
      <summary>What the file holds</summary>
      {side === "attack" ? (
        <>
          <FileMembers scenario={board.scenario} />
          {graphs > 0 ? (
            <p>
              All budgets, {difficulties.join(", ")}, over all {count(graphs)} test graphs in the order of their
              ids; nodes are numbered within their graph.
            </p>
          ) : (
            <p>
              The difficulty <code>{difficulties.at(-1)}</code>, and any of the others.
            </p>
          )}
          <p>
            Repeats are 0 to {board.repeats - 1}, or 0 alone. <Link to={more}>More of files</Link>
          </p>
        </>
      ) : (
        <p>
          The weights of a model of {board.architectures.join(", ")}. Its metadata say which, with which
          parameters, as <code>grb train</code>
          {graphs === 0 && (
            <>
              {" "}
              and <code>grb convert</code>
            </>
          )}{" "}
          {graphs === 0 ? "write" : "writes"} them. <Link to={more}>More of files</Link>
        </p>
      )}
    </details>
  );
}
