"""Defenses under attacks at other budgets and of other families; nobody is ranked by them."""

from __future__ import annotations

from fastapi import APIRouter, BackgroundTasks, Response

from api import views
from api.deps import (
    DifficultyQuery,
    ManagerDep,
    MaybeUser,
    ServiceDep,
    SessionDep,
    difficulty_on,
    find_submission,
)
from api.errors import conflicts, responses
from api.holdout_schemas import HoldoutsOut
from api.privacy import keep_to
from api.routes.submissions import check_theirs
from grbcore.store import holdouts
from grbcore.store.session import now

router = APIRouter(tags=["submissions"])


@router.get("/submissions/{submission_id}/holdouts", responses=responses(401, 404, 422, 503))
def get_holdouts(
    submission_id: str,
    session: SessionDep,
    user: MaybeUser,
    response: Response,
    difficulty: DifficultyQuery = None,
) -> HoldoutsOut:
    """How accurate a defense is at half and double the budget, and under unseen families."""
    keep_to(user, response)
    entry = find_submission(session, submission_id, user=user)
    return views.holdouts_of(session, entry, difficulty_on(entry.board_id, difficulty))


@router.post(
    "/submissions/{submission_id}/holdouts", responses=responses(401, 403, 404, 409, 422, 503)
)
def ask_holdouts(
    submission_id: str, background: BackgroundTasks, service: ServiceDep, user: ManagerDep
) -> HoldoutsOut:
    """Have a ranked defense measured so, and again where that failed; its owner or an admin may.

    Workers do it when nothing else waits.  Adversarially trained references are measured unasked.
    """
    with service.sessions.writing() as session, conflicts():
        entry = find_submission(session, submission_id, user=user)
        check_theirs(entry, user, "measure")
        holdouts.ask(session, entry, user_id=user.id, via="api", now=now())
        board_id = entry.board_id
    background.add_task(service.wake, board_id, submission_id)
    with service.sessions.reading() as session:
        entry = find_submission(session, submission_id, user=user)
        return views.holdouts_of(session, entry, difficulty_on(entry.board_id, None))
