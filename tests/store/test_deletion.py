"""Deleting an entry, at whatever point of its life: who sees what, and who goes on."""

from __future__ import annotations

import pytest
from sqlalchemy import select, true

from grbcore import catalog
from grbcore.store import audit, marks, queries, reevaluation, views
from grbcore.store.deletion import delete_submission
from grbcore.store.queue import begin_cell, claim_validation, heartbeat, pending
from grbcore.store.recovery import overdue, reap, retry_validation, revalidate
from grbcore.store.reevaluation import NotPossible
from grbcore.store.registration import finish_validation
from grbcore.store.selection import Selection
from grbcore.store.tables import CellRow, NoticeRow, Submission
from grbcore.violations import Violation
from tests.store.world import OWNER, RESULT, World, at

FAULT = Violation("finite", "convs.0.bias", "nan", "finite weights")


def delete(world: World, submission_id: str, seconds: float = 5) -> frozenset[str]:
    with world.sessions.writing() as session:
        return delete_submission(
            session, submission_id, user_id=None, via="cli", reason="asked to", now=at(seconds)
        )


def history(world: World, submission_id: str) -> list[str]:
    with world.sessions.reading() as session:
        found = audit.entries(session, subject_id=submission_id, limit=9)
        return [f"{row.action}: {row.reason}" for row in found]


def test_nothing_is_left_that_tells_whose_it_was(world: World) -> None:
    entry = world.ranked("attack")
    with world.sessions.writing() as session:
        row = session.get_one(Submission, entry)
        row.team, row.description, row.surrogate = "Team", "by Ann", "Ann's GCN"
        row.paper_url = row.code_url = "https://ann.org"
        row.family = "other:Ann's own"
    delete(world, entry)
    row = world.submission(entry)
    said = (row.name, row.authors, row.team, row.description, row.surrogate, row.family)
    assert said == ("(deleted)", "(deleted)", None, "", None, "other")
    assert (row.paper_url, row.code_url, row.sha256) == (None, None, f"deleted-{entry}")
    assert row.deleted_at == at(5)


def test_counts_by_class_go_with_the_hits(world: World) -> None:
    world.ranked("defense")
    entry = world.ranked("attack")
    with world.sessions.reading() as session:
        kept = session.scalars(select(CellRow.confusion).where(CellRow.attack_id == entry)).all()
    delete(world, entry)
    with world.sessions.reading() as session:
        left = session.scalars(select(CellRow.confusion).where(CellRow.attack_id == entry)).all()
    assert (kept, left) == ([RESULT.confusion], [None])


def test_what_a_check_found_in_the_file_goes_too(world: World) -> None:
    entry = world.submit("defense")
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, at(0))
        assert leased is not None
    with world.sessions.writing() as session:
        assert finish_validation(session, entry, leased.token, [FAULT], at(1))
    delete(world, entry)
    row = world.submission(entry)
    assert (row.state, row.violations, row.reason) == ("rejected", [], None)


def test_the_attempt_stays_counted_and_the_same_bytes_are_a_new_one(world: World) -> None:
    entry = world.submit("attack", sha256="f" * 64)
    delete(world, entry)
    again = world.submit("attack", sha256="f" * 64)
    assert again != entry
    with world.sessions.reading() as session:
        assert queries.attempts(session, world.board) == {(world.user, "attack"): 2}


def test_it_leaves_both_rankings_and_is_no_counterpart(world: World) -> None:
    attack, defense = world.ranked("attack"), world.ranked("defense")
    before = world.revision()
    delete(world, attack)
    assert world.revision() == before + 1
    with world.sessions.reading() as session:
        board = catalog.board(world.board)
        found = views.arena(queries.entries(session, world.board), board, view="all")
        tally = queries.tallies(session, true())[world.board]
        made = queries.attempts(session, world.board)
    assert (found.attacks, found.defense_counterparts, found.defenses) == ((), (), (defense,))
    assert (tally.attacks, tally.defenses, sum(made.values())) == (0, 1, 2)
    newcomer = world.evaluating("defense", now=at(6))
    assert (attack, newcomer) not in world.cells()


def test_the_numbers_of_finished_cells_stay_and_their_hits_go(world: World) -> None:
    attack, defense = world.ranked("attack"), world.ranked("defense")
    left = delete(world, attack)
    assert left == {f"{1:064x}", "a" * 64}
    with world.sessions.reading() as session:
        rows = {row.attack_id: row for row in session.scalars(select(CellRow))}
    assert (rows[attack].state, rows[attack].correct) == ("done", {"full": [7, 8, 9]})
    assert (rows[attack].hits_sha256, rows[None].hits_sha256) == (None, "a" * 64)
    assert world.state(defense) == "ranked"


