"""``grb doctor`` names what does not work, and how to mend it."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from typer.testing import CliRunner, Result

from grbcore.cli.main import app
from grbcore.store import workers
from grbcore.store.recovery import retry_cell
from grbcore.store.session import now
from tests.store.world import World, at


class Doctor:
    """The command in a folder of a service."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        page = folder / "page"
        page.mkdir()
        (page / "index.html").write_text("built")
        (folder / "blobs").mkdir()
        self.environment = {
            "GRB_VAR_DIR": str(folder / "var"),
            "GRB_BLOB_URL": (folder / "blobs").as_uri(),
            "GRB_PAGE_DIR": str(page),
            "GRB_PORT": "9",  # where nobody answers
        }

    def __call__(self, **environment: str) -> Result:
        return CliRunner().invoke(app, ["doctor"], env={**self.environment, **environment})


@pytest.fixture
def doctor(tmp_path: Path) -> Doctor:
    return Doctor(tmp_path)


def lines(done: Result) -> dict[str, str]:
    """What is said of each part: the level and the words, with how to mend it."""
    found: dict[str, str] = {}
    part = ""
    for line in done.stdout.splitlines():
        words = line.split()
        if words[0] in ("ok", "note", "problem"):
            part = words[1]
            found[part] = " ".join([words[0], *words[2:]])
        else:
            found[part] += " " + " ".join(words)
    return found


def test_a_host_before_the_first_start_has_no_problem(doctor: Doctor) -> None:
    done = doctor()
    assert done.exit_code == 0, done.stdout
    found = lines(done)
    assert found["database"].startswith("note")
    assert found["database"].endswith("→ grb up, or grb board sync, makes it")
    assert found["datasets"].startswith("note not here:")
    assert found["API"].startswith("note none answers")
    assert not (doctor.folder / "var").exists()


def test_a_service_in_order(doctor: Doctor, world: World, store_url: str) -> None:
    with world.sessions.writing() as session:
        identity = workers.Identity("machine:boot:1/77/abc", "cpu", {}, now())
        workers.beat(session, identity, avoided={}, now=now())
    done = doctor(GRB_DATABASE_URL=store_url)
    assert done.exit_code == 0, done.stdout
    found = lines(done)
    assert found["workers"] == "ok 1 alive on cpu, 0 cells wait"
    assert found["board"] == "ok digits/injection@1: ready"
    assert found["files"].endswith("written and read")
    assert list((doctor.folder / "blobs").iterdir()) == []


def test_work_without_a_worker_is_a_problem(doctor: Doctor, world: World, store_url: str) -> None:
    world.evaluating("defense")
    done = doctor(GRB_DATABASE_URL=store_url)
    assert done.exit_code == 1
    assert lines(done)["workers"].startswith("problem none is alive, 1 cells wait")


def test_cells_that_wait_for_an_admin_are_named(
    doctor: Doctor, world: World, store_url: str
) -> None:
    world.evaluating("defense")
    for second in (0, 100):
        batch = world.claim(now=at(second))
        cell = world.begin(batch, now=at(second))
        with world.sessions.writing() as session:
            retry_cell(
                session, cell, batch.token, code="x", reason="x", killed=True, now=at(second)
            )
    assert "grb admin requeue" in lines(doctor(GRB_DATABASE_URL=store_url))["cells"]


def test_tables_of_another_version_are_told(doctor: Doctor, world: World, store_url: str) -> None:
    with world.sessions.engine.begin() as connection:
        found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar_one()
        connection.execute(text("UPDATE alembic_version SET version_num = '0001'"))
    done = doctor(GRB_DATABASE_URL=store_url)
    with world.sessions.engine.begin() as connection:  # other tests use this database
        connection.execute(text(f"UPDATE alembic_version SET version_num = '{found}'"))
    assert done.exit_code == 1
    assert "then grb board sync" in lines(done)["database"]


def test_what_confines_children_is_named(doctor: Doctor) -> None:
    """This machine has a kernel with Landlock, or bubblewrap: the tests of the sandbox need one."""
    words = lines(doctor())["sandbox"]
    assert words.startswith(("ok landlock, tried; ", "ok bubblewrap, tried; "))
    for offer in ("landlock", "seccomp", "user namespaces", "bubblewrap", "cgroup"):
        assert offer in words
    off = lines(doctor(GRB_SANDBOX="off-i-trust-every-upload"))["sandbox"]
    assert off.startswith("note children are not confined; ")


def test_a_machine_without_a_sandbox_is_told_what_it_lacks(doctor: Doctor, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    done = doctor(GRB_SANDBOX="bubblewrap", PATH=str(tmp_path / "empty"))
    assert done.exit_code == 1
    found = lines(done)["sandbox"]
    assert found.startswith("problem none; ")
    assert "bubblewrap: not installed (apt install bubblewrap)" in found
    assert "GRB_SANDBOX=off-i-trust-every-upload" in found


BROKEN = {
    "database": {"GRB_DATABASE_URL": "postgresql+psycopg://ann:secret@127.0.0.1:9/none"},
    "messages": {"GRB_BROKER_URL": "redis://:secret@127.0.0.1:9/0"},
    "page": {"GRB_PAGE_DIR": "/nowhere"},
    "disk": {"GRB_MIN_FREE_BYTES": str(2**62)},
    "GRB_DATA_DIR": {"GRB_DATA_DIR": "/nowhere"},
}


@pytest.mark.parametrize("part", BROKEN)
def test_a_part_that_does_not_work_is_named_and_no_password_told(doctor: Doctor, part: str) -> None:
    done = doctor(**BROKEN[part])
    assert done.exit_code == 1
    found = lines(done)[part]
    assert found.startswith("problem") and "→" in found
    assert "secret" not in done.output


def test_a_store_that_can_not_be_written_is_named(doctor: Doctor) -> None:
    (doctor.folder / "a file").touch()
    found = lines(doctor(GRB_BLOB_URL=(doctor.folder / "a file").as_uri()))["files"]
    assert found.startswith("problem") and "GRB_BLOB_URL" in found
