"""``grb admin``: what an operator does by hand, on both databases."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner, Result

from grbcore.cli.main import app
from grbcore.store import audit, tokens, workers
from grbcore.store.blobs import Blobs
from grbcore.store.queue import claim_validation
from grbcore.store.recovery import retry_cell, retry_validation
from grbcore.store.session import now
from grbcore.store.tables import CellRow, Submission
from tests.store.world import OWNER, World, at


class Operator:
    def __init__(self, url: str, folder: Path) -> None:
        self.environment = {"GRB_DATABASE_URL": url, "GRB_VAR_DIR": str(folder / "var")}

    def __call__(self, *arguments: str, answer: str | None = None) -> Result:
        return CliRunner().invoke(app, ["admin", *arguments], input=answer, env=self.environment)


@pytest.fixture
def admin(store_url: str, tmp_path: Path) -> Operator:
    return Operator(store_url, tmp_path)


def dead_cell(world: World) -> str:
    """A cell that ended two evaluators; its id."""
    world.evaluating("defense")
    for second in (0, 100):
        batch = world.claim(now=at(second))
        cell_id = world.begin(batch, now=at(second))
        with world.sessions.writing() as session:
            retry_cell(
                session, cell_id, batch.token, code="x", reason="x", killed=True, now=at(second)
            )
    assert world.cell(cell_id).state == "dead"
    return cell_id


def test_a_dead_cell_is_requeued(admin: Operator, world: World) -> None:
    cell_id = dead_cell(world)
    done = admin("requeue", cell_id)
    assert (done.exit_code, done.stdout) == (0, f"cell {cell_id} is queued again\n")
    assert (world.cell(cell_id).state, world.cell(cell_id).attempts) == ("queued", 0)


def test_only_a_dead_cell_is_requeued(admin: Operator, world: World) -> None:
    world.ranked("defense")
    with world.sessions.reading() as session:
        cell_id = session.scalars(select(CellRow.id)).one()
    done = admin("requeue", cell_id)
    assert (done.exit_code, done.stderr) == (
        1,
        f"grb: cell {cell_id}: found state done, allowed: dead\n",
    )


def test_a_validation_that_stopped_starts_afresh(admin: Operator, world: World) -> None:
    submission_id = world.submit("attack")
    for attempt in range(4):
        with world.sessions.writing() as session:
            leased = claim_validation(session, OWNER, at(60 * attempt))
            assert leased is not None
            retry_validation(session, submission_id, leased.token, reason="x", now=at(60 * attempt))
    assert admin("revalidate", submission_id).exit_code == 0
    row = world.submission(submission_id)
    assert (row.state, row.attempts, row.reason) == ("received", 0, None)


def test_a_submission_that_waits_for_no_validation_is_not_revalidated(
    admin: Operator, world: World
) -> None:
    done = admin("revalidate", world.ranked("attack"))
    assert done.exit_code == 1
    assert "found state ranked, allowed: received" in done.stderr


def test_an_entry_is_hidden_and_shown_again(admin: Operator, world: World) -> None:
    submission_id = world.ranked("defense")
    assert admin("hide", submission_id).exit_code == 0
    assert world.submission(submission_id).hidden_at is not None
    assert admin("show", submission_id).exit_code == 0
    assert world.submission(submission_id).hidden_at is None


def test_an_entry_is_deleted_with_its_file_once_that_is_confirmed(
    admin: Operator, world: World
) -> None:
    blobs = Blobs(Path(admin.environment["GRB_VAR_DIR"], "blobs").as_uri())
    file = blobs.put_bytes(b"file")
    submission_id = world.submit("attack", sha256=file)
    refused = admin("delete", submission_id, "--reason", "asked to", answer="n\n")
    assert (refused.exit_code, blobs.exists(file)) == (1, True)
    assert "Delete the attack 'attack 1' by Ann on digits/injection@1, for good?" in refused.stdout
    assert admin("delete", submission_id, "--reason", "asked to", answer="y\n").exit_code == 0
    assert world.submission(submission_id).deleted_at is not None
    assert not blobs.exists(file)
    with world.sessions.reading() as session:
        (row,) = audit.entries(session, subject_id=submission_id, limit=9)
        assert (row.action, row.via, row.reason) == ("submission.delete", "cli", "asked to")
        assert row.user is not None and row.user.name.startswith("cli:")


def test_a_reference_is_not_deleted_and_no_reason_is_none(admin: Operator, world: World) -> None:
    reference = world.submit("attack", reference=True)
    done = admin("delete", reference, "--reason", "x", "--yes")
    assert (done.exit_code, done.stderr) == (
        1,
        "grb: a reference can't be deleted, an admin may hide it\n",
    )
    done = admin("delete", world.submit("attack"), "--reason", " ", "--yes")
    assert (done.exit_code, done.stderr) == (1, "grb: --reason: found nothing, allowed: a reason\n")
    done = admin("delete", "nothing", "--reason", "x", "--yes")
    assert "found no 'nothing', allowed: the id of a submission" in done.stderr


def test_files_that_nobody_needs_are_tidied_up(admin: Operator, world: World) -> None:
    folder = Path(admin.environment["GRB_VAR_DIR"], "blobs")
    blobs = Blobs(folder.as_uri())
    kept, old = blobs.put_bytes(b"kept"), blobs.put_bytes(b"old")
    world.submit("attack", sha256=kept)
    for sha256 in (kept, old):
        os.utime(folder / sha256[:2] / sha256, (0, 0))
    assert admin("tidy").stdout == "1 file(s) removed\n"
    assert (blobs.exists(kept), blobs.exists(old)) == (True, False)


def test_files_of_rejected_entries_are_tidied_up_after_some_days(
    admin: Operator, world: World
) -> None:
    folder = Path(admin.environment["GRB_VAR_DIR"], "blobs")
    blobs = Blobs(folder.as_uri())
    sha256 = blobs.put_bytes(b"bad")
    rejected = world.submit("attack", sha256=sha256)
    with world.sessions.writing() as session:
        row = session.get_one(Submission, rejected)
        row.state, row.validated_at = "rejected", at(0)
    assert admin("tidy").stdout == "0 file(s) removed\nthe files of 1 rejected entries removed\n"
    assert not blobs.exists(sha256)


def test_every_token_of_a_user_is_revoked_and_nobody_elses(admin: Operator, world: World) -> None:
    issued = [admin("token", "--user", name).stdout.strip() for name in ("bob", "bob", "eve")]
    done = admin("revoke", "bob")
    assert (done.exit_code, done.stdout) == (0, "bob: 2 token(s) ended\n")
    with world.sessions.reading() as session:
        left = [tokens.verify(session, token) for token in issued]
    assert [user and user.name for user in left] == [None, None, "eve"]


@pytest.mark.parametrize("command", ["requeue", "revalidate", "hide", "show", "revoke"])
def test_a_name_that_nothing_has_is_refused(admin: Operator, world: World, command: str) -> None:
    done = admin(command, "nothing")
    assert done.exit_code == 1
    assert "found no 'nothing', allowed: the " in done.stderr


def test_the_status_shows_the_queue_and_the_workers(admin: Operator, world: World) -> None:
    identity = workers.Identity("machine:boot:1/77/abc", "cpu", {}, now())
    with world.sessions.writing() as session:
        workers.beat(session, identity, avoided={"a/b@1": "no data"}, now=now())
    submission_id = world.submit("attack", now=now())
    with world.sessions.writing() as session:
        claim_validation(session, identity.owner, now())
    world.evaluating("defense")
    done = admin("status")
    assert done.exit_code == 0, done.stderr
    lines = {line.split()[0]: line.split() for line in done.stdout.splitlines() if line}
    assert lines["validations"] == ["validations", "0", "–", "1", "0", "0"]
    assert lines["cells"][:2] == ["cells", "1"]
    work = ["alive", "validation", "of", submission_id, "cpu", "all"]
    assert lines["machine"][:9] == ["machine", "77", *work, lines["machine"][8]]
    assert lines["machine"][9:] == ["s", "ago", "a/b@1:", "no", "data"]
    assert lines["digits/injection@1"] == ["digits/injection@1", "ready", "cpu", "–", "–", "–"]


def test_the_status_shows_what_no_worker_takes(admin: Operator, world: World) -> None:
    world.evaluating("defense")
    done = admin("status")
    (_, row) = done.stdout.partition("no living worker takes")[2].splitlines()[:2]
    assert row.split() == ["cpu", "0", "1"]


def test_a_users_quota_is_shown_and_changed(admin: Operator, world: World) -> None:
    world.submit("attack")
    shown = admin("quota").stdout.splitlines()
    assert [line.split()[0] for line in shown] == ["user", "ann"]
    assert "0 of 20" in shown[1] and "0 of 200" in shown[1] and "1B of 5.0GiB" in shown[1]
    done = admin("quota", "ann", "--per-day", "50", "--stored", "20GiB", "--reason", "a workshop")
    assert done.exit_code == 0, done.stderr
    assert "0 of 50" in done.stdout and "1B of 20.0GiB" in done.stdout
    with world.sessions.reading() as session:
        (line,) = audit.entries(session, subject_kind="user", limit=5)
    assert (line.action, line.via, line.reason) == ("user.quota", "cli", "a workshop")
    done = admin("quota", "ann", "--per-day", "default", "--stored", "0", "--reset")
    assert "0 of 20" in done.stdout and done.stdout.rstrip().endswith("1B")


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("nobody",), "user: found no 'nobody', allowed: the name of a user"),
        (
            ("ann", "--per-day", "many"),
            "--per-day: found 'many', allowed: a whole number or",
        ),
        (("ann", "--stored", "much"), "--stored: found 'much', allowed: a size such as 20GiB"),
        (("ann", "--per-day", "-1"), "found a number out of bounds, allowed: 0 or more"),
        (("--reset",), "USER: found nothing, allowed: the user whose quota changes"),
    ],
)
def test_a_quota_that_can_not_be_is_refused(
    admin: Operator, world: World, arguments: tuple[str, ...], told: str
) -> None:
    done = admin("quota", *arguments)
    assert done.exit_code == 1 and told in done.stderr
