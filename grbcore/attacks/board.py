"""An attack on a whole board: every difficulty and repeat, each with its own random stream."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grbcore.attacks.attack import InjectionAttack, ModificationAttack
from grbcore.catalog import Board
from grbcore.datasets.dataset import Dataset
from grbcore.graph import Graph
from grbcore.models.model import GraphModel
from grbcore.perturbation import Perturbation
from grbcore.scenario import DIFFICULTIES, Difficulty
from grbcore.seeds import generator


def attack_board(
    attack: InjectionAttack | ModificationAttack,
    model: GraphModel | None,
    board: Board,
    dataset: Dataset,
    *,
    name: str | None = None,
    seed: int = 0,
    difficulties: tuple[Difficulty, ...] = DIFFICULTIES,
    repeats: int | None = None,
    progress: Callable[[Difficulty, int], None] | None = None,
) -> dict[Difficulty, list[Perturbation]]:
    """What ``attack`` does to the board's graph with its budgets, by difficulty and repeat.

    Args:
        attack: of the board's scenario.
        model: the surrogate, None for attacks that need none.
        board: gives the budgets and, where ``repeats`` is None, the number of repeats.
        dataset: the board's dataset.
        name: names the random streams beside the board, difficulty, repeat and ``seed``; the
            attack's class where it is None.
        progress: told each difficulty and repeat that is done.

    Raises:
        ValueError: the dataset is not the board's; the attack needs a surrogate and got none, or is
            of the other scenario; a difficulty is unknown; there are no repeats.
    """
    if dataset.name != board.dataset:
        raise ValueError(f"dataset: found {dataset.name}, allowed: {board.dataset}, the board's")
    for difficulty in difficulties:
        if difficulty not in DIFFICULTIES:
            allowed = ", ".join(DIFFICULTIES)
            raise ValueError(f"difficulties: found {difficulty!r}, allowed: {allowed}")
    if repeats is not None and repeats < 1:
        raise ValueError(f"repeats: found {repeats}, allowed: 1 or more")
    graph = Graph.from_dataset(dataset)
    run: Any = attack
    found: dict[Difficulty, list[Perturbation]] = {}
    for difficulty in dict.fromkeys(difficulties):
        budget = board.budget(difficulty, edges=dataset.edges)
        for repeat in range(board.repeats if repeats is None else repeats):
            rng = generator(board.id, name or type(attack).__name__, difficulty, repeat, seed)
            perturbation = run(model, graph, dataset.targets[difficulty], budget=budget, rng=rng)
            found.setdefault(difficulty, []).append(perturbation)
            if progress is not None:
                progress(difficulty, repeat)
    return found
