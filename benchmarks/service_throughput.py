"""Cells per second of the service with one worker, beside ``evaluate_matrix`` in one process.

    python benchmarks/service_throughput.py [BOARD] [--copies 2] [--attacks 6] [--postgres]

The same entries on both sides, in turn, one thread each: the board's starter defenses, ``--copies``
times with other weights (untrained: the time does not depend on them), and RND attacks of all four
difficulties.  The defenses are ranked first; then all attacks come at once, and the clock runs
until their last cell is done, in a real worker with real evaluators.  ``evaluate_matrix`` reads
the same files; its clock leaves out the start of Python, the service's leaves out nothing.

GRB_DATA_DIR must hold the data of boards other than digits.  Embedded (SQLite, folders), or with
``--postgres`` on Postgres and Redis of its own.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import torch
from sqlalchemy import func, select

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from api.wake import Waker
from benchmarks.workloads.clock import machine
from grbcore import catalog, datasets
from grbcore.architectures import ARCHITECTURES
from grbcore.attacks import RND
from grbcore.catalog import Board
from grbcore.cli.up import worker_command
from grbcore.datasets import Dataset
from grbcore.files import sha256_of
from grbcore.graph import Graph
from grbcore.matrix import evaluate_matrix
from grbcore.models import build, save
from grbcore.results import CLEAN
from grbcore.scenario import DIFFICULTIES, InjectionBudget, Side
from grbcore.seeds import generator
from grbcore.settings import Settings
from grbcore.store import boards, migrate
from grbcore.store.blobs import Blobs
from grbcore.store.registration import settle
from grbcore.store.session import Sessions, connect, now
from grbcore.store.tables import CellRow, Submission, User
from grbcore.submission import Scale, check_header, scale_of, write_attack
from tests.servers import Postgres, Redis, wait_until

ROOT = Path(__file__).resolve().parents[1]


def defenses(board: Board, dataset: Dataset, copies: int, folder: Path) -> dict[str, Path]:
    """Files of untrained models, by name."""
    found = {}
    for copy in range(copies):
        for recipe in [one for one in board.defenses if one.starter]:
            kind = ARCHITECTURES[recipe.architecture].parameters
            parameters = kind.model_validate(recipe.parameters)
            width = int(dataset.features.shape[1])
            model = build(recipe.architecture, parameters, features=width, classes=dataset.classes)
            with torch.no_grad():
                for parameter in model.parameters():
                    parameter.normal_(0, 0.1)
            name = f"{recipe.name} {copy}"
            found[name] = folder / f"{name}.safetensors"
            save(found[name], model)
    return found


def attacks(board: Board, dataset: Dataset, count: int, folder: Path) -> dict[str, Path]:
    """Files of random attacks, by name."""
    clean = Graph.from_dataset(dataset)
    found = {}
    for number in range(count):
        made = {}
        for difficulty in DIFFICULTIES:
            budget = board.budget(difficulty, edges=dataset.edges)
            assert isinstance(budget, InjectionBudget)
            targets = dataset.targets[difficulty]
            made[difficulty] = tuple(
                RND()(
                    None, clean, targets, budget=budget, rng=generator(str(number), difficulty, r)
                )
                for r in range(board.repeats)
            )
        found[f"RND {number}"] = folder / f"RND {number}.npz"
        write_attack(found[f"RND {number}"], made)
    return found


class Service:
    """The store and the broker of a service, and one worker."""

    def __init__(self, settings: Settings, board: Board, scale: Scale) -> None:
        self.board = board
        self.scale = scale
        self.blobs = Blobs(settings.blob_url)
        self.waker = Waker(settings)
        migrate.upgrade(settings.database_url)
        self.sessions = Sessions(connect(settings.database_url))
        with self.sessions.writing() as session:
            boards.sync(session, settings.data_dir, now())
            user = User(name="bench", created_at=now())
            session.add(user)
            session.flush()
            self.user = user.id

    def register(self, side: Side, files: dict[str, Path]) -> None:
        """Add entries as if they had been found valid just now, and wake the worker."""
        with self.sessions.writing() as session:
            for number, (name, path) in enumerate(files.items()):
                with path.open("rb") as file:
                    header = check_header(file, side=side, board=self.board, scale=self.scale)
                assert not header.violations, header.violations
                sha256 = sha256_of(path)
                self.blobs.put_file(path, sha256)
                row = Submission(
                    board_id=self.board.id,
                    user_id=self.user,
                    side=side,
                    name=name,
                    authors="The benchmark",
                    family="RND",
                    attempt=number + 1,
                    sha256=sha256,
                    size=path.stat().st_size,
                    contents=header.contents,
                    state="evaluating",
                    received_at=now(),
                )
                session.add(row)
                session.flush()
                settle(session, row.id, now())
        self.waker.wake("benchmark", "cpu")

    def done(self) -> int:
        with self.sessions.reading() as session:
            query = select(func.count()).select_from(CellRow).where(CellRow.state == "done")
            return session.scalar(query) or 0


@contextlib.contextmanager
def servers(postgres: bool) -> Iterator[dict[str, str]]:
    with contextlib.ExitStack() as stack:
        if not postgres:
            yield {}
            return
        database, broker = Postgres(), Redis()
        stack.callback(database.close)
        stack.callback(broker.close)
        database.start()
        broker.start()
        wait_until("redis", broker.answers)
        yield {"database_url": database.url, "broker_url": broker.url}


@contextlib.contextmanager
def worker(settings: Settings, log: Path) -> Iterator[None]:
    environment = {
        **os.environ,
        "GRB_VAR_DIR": str(settings.var_dir),
        "GRB_DATABASE_URL": settings.database_url,
        "GRB_BROKER_URL": settings.broker_url,
        "OMP_NUM_THREADS": "1",
    }
    with log.open("ab") as out:
        process = subprocess.Popen(
            worker_command(), cwd=ROOT, env=environment, stdout=out, stderr=out
        )
    try:
        yield
    finally:
        process.terminate()
        process.wait(20)


def served(
    board: Board,
    scale: Scale,
    mine: dict[str, Path],
    theirs: dict[str, Path],
    folder: Path,
    postgres: bool,
) -> float:
    """Seconds that the service takes for all cells of these attacks."""
    with servers(postgres) as urls:
        settings = Settings(var_dir=folder / "var", **urls)
        settings.var_dir.mkdir(parents=True)
        service = Service(settings, board, scale)
        with worker(settings, folder / "worker.log"):
            service.register("defense", mine)
            wait_until("the clean cells", lambda: service.done() == len(mine), 600)
            time.sleep(4)  # the next evaluator stands by
            started = time.perf_counter()
            service.register("attack", theirs)
            total = len(mine) * (len(theirs) + 1)
            wait_until("the attacks' cells", lambda: service.done() == total, 3600)
            taken = time.perf_counter() - started
        service.waker.close()
        service.sessions.engine.dispose()
    return taken


def alone(board: Board, dataset: Dataset, mine: dict[str, Path], theirs: dict[str, Path]) -> float:
    """Seconds that ``evaluate_matrix`` takes for the same cells, without its clean row."""
    started = time.perf_counter()
    matrix = evaluate_matrix(mine, theirs, board, dataset)
    taken = time.perf_counter() - started
    return taken - sum(
        float(str(cell.provenance["seconds"])) for cell in matrix.cells if cell.attack == CLEAN
    )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("board", nargs="?", default="grb-cora/injection@1")
    arguments.add_argument("--copies", type=int, default=2)
    arguments.add_argument("--attacks", type=int, default=6)
    arguments.add_argument("--rounds", type=int, default=3)
    arguments.add_argument("--postgres", action="store_true")
    given = arguments.parse_args()
    torch.set_num_threads(1)
    board = catalog.board(given.board)
    dataset = datasets.load(board.dataset)
    ratios = []
    with tempfile.TemporaryDirectory(prefix="grb-bench-") as temporary:
        folder = Path(temporary)
        mine = defenses(board, dataset, given.copies, folder)
        theirs = attacks(board, dataset, given.attacks, folder)
        cells = len(mine) * len(theirs)
        where = "Postgres and Redis" if given.postgres else "SQLite and folders"
        print(f"{board.id}, {len(theirs)} x {len(mine)} = {cells} cells, {where}; {machine()}")
        for number in range(given.rounds):
            (folder / f"{number}").mkdir()
            home = alone(board, dataset, mine, theirs)
            here = served(
                board, scale_of(dataset), mine, theirs, folder / f"{number}", given.postgres
            )
            ratios.append(home / here)
            print(
                f"one process {cells / home:.1f} cells/s, service {cells / here:.1f} cells/s, "
                f"ratio {home / here:.2f}"
            )
    print(f"median ratio {statistics.median(ratios):.2f}, goal 0.7 or more")


if __name__ == "__main__":
    main()
