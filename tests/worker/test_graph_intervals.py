"""Intervals of a board on whole graphs: at every budget and at the mean over them."""

from __future__ import annotations

from datetime import timedelta

import pytest

from grbcore.scenario import BUDGETS, MEAN
from grbcore.settings import Settings
from grbcore.store import intervals
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions
from grbcore.store.tables import IntervalRow
from tests.store.graph_world import BOARD, GRAPHS, GraphWorld, falling
from tests.store.world import START
from worker.interval_job import compute


@pytest.fixture
def blobs(settings: Settings) -> Blobs:
    return Blobs(settings.blob_url)


@pytest.fixture
def graphs(sessions: Sessions, blobs: Blobs) -> GraphWorld:
    """A reference of each side; 15 graphs of 19 are right at budget 1, two less with each."""
    made = GraphWorld(sessions, blobs)
    made.add("defense", reference=True)
    made.add("attack", falling(15, 2), reference=True)
    return made


def known(sessions: Sessions, side: str) -> dict[str, IntervalRow]:
    with sessions.reading() as session:
        rows = session.query(IntervalRow).filter_by(side=side, view="reference")
        return {row.difficulty: row for row in rows}


def test_there_is_one_for_each_budget_and_one_for_the_mean(
    sessions: Sessions, blobs: Blobs, graphs: GraphWorld
) -> None:
    compute(sessions, blobs, BOARD.id, "reference")
    compute(sessions, blobs, BOARD.id, "all")
    for side in ("attack", "defense"):
        assert known(sessions, side).keys() == {*BUDGETS, MEAN}
    with sessions.reading() as session:
        assert intervals.due(session, START + timedelta(hours=1)) == []


def test_that_of_the_mean_lies_around_the_mean_and_is_of_the_graphs(
    sessions: Sessions, blobs: Blobs, graphs: GraphWorld
) -> None:
    """The attack leaves 15, 13, 11, 9 and 7 of 19: 11 on the mean.  Whether a graph is right at how
    many budgets varies from 0 to 5 of 5, with a deviation of 0.35 (of 7 graphs 1, two each of 0.8,
    0.6, 0.4 and 0.2, 4 of 0), so the standard error of the graphs alone is 0.08."""
    compute(sessions, blobs, BOARD.id, "reference")
    attack = known(sessions, "attack")
    for at, expected in (("1", 15), ("5", 7), (MEAN, 11)):
        (_, one), *_ = intervals.unpacked(attack[at]).items()
        place = one.places["average"]
        assert place.low < expected / GRAPHS < place.high
        assert one.repeated
    (_, one), *_ = intervals.unpacked(attack[MEAN]).items()
    place = one.places["average"]
    # repeats are one graph apart at every budget: 1 / 19 / sqrt(3) = 0.03 beside 0.08
    assert 2 * 1.96 * 0.08 < place.high - place.low < 2 * 4.3 * 0.09
    # from 17 of 19 to 11: surely broken
    assert one.breaks is not None and (one.breaks.broken, one.breaks.of) == (1, 1)


def test_the_room_that_a_view_takes_counts_its_budgets(
    sessions: Sessions, graphs: GraphWorld
) -> None:
    """One attack and the row without one against one defense, at five budgets."""
    with sessions.reading() as session:
        planned = intervals.plan(session, BOARD, "all", START + timedelta(hours=1))
    assert planned is not None
    assert intervals.memory(planned.arena) == 2 * 5 * (512 * 3 + 256)
