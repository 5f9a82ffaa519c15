"""Sessions: what a reader sees while others write."""

from __future__ import annotations

from sqlalchemy import func, select

from grbcore.store.tables import BoardRow, Submission
from tests.store.world import World


def test_a_reader_sees_one_state_of_the_database_from_its_first_query_on(world: World) -> None:
    count = select(func.count()).select_from(Submission)
    with world.sessions.reading() as session:
        session.scalars(select(BoardRow)).all()
        world.submit("attack")
        assert session.scalar(count) == 0
    with world.sessions.reading() as session:
        assert session.scalar(count) == 1
