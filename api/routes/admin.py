"""What only admins may do: compute results once more, mend what is stuck, and read who did what."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import APIRouter, BackgroundTasks, Query, Response
from sqlalchemy.orm import Session

from api import admin_schemas as schemas
from api import views
from api.deps import (
    AdminDep,
    DifficultyQuery,
    Service,
    ServiceDep,
    SessionDep,
    difficulty_on,
    find_board,
    find_reevaluation,
)
from api.errors import ApiError, conflicts, responses
from api.routes.boards import ViewQuery
from grbcore.store import application, previews, reevaluation
from grbcore.store.audit import Via
from grbcore.store.session import now

router = APIRouter(prefix="/admin", tags=["admin"])

VIA: Via = "api"
CursorQuery = Annotated[
    str | None, Query(description="`next` of the page before", pattern="^[0-9A-Z]{26}$")
]
LimitQuery = Annotated[int, Query(ge=1, le=200)]
_TEXT = r"^[^\x00]*$"  # as a database takes it


@router.post(
    "/reevaluations",
    status_code=201,
    response_model=schemas.ReevaluationOut,
    responses={
        200: {"model": schemas.PlanOut, "description": "The plan, where it is only a dry run"},
        **responses(401, 403, 404, 409, 422, 503),
    },
)
def create_reevaluation(
    asked: schemas.ReevaluationRequest,
    response: Response,
    background: BackgroundTasks,
    service: ServiceDep,
    user: AdminDep,
) -> schemas.ReevaluationOut | Response:
    """Compute results of a board once more, beside those that it shows.

    The board stays as it is until the re-evaluation is applied.
    """
    board = find_board(asked.board)
    if asked.dry_run:
        with service.sessions.reading() as session, conflicts():
            found = reevaluation.plan(session, board.id, asked.selection, now())
        plan = views.plan(board.id, found)
        return Response(plan.model_dump_json(), media_type="application/json")
    with service.sessions.writing() as session, conflicts():
        job = reevaluation.create(
            session,
            board.id,
            asked.selection,
            reason=asked.reason,
            author_id=user.id,
            via=VIA,
            now=now(),
        )
        job_id = job.id
    background.add_task(service.wake, board.id, job_id)
    response.headers["Location"] = f"/api/v1/admin/reevaluations/{job_id}"
    return _out(service, job_id)


@router.get("/reevaluations", responses=responses(401, 403, 404, 422, 503))
def list_reevaluations(
    session: SessionDep,
    _user: AdminDep,
    board: Annotated[str | None, Query(max_length=80)] = None,
    state: schemas.ReevaluationState | None = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 50,
) -> schemas.ReevaluationList:
    """Re-evaluations, newest first."""
    board_id = None if board is None else find_board(board).id
    return views.reevaluation_page(
        session, board_id=board_id, state=state, before=cursor, limit=limit
    )


@router.get("/reevaluations/{job_id}", responses=responses(401, 403, 404, 422, 503))
def get_reevaluation(job_id: str, session: SessionDep, _user: AdminDep) -> schemas.ReevaluationOut:
    """A re-evaluation, how far it is and how long it still takes."""
    return views.reevaluation(session, find_reevaluation(session, job_id))


@router.get("/reevaluations/{job_id}/preview", responses=responses(401, 403, 404, 409, 422, 503))
def preview_reevaluation(
    job_id: str,
    session: SessionDep,
    _user: AdminDep,
    view: ViewQuery = "reference",
    difficulty: DifficultyQuery = None,
) -> schemas.PreviewOut:
    """What would change if it were applied now: ranks, the largest differences, new failures."""
    job = find_reevaluation(session, job_id)
    board = find_board(job.board_id)
    at = difficulty_on(board.id, difficulty)
    if job.state in ("applied", "cancelled"):
        allowed = "proposed, running or ready"
        raise ApiError(409, "state", f"state: found {job.state}, allowed: {allowed}")
    found = previews.preview(session, board, job, view=view, difficulty=at)
    return views.preview(session, job, found)


@router.post("/reevaluations/{job_id}/start", responses=responses(401, 403, 404, 409, 422, 503))
def start_reevaluation(
    job_id: str, background: BackgroundTasks, service: ServiceDep, user: AdminDep
) -> schemas.ReevaluationOut:
    """Begin one that is proposed."""
    with _changing(service, job_id) as session:
        reevaluation.start(session, job_id, user_id=user.id, via=VIA, now=now())
    out = _out(service, job_id)
    background.add_task(service.wake, out.board, job_id)
    return out


@router.post("/reevaluations/{job_id}/apply", responses=responses(401, 403, 404, 409, 422, 503))
def apply_reevaluation(
    job_id: str,
    asked: schemas.Apply,
    background: BackgroundTasks,
    service: ServiceDep,
    user: AdminDep,
) -> schemas.ReevaluationOut:
    """Put the new results in the place of the old ones, at once and all together.

    409 `changed` where the board is no longer at the revision that the preview told.
    """
    with _changing(service, job_id) as session:
        board = find_board(find_reevaluation(session, job_id).board_id)
        application.apply(
            session,
            board,
            job_id,
            revision=asked.revision,
            user_id=user.id,
            via=VIA,
            now=now(),
        )
    out = _out(service, job_id)
    background.add_task(service.wake, out.board, job_id)  # entries may be evaluating again
    return out


@router.post("/reevaluations/{job_id}/cancel", responses=responses(401, 403, 404, 409, 422, 503))
def cancel_reevaluation(
    job_id: str, asked: schemas.Why, service: ServiceDep, user: AdminDep
) -> schemas.ReevaluationOut:
    """End one without a trace on the board."""
    with _changing(service, job_id) as session:
        reevaluation.cancel(
            session, job_id, user_id=user.id, via=VIA, reason=asked.reason, now=now()
        )
    return _out(service, job_id)


@router.post("/reevaluations/{job_id}/requeue", responses=responses(401, 403, 404, 409, 422, 503))
def requeue_reevaluation(
    job_id: str,
    asked: schemas.Why,
    background: BackgroundTasks,
    service: ServiceDep,
    user: AdminDep,
) -> schemas.RequeuedOut:
    """Give its dead cells their attempts back."""
    with _changing(service, job_id) as session:
        count = reevaluation.requeue_dead(
            session, job_id, user_id=user.id, via=VIA, reason=asked.reason, now=now()
        )
    background.add_task(service.wake, _out(service, job_id).board, job_id)
    return schemas.RequeuedOut(cells=count)


@router.get("/audit", responses=responses(401, 403, 422, 503))
def list_audit(
    session: SessionDep,
    _user: AdminDep,
    subject_kind: Annotated[str | None, Query(max_length=20, pattern=_TEXT)] = None,
    subject_id: Annotated[str | None, Query(max_length=80, pattern=_TEXT)] = None,
    user: Annotated[
        str | None, Query(description="The id of who did it", max_length=80, pattern=_TEXT)
    ] = None,
    action: Annotated[
        str | None,
        Query(description="The beginning of an action: submission.", max_length=40, pattern=_TEXT),
    ] = None,
    cursor: CursorQuery = None,
    limit: LimitQuery = 50,
) -> schemas.AuditList:
    """Who did what, when and why, newest first."""
    return views.audit_page(
        session,
        subject_kind=subject_kind,
        subject_id=subject_id,
        user_id=user,
        action=action,
        before=cursor,
        limit=limit,
    )


@contextmanager
def _changing(service: Service, job_id: str) -> Iterator[Session]:
    """A transaction that changes this re-evaluation; 404 where there is none."""
    with service.sessions.writing() as session, conflicts():
        find_reevaluation(session, job_id)
        yield session


def _out(service: Service, job_id: str) -> schemas.ReevaluationOut:
    with service.sessions.reading() as session:
        return views.reevaluation(session, find_reevaluation(session, job_id))
