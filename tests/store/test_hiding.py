"""``grb admin ladder``: targets are hidden before anything is measured, or never."""

from __future__ import annotations

import io
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner, Result

from grbcore.cli.main import app
from grbcore.store import hiding, moving
from grbcore.store.blobs import Blobs
from grbcore.store.queue import claim_cells
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import now
from grbcore.store.tables import AuditRow, BoardRow
from tests.guides import commands
from tests.store.world import BOARD, START, World

Admin = Callable[..., Result]


@pytest.fixture
def ladder(store_url: str, tmp_path: Path) -> Admin:
    told = {"GRB_DATABASE_URL": store_url, "GRB_VAR_DIR": str(tmp_path / "var"), "COLUMNS": "200"}
    return lambda *arguments: CliRunner().invoke(app, ["admin", "ladder", *arguments], env=told)


def row(world: World) -> BoardRow:
    with world.sessions.reading() as session:
        return session.get_one(BoardRow, BOARD)


def test_it_is_switched_on_shown_and_switched_off_while_nothing_is_measured(
    ladder: Admin, world: World
) -> None:
    """The seed is told nowhere, and stays as it is where only the step changes."""
    assert "no target is hidden" in ladder("show", BOARD).stdout
    answers = [ladder("on", BOARD, "--step", "0.01"), ladder("show", BOARD)]
    seed = row(world).hidden_seed
    assert seed is not None and len(seed) == 64 and row(world).ladder_step == 0.01
    answers.append(ladder("on", BOARD))
    assert (row(world).hidden_seed, row(world).ladder_step) == (seed, 0.005)
    assert all(one.exit_code == 0 and "step 0.0" in one.stdout for one in answers)
    with world.sessions.reading() as session:
        rows = session.scalars(select(AuditRow).order_by(AuditRow.id)).all()
        assert [one.action for one in rows] == ["ladder.on"] * 2
        assert seed not in f"{[one.details for one in rows]}{[one.output for one in answers]}"
    assert ladder("off", BOARD).exit_code == 0
    assert (row(world).hidden_seed, row(world).ladder_step) == (None, None)


def test_every_command_of_the_page_about_ranks_runs(ladder: Admin, world: World) -> None:
    """On, shown with the step that the page names, and off again."""
    lines = [shlex.split(line) for line in commands("ranking.md") if " ladder " in line]
    assert [line[:4] for line in lines] == [
        ["grb", "admin", "ladder", what] for what in ("on", "show", "off")
    ]
    for line in lines:
        answer = ladder(*line[3:])
        assert answer.exit_code == 0, answer.output
        assert row(world).ladder_step == (None if line[3] == "off" else 0.005)


def test_a_board_that_was_never_here_is_told_so(ladder: Admin, world: World) -> None:
    answer = ladder("on", "grb-cora/injection@1")
    assert answer.exit_code != 0 and "allowed: after grb board sync" in answer.output
    assert ladder("off", "grb-cora/injection@1").exit_code == 0


@pytest.mark.parametrize("step", ["0", "0.2", "-1", "nan"])
def test_a_step_that_is_no_step_is_refused(ladder: Admin, world: World, step: str) -> None:
    answer = ladder("on", BOARD, "--step", step)
    assert answer.exit_code != 0 and "allowed: 0.0001 to 0.1" in answer.output
    assert row(world).hidden_seed is None


def test_where_something_is_measured_or_being_so_neither_is_possible(
    ladder: Admin, world: World
) -> None:
    world.evaluating("defense")
    assert ladder("on", BOARD).exit_code == 0  # its cell waits
    with world.sessions.writing() as session:
        batch = claim_cells(session, "a worker", START, limit=5)
        assert batch is not None and batch.hidden_seed == row(world).hidden_seed is not None
    answer = ladder("off", BOARD)
    assert answer.exit_code != 0 and "found 1 cells that are measured or being so" in answer.output
    assert ladder("on", BOARD, "--step", "0.02").exit_code == 0
    assert row(world).ladder_step == 0.02


def test_a_board_whose_results_were_seen_hides_nothing(ladder: Admin, world: World) -> None:
    world.ranked("defense", reference=True)
    with (
        world.sessions.writing() as session,
        pytest.raises(NotPossible, match="where results were seen"),
    ):
        hiding.hide(session, BOARD, 0.01, user_id=None, via="cli", now=now())
    assert row(world).hidden_seed is None


def test_a_board_that_hides_targets_is_not_written_for_another_host(
    ladder: Admin, world: World, tmp_path: Path
) -> None:
    with world.sessions.writing() as session:
        session.get_one(BoardRow, BOARD).facts = {"targets": {"full": 10}}
    ladder("on", BOARD)
    with pytest.raises(ValueError, match="half of whose targets is hidden"):
        moving.export_board(world.sessions, Blobs(f"file://{tmp_path}"), BOARD, io.BytesIO())


def test_results_of_a_board_with_a_hidden_half_are_of_half_its_targets() -> None:
    """So much luck is allowed for in the choice of references."""
    row = BoardRow(id=BOARD, facts={"targets": {"full": 101}})
    assert hiding.shown_targets(row, "full") == 101
    row.hidden_seed = "5e" * 32
    assert hiding.shown_targets(row, "full") == 50
    assert hiding.shown_targets(BoardRow(id=BOARD), "full") == 0
