"""Robustness over splits: a board's recipes on other splits by GRB's scheme, and what varies."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.metrics import per_repeat
from grbcore.pitfalls.splitting import by_degree
from grbcore.reproduction import Plan, plan
from grbcore.reproduction.measuring import Cells
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side
from grbcore.seeds import derive_seed
from grbcore.violations import Refused, Violation

Values = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Robustness:
    """Which runs: a board's recipes × splits × training seeds × attack repeats.

    ``board`` has the chosen recipes only.  Split 0 is the board's own, with the recipes' own
    attacks and the training seeds 0, 1, … (of which 0 is the official one); it is shown beside the
    others and is none of them.
    """

    board: Board
    splits: int
    seeds: int
    repeats: int
    difficulty: Difficulty
    seed: int

    def __post_init__(self) -> None:
        found = [
            Violation("parameters", f"--{name}", f"{value}", f"{least} or more")
            for name, value, least in (
                ("splits", self.splits, 2),
                ("seeds", self.seeds, 2),
                ("repeats", self.repeats, 1),
            )
            if value < least
        ]
        if found:
            raise Refused(found)

    def plans(self, dataset: Dataset, folder: Path) -> list[Plan]:
        """What is to be made in ``folder``: the board's own split, then each of the others.

        Trainings, surrogates and attacks of a split draw from seeds of its own.

        Raises:
            Refused: see `plan`.
        """
        return [self._plan(dataset, folder, number) for number in range(self.splits + 1)]

    def _plan(self, dataset: Dataset, folder: Path, number: int) -> Plan:
        board, seeds, stream = self.board, list(range(self.seeds)), 0
        if number:
            dataset = resplit(dataset, derive_seed("robustness split", self.seed, number))
            seeds = [
                derive_seed("robustness training", self.seed, number, place)
                for place in range(self.seeds)
            ]
            stream = derive_seed("robustness attack", self.seed, number)
            board = _other_surrogates(board, derive_seed("surrogate", self.seed, number))
        return plan(
            board,
            dataset,
            folder,
            seeds=seeds,
            repeats=self.repeats,
            difficulties=(self.difficulty,),
            stream=stream,
        )


def resplit(dataset: Dataset, seed: int) -> Dataset:
    """The same graph with another split by GRB's scheme; its digest tells both apart."""
    made = by_degree(dataset.degrees, seed)
    digest = hashlib.sha256(dataset.digest.encode())
    for ids in (made.train, made.val, *(made.targets[name] for name in sorted(made.targets))):
        digest.update(np.ascontiguousarray(ids, np.int64).tobytes())
    return replace(
        dataset,
        digest=digest.hexdigest(),
        train=made.train,
        val=made.val,
        targets=made.targets,
    )


def _other_surrogates(board: Board, seed: int) -> Board:
    """The board with attackers who train their models from another seed."""
    attacks = tuple(
        recipe
        if recipe.surrogate is None
        else recipe.model_copy(
            update={"surrogate": recipe.surrogate.model_copy(update={"seed": seed})}
        )
        for recipe in board.attacks
    )
    return board.model_copy(update={"attacks": attacks})


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Accuracies 0..1 of every draw; only defenses and attacks that are whole on every split."""

    study: Robustness
    defenses: tuple[str, ...]
    attacks: tuple[str, ...]  # without the row of no attack
    official: Values  # (defenses, 1 + attacks, seeds, repeats); the board's split; row 0 is clean
    drawn: Values  # (defenses, 1 + attacks, splits, seeds, repeats): the others

    @staticmethod
    def of(study: Robustness, plans: Sequence[Plan], cells: Sequence[Cells]) -> Measured:
        """The cells of each plan, in the order of `Robustness.plans`.

        Raises:
            Refused: no defense, or no attack, has all of its cells.
        """
        found = [_tensor(study, one, of_one) for one, of_one in zip(plans, cells, strict=True)]
        every = np.stack(found, axis=2)
        whole = np.asarray(np.isfinite(every).all(axis=(2, 3, 4)))
        kept = whole[:, 0]
        rows = np.asarray(whole[kept].all(axis=0))
        if not kept.any() or not rows[1:].any():
            wrong = "no defense and attack that were made on every split"
            raise Refused([Violation("format", study.board.id, wrong, "one of each, or more")])
        chosen = every[kept][:, rows]
        return Measured(
            study,
            tuple(r.name for r, keep in zip(study.board.defenses, kept, strict=True) if keep),
            tuple(r.name for r, keep in zip(study.board.attacks, rows[1:], strict=True) if keep),
            chosen[:, :, 0],
            chosen[:, :, 1:],
        )

    def names(self, side: Side) -> tuple[str, ...]:
        return self.defenses if side == "defense" else self.attacks

    def scores(self, side: Side) -> Values:
        """Weighted of each entry in each draw: (entries, splits, seeds, repeats).

        An attack's is over defenses that were trained from the seed of the same place.
        """
        return _weighted(self.drawn, side)

    def official_scores(self, side: Side) -> Values:
        """Weighted on the board's split with the recipes' own training seed: (entries, repeats)."""
        return _weighted(self.official[:, :, None, :1], side)[:, 0, 0]


def _weighted(accuracies: Values, side: Side) -> Values:
    """(defenses, rows, splits, seeds, repeats) -> (entries, splits, seeds, repeats)."""
    turned = np.moveaxis(accuracies, (0, 1), (-3, -2))  # (splits, seeds, defenses, rows, repeats)
    if side == "attack":
        turned = np.swapaxes(turned[..., 1:, :], -3, -2)
    found = per_repeat(turned, side)[..., 0, :]  # (splits, seeds, entries, repeats)
    return np.moveaxis(found, -2, 0)


def _tensor(study: Robustness, made: Plan, cells: Cells) -> Values:
    """(defenses, 1 + attacks, seeds, repeats); not a number where there is no cell."""
    rows = (CLEAN, *(recipe.name for recipe in study.board.attacks))
    shape = (len(study.board.defenses), len(rows), study.seeds, study.repeats)
    found = np.full(shape, np.nan)
    for defense, recipe in enumerate(study.board.defenses):
        for row, attack in enumerate(rows):
            for place, seed in enumerate(made.seeds):
                cell = cells.get((attack, recipe.name, seed))
                if cell is not None and study.difficulty in cell.correct:
                    found[defense, row, place] = cell.accuracy(study.difficulty)
    return found


def ranks(scores: Values, side: Side) -> NDArray[np.int64]:
    """Places on each split, 1 for the strongest: (entries, splits), equal ones share the first.

    Args:
        scores: (entries, splits), means over the draws of each.
        side: defenses are better the higher they are, attacks the lower.
    """
    better = scores[:, None] < scores[None] if side == "defense" else scores[:, None] > scores[None]
    return np.asarray(1 + better.sum(axis=1))


def winners(names: Sequence[str], placed: NDArray[np.int64]) -> Mapping[str, int]:
    """On how many splits each entry is the first, most first; equal ones all count."""
    counts = {name: int((row == 1).sum()) for name, row in zip(names, placed, strict=True)}
    return {n: c for n, c in sorted(counts.items(), key=lambda pair: -pair[1]) if c}
