"""Cells of a leaderboard."""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator

import numpy as np
from reference import evaluating
from reference.models import reference
from workloads.clock import Comparison, in_turn, seconds

from comparisons.ground import (
    CORA,
    WIDE,
    cora,
    large,
    large_injection,
    same_predictions,
)
from grbcore import catalog
from grbcore.attacks import RND
from grbcore.evaluate import attacked_graphs, predictions
from grbcore.graph import Graph
from grbcore.scenario import DIFFICULTIES, InjectionBudget


def evaluation(rounds: int) -> Iterator[Comparison]:
    """A matrix of 12 attack graphs and six defenses; then one cell of the large graph.

    The attack's graphs are built once for all models on our side, whose share is in each cell.
    """
    ground, board = cora(), catalog.board(CORA)
    attack = {}
    for place, difficulty in enumerate(DIFFICULTIES):
        budget = board.budget(difficulty, edges=ground.dataset.edges)
        assert isinstance(budget, InjectionBudget)
        targets = ground.dataset.targets[difficulty]
        attack[difficulty] = [
            RND()(None, ground.clean, targets, budget=budget, rng=np.random.default_rng([place, r]))
            for r in range(board.repeats)
        ]
    kinds = ["GCN", "GCN", "GIN", "GIN", "GAT", "GAT"]
    models = [
        ground.model(kind, [64, 64, 64], layer_norm=bool(place % 2))
        for place, kind in enumerate(kinds)
    ]
    graphs = sum(map(len, attack.values()))

    def ours() -> list[float]:
        taken = []
        started = time.process_time()
        clean = Graph.from_dataset(ground.dataset)
        built = attacked_graphs(ground.dataset, clean, attack, features="normalised")
        kept = {name: tuple(repeats) for name, repeats in built.items()}
        shared = (time.process_time() - started) / len(models)
        for model in models:
            started = time.process_time()
            predictions(ground.dataset, clean, model, kept)
            taken.append((shared + time.process_time() - started) / graphs)
        return taken

    features = ground.clean.features
    plain = [reference(model) for model in models]

    def theirs() -> list[float]:
        taken = []
        for model in plain:
            started = time.process_time()
            for difficulty, repeats in attack.items():
                targets = ground.dataset.targets[difficulty]
                for perturbation in repeats:
                    evaluating.cell(
                        model,
                        ground.adjacency,
                        features,
                        perturbation,
                        targets,
                        ground.dataset.labels,
                    )
            taken.append((time.process_time() - started) / graphs)
        return taken

    same_predictions(ground, models, attack["full"][0])
    table = [(ours(), theirs()) for _ in range(rounds + 1)][1:]

    def mean(side: int, group: tuple[str, ...]) -> float:
        chosen = [place for place, kind in enumerate(kinds) if kind in group]
        medians = [statistics.median(round_[side][place] for round_ in table) for place in chosen]
        return statistics.mean(medians)

    for group, floor, aim, peer in (
        (("GCN", "GIN"), 3.0, 6.0, "10.0 / 12.8 ms"),
        (("GAT",), 1.5, 3.0, "51.6 ms"),
    ):
        work = f"evaluation cell, grb-cora, {' and '.join(group)}"
        yield Comparison(work, mean(0, group), mean(1, group), floor, aim, peer)

    ground = large()
    injection = large_injection(ground)
    model = ground.model("GCN", WIDE)
    other = reference(model)
    same_predictions(ground, [model], injection)

    def cell() -> object:
        built = attacked_graphs(
            ground.dataset, ground.clean, {"full": [injection]}, features="normalised"
        )
        return predictions(ground.dataset, ground.clean, model, built)

    def plain_cell() -> object:
        return evaluating.cell(
            other,
            ground.adjacency,
            ground.clean.features,
            injection,
            ground.dataset.targets["full"],
            ground.dataset.labels,
        )

    taken = in_turn(lambda: seconds(cell), lambda: seconds(plain_cell), rounds)
    work = "evaluation cell, 100k nodes, 1M edges, GCN"
    yield Comparison(work, *taken, 2.5, 5.0, "1.74 to 1.77 s")
