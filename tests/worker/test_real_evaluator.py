"""The whole way through the real validator and the real evaluator, against evaluation by hand."""

from __future__ import annotations

import contextlib
from pathlib import Path

import numpy as np
import psutil
import pytest
from sqlalchemy import select

from grbcore.architectures import ARCHITECTURES
from grbcore.confusion import agrees, unpack
from grbcore.datasets import Dataset
from grbcore.margins import unpack as unpack_margins
from grbcore.perturbation import Injection
from grbcore.probes import PASSES, Probe
from grbcore.scenario import DIFFICULTIES
from grbcore.settings import Settings
from grbcore.store.blobs import Blobs
from grbcore.store.flags import GRAPHLESS
from grbcore.store.session import now
from grbcore.store.tables import CellRow
from grbcore.submission import write_attack
from tests.disks import small_disk
from tests.store.world import BOARD
from tests.worker.fixtures import Arena, Workers, wait_for
from tests.worker.real import Send, attack, by_hand, defense, injection, sure
from worker import supervisor as supervisor_module
from worker.supervisor import Supervisor

#: Of the attacks that are sent here: 20 nodes with 10 edges each, in each of three repeats.
SPENT = {
    name: {"nodes": [20] * 3, "edges": [200] * 3, "ends": [200] * 3} for name in ("hard", "full")
}


def test_the_matrix_equals_evaluation_by_hand_cell_by_cell(
    arena: Arena, real: Settings, send: Send, digits: Dataset, tmp_path: Path
) -> None:
    defenses = [defense(tmp_path / f"d{seed}", digits, seed=seed) for seed in (1, 2)]
    attacks = [attack(tmp_path / f"a{seed}", digits, seed=seed) for seed in (3, 4)]
    files = {send("defense", path): path for path in defenses}
    files |= {send("attack", path): path for path in attacks}
    supervisor = Supervisor(real, poll=0.1)
    supervisor.start()
    try:
        wait_for(lambda: all(arena.state(entry) == "ranked" for entry in files), 60)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    for entry in files:
        found = arena.submission(entry)
        assert found.spent == (SPENT if found.side == "attack" else None)
    rows = arena.cell_rows()
    assert len(rows) == 2 * 3
    with arena.sessions.reading() as session:
        kept = dict(session.execute(select(CellRow.id, CellRow.confusion)).all())
        margins = dict(session.execute(select(CellRow.id, CellRow.margins)).all())
    for row in rows:
        attacked = None if row.attack_id is None else files[row.attack_id]
        assert row.correct
        assert row.correct == by_hand(digits, attacked, files[row.defense_id])
        assert agrees(unpack(kept[row.id]), row.correct, row.total)
        assert row.hits_sha256 is not None
        assert (row.probe is None) is (attacked is not None)
        assert (margins[row.id] is None) is (attacked is not None)
        assert Blobs(real.blob_url).read(row.hits_sha256)
        assert row.device == "cpu"
    for path in defenses:
        [clean] = (r for r in rows if r.attack_id is None and files[r.defense_id] == path)
        packed = margins[clean.id]
        assert packed is not None
        assert unpack_margins(packed, len(digits.targets["full"])).tolist() == sure(digits, path)
    for entry in files:
        side = arena.submission(entry).side
        assert (arena.submission(entry).shift is None) is (side == "defense")


def test_every_registered_architecture_goes_all_the_way(
    arena: Arena, real: Settings, send: Send, digits: Dataset, tmp_path: Path
) -> None:
    entries = {
        send("defense", defense(tmp_path / name, digits, seed=5, architecture=name)): name
        for name in sorted(ARCHITECTURES)
    }
    supervisor = Supervisor(real, poll=0.1)
    supervisor.start()
    try:
        final = ("ranked", "failed", "rejected")
        wait_for(lambda: all(arena.state(entry) in final for entry in entries), 240)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    cells = {row.defense_id: row for row in arena.cell_rows()}
    ends = {entries[e]: (arena.state(e), arena.submission(e).violations) for e in entries}
    assert {name: end for name, end in ends.items() if end != ("ranked", [])} == {}
    for entry, name in entries.items():
        cell = cells[entry]
        probe = Probe.model_validate(cell.probe)
        assert (len(probe.passes) == PASSES) is ARCHITECTURES[name].stochastic, name
        if name in GRAPHLESS:
            assert cell.correct is not None
            assert (probe.unchanged, [probe.cut_correct]) == (probe.total, cell.correct["full"])


