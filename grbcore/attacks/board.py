"""An attack on a whole board: every difficulty and repeat, each with its own random stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

from grbcore.attacks.attack import InjectionAttack, ModificationAttack
from grbcore.catalog import Board
from grbcore.datasets.dataset import Dataset
from grbcore.graph import Graph
from grbcore.graphlevel.attacks import Case, GraphAttack, Random, perturb
from grbcore.graphlevel.budgets import GraphBudget
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.evaluation import clean_predictions
from grbcore.graphlevel.models.model import GraphLevelModel
from grbcore.graphlevel.shape import together
from grbcore.graphlevel.targets import targets_of
from grbcore.models.model import GraphModel
from grbcore.perturbation import Perturbation
from grbcore.scenario import Difficulty
from grbcore.seeds import derive_seed, generator

#: From a difficulty and a random stream to what is done there.
_Run = Callable[[Difficulty, np.random.Generator], Perturbation]


def attack_board(
    attack: InjectionAttack | ModificationAttack | GraphAttack,
    model: GraphModel | GraphLevelModel | None,
    board: Board,
    dataset: Dataset | GraphDataset,
    *,
    name: str | None = None,
    seed: int = 0,
    difficulties: tuple[Difficulty, ...] | None = None,
    repeats: int | None = None,
    progress: Callable[[Difficulty, int], None] | None = None,
) -> dict[Difficulty, list[Perturbation]]:
    """What ``attack`` does to the board's graph, or graphs, by difficulty and repeat.

    Args:
        attack: of the board's scenario.
        model: the surrogate, None for attacks that need none.  What it says of the clean test
            graphs stands for their labels, which no attack sees.
        board: gives the budgets and, where ``repeats`` is None, the number of repeats.
        dataset: the board's dataset.
        name: names the random streams beside the board, difficulty, repeat and ``seed``; the
            attack's class where it is None.
        difficulties: all of the board's where it is None.
        progress: told each difficulty and repeat that is done.

    Raises:
        ValueError: the dataset is not the board's; the attack needs a surrogate and got none, or is
            of another scenario; a difficulty is unknown; there are no repeats.
    """
    if dataset.name != board.dataset:
        raise ValueError(f"dataset: found {dataset.name}, allowed: {board.dataset}, the board's")
    chosen = board.difficulties if difficulties is None else difficulties
    for difficulty in chosen:
        if difficulty not in board.difficulties:
            allowed = ", ".join(board.difficulties)
            raise ValueError(f"difficulties: found {difficulty!r}, allowed: {allowed}")
    if repeats is not None and repeats < 1:
        raise ValueError(f"repeats: found {repeats}, allowed: 1 or more")
    if isinstance(dataset, GraphDataset):
        run = _on_graphs(attack, model, board, dataset)
    else:
        run = _on_nodes(attack, model, board, dataset)
    found: dict[Difficulty, list[Perturbation]] = {}
    for difficulty in dict.fromkeys(chosen):
        for repeat in range(board.repeats if repeats is None else repeats):
            rng = generator(board.id, name or type(attack).__name__, difficulty, repeat, seed)
            found.setdefault(difficulty, []).append(run(difficulty, rng))
            if progress is not None:
                progress(difficulty, repeat)
    return found


def _on_nodes(attack: Any, model: Any, board: Board, dataset: Dataset) -> _Run:
    graph = Graph.from_dataset(dataset)

    def run(difficulty: Difficulty, rng: np.random.Generator) -> Perturbation:
        budget = board.budget(difficulty, edges=dataset.edges)
        found: Perturbation = attack(
            model, graph, dataset.targets[difficulty], budget=budget, rng=rng
        )
        return found

    return run


def _on_graphs(attack: Any, model: Any, board: Board, dataset: GraphDataset) -> _Run:
    graphs = dataset.part("test")
    labels = np.zeros(len(graphs), np.int64)
    if model is None:
        if not isinstance(attack, Random):
            raise ValueError("model: found none, allowed: a surrogate, which this attack asks")
    elif not isinstance(model, GraphLevelModel):
        raise ValueError(f"model: found {type(model).__name__}, allowed: one of whole graphs")
    else:
        seed = derive_seed(board.id, "labels of the attacker")
        said = clean_predictions(dataset, model, seed)[0][board.main][0]
        labels = said.astype(np.float64 if dataset.task == "regression" else np.int64)

    def run(difficulty: Difficulty, rng: np.random.Generator) -> Perturbation:
        allowed = board.changes(difficulty)
        budget = GraphBudget(absolute=allowed.changes, attributes=allowed.attributes)
        if model is None:  # one that asks no model has no direction either
            blind = cast("GraphLevelModel", None)
            case = Case(blind, graphs, labels, targets_of(dataset.task)[0], budget)
            return together(attack(case, rng=rng))
        found = perturb(attack, model, graphs, labels, task=dataset.task, budget=budget, rng=rng)
        return together(found)

    return run
