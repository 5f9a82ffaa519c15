"""Cells that are computed once more, in the shadow, then applied or cancelled."""

from __future__ import annotations

from dataclasses import replace

import pytest
from sqlalchemy import select

from grbcore import catalog
from grbcore.scenario import Side
from grbcore.store import application, audit, reached, reevaluation
from grbcore.store.marks import withdraw
from grbcore.store.previews import Preview, preview
from grbcore.store.queue import NEW, claim_cells, pending
from grbcore.store.reached import Progress
from grbcore.store.recovery import reap
from grbcore.store.reevaluation import NotPossible
from grbcore.store.registration import fail_cell
from grbcore.store.selection import Selection
from grbcore.store.tables import CellRow, Reevaluation, Submission, WorkerRow
from grbcore.store.views import standing
from tests.store.world import OWNER, PROTOCOL, RESULT, START, World, at

WORSE = replace(RESULT, correct={"full": [1, 1, 1]})
EVERYTHING = Selection()


def create(world: World, selection: Selection = EVERYTHING, now: float = 10) -> str:
    with world.sessions.writing() as session:
        return reevaluation.create(
            session,
            world.board,
            selection,
            reason="a new kernel",
            author_id=world.user,
            via="api",
            now=at(now),
        ).id


def job(world: World, job_id: str) -> Reevaluation:
    with world.sessions.reading() as session:
        found = reevaluation.find(session, job_id)
    assert found is not None
    return found


def look(world: World, job_id: str) -> Preview:
    with world.sessions.reading() as session:
        row = session.get_one(Reevaluation, job_id)
        return preview(session, catalog.board(world.board), row, view="all", difficulty="full")


def apply(world: World, job_id: str, revision: int | None = None) -> None:
    with world.sessions.writing() as session:
        application.apply(
            session,
            catalog.board(world.board),
            job_id,
            revision=world.revision() if revision is None else revision,
            user_id=world.user,
            via="api",
            now=at(30),
        )


def cancel(world: World, job_id: str) -> None:
    with world.sessions.writing() as session:
        reevaluation.cancel(
            session, job_id, user_id=world.user, via="api", reason="no need", now=at(30)
        )


def progress(world: World, job_id: str) -> Progress:
    with world.sessions.reading() as session:
        return reached.progress(session, [job_id])[job_id]


def places(world: World) -> dict[str, int]:
    with world.sessions.reading() as session:
        found: dict[str, int] = {}
        for place in session.scalars(select(CellRow.place)):
            found[place] = found.get(place, 0) + 1
    return found


def scores(world: World, side: Side = "defense") -> dict[str, float]:
    with world.sessions.reading() as session:
        board = standing(session, catalog.board(world.board), PROTOCOL, view="all", side=side)
    return {
        row.id: row.metrics["full"].weighted.mean for row in board.rows if "full" in row.metrics
    }


def test_nothing_is_seen_before_it_is_applied(world: World) -> None:
    attack, defense = world.ranked("attack"), world.ranked("defense")
    before, revision = scores(world), world.revision()
    job_id = create(world)
    world.work(now=at(11), result=WORSE)
    assert job(world, job_id).state == "ready"
    assert (scores(world), world.revision()) == (before, revision)
    assert [world.state(attack), world.state(defense)] == ["ranked", "ranked"]
    found = look(world, job_id)
    assert (found.changed, found.unfinished, found.revision) == (2, 0, revision)
    assert {(one.attack, one.before, one.after) for one in found.largest} == {
        (None, 0.8, 0.1),
        (attack, 0.8, 0.1),
    }
    apply(world, job_id)
    assert scores(world) == {defense: pytest.approx(0.1)}
    assert world.revision() == revision + 1
    assert places(world) == {"current": 2, "past": 2}


def test_a_preview_tells_the_ranks_that_change(world: World) -> None:
    world.ranked("attack")
    first, second = world.ranked("defense"), world.ranked("defense")
    job_id = create(world, Selection(submissions=(first,)))
    world.work(now=at(11), result=WORSE)
    changes = {change.id: change for change in look(world, job_id).ranks["defense"]}
    assert (changes[first].rank_before, changes[first].rank_after) == (1, 2)
    assert (changes[second].rank_before, changes[second].rank_after) == (1, 1)
    assert changes[first].weighted_after == pytest.approx(0.1)
    assert look(world, job_id).moved == 1


