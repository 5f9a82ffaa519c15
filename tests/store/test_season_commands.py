"""``grb admin season``, ``merge`` and ``split``: who counts, as an operator decides it by hand."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner, Result

from grbcore.cli.main import app
from grbcore.store import clusters
from grbcore.store.tables import AuditRow, BoardRow, Season
from tests.guides import commands
from tests.store.world import BOARD, World

Admin = Callable[..., Result]


@pytest.fixture
def admin(store_url: str, tmp_path: Path) -> Admin:
    told = {"GRB_DATABASE_URL": store_url, "GRB_VAR_DIR": str(tmp_path / "var"), "COLUMNS": "200"}
    return lambda *arguments: CliRunner().invoke(app, ["admin", *arguments], env=told)


@pytest.fixture
def entries(world: World) -> dict[str, str]:
    """A reference of each side, and an attack by somebody, all ranked."""
    found = {
        "attack": world.ranked("attack", reference=True),
        "defense": world.ranked("defense", reference=True),
        "newcomer": world.ranked("attack"),
    }
    with world.sessions.writing() as session:
        session.get_one(BoardRow, BOARD).facts = {"targets": {"full": 10}}
    return found


def season(world: World, state: str) -> Season:
    with world.sessions.reading() as session:
        return session.scalars(select(Season).where(Season.state == state)).one()


def audited(world: World) -> list[tuple[str, str | None]]:
    with world.sessions.reading() as session:
        rows = session.scalars(select(AuditRow).order_by(AuditRow.id))
        return [(row.action, row.reason) for row in rows]


def test_a_season_is_proposed_shown_and_accepted(
    admin: Admin, world: World, entries: dict[str, str]
) -> None:
    """The newcomer has no code, so the same references follow, as season 2."""
    assert "no season has begun" in admin("season", "show", BOARD).stdout
    done = admin("season", "propose", BOARD)
    assert done.exit_code == 0, done.output
    proposed = season(world, "proposed")
    assert f"grb admin season accept {proposed.id} --reason" in done.stdout
    assert "no code or recipe is linked" in done.stdout
    assert {one["id"] for one in proposed.members} == {entries["attack"], entries["defense"]}
    assert [one["id"] for one in proposed.left_out] == [entries["newcomer"]]
    accepted = admin("season", "accept", proposed.id, "--reason", "a year is over")
    assert accepted.stdout == f"season 2 of {BOARD} has begun\n"
    shown = admin("season", "show", BOARD).stdout
    assert "season 2, current: references" in shown and "season 1, past: references" in shown
    again = admin("season", "accept", proposed.id, "--reason", "twice")
    assert again.exit_code != 0 and "found current, allowed: proposed" in again.output
    assert ("season.accept", "a year is over") in audited(world)


def test_a_proposal_is_refused_with_a_reason(
    admin: Admin, world: World, entries: dict[str, str]
) -> None:
    admin("season", "propose", BOARD)
    proposed = season(world, "proposed").id
    done = admin("season", "refuse", proposed, "--reason", "too early")
    assert done.stdout == f"season {proposed} is refused\n"
    assert season(world, "refused").reason == "too early"
    assert season(world, "current").number == 1


def test_no_season_is_proposed_while_a_baseline_is_evaluated(
    admin: Admin, world: World, entries: dict[str, str]
) -> None:
    world.submit("attack", reference=True)
    done = admin("season", "propose", BOARD)
    assert done.exit_code != 0 and "found 1 baselines to evaluate" in done.output
    with world.sessions.reading() as session:
        assert session.scalars(select(Season)).all() == []


def test_entries_are_merged_and_split(admin: Admin, world: World, entries: dict[str, str]) -> None:
    one, other = entries["attack"], entries["newcomer"]
    done = admin("merge", BOARD, one, other, "--reason", "one recipe, two names")
    assert done.stdout == "2 entries count as one\n"
    with world.sessions.reading() as session:
        (cluster,) = clusters.found(session, BOARD).clusters["attack"]
        assert set(cluster.members) == {one, other}
    done = admin("split", BOARD, other, "--reason", "other data")
    assert done.stdout == "1 entries count alone\n"
    with world.sessions.reading() as session:
        assert clusters.found(session, BOARD).clusters["attack"] == []
    wrong = admin("merge", BOARD, one, entries["defense"], "--reason", "no")
    assert wrong.exit_code != 0 and "of one side" in " ".join(wrong.output.split())
    assert audited(world)[-2:] == [
        ("duplicates.merge", "one recipe, two names"),
        ("duplicates.split", "other data"),
    ]


def test_every_command_of_the_page_about_the_arena_runs(
    admin: Admin, world: World, entries: dict[str, str]
) -> None:
    """SUBMISSION stands for the reference attack and then the newcomer, SEASON for a proposal."""
    lines = commands("arena.md")
    assert {" ".join(shlex.split(line)[2:4]) for line in lines if " season " in line} == {
        f"season {what}" for what in ("propose", "show", "accept", "refuse")
    }
    assert {shlex.split(line)[2] for line in lines} == {"split", "merge", "season"}
    # merge first: a cluster is split once there is one
    lines.sort(key=lambda line: " split " in line)
    for line in lines:
        if "SEASON" in line:
            admin("season", "propose", BOARD)
            line = line.replace("SEASON", season(world, "proposed").id)
        for entry in (entries["attack"], entries["newcomer"]):
            line = line.replace("SUBMISSION", entry, 1)
        program, group, *arguments = shlex.split(line)
        assert (program, group) == ("grb", "admin")
        done = admin(*arguments)
        assert done.exit_code == 0, f"{line}: {done.output}"
