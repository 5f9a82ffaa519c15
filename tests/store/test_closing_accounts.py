"""Deleting an account: nothing tells whose it was, and every number stays."""

from __future__ import annotations

from datetime import timedelta

import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store import addresses, audit, quotas, tokens, uploads
from grbcore.store.accounts import closing, passwords, people
from grbcore.store.accounts import sessions as signed_in
from grbcore.store.intake import receive
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import Sessions
from grbcore.store.tables import AuditRow, Base, CellRow, RefusedUpload, Submission, User
from tests.store.moved import House
from tests.store.world import World, at

#: Words that only ann's account and entries hold.
PLANTED = ("ann", "planted")


def close(sessions: Sessions, user_id: str) -> frozenset[str]:
    with sessions.writing() as session:
        return closing.close(session, user_id, user_id=user_id, via="api", now=at(500))


def plant(world: World, submission_id: str) -> None:
    """Have ann's own words in every field of an entry."""
    with world.sessions.writing() as session:
        row = session.get_one(Submission, submission_id)
        row.name = row.authors = row.team = row.description = "planted"
        row.paper_url = row.code_url = "https://planted.org"
        row.surrogate, row.family = "planted", "other:planted"
        row.dismissed = {"high-variance": {"reason": "planted", "at": "2026-01-01T12:00:00+00:00"}}


def stored(session: Session) -> str:
    tables = Base.metadata.sorted_tables
    return "\n".join(str(row) for table in tables for row in session.execute(select(table)))


def test_nothing_that_tells_whose_account_it_was_is_left(world: World) -> None:
    ranked = world.ranked("defense")
    waiting = world.submit("attack")
    for entry in (ranked, waiting):
        plant(world, entry)
    with world.sessions.writing() as session:
        owner = addresses.locked(session, world.user)
        owner.password_hash = passwords.hashed("planted horse battery")
        addresses.set_webhook(session, owner, "https://planted.org")
        addresses.confirm(session, addresses.set_email(session, owner, "planted@lab.org"), at(1))
        signed_in.begin(session, owner, agent="planted", now=at(1))
        tokens.issue(session, "ann", title="planted", now=at(1))
        people.begin_reset(session, owner.id, at(1))
    close(world.sessions, world.user)
    with world.sessions.reading() as session:
        left = stored(session)
        owner = session.get_one(User, world.user)
        assert (owner.name, owner.is_active) == (f"deleted:{world.user}", False)
        actions = [row.action for row in audit.entries(session, limit=3)]
    assert not any(word in left for word in PLANTED)
    assert actions == ["account.delete", "submission.delete", "password.ask-reset"]


def test_an_entry_that_ranks_stays_with_its_file_and_its_numbers(world: World) -> None:
    entry = world.ranked("defense")
    with world.sessions.reading() as session:
        before = session.get_one(Submission, entry)
        cells = [(row.id, row.correct) for row in session.scalars(select(CellRow))]
    left = close(world.sessions, world.user)
    with world.sessions.reading() as session:
        row = session.get_one(Submission, entry)
        assert (row.name, row.authors) == (closing.ENTRY, closing.AUTHORS)
        assert (row.state, row.sha256, row.attempt) == ("ranked", before.sha256, before.attempt)
        assert [(one.id, one.correct) for one in session.scalars(select(CellRow))] == cells
    assert before.sha256 not in left


def test_an_entry_that_does_not_rank_goes_with_its_file_and_stays_counted(world: World) -> None:
    entry = world.submit("attack", sha256="b" * 64)
    assert "b" * 64 in close(world.sessions, world.user)
    with world.sessions.reading() as session:
        row = session.get_one(Submission, entry)
        assert row.deleted_at is not None and row.user_id == world.user


def test_an_entry_of_somebody_else_is_left_alone(world: World) -> None:
    bob = world.another_user("bob")
    entry = world.submit("attack", user=bob)
    close(world.sessions, world.user)
    with world.sessions.reading() as session:
        assert session.get_one(Submission, entry).name == "attack 1"
        assert session.get_one(User, bob).is_active


def test_a_second_time_changes_nothing(world: World) -> None:
    close(world.sessions, world.user)
    assert close(world.sessions, world.user) == frozenset()
    with world.sessions.reading() as session:
        actions = session.scalars(select(AuditRow.action)).all()
    assert actions == ["account.delete"]


def test_the_name_is_free_again(world: World) -> None:
    close(world.sessions, world.user)
    with world.sessions.writing() as session:
        assert people.name_fault(session, "ann") is None
        assert tokens.create_user(session, "ann", now=at(600)).id != world.user


def test_an_account_of_the_last_admin_or_with_references_stays(world: World) -> None:
    world.submit("attack", reference=True)
    with pytest.raises(NotPossible, match="reference"):
        close(world.sessions, world.user)
    with world.sessions.writing() as session:
        admin = tokens.create_user(session, "root", role="admin", now=at(0)).id
    with pytest.raises(NotPossible, match="no other admin"):
        close(world.sessions, admin)
    with world.sessions.reading() as session:
        assert session.get_one(User, world.user).name == "ann"


def test_an_upload_that_ends_after_its_account_is_refused(
    sessions: Sessions, tmp_path: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    house = House(sessions, tmp_path)  # type: ignore[arg-type]
    with sessions.writing() as session:
        owner = tokens.create_user(session, "ann", now=at(0))
    calls = []

    def late(*arguments: object, **named: object) -> object:
        if not calls:
            calls.append(close(sessions, owner.id))
        return receive(*arguments, **{**named, "user": owner})  # type: ignore[arg-type]

    monkeypatch.setattr("tests.store.moved.receive", late)
    with pytest.raises(NotPossible, match="suspended or deleted"):
        house.submit("defense")


def test_nothing_is_noted_of_a_user_who_is_gone(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner_id = tokens.create_user(session, "ann", now=at(0)).id
    close(sessions, owner_id)
    with sessions.writing() as session:
        quotas.refused(session, owner_id, None, ["zip"], 9, at(600))
        assert session.scalars(select(RefusedUpload)).all() == []


def test_who_is_gone_begins_no_upload(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner_id = tokens.create_user(session, "ann", now=at(0)).id
    close(sessions, owner_id)
    upload = {"board_id": "digits/injection@1", "side": "defense", "fields": {}, "size": 9}
    how = {"sha256": None, "place": "x", "allowance": uploads.Allowance(1, 9), "now": at(600)}
    with sessions.writing() as session, pytest.raises(NotPossible, match="suspended or deleted"):
        uploads.begin(session, user_id=owner_id, lasts=timedelta(1), **upload, **how)


def test_an_account_that_is_gone_gets_no_password(sessions: Sessions) -> None:
    with sessions.writing() as session:
        owner_id = tokens.create_user(session, "ann", now=at(0)).id
    close(sessions, owner_id)
    with sessions.writing() as session, pytest.raises(NotPossible, match="was deleted"):
        people.set_password(session, owner_id, "hash", user_id=owner_id, via="api", now=at(600))
    with sessions.writing() as session, pytest.raises(NotPossible, match="suspended or deleted"):
        people.begin_reset(session, owner_id, at(600))
