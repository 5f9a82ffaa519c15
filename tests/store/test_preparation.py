"""Preparing a board: references are submitted once, and whatever stops it is told."""

from __future__ import annotations

import os
import signal
from pathlib import Path
from typing import Any

import pytest
import typer
from sqlalchemy import func, select, update

from grbcore import baselines, catalog
from grbcore.catalog import AttackRecipe, Board, DefenseRecipe
from grbcore.cli import baselines as command
from grbcore.cli.baselines import Preparation, missing
from grbcore.settings import Settings
from grbcore.store import boards
from grbcore.store.queue import MAX_VALIDATIONS, claim_validation
from grbcore.store.registration import finish_validation
from grbcore.store.tables import BoardRow, CellRow, Submission
from grbcore.violations import Violation
from tests.conftest import data_folder
from tests.store.world import BOARD, OWNER, START, World

GCN = DefenseRecipe(name="GCN", architecture="GCN", parameters={"hidden": [4]}, epochs=2)
RANDOM = AttackRecipe(name="RND", method="RND")


@pytest.fixture
def settings(store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Settings:
    monkeypatch.setenv("GRB_DATABASE_URL", store_url)
    monkeypatch.setenv("GRB_VAR_DIR", str(tmp_path / "var"))
    monkeypatch.delenv("GRB_DATA_DIR", raising=False)
    return Settings()


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Board:
    """The digits board with recipes that take no time, for the command too."""
    board = catalog.board(BOARD).model_copy(update={"defenses": (GCN,), "attacks": (RANDOM,)})
    monkeypatch.setattr(catalog, "board", lambda name: board)
    monkeypatch.setattr(catalog, "boards", lambda: {board.id: board})
    return board


def prepare(board: Board, settings: Settings, *, wait: bool = True) -> bool:
    return Preparation(board, settings, starter=True).run(wait=wait)


def row(world: World) -> BoardRow:
    with world.sessions.reading() as session:
        return session.get_one(BoardRow, BOARD)


def failed(world: World) -> str:
    found: dict[str, Any] | None = row(world).preparation
    assert found is not None
    return str(found["failed"])


def entries(world: World) -> int:
    with world.sessions.reading() as session:
        return session.scalar(select(func.count()).select_from(Submission)) or 0


def submit(world: World, board: Board, settings: Settings) -> None:
    assert prepare(board, settings, wait=False)


def rank_all(world: World) -> None:
    for _ in range(2):
        world.validate()
    world.work()


def test_baselines_are_submitted_as_references_of_their_owner(
    world: World, small: Board, settings: Settings
) -> None:
    submit(world, small, settings)
    with world.sessions.reading() as session:
        found = session.scalars(select(Submission)).all()
        assert {(one.side, one.name, one.user.name) for one in found} == {
            ("defense", "GCN", "baselines"),
            ("attack", "RND", "baselines"),
        }
        assert all(one.is_reference for one in found)


def test_a_board_whose_references_are_ranked_is_ready(
    world: World, small: Board, settings: Settings
) -> None:
    submit(world, small, settings)
    rank_all(world)
    assert prepare(small, settings)
    assert (row(world).state, row(world).preparation) == ("ready", None)
    assert missing(settings) == []


def test_a_board_with_a_reference_that_is_not_ranked_is_missing(
    world: World, small: Board, settings: Settings
) -> None:
    submit(world, small, settings)
    assert missing(settings) == [BOARD]


def test_boards_of_injection_are_prepared_before_those_of_modification(
    world: World, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However the catalog has them in order."""
    other = "digits/modification@1"
    listed = {one: catalog.board(one) for one in (other, BOARD)}
    monkeypatch.setattr(catalog, "boards", lambda: listed)
    with world.sessions.writing() as session:
        found = session.get(BoardRow, other) or BoardRow(id=other, revision=0)
        found.state = "ready"
        session.add(found)
    assert missing(settings) == [BOARD, other]


GRAPH_BOARD = "mutag/adjacency@1"
BAG = DefenseRecipe(name="Bag", architecture="Bag", parameters={"hidden": 4}, epochs=1)
ADDED = AttackRecipe(name="Random", method="Random")


@pytest.mark.real_data
def test_a_board_on_whole_graphs_is_prepared_as_the_others(
    world: World, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    recipes = {"defenses": (BAG,), "attacks": (ADDED,)}
    board = catalog.board(GRAPH_BOARD).model_copy(update=recipes)
    monkeypatch.setattr(catalog, "boards", lambda: {board.id: board})
    monkeypatch.setattr(catalog, "board", lambda name: board)
    here = settings.model_copy(update={"data_dir": data_folder()})
    with world.sessions.writing() as session:
        boards.sync(session, here.data_dir, START)
    assert missing(here) == [board.id]
    assert prepare(board, here, wait=False)
    with world.sessions.reading() as session:
        found = session.scalars(select(Submission).where(Submission.board_id == board.id)).all()
        told = {(one.side, one.name, one.is_reference, one.paper_url) for one in found}
    assert told == {("defense", "Bag", True, None), ("attack", "Random", True, None)}


def test_a_board_on_whole_graphs_without_its_data_is_not_prepared(
    world: World, settings: Settings, tmp_path: Path
) -> None:
    with world.sessions.writing() as session:
        rows = {row.id: row.state for row in boards.sync(session, tmp_path, START)}
    assert rows[GRAPH_BOARD] == "no-data"
    assert GRAPH_BOARD not in missing(settings)
    assert not prepare(catalog.board(GRAPH_BOARD), settings, wait=False)


def test_a_reference_that_is_there_is_neither_made_nor_submitted_again(
    world: World, small: Board, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After an upgrade its bytes may be others: the board would have two of one name."""
    submit(world, small, settings)
    changed = small.model_copy(update={"defenses": (GCN.model_copy(update={"seed": 1}),)})
    said: list[str] = []
    monkeypatch.setattr(Preparation, "_tell", lambda self, step, failed=None: said.append(step))
    assert prepare(changed, settings, wait=False)
    assert (entries(world), said) == (2, [])


def test_a_rejected_reference_is_told_at_the_end(
    world: World, small: Board, settings: Settings
) -> None:
    submit(world, small, settings)
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, START)
        assert leased is not None
        fault = [Violation("finite", "convs.0.weight", "nan", "finite weights")]
        finish_validation(session, leased.entry.id, leased.token, fault, START)
    world.validate()
    world.work()
    assert not prepare(small, settings)
    assert failed(world) == "GCN: rejected: the file breaks the board's rules: 1 violation"
    assert (row(world).state, missing(settings)) == ("ready", [BOARD])


def test_a_validation_that_was_stopped_ends_the_wait(
    world: World, small: Board, settings: Settings
) -> None:
    submit(world, small, settings)
    with world.sessions.writing() as session:
        session.execute(
            update(Submission).values(attempts=MAX_VALIDATIONS, reason="waits for an admin")
        )
    assert not prepare(small, settings)
    assert set(failed(world).split("; ")) == {
        "GCN: waits for an admin",
        "RND: waits for an admin",
    }


def test_dead_cells_end_the_wait(world: World, small: Board, settings: Settings) -> None:
    """The clean cell, and that of the attack, which needs none and is ranked at once."""
    submit(world, small, settings)
    for _ in range(2):
        world.validate()
    with world.sessions.writing() as session:
        session.execute(update(CellRow).values(state="dead", finished_at=START))
    assert not prepare(small, settings)
    assert failed(world) == "GCN: cells that could not be computed and wait for an admin: 2"


def test_the_command_ends_with_code_1_where_a_baseline_is_refused(
    world: World, small: Board, settings: Settings
) -> None:
    submit(world, small, settings)
    with world.sessions.writing() as session:
        session.execute(update(Submission).values(state="rejected", reason="broken"))
    with pytest.raises(typer.Exit) as ended:
        command.baselines([BOARD], everything=False, wait=True)
    assert ended.value.exit_code == 1


def test_a_preparation_that_is_ended_from_outside_says_so(
    world: World, small: Board, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: object, announce: Any, **__: object) -> list[Any]:
        announce("training GCN")
        os.kill(os.getpid(), signal.SIGTERM)
        return []

    monkeypatch.setattr(baselines, "make", ended)
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(KeyboardInterrupt):
        command.baselines([BOARD], everything=False, wait=True)
    assert row(world).state == "ready"
    assert failed(world) == f"interrupted; grb baselines {BOARD} goes on"
    assert signal.getsignal(signal.SIGTERM) == before


def test_a_board_whose_turn_comes_later_says_what_it_waits_for(
    world: World, small: Board, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen: list[Any] = []

    def ended(*_: object, **__: object) -> list[Any]:
        found = row(world)
        seen.append((found.state, (found.preparation or {}).get("step")))
        raise KeyboardInterrupt

    monkeypatch.setattr(baselines, "make", ended)
    with pytest.raises(KeyboardInterrupt):
        command.baselines([BOARD, BOARD], everything=False, wait=True)
    assert seen == [("preparing", f"waits for {BOARD}")]
    assert row(world).state == "ready"


def test_a_board_without_its_data_stays_so(world: World, small: Board, settings: Settings) -> None:
    with world.sessions.writing() as session:
        session.execute(update(BoardRow).values(state="no-data"))
    assert not prepare(small, settings)
    assert (row(world).state, row(world).preparation) == ("no-data", None)
