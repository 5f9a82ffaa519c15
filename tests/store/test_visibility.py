"""Who sees an entry, and what it does to others while not everybody does."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from pydantic import ValidationError
from sqlalchemy import select
from sqlalchemy.exc import IntegrityError

from grbcore import catalog
from grbcore.leaderboard import Leaderboard, ordered
from grbcore.store import history, marks, queries
from grbcore.store.deletion import delete_submission
from grbcore.store.editing import SubmissionChanges, edit
from grbcore.store.intake import SubmissionFields
from grbcore.store.queue import claim_cells
from grbcore.store.recovery import overdue, reap, retry_cell
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import now
from grbcore.store.tables import AuditRow, CellRow, NoticeRow, Reevaluation, Submission, User
from grbcore.store.views import View, scores
from grbcore.store.visibility import (
    LONGEST,
    beyond,
    cells_seen_by,
    kept,
    may_see,
    may_see_cell,
    seen_by,
)
from tests.store.test_reevaluation import apply, create, look
from tests.store.world import OWNER, PROTOCOL, RESULT, START, World, at

SOON = START + timedelta(hours=1)
LATER = START + timedelta(hours=2)


def change(world: World, submission_id: str, **fields: Any) -> None:
    with world.sessions.writing() as session:
        row = session.get_one(Submission, submission_id)
        for name, value in fields.items():
            setattr(row, name, value)


def hidden(world: World, side: Any, *, user: str | None = None, **fields: Any) -> str:
    """A registered entry that not everybody sees; its id."""
    submission_id = world.submit(side, user=user)
    change(world, submission_id, **(fields or {"visibility": "private"}))
    world.validate()
    world.work()
    assert world.state(submission_id) == "ranked"
    return submission_id


def user_of(world: World, user_id: str | None) -> User | None:
    with world.sessions.reading() as session:
        return None if user_id is None else session.get_one(User, user_id)


def ranking(world: World, side: Any, view: View = "all", **seen: Any) -> Leaderboard:
    with world.sessions.reading() as session:
        board = catalog.board(world.board)
        viewer, moment = seen.get("viewer"), seen.get("now", START)
        rows = scores(session, board, PROTOCOL, view=view, side=side, viewer=viewer, at=moment)
        return ordered(rows, side, "full", errors=False)


def names(found: Leaderboard) -> set[str]:
    return {row.id for row in found.rows}


@pytest.fixture
def people(world: World) -> dict[str, User | None]:
    """Anybody, the owner of the world's entries, another user and an admin."""
    other, admin = world.another_user("bob"), world.another_user("root")
    with world.sessions.writing() as session:
        session.get_one(User, admin).role = "admin"
    ids = {"anybody": None, "owner": world.user, "other": other, "admin": admin}
    return {name: user_of(world, user_id) for name, user_id in ids.items()}


# the one place that decides


def test_of_a_row_and_in_sql_the_same_is_seen(world: World, people: dict[str, User | None]) -> None:
    ids = {"public": world.ranked("defense"), "private": hidden(world, "defense")}
    ids["embargoed"] = hidden(world, "defense", visibility="embargoed", public_at=SOON)
    for name, viewer in people.items():
        for moment in (START, SOON - timedelta(microseconds=1), SOON, LATER):
            over = moment >= SOON
            expected = {
                "public": True,
                "private": name in ("owner", "admin"),
                "embargoed": over or name in ("owner", "admin"),
            }
            with world.sessions.reading() as session:
                seen = set(session.scalars(select(Submission.id).where(seen_by(viewer, moment))))
                rows = {kind: session.get_one(Submission, ids[kind]) for kind in ids}
                assert {kind: ids[kind] in seen for kind in ids} == expected, (name, moment)
                assert {
                    kind: may_see(row, viewer, moment) for kind, row in rows.items()
                } == expected, (name, moment)


def test_a_cell_is_seen_by_who_sees_both_of_its_entries(
    world: World, people: dict[str, User | None]
) -> None:
    other = people["other"]
    assert other is not None
    for side, (owner, visibility) in product(
        ("attack", "defense"), product((None, other.id), ("public", "private"))
    ):
        hidden(world, side, user=owner, visibility=visibility)
    for name, viewer in people.items():
        with world.sessions.reading() as session:
            cells = session.scalars(select(CellRow)).all()
            seen = set(session.scalars(select(CellRow.id).where(cells_seen_by(viewer, START))))
            assert seen == {cell.id for cell in cells if may_see_cell(cell, viewer, START)}, name
        assert len(cells) == 4 * 4 + 4
        assert len(seen) == {"anybody": 4 + 2, "admin": 20}.get(name, 9 + 3), name


# rankings


