"""The size of a board's data, as far as formulas of shapes and work need it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any


@dataclass(frozen=True, slots=True)
class Scale:
    """The size of a board's graph; of whole graphs, that of the test graphs together.

    ``features`` is the width of the nodes' features: of categorical ones the values of all.
    """

    nodes: int
    edges: int  # undirected
    features: int
    classes: int  # 1 where a number is predicted
    edge_features: int = 0  # values of all features of edges
    graphs: int = 0  # test graphs; 0 where nodes of one graph are judged
    pairs: int = 0  # nodes squared, summed over the test graphs

    @staticmethod
    def of(facts: Mapping[str, Any]) -> Scale:
        """From what is known of a board's data, where it may have more fields.

        Raises:
            TypeError: a size of a graph is missing.
        """
        return Scale(
            **{field.name: facts[field.name] for field in fields(Scale) if field.name in facts}
        )

    @property
    def outputs(self) -> int:
        """How many numbers a model gives for a graph: one logit for two classes."""
        return 1 if self.classes == 2 else self.classes
