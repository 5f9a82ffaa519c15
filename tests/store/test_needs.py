"""Boards and workers of different sizes: who takes what, and what is said where nobody does."""

from __future__ import annotations

from pathlib import Path

import pytest

from grbcore import catalog, datasets
from grbcore.needs import NEEDS, by_size, chosen_needs, need_of, needs
from grbcore.store import boards, workers
from grbcore.store.queue import NEW, RERUN, claim_cells, claim_validation, pending
from grbcore.store.session import Sessions
from grbcore.store.status import Unserved, status
from grbcore.store.tables import BoardRow, CellRow
from tests.store.world import BOARD, START, World, at

GPU = ("gpu", "gpu-large")


def need(world: World, wanted: str) -> None:
    with world.sessions.writing() as session:
        session.get_one(BoardRow, BOARD).need = wanted


@pytest.mark.parametrize(
    ("dataset", "expected"),
    [
        ("digits", "cpu"),
        ("grb-cora", "cpu"),
        ("grb-citeseer", "cpu"),
        ("grb-flickr", "gpu"),
        ("grb-aminer", "gpu"),
        ("grb-reddit", "gpu-large"),
    ],
)
def test_what_a_board_needs_follows_from_its_size(dataset: str, expected: str) -> None:
    """Nodes times features plus edges; sizes of GRB, Table 4."""
    entry = catalog.dataset(dataset)
    assert by_size(entry.nodes, entry.features, entry.edges) == expected


@pytest.mark.parametrize(
    ("nodes", "expected"), [(999_999, "cpu"), (1_000_000, "gpu"), (10_000_000, "gpu-large")]
)
def test_the_bounds_of_sizes(nodes: int, expected: str) -> None:
    assert by_size(nodes, 10, 0) == expected


def test_what_is_chosen_for_a_board_overrules_its_size() -> None:
    facts = {"nodes": 1, "features": 1, "edges": 1}
    chosen = chosen_needs(" grb-flickr/injection@1 = cpu, digits/injection@1=gpu-large,")
    assert need_of(BOARD, facts, chosen) == "gpu-large"
    assert need_of("digits/modification@1", facts, chosen) == "cpu"


@pytest.mark.parametrize("text", ["digits", "digits=tpu", "=cpu"])
def test_a_choice_that_is_none_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"allowed: BOARD=cpu\|gpu\|gpu-large"):
        chosen_needs(text)


def test_needs_are_named_once_and_in_order() -> None:
    assert needs(["gpu-large", "cpu", "cpu"]) == ("cpu", "gpu-large")
    with pytest.raises(ValueError, match="found tpu, allowed: cpu, gpu, gpu-large"):
        needs(["tpu"])


def test_a_sync_writes_what_each_board_needs(sessions: Sessions, tmp_path: Path) -> None:
    for chosen in ({}, {BOARD: "gpu"}, {}):
        with sessions.writing() as session:
            boards.sync(session, tmp_path, START, needs=chosen)  # type: ignore[arg-type]
        with sessions.reading() as session:
            assert session.get_one(BoardRow, BOARD).need == chosen.get(BOARD, "cpu")


def test_a_worker_takes_only_cells_of_boards_that_it_says(world: World) -> None:
    world.evaluating("defense")
    need(world, "gpu")
    with world.sessions.writing() as session:
        assert not pending(session, START, takes=("cpu", "gpu-large"))
        assert claim_cells(session, "host/1/cpu", START, takes=("cpu", "gpu-large")) is None
        assert pending(session, START, takes=GPU)
        assert claim_cells(session, "host/2/gpu", START, takes=GPU) is not None


def test_a_worker_validates_for_the_boards_that_it_takes(world: World) -> None:
    world.submit("attack")
    need(world, "gpu-large")
    with world.sessions.writing() as session:
        assert not pending(session, START, takes=("cpu", "gpu"))
        assert claim_validation(session, "host/1/cpu", START, takes=("cpu", "gpu")) is None
        assert claim_validation(session, "host/2/gpu", START, takes=GPU) is not None


def test_a_worker_of_another_kind_is_no_slot_for_new_work(world: World) -> None:
    """Of those that take a board one is kept free of re-evaluations; a lone one takes them."""
    world.evaluating("defense")
    need(world, "gpu")
    with world.sessions.writing() as session:
        session.query(CellRow).update({"priority": RERUN})
        for owner, takes in (("host/1/gpu", GPU), ("host/2/cpu", ("cpu",))):
            identity = workers.Identity(owner, "cpu", {}, START, takes=takes)  # type: ignore[arg-type]
            workers.beat(session, identity, avoided={}, now=START)
    with world.sessions.writing() as session:
        batch = claim_cells(session, "host/1/gpu", START, takes=GPU)
    assert batch is not None and batch.priority == RERUN > NEW


def test_work_that_no_living_worker_takes_is_counted(world: World) -> None:
    world.evaluating("defense")
    world.submit("attack")
    need(world, "gpu-large")
    identity = workers.Identity("host/1/cpu", "cpu", {}, START, takes=("cpu", "gpu"))
    with world.sessions.writing() as session:
        workers.beat(session, identity, avoided={}, now=START)
    with world.sessions.reading() as session:
        found = status(session, at(1))
    assert found.unserved == [Unserved("gpu-large", cells=1, validations=1)]
    assert found.takers == {"cpu": 1, "gpu": 1, "gpu-large": 0}
    large = workers.Identity("host/2/gpu", "cuda:0", {}, START, takes=GPU)  # type: ignore[arg-type]
    with world.sessions.writing() as session:
        workers.beat(session, large, avoided={}, now=START)
    with world.sessions.reading() as session:
        assert status(session, at(1)).unserved == []
        # the large one went: its work is unserved once its heartbeat is a lease old
        assert [one.need for one in status(session, at(100)).unserved] == ["gpu-large"]


def test_the_bundled_dataset_needs_no_gpu() -> None:
    facts = boards.facts(datasets.load("digits"))
    assert need_of(BOARD, facts, {}) == NEEDS[0]
