"""Of a board on whole graphs that hides half of them no result holds anything of these."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from grbcore.ladder import half, halves
from grbcore.probes import CUT_OFF
from grbcore.scenario import BUDGETS
from grbcore.scoring import unpack
from grbcore.settings import Settings
from grbcore.store import hiding
from grbcore.store.queue import Entry, LeasedCell
from grbcore.store.reevaluation import NotPossible
from grbcore.store.results import CellResult
from grbcore.store.session import Sessions, now
from grbcore.store.tables import BoardRow
from tests.grbcore.graphlevel.boards import DATASET, board
from tests.store.graph_world import GraphWorld
from tests.worker.fixtures import wait_for
from tests.worker.test_graph_boards import BOARD, Graphs, attack, defense, graphs  # noqa: F401
from worker.predictions import BadPredictions
from worker.scored import About, scored
from worker.supervisor import Supervisor

SEED = "5e" * 32
ABOUT: About = {"device": "cpu", "seconds": 1.0, "versions": {}}
SMALL = board()
COUNT = len(DATASET.targets["1"])


def test_a_graph_is_public_at_every_budget_or_at_none() -> None:
    masks = halves(DATASET.targets, SEED)
    assert {mask.sum() for mask in masks.values()} <= {COUNT // 2, COUNT - COUNT // 2}
    assert all(np.array_equal(mask, masks["1"]) for mask in masks.values())
    public = half(DATASET, masks)
    hidden = half(DATASET, {name: ~mask for name, mask in masks.items()})
    both = np.concatenate([public.targets["3"], hidden.targets["3"]])
    assert sorted(both.tolist()) == DATASET.split.test.tolist()
    assert len(public.part("test")) == COUNT  # all of them are still attacked


class Files:
    """What an evaluator may have written of a cell: classes of every graph, at random."""

    def __init__(self, attacked: bool, seed: int) -> None:
        self.rng = np.random.default_rng(seed)
        self.masks = halves(DATASET.targets, SEED)
        contents = {"difficulties": [*BUDGETS], "repeats": 3}
        entry = Entry("A", SMALL.id, "attack", "a", contents) if attacked else None
        self.cell = LeasedCell("C", entry, Entry("D", SMALL.id, "defense", "d", {}))
        repeats = 3 if attacked else 1
        self.predictions = {
            f"{b}/{r}": self.classes(COUNT) for b in BUDGETS for r in range(repeats)
        }
        self.margins = self.rng.integers(0, 101, COUNT).astype(np.uint8)

    def classes(self, count: int) -> np.ndarray:
        return self.rng.integers(-1, 2, count).astype(np.int16)

    def spoil_hidden(self) -> None:
        """Say the opposite of every graph that is hidden."""
        hidden = ~self.masks["1"]
        for found in self.predictions.values():
            found[hidden] = np.where(found[hidden] == 0, 1, 0)
        self.margins[hidden] = 100 - self.margins[hidden]

    def result(self, folder: Path, *, hides: bool = True, **more: Any) -> tuple[CellResult, bytes]:
        np.savez(folder / "C.npz", **self.predictions)
        np.savez(folder / "C.margins.npz", margins=self.margins)
        masks = self.masks if hides else None
        answer = {"margins": True, **more}
        return scored(folder, self.cell, answer, DATASET, SMALL, masks, ABOUT)


@pytest.mark.parametrize("attacked", [True, False])
def test_whatever_is_said_of_hidden_graphs_nothing_else_of_a_result_changes(
    tmp_path: Path, attacked: bool
) -> None:
    files = Files(attacked, 1)
    first, hits = files.result(tmp_path)
    whole, _ = files.result(tmp_path, hides=False)
    files.spoil_hidden()
    second, others = files.result(tmp_path)
    assert hits == others
    assert replace(first, hidden=None) == replace(second, hidden=None)
    assert first.hidden is not None and first.hidden != second.hidden
    assert (first.margins is None) == attacked
    for name in BUDGETS:
        assert first.total[name] + first.hidden["total"][name] == whole.total[name] == COUNT
        both = np.add(first.correct[name], first.hidden["correct"][name])
        assert both.tolist() == whole.correct[name]


def test_a_probe_that_is_none_of_the_test_graphs_is_refused(tmp_path: Path) -> None:
    """A file that is none of one class for each graph is refused as any other."""
    files = Files(False, 2)
    np.savez(tmp_path / "C.probe.npz", **{CUT_OFF: np.zeros(COUNT + 1, np.int16)})
    with pytest.raises(BadPredictions, match="cut/0"):
        files.result(tmp_path, passes=0)


def test_a_board_of_errors_hides_nothing_and_says_why(sessions: Sessions) -> None:
    GraphWorld(sessions)
    with sessions.writing() as session:
        session.add(BoardRow(id="zinc/adjacency@1", state="ready", protocol="0"))
    with sessions.writing() as session, pytest.raises(NotPossible, match="a board of errors"):
        hiding.hide(session, "zinc/adjacency@1", 0.05, user_id=None, via="cli", now=now())


@pytest.mark.real_data
def test_a_worker_measures_the_public_half_of_the_graphs(
    graphs: Graphs,  # noqa: F811
    settings: Settings,
    tmp_path: Path,
) -> None:
    """9 or 10 of MUTAG's 19; hits that it keeps are of these alone."""
    with graphs.sessions.writing() as session:
        hiding.hide(session, BOARD.id, 0.05, user_id=None, via="cli", now=now())
    entries = [
        graphs.send("defense", defense(tmp_path / "d", graphs.dataset, 1)),
        graphs.send("attack", attack(tmp_path / "a", graphs.dataset, 3)),
    ]
    supervisor = Supervisor(settings, poll=0.1)
    supervisor.start()
    try:
        wait_for(lambda: all(graphs.state(entry) == "ranked" for entry in entries), 60)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    with graphs.sessions.reading() as session:
        seed = session.scalars(select(BoardRow.hidden_seed).where(BoardRow.id == BOARD.id)).one()
        rows = graphs.cell_rows()
        kept = {row.id: row.hidden for row in session.scalars(select(type(rows[0])))}
        assert seed is not None
        public = hiding.public(session, BOARD.id, graphs.dataset)
    assert len(rows) == 2
    for row in rows:
        assert row.hits_sha256 is not None and row.total is not None
        hidden = kept[row.id]
        assert hidden is not None
        for name, hits in unpack(graphs.blobs.read(row.hits_sha256)).items():
            assert hits.shape[1] == row.total[name] == len(public.targets[name]) in (9, 10)
            assert row.total[name] + hidden["total"][name] == 19
            assert hits.sum(axis=1).tolist() == row.correct[name]  # type: ignore[index]
