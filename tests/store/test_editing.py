"""Changing what is said of an entry: what changes, what does not, and what is on record."""

from __future__ import annotations

import pytest

from grbcore.store import audit, marks
from grbcore.store.deletion import delete_submission
from grbcore.store.editing import SubmissionChanges, edit
from grbcore.store.reevaluation import NotPossible
from grbcore.store.registration import fail_cell
from grbcore.store.tables import Submission
from tests.store.world import World, at

ALL = {
    "name": "Better name",
    "authors": "Ann, Bob",
    "team": "Team",
    "description": "What it does.",
    "paper_url": "https://a.org/paper",
    "code_url": "https://a.org/code",
}


def change(world: World, entry: str, *, user: str | None = None, **fields: object) -> bool:
    changes = SubmissionChanges.model_validate(fields)
    with world.sessions.writing() as session:
        return edit(session, entry, changes, user_id=user or world.user, via="api", now=at(9))


def test_every_field_that_may_be_changed_is_changed(world: World) -> None:
    entry = world.ranked("attack")
    assert change(world, entry, **ALL)
    row = world.submission(entry)
    assert {name: getattr(row, name) for name in ALL} == ALL
    assert row.edited_at == at(9)


def test_what_is_not_given_stays(world: World) -> None:
    entry = world.ranked("attack")
    change(world, entry, **ALL)
    change(world, entry, team="")
    row = world.submission(entry)
    assert {name: getattr(row, name) for name in ALL} == ALL | {"team": None}


@pytest.mark.parametrize("fields", [{}, {"name": "attack 1"}, {"team": None}, {"team": " "}])
def test_nothing_is_written_where_nothing_differs(world: World, fields: dict[str, str]) -> None:
    entry = world.ranked("attack")
    before = world.revision()
    assert not change(world, entry, **fields)
    assert (world.submission(entry).edited_at, world.revision()) == (None, before)


@pytest.mark.parametrize(("field", "raised"), [(name, name != "description") for name in ALL])
def test_the_revision_is_raised_where_a_ranking_shows_it(
    world: World, field: str, raised: bool
) -> None:
    entry = world.ranked("attack")
    before = world.revision()
    assert change(world, entry, **{field: ALL[field]})
    assert world.revision() == before + raised


def test_no_ranking_shows_what_is_not_validated_or_hidden(world: World) -> None:
    hidden = world.ranked("attack")
    with world.sessions.writing() as session:
        marks.hide(session, session.get_one(Submission, hidden), now=at(5))
    before = world.revision()
    for entry in (hidden, world.submit("attack")):
        assert change(world, entry, name="New")
    assert world.revision() == before


def test_an_entry_is_edited_while_it_is_evaluated(world: World) -> None:
    """Its cells run on, and its result counts."""
    defense = world.evaluating("defense")
    batch = world.claim()
    assert change(world, defense, name="New")
    assert world.finish(batch.cells[0].id, batch.token, now=at(10))
    row = world.submission(defense)
    assert (row.state, row.name) == ("ranked", "New")


def test_an_entry_that_failed_may_be_edited(world: World) -> None:
    defense = world.evaluating("defense")
    batch = world.claim()
    with world.sessions.writing() as session:
        fail_cell(session, batch.cells[0].id, batch.token, code="x", reason="x", now=at(1))
    assert change(world, defense, name="New")
    assert (world.state(defense), world.submission(defense).name) == ("failed", "New")


def test_what_was_withdrawn_or_deleted_is_not_edited(world: World) -> None:
    withdrawn, deleted = world.ranked("attack"), world.ranked("attack")
    with world.sessions.writing() as session:
        marks.withdraw(session, session.get_one(Submission, withdrawn), now=at(5))
        delete_submission(session, deleted, user_id=None, via="cli", reason="x", now=at(5))
    for entry, code in ((withdrawn, "withdrawn"), (deleted, "deleted")):
        with pytest.raises(NotPossible) as refused:
            change(world, entry, name="New")
        assert refused.value.code == code


def test_a_references_name_is_fixed_and_its_links_are_not(world: World) -> None:
    entry = world.ranked("attack", reference=True)
    with pytest.raises(NotPossible, match="name of a reference"):
        change(world, entry, name="New", team="Team")
    assert change(world, entry, paper_url="https://a.org", name="attack 1")


def test_what_others_change_is_on_record_and_what_owners_change_is_not(world: World) -> None:
    entry = world.ranked("attack")
    change(world, entry, name="By Ann")
    admin = world.another_user("admin")
    change(world, entry, user=admin, name="By admin", team="T")
    with world.sessions.reading() as session:
        (row,) = audit.entries(session, subject_id=entry, limit=9)
    assert (row.action, row.user_id, row.details) == (
        "submission.edit",
        admin,
        {"fields": ["name", "team"]},
    )
