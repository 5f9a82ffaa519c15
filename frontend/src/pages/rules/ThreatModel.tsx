import type { Board } from "../../api/types";
import { Facts } from "../../components/Facts";

const SCENARIOS: Record<Board["scenario"], [string, string]> = {
  injection: [
    "Adds nodes with edges and features of its choice",
    "The original nodes, their features and the edges between them",
  ],
  modification: [
    "Adds and removes edges, each with an end among the targets",
    "The nodes and their features",
  ],
  adjacency: [
    "Adds and removes edges of each test graph; the features of an added edge are of its choice",
    "The nodes, their features, and the features of edges that stay",
  ],
  attributes: [
    "Adds and removes edges of each test graph, and changes features of its nodes and edges",
    "How many nodes a graph has",
  ],
};

/** What is judged, and so what the attacker knows and the defense was trained on. */
const NODES = {
  when: "nodes are classified",
  knows: "The graph, its features and the labels of training nodes",
  trained: "on the clean graph without its test nodes (inductive)",
};
const GRAPHS = {
  when: "graphs are judged",
  knows: "The test graphs, and the training graphs with their labels",
  trained: "on the training graphs",
};

/** What the attacker is, in the terms of the field. */
export function ThreatModel({ board }: { board: Board }) {
  const graphs = board.dataset_details.graphs > 0;
  const [may, never] = SCENARIOS[board.scenario];
  const { when, knows, trained } = graphs ? GRAPHS : NODES;
  const wants =
    board.metric === "error"
      ? "Answers as far from the truth as possible, no matter in which direction"
      : `As many ${graphs ? "test graphs" : "targets"} as possible classified wrongly, no matter as what`;
  return (
    <section aria-labelledby="threat">
      <h2 id="threat">Threat model</h2>
      <Facts
        facts={[
          ["The attacker", may],
          ["It never changes", never],
          ["When", `Evasion: after training, when ${when}`],
          ["It knows", `${knows}; it trains a surrogate of its own`],
          ["It does not know", "The defense: its weights and its answers (black box)"],
          ["It wants", wants],
          ["The defense", `Was trained ${trained}`],
        ]}
      />
    </section>
  );
}
