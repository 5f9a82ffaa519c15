"""A board whose metric is an error is the mirror of one of accuracies: where every error is 1 less
an accuracy, places, marks and intervals are those of the accuracies, and scores 1 less theirs."""

from __future__ import annotations

import random

import numpy as np
import pytest

from grbcore import paper
from grbcore.intervals import sample, standing
from grbcore.leaderboard import Arena, rank
from grbcore.paper import Choice, firsts
from grbcore.records import Entered, records
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, MEAN, SIDES, Side, judged_as
from grbcore.store.arenas import Game, frontier, judged
from tests.store.world import at

ATTACKS, DEFENSES = tuple("abcd"), tuple("wxyz")
TARGETS = 50


def boards(seed: int) -> tuple[list[Cell], list[Cell]]:
    """Cells of accuracies, and those of the errors that are left of 1."""
    rng = random.Random(seed)
    right, wrong = [], []
    for attack in (CLEAN, *ATTACKS):
        for defense in DEFENSES:
            repeats = 1 if attack == CLEAN else 3
            correct = {b: tuple(rng.randint(0, TARGETS) for _ in range(repeats)) for b in BUDGETS}
            errors = {b: tuple(1 - one / TARGETS for one in found) for b, found in correct.items()}
            total = dict.fromkeys(BUDGETS, TARGETS)
            right.append(Cell(attack, defense, correct, total))
            wrong.append(Cell(attack, defense, {}, total, errors=errors))
    return right, wrong


def arena(*, errors: bool) -> Arena:
    return Arena(3, ATTACKS, DEFENSES, DEFENSES, ATTACKS, BUDGETS, errors)


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("seed", range(3))
def test_rankings(seed: int, side: Side) -> None:
    right, wrong = boards(seed)
    for difficulty in ("3", MEAN):
        one = rank(arena(errors=False), right, side, difficulty).rows
        other = rank(arena(errors=True), wrong, side, difficulty).rows
        assert [(row.rank, row.id, row.worst[difficulty]) for row in one] == [
            (row.rank, row.id, row.worst[difficulty]) for row in other
        ]
        for first, second in zip(one, other, strict=True):
            for metric in ("weighted", "average", "three", "worst"):
                score, mirrored = (
                    row.metrics[difficulty].of(metric)  # type: ignore[arg-type]
                    for row in (first, second)
                )
                assert mirrored.mean == pytest.approx(1 - score.mean)
                assert mirrored.std == pytest.approx(score.std)


@pytest.mark.parametrize("seed", range(3))
def test_the_papers_table_and_its_marks(seed: int) -> None:
    right, wrong = boards(seed)
    choice = Choice(ATTACKS, DEFENSES, ("1", "5"))
    one = paper.table(choice, right, 3)
    other = paper.table(choice, wrong, 3, errors=True)
    for mine, theirs in (
        (one.cells, other.cells), (one.attacks, other.attacks), (one.defenses, other.defenses)
    ):  # fmt: skip
        assert mine.keys() == theirs.keys()
        for key, value in mine.items():
            mirrored = theirs[key]  # type: ignore[index]
            assert mirrored.draws.score.mean == pytest.approx(1 - value.draws.score.mean)
            assert mirrored.best_attack == value.best_attack
            assert mirrored.best_defense == value.best_defense
    means = {(c.attack, c.defense, f"{c.attack}{c.defense}"): c.correct["1"][0] for c in right}
    left = {key: TARGETS - count for key, count in means.items()}
    assert firsts(left, errors=True) == firsts(means)


@pytest.mark.parametrize("seed", range(3))
def test_the_open_arena(seed: int) -> None:
    grid = np.random.default_rng(seed).random((len(ATTACKS) + 1, len(DEFENSES), 3))
    kin: dict[Side, np.ndarray] = {
        "attack": np.array([0, 1, 1, 2]), "defense": np.array([0, 0, 1, 2])
    }  # fmt: skip
    mute = np.zeros(len(DEFENSES), np.bool_)
    one, other = (
        Game(ATTACKS, DEFENSES, values, kin, mute, errors)
        for values, errors in ((grid, False), (1 - grid, True))
    )
    for side in SIDES:
        for form in ("own", "robust"):
            first, second = (getattr(judged(game, side).verdict, form) for game in (one, other))
            assert second.ranks.tolist() == first.ranks.tolist()
            np.testing.assert_allclose(second.scores, 1 - first.scores)
    first, second = frontier(one).found, frontier(other).found
    assert second.value == pytest.approx(1 - first.value)
    np.testing.assert_allclose(second.rows, first.rows, atol=1e-6)
    np.testing.assert_allclose(second.columns, first.columns, atol=1e-6)


@pytest.mark.parametrize("side", SIDES)
def test_intervals(side: Side) -> None:
    rng = np.random.default_rng(7)
    sampling = sample(rng, targets=200, repeats=3, draws=400)
    hits = {
        name: [(rng.random((3, 200)) < share).astype(np.uint8) for _ in range(4)]
        for name, share in (("a", 0.3), ("b", 0.5), ("c", 0.52))
    }
    clean = [(rng.random((1, 200)) < 0.6).astype(np.uint8) for _ in range(4)]
    missed = {name: [1 - one.astype(np.float32) for one in of] for name, of in hits.items()}
    before = [clean] if side == "attack" else []
    one = standing([*hits], lambda name: [hits[name]], sampling, side, clean=before)
    left = [[1 - row.astype(np.float32) for row in of] for of in before]
    other = standing([*hits], lambda name: [missed[name]], sampling, side, clean=left, errors=True)
    for name, found in one.items():
        assert other[name].breaks == found.breaks
        for metric, place in found.places.items():
            mirrored = other[name].places[metric]
            assert mirrored.low == pytest.approx(1 - place.high, abs=1e-5)
            assert mirrored.high == pytest.approx(1 - place.low, abs=1e-5)
            assert (mirrored.ranks, mirrored.group) == (place.ranks, place.group)


def test_records_over_time() -> None:
    scores = [0.4, 0.6, 0.5, 0.7]
    for side in SIDES:
        one = records([Entered(at(n), str(n), s) for n, s in enumerate(scores)], side)
        left = [Entered(at(n), str(n), 1 - s) for n, s in enumerate(scores)]
        other = records(left, judged_as(side, errors=True))
        assert [entry.id for entry in other] == [entry.id for entry in one]
