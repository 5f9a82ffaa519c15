"""What only admins may do to a single submission or cell."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import APIRouter, BackgroundTasks, Request

from api import hosts, schemas, views
from api.admin_schemas import Why
from api.deps import AdminDep, Service, ServiceDep, catalog_board, find_cell, find_submission
from api.errors import conflicts, responses
from grbcore.store import dismissals, moderation
from grbcore.store.audit import Via
from grbcore.store.session import now
from grbcore.store.tables import User

router = APIRouter(tags=["admin"])

VIA: Via = "api"


@router.post("/submissions/{submission_id}/hide", responses=responses(401, 403, 404, 409, 422, 503))
def hide(
    submission_id: str, asked: Why, service: ServiceDep, user: AdminDep
) -> schemas.SubmissionOut:
    """Take an entry out of the rankings; a hidden reference still counts for others."""
    return _changed(moderation.hide, submission_id, asked, service, user)


@router.post("/submissions/{submission_id}/show", responses=responses(401, 403, 404, 409, 422, 503))
def show(
    submission_id: str,
    asked: Why,
    background: BackgroundTasks,
    service: ServiceDep,
    user: AdminDep,
) -> schemas.SubmissionOut:
    """Undo hide; the entry ranks again once it is evaluated against whom it missed."""
    return _changed(moderation.show, submission_id, asked, service, user, background)


@router.post(
    "/submissions/{submission_id}/revalidate", responses=responses(401, 403, 404, 409, 422, 503)
)
def revalidate(
    submission_id: str,
    asked: Why,
    background: BackgroundTasks,
    service: ServiceDep,
    user: AdminDep,
) -> schemas.SubmissionOut:
    """Give a submission whose validation stopped its attempts back."""
    return _changed(moderation.revalidate, submission_id, asked, service, user, background)


@router.post(
    "/submissions/{submission_id}/flags/{code}/dismiss",
    responses=responses(401, 403, 404, 409, 422, 503),
)
def dismiss_flag(
    submission_id: str, code: str, asked: Why, service: ServiceDep, user: AdminDep
) -> schemas.SubmissionOut:
    """Take a measured flag off an entry; its page goes on to show it, with the reason."""
    return _flag(dismissals.dismiss_flag, submission_id, code, asked, service, user)


@router.post(
    "/submissions/{submission_id}/flags/{code}/restore",
    responses=responses(401, 403, 404, 409, 422, 503),
)
def restore_flag(
    submission_id: str, code: str, asked: Why, service: ServiceDep, user: AdminDep
) -> schemas.SubmissionOut:
    """Undo dismiss."""
    return _flag(dismissals.restore_flag, submission_id, code, asked, service, user)


@router.post("/cells/{cell_id}/requeue", responses=responses(401, 403, 404, 409, 422, 503))
def requeue(
    cell_id: str,
    asked: Why,
    request: Request,
    background: BackgroundTasks,
    service: ServiceDep,
    user: AdminDep,
) -> schemas.CellOut:
    """Give a dead cell its attempts back, once what stopped it is mended."""
    with service.sessions.writing() as session, conflicts():
        row = find_cell(session, cell_id, user=user)
        moderation.requeue(session, row, user_id=user.id, via=VIA, reason=asked.reason, now=now())
        board_id = row.board_id
    background.add_task(service.wake, board_id, cell_id)
    with service.sessions.reading() as session:
        row = find_cell(session, cell_id, user=user)
        server = hosts.address(request, service.settings)
        return views.cell(session, service.rankings, catalog_board(row.board_id), row, server)


def _changed(
    change: Callable[..., None],
    submission_id: str,
    asked: Why,
    service: Service,
    user: User,
    background: BackgroundTasks | None = None,
) -> schemas.SubmissionOut:
    """The submission after a change that is on record, in one transaction.

    With ``background`` a worker is woken afterwards: there is work again.
    """
    with service.sessions.writing() as session, conflicts():
        row = find_submission(session, submission_id, user=user)
        change(session, row, user_id=user.id, via=VIA, reason=asked.reason, now=now())
        board_id = row.board_id
    if background is not None:
        background.add_task(service.wake, board_id, submission_id)
    with service.sessions.reading() as session:
        row = find_submission(session, submission_id, user=user)
        return views.submission(session, service.rankings, catalog_board(row.board_id), row, user)


def _flag(
    change: Callable[..., None],
    submission_id: str,
    code: str,
    asked: Why,
    service: Service,
    user: User,
) -> schemas.SubmissionOut:
    """The submission after a change of one of its flags."""
    return _changed(
        lambda session, row, **who: change(session, row, code, **who),
        submission_id,
        asked,
        service,
        user,
    )
