"""Whatever is killed, and whenever, every submission is ranked and every cell is computed once."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import product
from pathlib import Path

import httpx
import psutil
import pytest
from sqlalchemy import select

from grbcore.cli.up import api_command
from grbcore.scenario import Side
from grbcore.store.queue import MAX_VALIDATIONS
from grbcore.store.session import Sessions, connect
from grbcore.store.tables import CellRow, Submission
from tests.e2e.stack import BOARD, Stack, wait_for

SEED = 2021
ROUNDS = 10
VICTIMS = ("worker", "evaluator", "api")
FILES = {
    "wide": ("train", "--architecture", "GAT", "--hidden", "64,64,64", "--heads", "8"),
    "gcn": ("train", "--hidden", "32"),
    "gin": ("train", "--architecture", "GIN", "--hidden", "32,32"),
    "norm": ("train", "--hidden", "32", "--layer-norm"),
    "random": ("attack", "--method", "RND"),
    "again": ("attack", "--method", "RND", "--seed", "1", "--repeats", "1"),
}


@pytest.fixture
def store(production_stack: Stack) -> Iterator[Sessions]:
    engine = connect(production_stack.environment["GRB_DATABASE_URL"])
    yield Sessions(engine)
    engine.dispose()


@pytest.mark.long
def test_nothing_is_lost_or_doubled_while_processes_are_killed_at_random(
    production_stack: Stack, store: Sessions, tmp_path: Path
) -> None:
    """Ten kills at random moments.  A cell that ended two evaluators is put aside, as it should
    be, and requeued as an operator does.
    """
    stack, rng = production_stack, random.Random(SEED)
    files = [make(stack, name, tmp_path) for name in FILES]
    killed: list[psutil.Process] = []
    with ThreadPoolExecutor(1) as threads:
        uploads = threads.submit(upload_all, stack, files, random.Random(SEED + 1))
        for _ in range(ROUNDS):
            time.sleep(rng.uniform(0.2, 4.0))
            killed += kill(stack, rng.choice(VICTIMS), rng)
        ids = uploads.result(300)
    wait_for("everything ranked", lambda: all_ranked(stack, store, ids), 300)

    with store.reading() as session:
        entries = session.execute(select(Submission.id, Submission.side)).all()
        cells = session.execute(
            select(CellRow.attack_id, CellRow.defense_id).where(CellRow.state == "done")
        ).all()
        unfinished = session.scalars(select(CellRow.id).where(CellRow.state != "done")).all()
    attacks = [None, *(entry for entry, side in entries if side == "attack")]
    defenses = [entry for entry, side in entries if side == "defense"]
    assert sorted(map(str, cells)) == sorted(map(str, product(attacks, defenses)))
    assert not unfinished
    _, alive = psutil.wait_procs(killed, timeout=60)
    assert not alive, "a child of a killed worker lives on"


def make(stack: Stack, name: str, folder: Path) -> Path:
    """A file to upload; the weights need not be good."""
    command, *options = FILES[name]
    path = folder / f"{name}.{'npz' if command == 'attack' else 'safetensors'}"
    training = ("--epochs", "3") if command == "train" else ()
    stack.grb(command, BOARD, *options, *training, "--out", str(path))
    return path


def upload_all(stack: Stack, files: list[Path], rng: random.Random) -> list[str]:
    """Upload at random moments, and again where no answer came; the ids."""
    ids = []
    for path in files:
        time.sleep(rng.uniform(0.2, 4.0))
        ids.append(wait_for(f"upload of {path.name}", lambda path=path: upload(stack, path), 120))
    return ids


def upload(stack: Stack, path: Path) -> str | None:
    side: Side = "attack" if path.suffix == ".npz" else "defense"
    family = {"family": "RND"} if side == "attack" else {}
    try:
        answer = stack.upload(path, side=side, **family)
    except httpx.TransportError:
        return None
    if answer.status_code == 503:
        return None
    assert answer.status_code in (200, 202), answer.text  # 200: it had been taken before
    return str(answer.json()["id"])


def kill(stack: Stack, victim: str, rng: random.Random) -> list[psutil.Process]:
    """Kill -9 one process and start it again; those that must end with it."""
    if victim == "api":
        stack.stop("api", kill=True)
        stack.start("api", api_command())
        return []
    worker = psutil.Process(stack.processes["worker"].pid)
    children = worker.children(recursive=True)
    if victim == "worker":
        stack.stop("worker", kill=True)
        stack.start_worker()
        return children
    evaluators = [child for child in children if "grbcore.evaluator" in cmdline(child)]
    if evaluators:
        rng.choice(evaluators).kill()
    return []


def cmdline(process: psutil.Process) -> list[str]:
    try:
        return process.cmdline()
    except psutil.NoSuchProcess:
        return []


def all_ranked(stack: Stack, store: Sessions, ids: list[str]) -> bool:
    """Whether these are ranked; puts dead cells and stopped validations back into the queue."""
    with store.reading() as session:
        rows = session.scalars(select(Submission).where(Submission.id.in_(ids))).all()
        dead = session.scalars(select(CellRow.id).where(CellRow.state == "dead")).all()
    states = {row.state for row in rows}
    assert not states & {"failed", "rejected"}
    for cell in dead:
        stack.grb("admin", "requeue", cell)
    for row in rows:
        if row.state == "received" and row.attempts >= MAX_VALIDATIONS:
            stack.grb("admin", "revalidate", row.id)
    return states == {"ranked"} and len(rows) == len(FILES)
