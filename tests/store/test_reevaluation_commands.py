"""``grb admin``: results computed once more, planned, previewed, applied and cancelled by hand."""

from __future__ import annotations

import getpass
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner, Result

from grbcore.cli.main import app
from grbcore.store import audit
from grbcore.store.session import now
from grbcore.store.tables import AuditRow, CellRow, Reevaluation, Submission
from tests.store.world import BOARD, PROTOCOL, World, at

WIDE = "200"  # columns, so that no line of a table is folded


class Operator:
    def __init__(self, url: str, folder: Path) -> None:
        self.environment = {
            "GRB_DATABASE_URL": url,
            "GRB_VAR_DIR": str(folder / "var"),
            "COLUMNS": WIDE,
        }

    def __call__(self, *arguments: str, answer: str | None = None) -> Result:
        return CliRunner().invoke(app, ["admin", *arguments], env=self.environment, input=answer)

    def create(self, *options: str) -> str:
        """A re-evaluation that runs; its id."""
        done = self("reevaluate", BOARD, "--reason", "a faulty GPU", "--yes", *options)
        assert done.exit_code == 0, done.output
        return done.stdout.rsplit("re-evaluation ", 1)[1].split()[0]


@pytest.fixture
def admin(store_url: str, tmp_path: Path) -> Operator:
    return Operator(store_url, tmp_path)


@pytest.fixture
def board(world: World) -> World:
    """An attack and two defenses, every cell measured; the references are the first two."""
    world.ranked("attack", reference=True)
    world.ranked("defense", reference=True)
    world.ranked("defense")
    return world


def jobs(world: World) -> list[Reevaluation]:
    with world.sessions.reading() as session:
        return list(session.scalars(select(Reevaluation).order_by(Reevaluation.id)))


def lines(done: Result) -> dict[str, str]:
    """The rest of each line by its first word."""
    pairs = (line.split(maxsplit=1) for line in done.stdout.splitlines() if line.strip())
    return {pair[0]: pair[1].strip() if len(pair) > 1 else "" for pair in pairs}


# Planning and creating


def test_a_dry_run_tells_the_plan_and_writes_nothing(admin: Operator, board: World) -> None:
    done = admin("reevaluate", BOARD, "--reason", "x", "--dry-run")
    assert done.exit_code == 0, done.output
    told = lines(done)
    assert told["board"] == BOARD
    assert told["protocol"] == PROTOCOL
    assert told["cells"] == "4, of 1 attacks and 2 defenses"
    assert told["work"] == "2 s of one worker"
    assert told["expected"] == "no worker is alive"
    assert jobs(board) == []


def test_it_asks_and_takes_no_for_an_answer(admin: Operator, board: World) -> None:
    done = admin("reevaluate", BOARD, "--reason", "x", answer="n\n")
    assert done.exit_code == 1
    assert "Compute these once more?" in done.stdout
    assert jobs(board) == []
    assert admin("reevaluate", BOARD, "--reason", "x", answer="y\n").exit_code == 0
    assert [job.state for job in jobs(board)] == ["running"]


def test_whoever_runs_the_command_is_on_record(admin: Operator, board: World) -> None:
    job = admin.create()
    with board.sessions.reading() as session:
        (row,) = audit.entries(session, subject_id=job, limit=10)
        told = (row.user and row.user.name, row.via, row.action, row.reason)
    assert told == (f"cli:{getpass.getuser()}", "cli", "reevaluation.create", "a faulty GPU")


def family(world: World) -> list[str]:
    return ["--family", "RND"]


def one(world: World) -> list[str]:
    with world.sessions.reading() as session:
        query = select(CellRow.defense_id).order_by(CellRow.id.desc()).limit(1)
        return ["--submission", session.scalars(query).one()]


