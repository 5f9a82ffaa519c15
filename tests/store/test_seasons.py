"""Seasons of a board: when the first begins, and who is a reference once one has."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import select, update

from grbcore import catalog
from grbcore.clones import Decision
from grbcore.store import clusters, seasons
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import Season, Submission
from tests.store.world import BOARD, PROTOCOL, World, at


def ranked(world: World) -> list[str]:
    """A reference of each side, and an attack by somebody; their ids."""
    return [
        world.ranked("attack", reference=True),
        world.ranked("defense", reference=True),
        world.ranked("attack"),
    ]


def proposal(world: World, *members: str) -> str:
    """The id of a proposal to have these as references."""
    with world.sessions.writing() as session:
        entries = [session.get_one(Submission, one) for one in members]
        season = Season(
            board_id=BOARD, state="proposed", protocol=PROTOCOL, revision=0, left_out=[],
            members=[
                {"id": one.id, "side": one.side, "sha256": one.sha256, "reasons": ["good"]}
                for one in entries
            ],
            created_at=at(0),
        )  # fmt: skip
        session.add(season)
        session.flush()
        return season.id


def marked(world: World) -> set[str]:
    """Who is a reference, registered or not."""
    with world.sessions.reading() as session:
        return set(session.scalars(select(Submission.id).where(Submission.is_reference)))


def decide(world: World, what: Any, season: str) -> None:
    with world.sessions.writing() as session:
        what(session, season, reason="a year is over", user_id=None, via="cli", now=at(9))


def test_no_season_is_proposed_before_the_baselines_are_evaluated(world: World) -> None:
    ranked(world)
    pending = world.submit("defense", reference=True)
    with world.sessions.writing() as session:
        board = catalog.board(BOARD)
        with pytest.raises(NotPossible, match="found 1 baselines to evaluate"):
            seasons.propose(session, board, user_id=None, via="cli", now=at(1))
        assert seasons.freeze(session, BOARD, at(1)) is None
        assert not seasons.frozen(session, BOARD)
    assert pending in marked(world)


def test_no_season_is_proposed_before_somebody_else_is_ranked(world: World) -> None:
    world.ranked("attack", reference=True)
    world.ranked("defense", reference=True)
    with world.sessions.writing() as session:
        with pytest.raises(NotPossible, match="somebody else's entry is ranked"):
            seasons.propose(session, catalog.board(BOARD), user_id=None, via="cli", now=at(1))
        assert not seasons.frozen(session, BOARD)


def test_a_baseline_that_was_refused_is_no_reference_of_a_season_and_none_later(
    world: World,
) -> None:
    attack, defense, _ = ranked(world)
    refused = world.submit("defense", reference=True)
    with world.sessions.writing() as session:
        session.get_one(Submission, refused).state = "failed"
        season = seasons.freeze(session, BOARD, at(1))
        assert season is not None
        assert {one["id"] for one in season.members} == {attack, defense}
    assert marked(world) == {attack, defense}


def test_accepting_a_season_leaves_its_members_alone_as_references(world: World) -> None:
    """Also where another was marked and is evaluated, so that it can't join the season unnamed."""
    attack, defense, newcomer = ranked(world)
    world.evaluating("defense", reference=True)
    decide(world, seasons.accept, proposal(world, newcomer, defense))
    assert marked(world) == {newcomer, defense}
    assert attack not in marked(world)
    world.work(now=at(10))
    assert marked(world) == {newcomer, defense}


@pytest.mark.parametrize("what", [seasons.accept, seasons.refuse])
def test_what_another_admin_decided_meanwhile_is_not_decided_again(world: World, what: Any) -> None:
    attack, defense, _ = ranked(world)
    season = proposal(world, attack, defense)
    with world.sessions.writing() as session:
        assert session.get_one(Season, season).state == "proposed"
        decided = update(Season).where(Season.id == season)
        decided = decided.values(state="refused", decided_at=at(5))
        session.execute(decided.execution_options(synchronize_session=False))
        with pytest.raises(NotPossible, match="found refused"):
            what(session, season, reason="late", user_id=None, via="cli", now=at(9))


def test_a_near_duplicate_is_told_of_entries_alone_that_are_considered(world: World) -> None:
    """An admin merged four, of which the first has left and the others count in their order."""
    left, *others = [world.ranked("attack") for _ in range(4)]
    with world.sessions.writing() as session:
        merged = Decision("merge", (left, *others))
        clusters.decide(
            session, BOARD, merged, reason="one recipe", user_id=None, via="cli", now=at(1)
        )
        last, first, middle = (session.get_one(Submission, one) for one in others)
        found = clusters.earlier(session, BOARD, [first, middle, last])
    assert found == {middle.id: first.id, last.id: first.id}


@pytest.mark.parametrize(("side", "family"), [("attack", "RND"), ("defense", "MLP")])
def test_only_a_baseline_or_a_reference_is_what_others_are_measured_by(
    side: Any, family: str
) -> None:
    """Whoever declares the family is none; a reference is one where there is no such baseline."""

    def entry(name: str, owner: str, **fields: Any) -> Submission:
        return Submission(id=name, side=side, family=family, user_id=owner, **fields)

    claims = entry("claims", "ann", is_reference=False)
    uploaded = entry("uploaded", "ann", is_reference=True)
    made = entry("made", "baselines", is_reference=False)
    other = Submission(id="other", side=side, family="x", user_id="baselines", is_reference=True)
    every = [claims, uploaded, made, other]
    assert seasons._yardsticks(every, "baselines") == {"made"}
    assert seasons._yardsticks([claims, uploaded, other], "baselines") == {"uploaded"}
    assert seasons._yardsticks([claims, other], "baselines") == set()