def test_cancelled_it_leaves_nothing_but_its_row(world: World) -> None:
    world.ranked("defense")
    before, revision = scores(world), world.revision()
    job_id = create(world)
    world.work(now=at(11), result=WORSE)
    cancel(world, job_id)
    assert (scores(world), world.revision(), places(world)) == (before, revision, {"current": 1})
    assert job(world, job_id).state == "cancelled"
    assert job(world, job_id).outcome == {"done": 1, "failed": 0, "dead": 0}


def test_a_worker_that_computes_for_a_cancelled_one_loses_its_lease(world: World) -> None:
    world.ranked("defense")
    job_id = create(world)
    batch = world.claim(now=at(11))
    cell = world.begin(batch, now=at(11))
    cancel(world, job_id)
    assert not world.finish(cell, batch.token, now=at(31))


def test_a_decision_stands_on_the_board_that_was_seen(world: World) -> None:
    world.ranked("defense")
    job_id = create(world)
    world.work(now=at(11))
    seen = look(world, job_id).revision
    world.ranked("attack", now=at(12))
    with pytest.raises(NotPossible, match="changed since the preview"):
        apply(world, job_id, seen)
    apply(world, job_id, look(world, job_id).revision)


@pytest.mark.parametrize("finished", [False, True])
def test_only_what_is_ready_is_applied_and_only_once(world: World, finished: bool) -> None:
    world.ranked("defense")
    job_id = create(world)
    if finished:
        world.work(now=at(11))
        apply(world, job_id)
    found = "applied" if finished else "running"
    with pytest.raises(NotPossible, match=f"found {found}, allowed: ready"):
        apply(world, job_id)


def test_two_of_overlapping_cells_do_not_interfere(world: World) -> None:
    defense = world.ranked("defense")
    one, two = create(world), create(world, now=11)
    while batch := _claim(world):
        for cell in batch.cells:
            mine = world.cell(cell.id).reevaluation_id == one
            result = WORSE if mine else replace(RESULT, correct={"full": [5, 5, 5]})
            assert world.finish(cell.id, batch.token, now=at(12), result=result)
    apply(world, one)
    assert scores(world) == {defense: pytest.approx(0.1)}
    apply(world, two)
    assert scores(world) == {defense: pytest.approx(0.5)}
    assert places(world) == {"current": 1, "past": 2}


def _claim(world: World):  # type: ignore[no-untyped-def]
    with world.sessions.writing() as session:
        return claim_cells(session, OWNER, at(12))


def test_an_entry_to_blame_fails_when_it_is_applied_and_not_before(world: World) -> None:
    attack, defense = world.ranked("attack"), world.ranked("defense")
    job_id = create(world, Selection(side="attack"))
    batch = world.claim(now=at(11))
    cell = world.begin(batch, now=at(11))
    with world.sessions.writing() as session:
        assert fail_cell(
            session, cell, batch.token, code="edges", reason="bad", side="attack", now=at(12)
        )
    assert world.state(attack) == "ranked"
    found = look(world, job_id)
    assert (found.failing, found.unmeasured[0].blamed) == ((attack,), attack)
    apply(world, job_id)
    assert (world.state(attack), world.state(defense)) == ("failed", "ranked")


def test_an_entry_that_failed_is_ranked_once_its_cells_succeed(world: World) -> None:
    defense, attack = world.ranked("defense"), world.evaluating("attack")
    batch = world.claim()
    cell = world.begin(batch)
    with world.sessions.writing() as session:
        assert fail_cell(session, cell, batch.token, code="time-limit", reason="slow", now=at(1))
    assert world.state(attack) == "failed"
    job_id = create(world, Selection(states=("failed",)))
    world.work(now=at(11))
    found = look(world, job_id)
    assert found.revived == (attack,)
    (change,) = found.ranks["attack"]
    assert (change.id, change.rank_before, change.rank_after) == (attack, None, 1)
    apply(world, job_id)
    assert (world.state(attack), world.state(defense)) == ("ranked", "ranked")
    assert scores(world, "attack")[attack] == change.weighted_after


def test_a_preview_does_not_rank_who_still_lacks_something(world: World) -> None:
    """The attack failed before it was measured against the second defense."""
    world.ranked("defense"), world.ranked("defense")
    attack = world.evaluating("attack")
    batch = world.claim()
    with world.sessions.writing() as session:
        assert fail_cell(
            session, world.begin(batch), batch.token, code="time-limit", reason="slow", now=at(1)
        )
    job_id = create(world, Selection(states=("failed",)))
    world.work(now=at(11))
    found = look(world, job_id)
    assert (found.revived, found.ranks["attack"]) == ((attack,), ())
    apply(world, job_id)
    assert world.state(attack) == "evaluating"


