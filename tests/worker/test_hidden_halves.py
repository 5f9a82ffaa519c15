"""Of a board that hides targets no result holds anything of the hidden half."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select

from grbcore import catalog
from grbcore.datasets import Dataset
from grbcore.ladder import half, halves
from grbcore.scenario import DIFFICULTIES
from grbcore.scoring import score, unpack
from grbcore.settings import Settings
from grbcore.store import hiding
from grbcore.store.queue import Entry, LeasedCell
from grbcore.store.results import CellResult
from grbcore.store.session import now
from grbcore.store.tables import BoardRow
from tests.store.world import BOARD
from tests.worker.fixtures import Arena, wait_for
from worker.scored import About, scored
from worker.supervisor import Supervisor

SEED = "5e" * 32
ABOUT: About = {"device": "cpu", "seconds": 1.0, "versions": {}}
CARRIED = {"difficulties": list(DIFFICULTIES), "repeats": 3}


class Files:
    """What an evaluator may have written of a cell: classes of every target, at random."""

    def __init__(self, digits: Dataset, attacked: bool, seed: int) -> None:
        self.digits = digits
        self.masks = halves(digits.targets, SEED)
        self.rng = np.random.default_rng(seed)
        entry = Entry("A", BOARD, "attack", "a", CARRIED) if attacked else None
        self.cell = LeasedCell("C", entry, Entry("D", BOARD, "defense", "d", {}))
        repeats = 3 if attacked else 1
        self.predictions = {
            f"{name}/{repeat}": self.classes(len(every))
            for name, every in digits.targets.items()
            for repeat in range(repeats)
        }
        full = len(digits.targets["full"])
        self.probe = {name: self.classes(full) for name in ("cut_off", "pass/0", "pass/1")}
        self.margins = self.rng.integers(0, 101, full).astype(np.uint8)

    def classes(self, count: int) -> np.ndarray:
        return self.rng.integers(-1, 10, count).astype(np.int16)

    def spoil(self, *, hidden: bool) -> None:
        """Draw everything anew that is said of the targets of one half."""
        for name, found in self.predictions.items():
            mask = self.masks[name.split("/")[0]] != hidden  # type: ignore[index]
            found[mask] = self.classes(int(mask.sum()))
        mask = self.masks["full"] != hidden
        for found in self.probe.values():
            found[mask] = self.classes(int(mask.sum()))
        self.margins[mask] = self.rng.integers(0, 101, int(mask.sum()))

    def result(self, folder: Path, *, hiding: bool = True) -> tuple[CellResult, bytes]:
        from grbcore.probes import CUT_OFF, pass_name

        names = {"cut_off": CUT_OFF, "pass/0": pass_name(0), "pass/1": pass_name(1)}
        np.savez(folder / "C.npz", **self.predictions)
        np.savez(folder / "C.probe.npz", **{names[key]: one for key, one in self.probe.items()})
        np.savez(folder / "C.margins.npz", margins=self.margins)
        answer: dict[str, Any] = {"passes": 2, "margins": True}
        masks = self.masks if hiding else None
        return scored(folder, self.cell, answer, self.digits, catalog.board(BOARD), masks, ABOUT)


@pytest.mark.parametrize("attacked", [True, False])
@pytest.mark.parametrize("seed", range(5))
def test_whatever_is_hit_in_the_hidden_half_nothing_else_of_a_result_changes(
    digits: Dataset, tmp_path: Path, attacked: bool, seed: int
) -> None:
    files = Files(digits, attacked, seed)
    first, hits = files.result(tmp_path)
    files.spoil(hidden=True)
    second, others = files.result(tmp_path)
    assert hits == others
    assert replace(first, hidden=None) == replace(second, hidden=None)
    assert first.hidden != second.hidden
    files.spoil(hidden=False)
    third, _ = files.result(tmp_path)
    assert third.hidden == second.hidden
    for name in ("correct", "not_finite", "hits_sha256", "confusion"):
        assert getattr(third, name) != getattr(second, name)
    if not attacked:
        assert third.probe != second.probe and third.margins != second.margins


def test_a_result_is_that_of_a_dataset_with_the_public_targets(
    digits: Dataset, tmp_path: Path
) -> None:
    """And both halves together are the result without hiding."""
    files = Files(digits, True, 9)
    found, hits = files.result(tmp_path)
    whole, all_hits = files.result(tmp_path, hiding=False)
    public = half(digits, files.masks)
    shown = {
        name: [files.predictions[f"{name}/{at}"][files.masks[name]] for at in range(3)]
        for name in DIFFICULTIES
    }
    correct, total, packed = score(shown, public)
    assert (dict(found.correct), dict(found.total)) == (
        {name: list(one) for name, one in correct.items()},
        total,
    )
    assert hits == packed and whole.hidden is None and found.hidden is not None
    for name in DIFFICULTIES:
        assert np.array_equal(unpack(all_hits)[name][:, files.masks[name]], unpack(hits)[name])
        assert found.total[name] + found.hidden["total"][name] == whole.total[name]
        both = np.add(found.correct[name], found.hidden["correct"][name])
        assert both.tolist() == whole.correct[name]


def test_a_worker_measures_a_board_that_hides_targets(
    arena: Arena, settings: Settings, supervisor: Supervisor, digits: Dataset
) -> None:
    """The blob of hits that it keeps is of the public half, and so is all else."""
    with arena.sessions.writing() as session:
        hiding.hide(session, BOARD, 0.01, user_id=None, via="cli", now=now())
    defense = arena.newcomer("defense", b"defense \x03")
    supervisor.start()
    wait_for(lambda: arena.state(defense) == "ranked")
    attack = arena.newcomer("attack", b"attack")
    wait_for(lambda: arena.state(attack) == "ranked")
    with arena.sessions.reading() as session:
        seed = session.scalars(select(BoardRow.hidden_seed).where(BoardRow.id == BOARD)).one()
        rows = arena.cell_rows()
        kept = {row.id: row.hidden for row in session.scalars(select(type(rows[0])))}
    assert seed is not None and len(rows) == 2
    public = half(digits, halves(digits.targets, seed))
    for row in rows:
        assert row.total is not None and row.hits_sha256 is not None
        for name, hits in unpack(arena.blobs.read(row.hits_sha256)).items():
            labels = digits.labels[public.targets[name]]
            assert np.array_equal(hits, np.broadcast_to(labels == 3, hits.shape))
            hidden = kept[row.id]
            assert hidden is not None
            assert row.total[name] + hidden["total"][name] == len(digits.targets[name])
