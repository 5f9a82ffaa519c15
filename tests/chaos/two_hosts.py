"""Workers on another host than the servers, over a link that is cut for a minute.

    python -m tests.chaos.two_hosts

Needs root, which may make network namespaces.  API, Postgres, Redis and an S3 store are on one
host; on the other two workers that know nothing but their addresses.  Half of the entries are
uploaded before the cut, half while it lasts.  In the end each cell is there once, with the result
that it has in a calm run.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

import httpx
import numpy as np
from sqlalchemy import func, select

from grbcore.architectures import ARCHITECTURES
from grbcore.cli.up import api_command, worker_command
from grbcore.perturbation import Injection
from grbcore.scenario import Side
from grbcore.settings import SANDBOX_OFF
from grbcore.store import boards, migrate, tokens
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions, connect, now
from grbcore.store.tables import CellRow, Submission
from grbcore.submission import write_attack, write_defense
from tests.chaos import quick_evaluator
from tests.chaos.entries import Entry, check_cells
from tests.chaos.fleet import Fleet, command_in_json
from tests.chaos.hosts import Host, Hosts, two_hosts
from tests.e2e.stack import Stack
from tests.servers import S3, Postgres, Redis, free_port, wait_until

SIDES = 8  # entries of each
REST = 0.5  # seconds of a cell
CUT = 60.0


def attack(number: int, folder: Path) -> Path:
    """One injected node with one edge, of features that differ from one attack to the next."""
    path = folder / f"attack {number}.npz"
    features = np.full((1, 64), number / 100, np.float32)
    write_attack(path, {"full": [Injection(features, np.array([[1797], [0]], np.int64))]})
    return path


def defense(number: int, folder: Path) -> Path:
    """A small GCN whose weights differ from one defense to the next."""
    path = folder / f"defense {number}.safetensors"
    chosen = {"hidden": [4], "layer_norm": False}
    gcn = ARCHITECTURES["GCN"]
    shapes = gcn.shapes(gcn.parameters.model_validate(chosen), 64, 10)
    tensors = {name: np.full(shape, number / 100, np.float32) for name, shape in shapes.items()}
    write_defense(path, tensors, architecture="GCN", parameters=chosen)
    return path


class Servers:
    """What is on the first host, where this process is too."""

    def __init__(self, folder: Path, host: str, running: ExitStack) -> None:
        self.folder = folder
        database, broker, self.s3 = Postgres(host), Redis(host), S3(host)
        for server in (database, broker, self.s3):
            running.callback(server.close)
            server.start()
        for server in (database, broker, self.s3):
            wait_until(type(server).__name__, server.answers)
        self.s3.make_bucket()
        #: The three addresses, and the keys of the third.
        self.addresses = {
            "GRB_DATABASE_URL": database.url,
            "GRB_BROKER_URL": broker.url,
            "GRB_BLOB_URL": self.s3.url,
            **self.s3.environment,
        }
        migrate.upgrade(database.url)
        self.sessions = Sessions(connect(database.url))
        running.callback(self.sessions.engine.dispose)
        os.environ.update(self.s3.environment)
        self.blobs = Blobs(self.s3.url)
        with self.sessions.writing() as session:
            boards.sync(session, None, now())
            token = tokens.first_admin(session, now=now())
        api = {"GRB_HOST": host, "GRB_PORT": str(free_port())}
        self.stack = Stack(folder, {**self.addresses, **api})
        running.callback(self.stack.close)
        self.stack.token, self.stack.address = str(token), f"http://{host}:{api['GRB_PORT']}"
        self.stack.start("api", api_command())
        wait_until("the API", self._ready)
        self.entries: dict[str, Entry] = {}

    def upload(self, numbers: range) -> None:
        """An attack and a defense of each number."""
        for number in numbers:
            for side, path in (
                ("attack", attack(number, self.folder)),
                ("defense", defense(number, self.folder)),
            ):
                self._upload(side, path)  # type: ignore[arg-type]

    def _upload(self, side: Side, path: Path) -> None:
        family = {"family": "RND"} if side == "attack" else {}
        submission = self.stack.submit(path, side=side, **family)
        self.entries[submission] = Entry(side, path.read_bytes())

    def _ready(self) -> bool:
        try:
            return httpx.get(f"{self.stack.address}/api/v1/ready", timeout=5).is_success
        except httpx.HTTPError:
            return False

    def count(self, state: str) -> int:
        """How many cells are in this state."""
        with self.sessions.reading() as session:
            query = select(func.count()).select_from(CellRow).where(CellRow.state == state)
            return session.scalar(query) or 0

    def all_ranked(self) -> bool:
        with self.sessions.reading() as session:
            states = session.scalars(select(Submission.state)).all()
        return states == ["ranked"] * len(self.entries)


def play(hosts: Hosts, folder: Path) -> None:
    """Runs on the host of the servers."""
    with ExitStack() as running:
        servers = Servers(folder, hosts.servers.address, running)
        (folder / "evaluator").mkdir()
        quick = (sys.executable, quick_evaluator.__file__, str(folder / "evaluator"), str(REST))
        environment = {
            **servers.addresses,
            "GRB_VAR_DIR": str(folder / "elsewhere"),
            "GRB_EVALUATOR": command_in_json(quick),
            "GRB_SANDBOX": SANDBOX_OFF,
        }
        command = [*hosts.workers.within, *worker_command()]
        workers = Fleet(command, environment, folder / "workers.log")
        running.callback(workers.close)
        for number in range(2):
            workers.start(number)
        servers.upload(range(SIDES // 2))
        wait_until("cells are done and others run", lambda: servers.count("done") > 5, 120)
        wait_until("cells run", lambda: servers.count("running") > 0)
        hosts.cut()
        before = servers.count("done")
        cut_at = time.monotonic()
        servers.upload(range(SIDES // 2, SIDES))
        time.sleep(max(0.0, cut_at + CUT - time.monotonic()))
        during = servers.count("done")
        hosts.join()
        joined_at = time.monotonic()
        wait_until("everything is ranked", servers.all_ranked, 300)
        sys.stdout.write(
            f"{during - before} cells arrived in {CUT:.0f} s without a link, of {during} done; "
            f"all {servers.count('done')} {time.monotonic() - joined_at:.0f} s after it was back\n"
        )
        check_cells(servers.sessions, servers.blobs, servers.entries)
        workers.stop()
        assert not [*workers.remains()]


def main() -> None:
    if len(sys.argv) > 1:
        folder, *names = sys.argv[1:]
        one, other = (Host(*name.split("=")) for name in names)
        play(Hosts(one, other), Path(folder))
        return
    with two_hosts() as hosts, tempfile.TemporaryDirectory(prefix="grb-hosts-") as folder:
        names = [f"{host.name}={host.address}" for host in (hosts.servers, hosts.workers)]
        here = [sys.executable, "-m", "tests.chaos.two_hosts", folder, *names]
        subprocess.run([*hosts.servers.within, *here], check=True)


if __name__ == "__main__":
    main()
