"""A worker measures hold-outs with the real evaluator, after everything else."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
from sqlalchemy import select

from grbcore import catalog, models
from grbcore.datasets import Dataset
from grbcore.evaluate import evaluate
from grbcore.holdouts import Holdout
from grbcore.perturbation import Injection
from grbcore.settings import Settings
from grbcore.store import holdouts
from grbcore.store.holdouts import Made
from grbcore.store.session import now
from grbcore.store.tables import HoldoutCell, Submission
from grbcore.submission import write_attack
from tests.store.test_holdouts import made as files
from tests.store.world import BOARD
from tests.worker.fixtures import Arena, Double, wait_for
from tests.worker.real import Send, defense
from worker.supervisor import Supervisor


def crowd(digits: Dataset, nodes: int, seed: int) -> Injection:
    """So many nodes with ten edges each to targets, their features drawn at random."""
    rng = np.random.default_rng(seed)
    low, high = catalog.board(BOARD).feature_range
    features = rng.uniform(low, high, (nodes, digits.features.shape[1])).astype(np.float32)
    targets = digits.targets["full"]
    ends = np.concatenate([rng.choice(targets, 10, replace=False) for _ in range(nodes)])
    each = np.repeat(np.arange(nodes) + digits.nodes, 10)
    return Injection(features, np.stack([each, ends]).astype(np.int64))


def test_a_defense_is_measured_at_double_the_budget_as_by_hand(
    arena: Arena, real: Settings, send: Send, digits: Dataset, tmp_path: Path
) -> None:
    """And an attack that uses more than its part of the budget is refused there too."""
    board = catalog.board(BOARD)
    allowed = board.budget("full")
    most = allowed.nodes  # type: ignore[union-attr]
    made, attacks = [], {}
    for name, factor, nodes in (("A", 2.0, 2 * most), ("B", 0.5, most)):
        attacks[name] = {"full": [crowd(digits, nodes, 1)]}
        path = tmp_path / name
        write_attack(path, attacks[name])  # type: ignore[arg-type]
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        recipe = board.attacks[0].model_copy(update={"name": name})
        contents = {"difficulties": ["full"], "repeats": 1}
        made.append(Made(Holdout(recipe, "budget", factor), path, digest, contents))
    weights = defense(tmp_path / "d", digits, seed=1)
    entry = send("defense", weights)
    supervisor = Supervisor(real, poll=0.1)
    supervisor.start()
    try:
        wait_for(lambda: arena.state(entry) == "ranked", 60)
        with arena.sessions.writing() as session:
            protocol = board.protocol(digits.digest)
            holdouts.place(
                session, arena.blobs, BOARD, made,
                protocol=protocol, user_id=None, via="cli", now=now(),
            )  # fmt: skip
        with arena.sessions.writing() as session:
            row = session.get_one(Submission, entry)
            holdouts.ask(session, row, user_id=None, via="cli", now=now())
        wait_for(lambda: states(arena) == {"A": "done", "B": "failed"}, 60)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    found = {row.attack.name: row for row in rows(arena)}
    width = digits.features.shape[1]
    model, header = models.load(weights, features=width, classes=digits.classes)
    by_hand = evaluate(
        board.at_budget(2),
        digits,
        model=model,
        attack=attacks["A"],
        features=header.features,  # type: ignore[arg-type]
    )
    assert found["A"].correct == {"full": list(by_hand.correct["full"])}
    assert found["A"].total == {"full": len(digits.targets["full"])}
    assert found["B"].error_code == "budget-nodes"
    assert arena.state(entry) == "ranked"


def test_a_host_that_spoils_hold_outs_leaves_them_to_others_and_nothing_else(
    arena: Arena, supervisor: Supervisor, double: Double, digits: Dataset, tmp_path: Path
) -> None:
    entries = [arena.newcomer("defense", b"defense " + bytes([last])) for last in b"12"]
    supervisor.start()
    wait_for(lambda: all(arena.state(entry) == "ranked" for entry in entries))
    double.plan(*["infra"] * 20)
    protocol = catalog.board(BOARD).protocol(digits.digest)
    with arena.sessions.writing() as session:
        holdouts.place(
            session, arena.blobs, BOARD, files(tmp_path),
            protocol=protocol, user_id=None, via="cli", now=now(),
        )  # fmt: skip
        for entry in entries:
            row = session.get_one(Submission, entry)
            holdouts.ask(session, row, user_id=None, via="cli", now=now())
    wait_for(lambda: supervisor.avoided().keys() == {f"hold-outs of {BOARD}"})
    double.plan()
    newcomer = arena.newcomer("defense", b"defense 3")
    wait_for(lambda: arena.state(newcomer) == "ranked")
    assert supervisor.avoided().keys() == {f"hold-outs of {BOARD}"}


def rows(arena: Arena) -> list[HoldoutCell]:
    with arena.sessions.reading() as session:
        found = list(session.scalars(select(HoldoutCell)))
        assert all(row.attack for row in found)
        return found


def states(arena: Arena) -> dict[str, str]:
    return {row.attack.name: row.state for row in rows(arena)}
