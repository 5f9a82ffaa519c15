"""The same content in other bytes: refused to its own user, shown to admins alone."""

from __future__ import annotations

import pytest
from typer.testing import CliRunner

from grbcore.cli.main import app
from grbcore.scenario import Side
from grbcore.store import duplicates
from grbcore.store.deletion import delete_submission
from grbcore.store.queue import claim_validation
from grbcore.store.registration import finish_validation
from tests.store.world import OWNER, World, at

ONE, OTHER = "a" * 64, "b" * 64


def validated(world: World, content: str, side: Side = "defense", **fields: object) -> str:
    """A submission that was found valid, with this canonical hash; its id."""
    submission = world.submit(side, **fields)  # type: ignore[arg-type]
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, at(0))
        assert leased is not None
        assert leased.entry.id == submission
        assert finish_validation(session, submission, leased.token, [], at(0), canonical=content)
    return submission


def test_the_content_of_an_earlier_attempt_is_rejected_with_its_number(world: World) -> None:
    first = validated(world, ONE)
    second = world.submission(validated(world, ONE))
    assert world.state(first) == "evaluating"
    assert second.state == "rejected"
    [violation] = second.violations
    assert violation["code"] == "duplicate"
    assert violation["found"].startswith("the content of attempt 1,")
    assert first not in str(second.violations) + str(second.reason)


def test_other_content_is_taken(world: World) -> None:
    validated(world, ONE)
    assert world.state(validated(world, OTHER)) == "evaluating"


@pytest.mark.parametrize("how", ["other side", "reference", "other user", "unknown"])
def test_it_is_taken_from_another_side_or_user_and_of_references(world: World, how: str) -> None:
    validated(world, ONE)
    if how == "other side":
        found = validated(world, ONE, "attack")
    elif how == "reference":
        found = validated(world, ONE, reference=True)
    elif how == "unknown":
        found = world.evaluating("defense")
    else:
        found = validated(world, ONE, user=world.another_user("bob"))
    row = world.submission(found)
    assert row.state in ("evaluating", "ranked")
    assert row.violations == []


def test_a_rejected_attempt_is_no_obstacle(world: World) -> None:
    """The third is a duplicate of the first, never of the second, which was rejected."""
    validated(world, ONE)
    validated(world, ONE)
    third = world.submission(validated(world, ONE))
    assert third.violations[0]["found"].startswith("the content of attempt 1,")


def test_a_deleted_attempt_is_forgotten(world: World) -> None:
    first = validated(world, ONE)
    with world.sessions.writing() as session:
        delete_submission(session, first, user_id=None, via="cli", reason="asked", now=at(1))
    assert world.submission(first).canonical is None
    assert world.state(validated(world, ONE)) == "evaluating"


def test_the_same_content_of_two_users_is_shown_to_admins(world: World) -> None:
    validated(world, OTHER)
    first = validated(world, ONE)
    validated(world, ONE)  # rejected
    second = validated(world, ONE, user=world.another_user("bob"))
    with world.sessions.reading() as session:
        found = duplicates.groups(session)
        assert [[entry.id for entry in alike] for alike in found] == [[first, second]]
        assert duplicates.groups(session, world.board)
        assert duplicates.groups(session, "another") == []


def test_the_command_lists_them(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    url = world.sessions.engine.url.render_as_string(hide_password=False)
    monkeypatch.setenv("GRB_DATABASE_URL", url)
    shown = CliRunner().invoke(app, ["admin", "duplicates"])
    assert shown.output == "no two users have sent the same content\n"
    first = validated(world, ONE)
    second = validated(world, ONE, user=world.another_user("bob"))
    shown = CliRunner().invoke(app, ["admin", "duplicates"])
    assert first in shown.output
    assert second in shown.output
    assert "bob" in shown.output
