"""Robustness of graph-level models: small attributed graphs, attacks on them, models, metrics.

Source: the thesis on the robustness of expressive graph neural networks (ETH Zurich, 2023).

Without torch: `graphs`, `changes` (what an attack does), `budgets` (threat models), `dataset`,
`loading`, `checking`, `metrics`, `random_changes`.  With it: `batch` (many graphs at once),
`models`, `targets`, `attacks`, `training`, `study` (robustness curves).
"""

from grbcore.graphlevel.budgets import GraphBudget
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.dataset import GraphDataset, GraphSplit, thesis_split
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.graphlevel.loading import from_pyg, load, load_ogb

__all__ = [
    "AttributedGraph",
    "Changes",
    "GraphBudget",
    "GraphDataset",
    "GraphSplit",
    "from_pyg",
    "load",
    "load_ogb",
    "thesis_split",
]
