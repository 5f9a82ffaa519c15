"""Comparing a graph-level dataset with what the thesis and its recorded split say."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from grbcore.graphlevel.dataset import GraphDataset


@dataclass(frozen=True, slots=True)
class Facts:
    """What a dataset must be."""

    parts: tuple[int, int, int]  # graphs for training, validation, testing
    nodes: float  # of a graph, mean, to one decimal
    edges: float  # undirected, the same
    split: str  # SHA-256 of the ids of each part, as recorded when it was made


#: Sizes: the thesis, section 5.1; of ``zinc-small`` as counted.
FACTS: Mapping[str, Facts] = {
    "mutag": Facts(
        (150, 19, 19),
        17.9,
        19.8,
        "3d4daf1185afdbde58d041e01950fae616176e06031e0efda91383c0cf936520",
    ),
    "imdb-binary": Facts(
        (800, 100, 100),
        19.8,
        96.5,
        "f71e0721d25bf2d3e734a83a416b26188cffe04d8fddc839c6639f3663960b5f",
    ),
    "imdb-multi": Facts(
        (1200, 150, 150),
        13.0,
        65.9,
        "7558a14c882602ecf30eca85b111df26c8c70566ce39177ee58039a5f5c7789f",
    ),
    "zinc": Facts(
        (10_000, 1_000, 1_000),
        23.2,
        24.9,
        "05e1cb06d2efbf1aaf6af5a223f169d90144620b1e58cae88f05200229a6018e",
    ),
    "zinc-small": Facts(
        (900, 100, 1_000),
        23.1,
        24.9,
        "cdd2e0ee38c0decff0a7bf942ac8dff61600bc03a538ebeb96ec3bb3aac9cebd",
    ),
}


def means(dataset: GraphDataset) -> tuple[float, float]:
    """The mean numbers of nodes and of undirected edges of a graph."""
    graphs = len(dataset.graphs)
    return (
        sum(graph.n for graph in dataset.graphs) / graphs,
        sum(graph.m for graph in dataset.graphs) / graphs,
    )


def differences(dataset: GraphDataset) -> list[str]:
    """What is not as it must be, one line each.

    Raises:
        KeyError: nothing is known of a dataset of this name.
    """
    facts = FACTS[dataset.name]
    nodes, edges = means(dataset)
    split = dataset.split
    found = (len(split.train), len(split.val), len(split.test))
    names = ("training graphs", "validation graphs", "test graphs")
    pairs: list[tuple[str, str, str]] = [
        (name, f"{have:,}", f"{must:,}")
        for name, have, must in zip(names, found, facts.parts, strict=True)
    ]
    pairs += [
        ("mean nodes", f"{nodes:.1f}", f"{facts.nodes:.1f}"),
        ("mean edges", f"{edges:.1f}", f"{facts.edges:.1f}"),
        ("split", f"SHA-256 {split.digest()}", f"SHA-256 {facts.split}"),
    ]
    return [
        f"{place}: found {have}; allowed: {must}" for place, have, must in pairs if have != must
    ]
