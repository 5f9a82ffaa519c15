"""What the golden test evaluates, and ``python -m tests.golden.made`` to record its numbers."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import torch

from grbcore import catalog, datasets
from grbcore.architectures import ARCHITECTURES, Features
from grbcore.datasets import Dataset
from grbcore.evaluate import attacked, predictions
from grbcore.graph import Graph, declared_perturbation
from grbcore.models import GraphModel, build
from grbcore.perturbation import Injection
from grbcore.results import EVALUATOR_VERSION
from grbcore.scenario import DIFFICULTIES, Difficulty
from grbcore.scoring import score

BOARD = "digits/injection@1"
CASES: list[tuple[str, bool, Features]] = [
    ("GCN", False, "normalised"),
    ("GCN", True, "raw"),
    ("GAT", True, "normalised"),
    ("GIN", False, "normalised"),
    ("GIN", True, "raw"),
]

#: Relative to the largest logit: a hundred times the rounding of float32.
MARGIN = 1e-5


#: Streams whose weights predict several classes and leave no near tie (`margin`).
SEEDS = {
    ("GCN", False): 24,
    ("GCN", True): 33,
    ("GAT", True): 2,
    ("GIN", False): 22,
    ("GIN", True): 32,
}


def model(name: str, norm: bool, dataset: Dataset) -> GraphModel:
    """A model with weights from a fixed stream of random numbers."""
    architecture = ARCHITECTURES[name]
    parameters = architecture.parameters.model_validate({"hidden": [16, 16], "layer_norm": norm})
    width = int(dataset.features.shape[1])
    made = build(name, parameters, features=width, classes=dataset.classes)
    rng = np.random.default_rng(SEEDS[name, norm])
    tensors = {}
    for key, shape in architecture.shapes(parameters, width, dataset.classes).items():
        if key.endswith("num_batches_tracked"):
            tensors[key] = torch.tensor(1)
            continue
        drawn = rng.standard_normal(shape) / max(1, shape[-1]) ** 0.5
        drawn = np.abs(drawn) + 0.5 if key.endswith("running_var") else drawn
        tensors[key] = torch.from_numpy(drawn.astype(np.float32))
    made.load_state_dict(tensors)
    return made.eval()


def attack(dataset: Dataset) -> dict[Difficulty, list[Injection]]:
    """Two repeats at every difficulty; one edge joins two injected nodes."""
    found: dict[Difficulty, list[Injection]] = {}
    for place, difficulty in enumerate(DIFFICULTIES):
        for repeat in range(2):
            rng = np.random.default_rng([place, repeat])
            features = rng.uniform(-0.9, 0.9, (9, dataset.features.shape[1])).astype(np.float32)
            ends = [rng.choice(dataset.targets[difficulty], 19, replace=False) for _ in range(9)]
            sources = np.repeat(dataset.nodes + np.arange(9), 19)
            edges = np.stack([sources, np.concatenate(ends)])
            pair = np.array([[dataset.nodes], [dataset.nodes + 1]])
            found.setdefault(difficulty, []).append(
                Injection(features, np.concatenate([edges, pair], axis=1).astype(np.int64))
            )
    return found


def margin(defense: GraphModel, dataset: Dataset, graph: Graph, features: Features) -> float:
    """Smallest gap between the two best logits of any target, relative to the largest logit."""
    gaps = []
    graphs: list[tuple[Graph, Difficulty]] = [(graph, "full")]
    for difficulty, repeats in attack(dataset).items():
        for perturbation in repeats:
            declared = declared_perturbation(perturbation, dataset, features)
            graphs.append((graph.apply(declared), difficulty))
    for each, difficulty in graphs:
        logits = defense(each)[torch.from_numpy(dataset.targets[difficulty])]
        best = logits.topk(2, dim=1).values
        gaps.append(float((best[:, 0] - best[:, 1]).min() / logits.abs().max()))
    return min(gaps)


def record() -> None:
    """Write the numbers of the present evaluator."""
    dataset = datasets.load(catalog.board(BOARD).dataset)
    cells = {}
    for name, norm, features in CASES:
        graph = Graph.from_dataset(dataset, raw=features == "raw")
        built = {
            difficulty: [attacked(dataset, graph, p, features=features) for p in repeats]
            for difficulty, repeats in attack(dataset).items()
        }
        rows = {}
        for row, graphs in (("clean", None), ("attacked", built)):
            found = predictions(dataset, graph, model(name, norm, dataset), graphs)
            correct, total, hits = score(found, dataset)
            rows[row] = {"correct": correct, "total": total, "hits": hits.hex()}
        cells[f"{name}{'+LN' if norm else ''}, {features}"] = rows
    recorded = {"board": BOARD, "evaluator_version": EVALUATOR_VERSION, "cells": cells}
    path = Path(__file__).parent / "evaluator.json"
    path.write_text(json.dumps(recorded, indent=1) + "\n")


if __name__ == "__main__":
    record()