@pytest.mark.parametrize(
    ("options", "cells"),
    [
        (family, 2),
        (one, 2),
        (lambda world: ["--side", "defense", "--family", "GCN"], 4),
        (lambda world: ["--side", "attack", "--family", "GCN"], 0),
        (lambda world: ["--state", "failed"], 0),
        (lambda world: ["--state", "failed", "--state", "done"], 4),
        (lambda world: ["--evaluator-before", "1"], 0),
        (lambda world: ["--evaluator-before", "1000"], 4),
        (lambda world: ["--torch", "2.13.0"], 4),
        (lambda world: ["--torch", "2.12.0"], 0),
        (lambda world: ["--device", "cuda"], 0),
        (lambda world: ["--protocol", "f" * 16], 0),
        (lambda world: ["--older-than", "1h"], 4),
        (lambda world: ["--older-than", "52000w"], 0),
    ],
)
def test_an_option_narrows_the_selection(
    admin: Operator, board: World, options: Callable[[World], list[str]], cells: int
) -> None:
    done = admin("reevaluate", BOARD, "--reason", "x", "--dry-run", *options(board))
    assert done.exit_code == 0, done.output
    assert lines(done)["cells"].startswith(f"{cells},")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--older-than", "soon"], "--older-than: found 'soon', allowed: hours, days or weeks"),
        (["--side", "both"], "--side: found 'both', allowed: 'attack' or 'defense'"),
        (["--state", "broken"], "--state: found 'broken', allowed: 'done', 'failed' or 'dead'"),
        (["--evaluator-before", "0"], "--evaluator-before: found 0, allowed: greater than"),
    ],
)
def test_an_option_that_is_wrong_is_told(
    admin: Operator, board: World, options: list[str], message: str
) -> None:
    done = admin("reevaluate", BOARD, "--reason", "x", *options)
    assert done.exit_code == 1
    assert message in done.stderr


# Following


def test_they_are_listed_and_shown_with_their_progress(admin: Operator, board: World) -> None:
    assert admin("reevaluations").stdout == "no re-evaluation is known\n"
    job = admin.create()
    listed = admin("reevaluations", "--board", BOARD, "--state", "running")
    told = lines(listed)[job].split()
    assert told[:5] == [BOARD, "running", "0", "of", "4"]
    assert "no re-evaluation is known" in admin("reevaluations", "--state", "ready").stdout
    board.work(now=now())
    told = lines(admin("reevaluations", job))
    assert (told["state"], told["cells"]) == ("ready", "4 of 4")
    assert told["reason"] == "a faulty GPU"


def test_one_is_watched_to_its_end(admin: Operator, board: World) -> None:
    job = admin.create()
    board.work(now=now())
    done = admin("reevaluations", job, "--watch")
    assert done.exit_code == 0, done.output
    assert "4/4" in done.stdout
    assert lines(done)["state"] == "ready"


# Previewing and deciding


def spoil(world: World) -> None:
    """The first defense's result under attack as a faulty worker would leave it."""
    with world.sessions.writing() as session:
        query = select(CellRow).where(CellRow.attack_id.is_not(None)).order_by(CellRow.id).limit(1)
        session.scalars(query).one().correct = {"full": [0, 0, 0]}


def test_the_preview_shows_ranks_and_the_largest_difference(admin: Operator, board: World) -> None:
    spoil(board)
    job = admin.create()
    board.work(now=now())
    done = admin("preview", job)
    assert done.exit_code == 0, done.output
    defenses, _, rest = done.stdout.partition("Attacks; unchanged: 0")
    assert defenses.splitlines()[0].strip() == "Defenses; unchanged: 1"
    assert defenses.splitlines()[2].split()[:6] == ["2", "→", "1", "↑1", "defense", "2"]
    largest = rest.partition("Largest differences")[2].splitlines()[2].split()
    assert largest[-3:] == ["0.00", "80.00", "+80.00"]
    assert "1 result(s) and 1 rank(s) change" in done.stdout
    assert f"grb admin apply {job} --revision {board.revision()}" in done.stdout


def test_applying_asks_tells_what_changed_and_is_on_record(admin: Operator, board: World) -> None:
    spoil(board)
    job = admin.create()
    board.work(now=now())
    assert admin("apply", job, answer="n\n").exit_code == 1
    assert jobs(board)[0].state == "ready"
    done = admin("apply", job, answer="y\n")
    assert done.exit_code == 0, done.output
    changed = "1 result(s) and 1 rank(s) change"
    assert f"board at revision 3: {changed}" in done.stdout
    assert f"re-evaluation {job} is applied: {changed}\n" in done.stdout
    assert jobs(board)[0].state == "applied"
    told = admin("audit", job).stdout
    assert "reevaluation.apply" in told and f"cli:{getpass.getuser()}" in told