@pytest.mark.parametrize("view", ["reference", "all"])
def test_what_not_everybody_sees_is_neither_row_nor_counterpart_in_public(
    world: World, view: View
) -> None:
    world.ranked("attack", reference=True)
    world.ranked("defense", reference=True)
    world.ranked("attack")
    world.ranked("defense")
    before = {side: ranking(world, side, view) for side in ("attack", "defense")}
    kept_ids = {hidden(world, "attack"), hidden(world, "defense")}
    kept_ids.add(hidden(world, "attack", visibility="embargoed", public_at=SOON))
    for side, was in before.items():
        assert ranking(world, side, view) == was
        mine = names(ranking(world, side, view, viewer=user_of(world, world.user)))
        assert mine - names(was) <= kept_ids and mine > names(was)


def test_registering_it_does_not_show_in_the_board_s_revision(world: World) -> None:
    world.ranked("defense", reference=True)
    before = world.revision()
    hidden(world, "attack")
    assert world.revision() == before


def test_newcomers_are_evaluated_against_it_so_that_publishing_is_immediate(world: World) -> None:
    attack = hidden(world, "attack")
    defense = world.ranked("defense")
    assert world.cells()[attack, defense] == "done"
    [row] = ranking(world, "defense").rows
    assert row.metrics["full"].n == 1  # the clean row alone
    before = world.revision()
    assert choose(world, attack, visibility="public")
    assert world.revision() == before + 1
    [row] = ranking(world, "defense").rows
    assert row.metrics["full"].n == 2
    assert attack in names(ranking(world, "attack"))


def test_counts_of_a_board_leave_it_out_but_attempts_do_not(world: World) -> None:
    world.ranked("attack")
    hidden(world, "attack")
    change(world, world.submit("attack"), visibility="private")
    with world.sessions.reading() as session:
        public = queries.tallies(session, seen_by(None, START))[world.board]
        assert (public.attacks, public.pending) == (1, 0)
        assert queries.attempts(session, world.board) == {(world.user, "attack"): 3}


# time


def test_an_embargo_ends_by_time_alone(world: World) -> None:
    entry = hidden(world, "defense", visibility="embargoed", public_at=SOON)
    before = SOON - timedelta(seconds=1)
    assert entry not in names(ranking(world, "defense", now=before))
    assert entry in names(ranking(world, "defense", now=SOON))
    with world.sessions.reading() as session:
        assert beyond(session, world.board, None, before) == ()
        [told] = beyond(session, world.board, None, SOON)
        assert told[0] == entry
        assert kept(session, world.board, before) == {entry}
        assert kept(session, world.board, SOON) == frozenset()


def test_the_reaper_notes_the_end_of_an_embargo_once(world: World) -> None:
    with world.sessions.writing() as session:
        session.get_one(User, world.user).webhook_url = "https://example.org/hook"
    entry = hidden(world, "defense", visibility="embargoed", public_at=SOON)
    before = world.revision()
    with world.sessions.writing() as session:
        assert not overdue(session, SOON - timedelta(seconds=1))
        assert overdue(session, LATER)
        assert reap(session, LATER) == 1
        assert not overdue(session, LATER)
        assert reap(session, LATER) == 0
    row = world.submission(entry)
    assert (row.visibility, row.public_at, row.published_at) == ("public", None, SOON)
    assert world.revision() == before + 1
    with world.sessions.reading() as session:
        events = [notice.event for notice in session.scalars(select(NoticeRow))]
        assert events == ["submission.ranked", "submission.published"]
        [line] = session.scalars(select(AuditRow))
        assert (line.action, line.via, line.subject_id) == (
            "submission.visibility",
            "service",
            entry,
        )


# choosing


def choose(world: World, entry: str, **changes: Any) -> bool:
    with world.sessions.writing() as session:
        wanted = SubmissionChanges.model_validate(changes)
        return edit(session, entry, wanted, user_id=world.user, via="api", now=now())


def test_a_private_entry_may_be_put_under_an_embargo_and_be_private_again(world: World) -> None:
    entry = hidden(world, "defense")
    end = now() + timedelta(days=30)
    before = world.revision()
    assert choose(world, entry, visibility="embargoed", public_at=end)
    assert not choose(world, entry, visibility="embargoed", public_at=end)
    assert world.submission(entry).public_at == end
    assert choose(world, entry, visibility="private")
    row = world.submission(entry)
    assert (row.visibility, row.public_at) == ("private", None)
    assert world.revision() == before
    with world.sessions.reading() as session:
        said = [line.details["visibility"] for line in session.scalars(select(AuditRow))]
        assert said == ["embargoed", "private"]


@pytest.mark.parametrize("wanted", ["private", "embargoed"])
def test_what_everybody_has_seen_ranked_stays_public(world: World, wanted: str) -> None:
    entry = world.ranked("defense")
    change(world, entry, state="evaluating", registered_at=None)  # computed anew
    dates = {"public_at": now() + timedelta(days=1)} if wanted == "embargoed" else {}
    with pytest.raises(NotPossible) as refused:
        choose(world, entry, visibility=wanted, **dates)
    assert refused.value.code == "published"