def test_a_worker_process_killed_while_the_real_evaluator_works_loses_nothing(
    arena: Arena,
    real: Settings,
    workers: Workers,
    send: Send,
    digits: Dataset,
    tmp_path: Path,
) -> None:
    entries = [send("attack", attack(tmp_path / f"a{n}", digits, seed=n)) for n in range(8)]
    entries.append(send("defense", defense(tmp_path / "d", digits, seed=9)))
    first = workers.start()
    wait_for(lambda: arena.states()["done"] >= 1, 60)
    first.kill()
    first.wait()
    workers.start()
    wait_for(lambda: all(arena.state(entry) == "ranked" for entry in entries), 60)
    assert arena.states() == {"done": 9}


def test_a_file_with_thousands_of_faults_is_rejected_with_the_first_hundred(
    arena: Arena, real: Settings, send: Send, digits: Dataset, tmp_path: Path
) -> None:
    """Each of 20 x 64 features of 12 injections is out of range: more than one short line."""
    far = injection(np.random.default_rng(0), digits).features + 100
    faults = [Injection(far, np.zeros((2, 0), np.int64)) for _ in range(3)]
    write_attack(tmp_path / "a", dict.fromkeys(DIFFICULTIES, faults))
    entry = send("attack", tmp_path / "a")
    supervisor = Supervisor(real, poll=0.1)
    supervisor.start()
    try:
        wait_for(lambda: arena.state(entry) == "rejected", 30)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    found = arena.submission(entry).violations
    assert len(found) == 100
    assert {fault["code"] for fault in found} == {"feature-range"}


@pytest.mark.root
def test_a_full_disk_below_the_evaluators_charges_nobody_and_work_goes_on_once_there_is_room(
    arena: Arena,
    real: Settings,
    send: Send,
    digits: Dataset,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(supervisor_module, "RESPITE", 0.5)
    entry = send("defense", defense(tmp_path / "d", digits, seed=1))
    assert arena.validate(now=now()) == entry
    real.scratch_dir.mkdir(parents=True)
    with small_disk(real.scratch_dir, "64k"):
        ballast = real.scratch_dir / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while True:
                file.write(bytes(1024))
        supervisor = Supervisor(real, poll=0.1)
        supervisor.start()
        wait_for(lambda: "disk is full" in supervisor.avoided().get(BOARD, ""), 60)
        [cell] = arena.cell_rows()
        assert (cell.attempts, arena.state(entry)) == (0, "evaluating")
        ballast.unlink()
        wait_for(lambda: arena.state(entry) == "ranked", 60)
        [cell] = arena.cell_rows()
        assert cell.attempts == 0
        supervisor.stop()
        assert supervisor.join(10)


def test_one_evaluator_serves_batch_after_batch_and_keeps_no_file_of_any(
    arena: Arena, real: Settings, send: Send, digits: Dataset, tmp_path: Path
) -> None:
    """It and the one that stands by are the only two that are ever started."""
    supervisor = Supervisor(real, poll=0.1)
    supervisor.start()
    seen: set[int] = set()
    for seed in range(3):
        entry = send("defense", defense(tmp_path / f"d{seed}", digits, seed=seed))
        wait_for(lambda entry=entry: arena.state(entry) == "ranked", 60)
        children = psutil.Process().children()
        seen |= {one.pid for one in children if "grbcore.evaluator" in one.cmdline()}
    wait_for(lambda: not [*real.scratch_dir.glob("*/*/*")])
    supervisor.stop()
    assert supervisor.join(10)
    assert len(seen) == 2