def test_a_withdrawn_entry_takes_its_shadow_cells_along(world: World) -> None:
    attack, defense = world.ranked("attack"), world.ranked("defense")
    job_id = create(world, Selection(side="attack"))
    with world.sessions.writing() as session:
        withdraw(session, session.get_one(Submission, attack), now=at(11))
    assert (job(world, job_id).state, progress(world, job_id).cells) == ("ready", 0)
    apply(world, job_id)
    assert world.state(defense) == "ranked"


def test_new_work_comes_first_and_is_asked_for_between_two_cells(world: World) -> None:
    world.ranked("defense")
    create(world)
    with world.sessions.reading() as session:
        assert not pending(session, at(11), priority=NEW)
        assert pending(session, at(11))
    newcomer = world.evaluating("attack", now=at(12))
    with world.sessions.reading() as session:
        assert pending(session, at(12), priority=NEW)
    assert world.claim(now=at(12)).newcomer_id == newcomer


def test_one_of_several_workers_stays_free_for_new_work(world: World) -> None:
    world.ranked("defense"), world.ranked("defense"), world.ranked("defense")
    create(world)
    with world.sessions.writing() as session:
        for name in ("host/1/a", "host/2/b", "host/3/c"):
            session.add(
                WorkerRow(
                    id=name,
                    device="cpu",
                    versions={},
                    avoided={},
                    started_at=START,
                    heartbeat_at=at(10),
                )
            )
    found = []
    for name in ("host/1/a", "host/2/b", "host/3/c"):
        with world.sessions.writing() as session:
            found.append(claim_cells(session, name, at(11)))
    assert [batch is not None for batch in found] == [True, True, False]
    newcomer = world.evaluating("attack", now=at(12))
    assert world.claim(owner="host/3/c", now=at(12)).newcomer_id == newcomer


def test_what_a_dead_worker_held_is_computed_by_another(world: World) -> None:
    world.ranked("defense")
    job_id = create(world)
    world.begin(world.claim(now=at(11)), now=at(11))
    with world.sessions.writing() as session:
        assert reap(session, at(100)) == 1
    world.work(now=at(101))
    assert job(world, job_id).state == "ready"


def test_a_plan_counts_and_estimates_from_what_was_measured(world: World) -> None:
    world.ranked("attack"), world.ranked("defense")
    with world.sessions.reading() as session:
        found = reevaluation.plan(session, world.board, EVERYTHING, at(1))
    assert (found.cells, found.attacks, found.defenses) == (2, 1, 1)
    assert found.seconds == pytest.approx(2 * RESULT.seconds)
    assert found.expected is None


@pytest.mark.parametrize(
    ("selection", "cells"),
    [
        (Selection(), 3),
        (Selection(side="attack"), 2),
        (Selection(families=("GCN",)), 3),
        (Selection(families=("RND",)), 2),
        (Selection(families=("GCN",), side="attack"), 0),
        (Selection(torch="2.13.0"), 3),
        (Selection(torch="2.12.0"), 0),
        (Selection(device="cuda"), 0),
        (Selection(evaluator_before=2), 3),
        (Selection(evaluator_before=1), 0),
        (Selection(finished_before=at(0)), 0),
        (Selection(finished_before=at(1)), 3),
        (Selection(states=("failed", "dead")), 0),
        (Selection(protocol="f" * 16), 0),
    ],
)
def test_every_field_narrows_the_selection(world: World, selection: Selection, cells: int) -> None:
    world.ranked("attack"), world.ranked("attack"), world.ranked("defense")
    with world.sessions.reading() as session:
        assert reevaluation.plan(session, world.board, selection, at(2)).cells == cells


def test_an_empty_selection_is_refused(world: World) -> None:
    with pytest.raises(NotPossible, match="found no cells"):
        create(world)


def test_who_did_what_and_why_is_noted(world: World) -> None:
    world.ranked("defense")
    job_id = create(world)
    world.work(now=at(11))
    apply(world, job_id)
    with world.sessions.reading() as session:
        rows = audit.entries(session, subject_id=job_id, limit=10)
    assert [(row.action, row.reason, row.user_id) for row in rows] == [
        ("reevaluation.apply", None, world.user),
        ("reevaluation.create", "a new kernel", world.user),
    ]
