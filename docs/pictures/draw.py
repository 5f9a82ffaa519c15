"""Draws the pictures of docs/visualise.md on digits: ``python docs/pictures/draw.py``."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from grbcore import baselines, catalog, datasets, models
from grbcore.attacks import FGSM
from grbcore.evaluate import predict
from grbcore.graph import Graph
from grbcore.matrix import evaluate_matrix
from grbcore.scenario import InjectionBudget
from grbcore.visualise import (
    accuracy_by_degree,
    attack_shift,
    budget_curves,
    ego_net,
    heat_map,
)

HERE = Path(__file__).parent
DEFENSES = ("GCN", "GCN+LN", "GIN")


def main() -> None:
    """Train three defenses and a surrogate, attack with FGSM, draw."""
    board = catalog.board("digits/injection@1")
    dataset = datasets.load("digits")
    graph, targets = Graph.from_dataset(dataset), dataset.targets["full"]
    low, high = board.feature_range
    width = int(dataset.features.shape[1])
    trained = {}
    with TemporaryDirectory() as folder:
        recipes = {recipe.name: recipe for recipe in board.defenses}
        wanted = {name: recipes[name] for name in DEFENSES}
        wanted["surrogate"] = recipes["GCN"].model_copy(update={"seed": 1000})
        for name, recipe in wanted.items():
            path = Path(folder) / "model.safetensors"
            baselines.train(recipe, dataset, path)
            trained[name] = models.load(path, features=width, classes=dataset.classes)[0]
    surrogate = trained.pop("surrogate")
    attack = FGSM(steps=200, step_size=0.01)

    def injected(nodes: int, seed: int = 0):  # noqa: ANN202
        budget = InjectionBudget(nodes, 20, low, high)
        rng = np.random.default_rng(seed)
        return attack(surrogate, graph, targets, budget=budget, rng=rng)

    def accuracy(name: str, perturbation) -> float:  # noqa: ANN001
        found = predict(trained[name], graph, perturbation, targets)
        return float((found == dataset.labels[targets]).mean())

    whole = injected(90)
    curves = {name: {0: accuracy(name, None)} for name in trained}
    for nodes in (10, 30, 60, 90):
        repeats = [injected(nodes, seed) for seed in range(3)]
        for name, points in curves.items():
            points[nodes] = tuple(accuracy(name, one) for one in repeats)
    touched = whole.edges[:, whole.edges.min(axis=0) < graph.nodes].min(axis=0)
    degree = np.diff(dataset.indptr)
    target = int(touched[np.argmax(degree[touched] * (degree[touched] < 8))])
    figures = {
        "ego-net": ego_net(graph, whole, target),
        "attack-shift": attack_shift(graph, whole),
        "accuracy-by-degree": accuracy_by_degree(
            dataset,
            {
                f"{name}{words}": predict(trained[name], graph, one, targets)
                for name in ("GCN", "GIN")
                for words, one in (("", None), (" under FGSM", whole))
            },
        ),
        "budget-curves": budget_curves({f"{n} under FGSM": p for n, p in curves.items()}),
        "matrix": heat_map(
            evaluate_matrix(trained, {"FGSM": {"full": [whole]}}, board, dataset), "full"
        ),
    }
    for name, figure in figures.items():
        figure.savefig(HERE / f"{name}.png", dpi=90, metadata={"Software": None})


if __name__ == "__main__":
    main()