def test_a_board_that_changed_since_the_preview_is_refused(admin: Operator, board: World) -> None:
    job = admin.create()
    board.work(now=now())
    revision = board.revision()
    board.ranked("defense", now=now())
    done = admin("apply", job, "--revision", str(revision))
    assert done.exit_code == 1
    assert f"{revision}" in done.stderr
    assert jobs(board)[0].state == "ready"


def test_one_is_cancelled_with_a_reason(admin: Operator, board: World) -> None:
    job = admin.create()
    done = admin("cancel", job, "--reason", "all the same")
    assert (done.exit_code, done.stdout) == (0, f"re-evaluation {job} is cancelled\n")
    assert jobs(board)[0].state == "cancelled"
    again = admin("cancel", job, "--reason", "x")
    assert again.exit_code == 1
    assert "found cancelled, allowed: " in again.stderr
    assert "all the same" in admin("audit", job).stdout


def test_only_one_that_is_proposed_is_started(admin: Operator, board: World) -> None:
    done = admin("start", admin.create())
    assert done.exit_code == 1
    assert "found running, allowed: proposed" in done.stderr


def test_its_dead_cells_get_their_attempts_back(admin: Operator, board: World) -> None:
    job = admin.create()
    with board.sessions.writing() as session:
        for cell in session.scalars(select(CellRow).where(CellRow.place == "shadow")):
            cell.state, cell.finished_at = "dead", at(1)
        session.get_one(Reevaluation, job).state = "ready"
    done = admin("requeue", job, "--reason", "a new driver")
    assert done.exit_code == 0, done.output
    assert done.stdout == f"re-evaluation {job}: 4 cell(s) are queued again\n"
    assert jobs(board)[0].state == "running"


@pytest.mark.parametrize(
    "arguments",
    [
        ["reevaluations", "nothing"],
        ["preview", "nothing"],
        ["start", "nothing"],
        ["apply", "nothing", "--revision", "1"],
        ["cancel", "nothing", "--reason", "x"],
    ],
)
def test_a_name_that_nothing_has_is_refused(
    admin: Operator, board: World, arguments: list[str]
) -> None:
    done = admin(*arguments)
    assert done.exit_code == 1
    assert "re-evaluation: found no 'nothing', allowed: " in done.stderr


# The audit log


def test_what_an_operator_does_to_an_entry_is_on_record(admin: Operator, board: World) -> None:
    with board.sessions.reading() as session:
        entry = session.scalars(select(CellRow.defense_id).limit(1)).one()
    assert admin("audit").stdout == "nothing is on record\n"
    admin("hide", entry, "--reason", "copied")
    admin("hide", entry, "--reason", "again")
    admin("show", entry)
    with board.sessions.reading() as session:
        rows = session.scalars(select(AuditRow).order_by(AuditRow.id)).all()
        told = [(row.action, row.subject_id, row.reason) for row in rows]
    assert told == [("submission.hide", entry, "copied"), ("submission.show", entry, None)]
    shown = admin("audit", entry, "--limit", "1").stdout
    assert "submission.show" in shown and "submission.hide" not in shown


def test_an_operator_dismisses_a_flag_with_a_reason_and_raises_it_again(
    admin: Operator, board: World
) -> None:
    with board.sessions.reading() as session:
        entry = session.scalars(select(CellRow.defense_id).limit(1)).one()
    done = admin("dismiss-flag", entry, "high-variance", "--reason", "few repeats")
    assert done.stdout == f"submission {entry}: high-variance is dismissed\n"
    with board.sessions.reading() as session:
        kept = session.get_one(Submission, entry).dismissed
        assert kept is not None and kept["high-variance"]["reason"] == "few repeats"
    assert admin("restore-flag", entry, "high-variance").exit_code == 0
    with board.sessions.reading() as session:
        assert session.get_one(Submission, entry).dismissed is None
    refused = admin("dismiss-flag", entry, "reference", "--reason", "x")
    assert refused.exit_code == 1
    assert "found 'reference', allowed: graph-agnostic" in refused.stderr
