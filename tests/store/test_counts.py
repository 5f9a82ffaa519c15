"""Counts that are kept rank as every cell read anew does, whatever happened to the board."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import event, select

from grbcore import catalog
from grbcore.leaderboard import rank
from grbcore.scenario import SIDES
from grbcore.store import application, marks, queries, reevaluation
from grbcore.store.counts import Counts
from grbcore.store.registration import start_over
from grbcore.store.selection import Selection
from grbcore.store.tables import BoardRow, Reevaluation, Submission
from grbcore.store.views import VIEWS, arena, standing
from tests.store.world import RESULT, World, at


def measured(rng: random.Random):  # type: ignore[no-untyped-def]
    """A result that no other has."""
    return replace(RESULT, correct={"full": [rng.randint(0, 10) for _ in range(3)]})


class Story:
    """Things that happen to a board, drawn at random."""

    def __init__(self, world: World, seed: int) -> None:
        self.world = world
        self.rng = random.Random(seed)
        self.now = at(0)
        self.protocols = 0
        self.acts: list[Callable[[], None]] = [
            self.register,
            self.register,
            self.hide,
            self.show,
            self.withdraw,
            self.evaluate_again,
            self.change_the_data,
            self.wait,
        ]

    def next(self) -> str:
        self.now += timedelta(seconds=1)
        act = self.rng.choice(self.acts)
        act()
        return act.__name__

    def register(self) -> None:
        self.world.submit(self.rng.choice(SIDES), reference=self.rng.random() < 0.4, now=self.now)
        self.world.validate(now=self.now)
        self.world.work(now=self.now, result=measured(self.rng))

    def wait(self) -> None:
        """A newcomer whose cells wait, to be computed with what comes next."""
        self.world.evaluating(self.rng.choice(SIDES), now=self.now)

    def hide(self) -> None:
        for entry in self._some(Submission.hidden_at.is_(None)):
            with self.world.sessions.writing() as session:
                marks.hide(session, session.get_one(Submission, entry), now=self.now)

    def show(self) -> None:
        for entry in self._some(Submission.hidden_at.is_not(None)):
            with self.world.sessions.writing() as session:
                marks.show(session, session.get_one(Submission, entry), now=self.now)
        self.world.work(now=self.now, result=measured(self.rng))

    def withdraw(self) -> None:
        for entry in self._some(~Submission.is_reference, Submission.withdrawn_at.is_(None)):
            with self.world.sessions.writing() as session:
                marks.withdraw(session, session.get_one(Submission, entry), now=self.now)

    def evaluate_again(self) -> None:
        for entry in self._some(Submission.withdrawn_at.is_(None)):
            with self.world.sessions.writing() as session:
                job = reevaluation.create(
                    session,
                    self.world.board,
                    Selection(submissions=(entry,)),
                    reason="a new kernel",
                    author_id=self.world.user,
                    via="api",
                    now=self.now,
                ).id
            self.world.work(now=self.now, result=measured(self.rng))
            with self.world.sessions.writing() as session:
                assert session.get_one(Reevaluation, job).state == "ready"
                application.apply(
                    session,
                    catalog.board(self.world.board),
                    job,
                    revision=session.get_one(BoardRow, self.world.board).revision,
                    user_id=self.world.user,
                    via="api",
                    now=self.now,
                )

    def change_the_data(self) -> None:
        self.protocols += 1
        with self.world.sessions.writing() as session:
            row = session.get_one(BoardRow, self.world.board)
            row.protocol, row.revision = f"{self.protocols:016x}", row.revision + 1
            session.flush()
            start_over(session, row, self.now)
        self.world.work(now=self.now, result=measured(self.rng))

    def _some(self, *conditions) -> list[str]:  # type: ignore[no-untyped-def]
        """An entry that is registered, if there is one of this kind."""
        query = select(Submission.id).where(Submission.state == "ranked", *conditions)
        with self.world.sessions.reading() as session:
            found = session.scalars(query.order_by(Submission.id)).all()
        return [self.rng.choice(found)] if found else []


@pytest.mark.parametrize("seed", range(6))
def test_what_is_kept_ranks_as_every_cell_does(world: World, seed: int) -> None:
    """One reader looks at every ranking after each step, another now and then at one."""
    story = Story(world, seed)
    board = catalog.board(world.board)
    often, seldom = (Counts(board) for _ in range(2))
    told = []
    for _ in range(15):
        told.append(story.next())
        one = (story.rng.choice(VIEWS), story.rng.choice(SIDES))
        with world.sessions.reading() as session:
            row = session.get_one(BoardRow, world.board)
            cells = queries.results(session, board.id, str(row.protocol))
            entries = queries.entries(session, board.id)
            for view in VIEWS:
                found = arena(entries, board, view=view)
                for side in SIDES:
                    right = rank(found, cells, side)
                    for known in (often, seldom) if (view, side) == one else (often,):
                        assert right == standing(
                            session, board, row.protocol, view=view, side=side, known=known
                        ), told


def test_of_a_board_that_is_known_only_new_cells_are_read(world: World) -> None:
    board = catalog.board(world.board)
    known = Counts(board)
    for number, side in enumerate(SIDES * 4):
        world.ranked(side, now=at(number))
    with world.sessions.reading() as session:
        row = session.get_one(BoardRow, world.board)
        standing(session, board, row.protocol, view="all", side="attack", known=known)
    newest = world.ranked("defense", now=at(10))
    asked = []

    @event.listens_for(world.sessions.engine, "before_cursor_execute")
    def listen(_c, _cursor, statement, parameters, _context, _many):  # type: ignore[no-untyped-def]
        if "cells.counts" in statement:
            asked.append(str(parameters))

    with world.sessions.reading() as session:
        for side in SIDES:
            standing(session, board, row.protocol, view="all", side=side, known=known)
    assert len(asked) == 1 and newest in asked[0]