def test_a_lapsed_embargo_that_nobody_noted_yet_can_not_be_prolonged(world: World) -> None:
    entry = hidden(world, "defense", visibility="embargoed", public_at=SOON)
    with pytest.raises(NotPossible) as refused:
        choose(world, entry, visibility="private")
    assert refused.value.code == "published"


def test_what_nobody_has_seen_ranked_may_become_private(world: World) -> None:
    entry = world.submit("defense")
    assert choose(world, entry, visibility="private")
    world.validate()
    world.work()
    assert ranking(world, "defense").rows == ()


def test_a_reference_stays_public(world: World) -> None:
    entry = world.submit("defense", reference=True)
    with pytest.raises(NotPossible) as refused:
        choose(world, entry, visibility="private")
    assert refused.value.code == "reference"
    with pytest.raises(IntegrityError):
        change(world, entry, visibility="private")


@pytest.mark.parametrize(
    "fields",
    [
        {"visibility": "embargoed"},
        {"visibility": "private", "published_at": START},
        {"public_at": START},
        {"visibility": "secret"},
    ],
)
def test_the_database_refuses_what_makes_no_sense(world: World, fields: dict[str, Any]) -> None:
    entry = world.submit("defense")
    with pytest.raises(IntegrityError):
        change(world, entry, **fields)


@pytest.mark.parametrize("away", [timedelta(0), LONGEST + timedelta(minutes=1), None])
def test_an_embargo_ends_within_a_year_from_now(away: timedelta | None) -> None:
    end = None if away is None else now() + away
    with pytest.raises(ValidationError, match="the end of the embargo"):
        SubmissionFields(name="N", authors="A", visibility="embargoed", public_at=end)


@pytest.mark.parametrize("visibility", ["public", "private"])
def test_what_has_no_embargo_has_no_end_of_it(visibility: Any) -> None:
    end = now() + timedelta(days=1)
    with pytest.raises(ValidationError, match="has no date"):
        SubmissionFields(name="N", authors="A", visibility=visibility, public_at=end)


# leaving


def test_what_is_withdrawn_before_its_date_never_becomes_public(world: World) -> None:
    entry = hidden(world, "defense", visibility="embargoed", public_at=SOON)
    before = world.revision()
    with world.sessions.writing() as session:
        assert marks.withdraw(session, session.get_one(Submission, entry), now=START)
    assert world.submission(entry).visibility == "private"
    assert world.revision() == before


def test_what_is_deleted_before_its_date_never_becomes_public(world: World) -> None:
    entry = hidden(world, "defense", visibility="embargoed", public_at=SOON)
    before = world.revision()
    with world.sessions.writing() as session:
        delete_submission(session, entry, user_id=world.user, via="api", reason="asked", now=START)
    assert world.submission(entry).visibility == "private"
    assert world.revision() == before


# others who wait for it


def test_a_dead_cell_against_it_is_not_named_to_the_newcomer(world: World) -> None:
    hidden(world, "attack", user=world.another_user("bob"))
    newcomer = world.evaluating("defense")
    for attempt in range(8):
        moment = at(1000 * attempt)
        with world.sessions.writing() as session:
            batch = claim_cells(session, OWNER, moment)
        if batch is None:
            break
        for cell in batch.cells:
            if cell.attack is None:
                assert world.finish(cell.id, batch.token, now=moment)
                continue
            stopped = cell.id
            with world.sessions.writing() as session:
                reason = "its file aaaa is lost"
                assert retry_cell(
                    session, cell.id, batch.token, code="blob", reason=reason, now=moment
                )
    assert world.cell(stopped).state == "dead"
    told = str(world.submission(newcomer).reason)
    assert told == "waits for an admin: one of its cells stopped after 4 attempts"
    with world.sessions.reading() as session:
        shown = queries.cell_counts(session, [newcomer], cells_seen_by(None, START))
        assert shown == {newcomer: {"done": 1}}


# re-evaluations


def test_the_public_history_counts_cells_between_public_entries_alone(world: World) -> None:
    world.ranked("attack", reference=True)
    world.ranked("defense", reference=True)
    entry = hidden(world, "defense")
    job_id = create(world)
    with world.sessions.reading() as session:
        job = session.get_one(Reevaluation, job_id)
        assert job.cells == 4 and history.reached(session, job, START) == (2, 0)
    world.work(now=at(11), result=replace(RESULT, correct={"full": [1, 1, 1]}))
    found = look(world, job_id)
    assert (found.changed, found.public.changed, found.public.cells) == (4, 2, 2)
    assert entry not in {change.id for change in found.ranks["defense"]}
    apply(world, job_id)
    with world.sessions.reading() as session:
        outcome = session.get_one(Reevaluation, job_id).outcome
        assert outcome is not None and outcome["public"] == {"cells": 2, "changed": 2}
