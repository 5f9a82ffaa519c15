"""An entry that became a reference since it was read is not withdrawn."""

from __future__ import annotations

import pytest
from sqlalchemy import update

from grbcore.store import marks
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import Submission
from tests.store.world import World, at


def test_a_reference_of_a_season_that_began_meanwhile_is_not_withdrawn(world: World) -> None:
    entry = world.ranked("attack")
    with world.sessions.writing() as session:
        read = session.get_one(Submission, entry)
        assert not read.is_reference
        marked = update(Submission).where(Submission.id == entry).values(is_reference=True)
        session.execute(marked.execution_options(synchronize_session=False))
        with pytest.raises(NotPossible, match="a reference can't be withdrawn"):
            marks.withdraw(session, read, now=at(5))