def test_a_defense_is_deleted_while_its_cells_run(world: World) -> None:
    """Its worker's late result is dropped; another newcomer that waited for nothing goes on."""
    attack = world.ranked("attack")
    defense = world.evaluating("defense")
    batch = world.claim()
    clean = world.begin(batch)
    delete(world, defense)
    assert world.cells() == {}
    assert not world.finish(clean, batch.token, now=at(6))
    with world.sessions.writing() as session:
        assert heartbeat(session, [batch.token], at(6)) == set()
        assert not begin_cell(session, batch.cells[1].id, batch.token, at(6))
    other = world.ranked("defense", now=at(7))
    assert world.cells() == {(None, other): "done", (attack, other): "done"}
    with world.sessions.reading() as session:
        assert not pending(session, at(99)) and not overdue(session, at(8))


def test_newcomers_that_waited_for_it_are_ranked_without_it(world: World) -> None:
    attack = world.ranked("attack")
    defense = world.evaluating("defense")
    batch = world.claim(limit=1)
    assert world.finish(batch.cells[0].id, batch.token)
    late = world.claim()
    assert [cell.attack and cell.attack.id for cell in late.cells] == [attack]
    delete(world, attack)
    assert world.state(defense) == "ranked"
    assert not world.finish(late.cells[0].id, late.token, now=at(6))
    assert world.cells() == {(None, defense): "done"}


def test_an_attack_is_deleted_while_it_is_validated(world: World) -> None:
    entry = world.submit("attack")
    with world.sessions.writing() as session:
        leased = claim_validation(session, OWNER, at(0))
        assert leased is not None
    delete(world, entry)
    with world.sessions.writing() as session:
        assert heartbeat(session, [leased.token], at(6)) == set()
        assert not finish_validation(session, entry, leased.token, [FAULT], at(6))
        assert not retry_validation(session, entry, leased.token, reason="x", now=at(6))
        assert claim_validation(session, OWNER, at(99)) is None
        assert not revalidate(session, entry)
        assert not overdue(session, at(99)) and not reap(session, at(99))
    row = world.submission(entry)
    assert (row.state, row.violations, row.lease_token) == ("received", [], None)


def test_cells_of_a_reevaluation_go_too_and_it_ends(world: World) -> None:
    defense = world.ranked("defense")
    with world.sessions.writing() as session:
        job = reevaluation.create(
            session, world.board, Selection(), reason="x", author_id=None, via="cli", now=at(1)
        )
        job_id = job.id
    batch = world.claim(now=at(2))
    assert batch.shadow
    delete(world, defense)
    assert not world.finish(batch.cells[0].id, batch.token, now=at(6))
    with world.sessions.reading() as session:
        assert session.scalars(select(CellRow.place)).all() == ["current"]
        found = reevaluation.find(session, job_id)
        assert found is not None and found.state == "ready"


def test_notices_that_name_it_go(world: World) -> None:
    entry = world.ranked("attack")
    with world.sessions.writing() as session:
        session.add(
            NoticeRow(
                user_id=world.user,
                submission_id=entry,
                event="submission.ranked",
                channel="mail",
                payload={"name": "attack 1"},
                created_at=at(0),
                due_at=at(0),
            )
        )
    delete(world, entry)
    with world.sessions.reading() as session:
        assert "attack 1" not in str(session.scalars(select(NoticeRow.payload)).all())


def test_a_second_time_changes_nothing(world: World) -> None:
    entry = world.ranked("attack")
    delete(world, entry)
    before = world.revision()
    assert delete(world, entry, 9) == frozenset()
    assert (world.revision(), world.submission(entry).deleted_at) == (before, at(5))
    assert history(world, entry) == ["submission.delete: asked to"]


def test_a_reference_can_not_be_deleted(world: World) -> None:
    entry = world.ranked("attack", reference=True)
    with pytest.raises(NotPossible, match="a reference can't be deleted"):
        delete(world, entry)
    assert world.submission(entry).name == "attack 1"


@pytest.mark.parametrize("mark", [marks.withdraw, marks.hide, marks.show])
def test_what_was_deleted_gets_no_mark(world: World, mark: object) -> None:
    entry = world.ranked("attack")
    delete(world, entry)
    with world.sessions.writing() as session:
        row = session.get_one(Submission, entry)
        with pytest.raises(NotPossible, match="was deleted"):
            mark(session, row, now=at(6))  # type: ignore[operator]


def test_what_was_withdrawn_or_hidden_can_be_deleted(world: World) -> None:
    for mark in (marks.withdraw, marks.hide):
        entry = world.ranked("attack")
        with world.sessions.writing() as session:
            mark(session, session.get_one(Submission, entry), now=at(4))
        delete(world, entry)
        assert world.submission(entry).name == "(deleted)"


def test_an_entry_that_was_never_checked_can_be_deleted(world: World) -> None:
    entry = world.submit("attack")
    delete(world, entry)
    with world.sessions.reading() as session:
        assert not pending(session, at(99))
    assert queries_pending(world) == 0


def queries_pending(world: World) -> int:
    with world.sessions.reading() as session:
        return queries.tallies(session, true())[world.board].pending
