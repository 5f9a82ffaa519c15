"""What the paper says: its datasets, how it splits them, and its results."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

#: Nodes of each class for training and for validation; the rest are tested.
#: Source: Shchur et al., Section 3.
TRAIN, VAL = 20, 30


@dataclass(frozen=True, slots=True)
class Expected:
    """A row of Table 3: counts after standardising; edges with a loop at each node."""

    classes: int
    features: int
    nodes: int
    edges: int


@dataclass(frozen=True, slots=True)
class Source:
    """Where a dataset comes from: a class of PyG's with its arguments; and what is expected."""

    kind: str
    arguments: dict[str, str]
    expected: Expected | None
    rarest: int = 1


#: By name.  Counts: Shchur et al., Table 3; cora-ml is not in it (Bojchevski and Günnemann, 2018).
SOURCES: dict[str, Source] = {
    "cora": Source("Planetoid", {"name": "Cora"}, Expected(7, 1433, 2485, 7554)),
    "citeseer": Source("Planetoid", {"name": "CiteSeer"}, Expected(6, 3703, 2110, 5778)),
    "pubmed": Source("Planetoid", {"name": "PubMed"}, Expected(3, 500, 19717, 64041)),
    "cora-full": Source(
        "CitationFull", {"name": "Cora"}, Expected(67, 8710, 18703, 81124), TRAIN + VAL + 1
    ),
    "coauthor-cs": Source("Coauthor", {"name": "CS"}, Expected(15, 6805, 18333, 100227)),
    "coauthor-physics": Source("Coauthor", {"name": "Physics"}, Expected(5, 8415, 34493, 282455)),
    "amazon-computers": Source("Amazon", {"name": "Computers"}, Expected(10, 767, 13381, 259159)),
    "amazon-photo": Source("Amazon", {"name": "Photo"}, Expected(8, 745, 7487, 126530)),
    "cora-ml": Source("CitationFull", {"name": "Cora_ML"}, None),
}

#: Mean and standard deviation of test accuracy in percent, by model and dataset.
#: Source: Shchur et al., Table 1.
PUBLISHED: Final[dict[str, dict[str, tuple[float, float]]]] = {
    "cora": {
        "GCN": (81.5, 1.3), "GAT": (81.8, 1.3), "MoNet": (81.3, 1.3), "GS-mean": (79.2, 7.7),
        "GS-maxpool": (76.6, 1.9), "GS-meanpool": (77.9, 2.4), "MLP": (58.2, 2.1),
        "LogReg": (57.1, 2.3), "LabelProp": (74.4, 2.6), "LabelProp NL": (73.9, 1.6),
    },
    "citeseer": {
        "GCN": (71.9, 1.9), "GAT": (71.4, 1.9), "MoNet": (71.2, 2.0), "GS-mean": (71.6, 1.9),
        "GS-maxpool": (67.5, 2.3), "GS-meanpool": (68.6, 2.4), "MLP": (59.1, 2.3),
        "LogReg": (61.0, 2.2), "LabelProp": (67.8, 2.1), "LabelProp NL": (66.7, 2.2),
    },
    "pubmed": {
        "GCN": (77.8, 2.9), "GAT": (78.7, 2.3), "MoNet": (78.6, 2.3), "GS-mean": (77.4, 2.2),
        "GS-maxpool": (76.1, 2.3), "GS-meanpool": (76.5, 2.4), "MLP": (70.0, 2.1),
        "LogReg": (64.1, 3.1), "LabelProp": (70.5, 5.3), "LabelProp NL": (72.3, 2.9),
    },
    "cora-full": {
        "GCN": (62.2, 0.6), "GAT": (51.9, 1.5), "MoNet": (59.8, 0.8), "GS-mean": (58.6, 1.6),
        "GS-maxpool": (40.7, 1.5), "GS-meanpool": (40.5, 1.5), "MLP": (36.8, 1.0),
        "LogReg": (40.5, 0.8), "LabelProp": (50.5, 1.5), "LabelProp NL": (51.0, 1.0),
    },
    "coauthor-cs": {
        "GCN": (91.1, 0.5), "GAT": (90.5, 0.6), "MoNet": (90.8, 0.6), "GS-mean": (91.3, 2.8),
        "GS-maxpool": (85.0, 1.1), "GS-meanpool": (89.6, 0.9), "MLP": (88.3, 0.7),
        "LogReg": (86.4, 0.9), "LabelProp": (73.6, 3.9), "LabelProp NL": (76.7, 1.4),
    },
    "coauthor-physics": {
        "GCN": (92.8, 1.0), "GAT": (92.5, 0.9), "MoNet": (92.5, 0.9), "GS-mean": (93.0, 0.8),
        "GS-maxpool": (90.3, 1.2), "GS-meanpool": (92.6, 1.0), "MLP": (88.9, 1.1),
        "LogReg": (86.7, 1.5), "LabelProp": (86.6, 2.0), "LabelProp NL": (86.8, 1.4),
    },
    "amazon-computers": {
        "GCN": (82.6, 2.4), "GAT": (78.0, 19.0), "MoNet": (83.5, 2.2), "GS-mean": (82.4, 1.8),
        "GS-meanpool": (79.9, 2.3), "MLP": (44.9, 5.8), "LogReg": (64.1, 5.7),
        "LabelProp": (70.8, 8.1), "LabelProp NL": (75.0, 2.9),
    },
    "amazon-photo": {
        "GCN": (91.2, 1.2), "GAT": (85.7, 20.3), "MoNet": (91.2, 1.3), "GS-mean": (91.4, 1.3),
        "GS-maxpool": (90.4, 1.3), "GS-meanpool": (90.7, 1.6), "MLP": (69.6, 3.8),
        "LogReg": (73.0, 6.5), "LabelProp": (72.6, 11.1), "LabelProp NL": (83.9, 2.7),
    },
}  # fmt: skip
