"""A backup of a running service, everything lost, and the service as it was: as the guide says."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import create_engine, text

from grbcore.cli.up import api_command
from grbcore.store.queue import claim_cells, claim_validation
from grbcore.store.registration import finish_validation
from grbcore.store.session import Sessions, connect, now
from tests.e2e.stack import BOARD, ROOT, Stack, production, ready, wait_for
from tests.store import databases
from tests.store.moved import attack_file, defense_file

GUIDE = (ROOT / "docs" / "operations.md").read_text("utf-8")


@pytest.fixture(params=[pytest.param("sqlite", marks=pytest.mark.long), "postgres"])
def stack(request: pytest.FixtureRequest, tmp_path: Path, broker_url: str) -> Iterator[Stack]:
    """The API and a worker over either database, Redis or folders."""
    if request.param == "sqlite":
        with production(tmp_path, f"sqlite:///{tmp_path / 'var' / 'grb.db'}", "") as stack:
            yield stack
        return
    with (
        databases.postgres(migrated=False) as url,
        production(tmp_path, url, broker_url) as stack,
    ):
        yield stack


def test_after_a_loss_of_everything_the_service_is_as_it_was(stack: Stack, tmp_path: Path) -> None:
    files = tmp_path / "files"
    files.mkdir()
    for value in (1, 2):
        for side, make in (("defense", defense_file), ("attack", attack_file)):
            path = make(files, value)
            family = {"family": "RND"} if side == "attack" else {}
            stack.settled(stack.submit(path, side=side, name=f"{side} {value}", **family))
    stack.stop("worker")
    interrupted = stack.submit(defense_file(files, 3), side="defense", name="Interrupted")
    leave_in_the_middle(stack, interrupted)
    seen = shown(stack)
    assert seen["states"]["Interrupted"] == "evaluating"

    folder = tmp_path / "backups"
    first, again = (run(stack, "Back up", folder) for _ in range(2))
    assert ", 0 new" not in first and ", 0 new" in again
    lose(stack)

    run(stack, "Restore", folder)
    begin(stack)
    assert shown(stack) == seen
    assert stack.get("/ready")["status"] == "ok"
    path = attack_file(files, 2)
    again = stack.upload(path, side="attack", family="RND", name="attack 2")
    assert again.status_code == 200  # the token works, and the file is there
    stack.start_worker()
    assert stack.settled(interrupted)["state"] == "ranked"


def run(stack: Stack, heading: str, folder: Path) -> str:
    """Run the commands under this heading of the operator's guide; what they print."""
    section = GUIDE.split(f"\n## {heading}\n")[1].split("\n## ")[0]
    block = re.findall(r"^```sh run\n(.*?)^```$", section, re.DOTALL | re.MULTILINE)[0]
    path = f"{Path(sys.executable).parent}:{os.environ['PATH']}"
    done = subprocess.run(
        ["bash", "-euc", block],
        cwd=stack.folder,
        env={**stack.environment, "BACKUPS": str(folder), "PATH": path},
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def leave_in_the_middle(stack: Stack, submission: str) -> None:
    """A worker of another host validates it, takes its cells, and is never heard of again."""
    engine = connect(stack.environment["GRB_DATABASE_URL"])
    sessions = Sessions(engine)
    with sessions.writing() as session:
        leased = claim_validation(session, "elsewhere/1/x", now())
        assert leased is not None and leased.entry.id == submission
        finish_validation(session, submission, leased.token, [], now())
    with sessions.writing() as session:
        batch = claim_cells(session, "elsewhere/1/x", now())
        assert batch is not None and len(batch.cells) == 3
    engine.dispose()


def shown(stack: Stack) -> dict[str, Any]:
    """What readers see of the board."""
    found: dict[str, Any] = {
        f"{side} {difficulty}": rows(stack, side, difficulty)
        for side in ("attack", "defense")
        for difficulty in ("easy", "full")
    }
    listed = stack.get("/submissions", board=BOARD)["submissions"]
    found["states"] = {entry["name"]: entry["state"] for entry in listed}
    return found


def rows(stack: Stack, side: str, difficulty: str) -> list[tuple[Any, ...]]:
    answer = stack.get(f"/boards/{BOARD}/leaderboard", side=side, difficulty=difficulty, view="all")
    return [
        (row["rank"], row["entry"] and row["entry"]["name"], str(row["metrics"]))
        for row in answer["rows"]
    ]


def lose(stack: Stack) -> None:
    """The host is gone: its processes, its database, its files."""
    for name in list(stack.processes):
        stack.stop(name, kill=True)
    shutil.rmtree(stack.folder / "var")
    url = stack.environment["GRB_DATABASE_URL"]
    if url.startswith("postgresql"):
        engine = create_engine(url)
        with engine.begin() as connection:
            connection.execute(text("DROP SCHEMA public CASCADE"))
            connection.execute(text("CREATE SCHEMA public"))
        engine.dispose()


def begin(stack: Stack) -> None:
    stack.start("api", api_command())
    wait_for("the API", lambda: ready(stack.address), 60)
