"""Submitting a file, and following what becomes of it."""

from __future__ import annotations

import logging
from typing import IO, Annotated, cast

from fastapi import APIRouter, BackgroundTasks, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse
from sqlalchemy.orm import Session

from api import cell_schemas, quotas, schemas, score_schemas, views
from api.deps import (
    DifficultyQuery,
    ManagerDep,
    MaybeUser,
    Service,
    ServiceDep,
    SessionDep,
    SubmitterDep,
    catalog_board,
    difficulty_on,
    find_board,
    find_submission,
    require_user,
)
from api.downloads import begun, disposition
from api.errors import ApiError, conflicts, field, responses, unavailable
from api.forms import cap, description, greatest
from api.intake import store
from api.privacy import PRIVATE, keep_to
from api.routes.cells import entry_breakdown_of
from api.uploads import Received, receive_form, temporary
from grbcore.scenario import Side
from grbcore.store import audit, editing, marks, orphans, queries
from grbcore.store.blobs import BlobError, BlobsAway
from grbcore.store.deletion import delete_submission
from grbcore.store.editing import SubmissionChanges
from grbcore.store.presence import is_shown
from grbcore.store.session import now
from grbcore.store.tables import Submission, User
from grbcore.submission import SUFFIXES

log = logging.getLogger(__name__)

router = APIRouter(tags=["submissions"])


@router.post(
    "/submissions",
    status_code=202,
    response_model=schemas.SubmissionOut,
    responses={
        200: {
            "model": schemas.SubmissionOut,
            "description": "The same bytes were submitted before: the submission that they are",
        },
        **responses(401, 403, 404, 408, 409, 413, 415, 422, 429, 503, 507),
    },
    openapi_extra={"requestBody": description()},
)
async def submit(
    request: Request,
    response: Response,
    background: BackgroundTasks,
    service: ServiceDep,
    user: SubmitterDep,
) -> schemas.SubmissionOut:
    """Upload an attack or a defense.

    The header of the file is checked at once; the rest, and the evaluation against every
    registered counterpart, follow.  The `Location` header says where to watch, `RateLimit` what is
    left of today's uploads.
    """
    await run_in_threadpool(service.readiness.require)
    incoming = service.settings.var_dir / "incoming"
    async with service.slots.taken(user.id):
        await run_in_threadpool(quotas.require, service, user)
        with temporary(incoming) as file:
            received = await _receive(request, service, user, file)
            out, created, need = await run_in_threadpool(_store, service, received, user)
    used = await run_in_threadpool(quotas.usage, service, user)
    response.headers["Location"] = f"/api/v1/submissions/{out.id}"
    response.headers.update(quotas.headers(used, out.board))
    if created:
        background.add_task(
            service.waker.wake, out.id, need
        )  # after the answer: a slow broker delays none
    else:
        response.status_code = 200
    return out


async def _receive(request: Request, service: Service, user: User, file: IO[bytes]) -> Received:
    """The form with its file; one that is too large counts as invalid."""
    seconds = service.settings.upload_seconds
    try:
        return await receive_form(request, file, cap=cap, most=greatest(), seconds=seconds)
    except ApiError as error:
        if error.code == "too-large":
            size = _announced(request) or file.tell()
            await run_in_threadpool(quotas.refuse, service, user, None, ("size",), size)
        raise


def _announced(request: Request) -> int:
    """The bytes that the client said its body has; 0 where it did not say."""
    said = request.headers.get("content-length", "")[:18]
    return int(said) if said.isdecimal() else 0


def _store(
    service: Service, received: Received, user: User
) -> tuple[schemas.SubmissionOut, bool, str]:
    """The answer, whether it is new, and which workers are to be woken for it."""
    stored = store(
        service,
        fields=received.fields,
        file=received.file,
        sha256=received.sha256,
        size=received.size,
        user=user,
    )
    return _read(service, stored.submission_id, user), stored.created, stored.need


def _out(
    service: Service, session: Session, entry: Submission, user: User | None
) -> schemas.SubmissionOut:
    return views.submission(session, service.rankings, catalog_board(entry.board_id), entry, user)


@router.get("/submissions", responses=responses(401, 404, 422, 503))
def list_submissions(
    session: SessionDep,
    user: MaybeUser,
    response: Response,
    board: Annotated[str | None, Query(max_length=80)] = None,
    side: Side | None = None,
    state: schemas.SubmissionState | None = None,
    mine: Annotated[bool, Query(description="Only what you have submitted")] = False,
    cursor: Annotated[
        str | None, Query(description="`next` of the page before", pattern="^[0-9A-Z]{26}$")
    ] = None,
    limit: Annotated[int, Query(ge=1, le=200)] = 50,
) -> schemas.SubmissionList:
    """Submissions, newest first: those that are public, and one's own."""
    board_id = None if board is None else find_board(board).id
    keep_to(user, response)
    return views.submission_page(
        session,
        board_id=board_id,
        side=side,
        state=state,
        user_id=require_user(user).id if mine else None,
        before=cursor,
        limit=limit,
        viewer=user,
    )


@router.get("/submissions/{submission_id}", responses=responses(401, 404, 422, 503))
def get_submission(
    submission_id: str,
    service: ServiceDep,
    session: SessionDep,
    user: MaybeUser,
    response: Response,
) -> schemas.SubmissionOut:
    """Everything public about a submission, or about one's own."""
    keep_to(user, response)
    return _out(service, session, find_submission(session, submission_id, user=user), user)


@router.get("/submissions/{submission_id}/score", responses=responses(401, 404, 422, 503))
def get_score(
    submission_id: str,
    service: ServiceDep,
    session: SessionDep,
    user: MaybeUser,
    response: Response,
    view: schemas.View = "reference",
    difficulty: DifficultyQuery = None,
) -> score_schemas.SubmissionScoreOut:
    """What an entry's score is made of: its counterparts in order, with weights and shares."""
    keep_to(user, response)
    entry = find_submission(session, submission_id, user=user)
    board = find_board(entry.board_id)
    return views.submission_score(
        session,
        service.rankings,
        board,
        queries.board_row(session, entry.board_id),
        entry,
        view=view,
        difficulty=difficulty_on(board.id, difficulty),
        viewer=user,
    )


@router.get("/submissions/{submission_id}/measures", responses=responses(401, 404, 422, 503))
def get_measures(
    submission_id: str,
    session: SessionDep,
    user: MaybeUser,
    response: Response,
    view: schemas.View = "reference",
) -> cell_schemas.SubmissionMeasuresOut:
    """Macro-F1 and balanced accuracy of an entry's cells, the clean one included."""
    keep_to(user, response)
    entry = find_submission(session, submission_id, user=user)
    row = queries.board_row(session, entry.board_id)
    return views.submission_measures(session, row, entry, view=view, viewer=user)


@router.get("/submissions/{submission_id}/breakdown", responses=responses(401, 404, 422, 503))
def get_entry_breakdown(
    submission_id: str,
    service: ServiceDep,
    session: SessionDep,
    user: MaybeUser,
    response: Response,
    difficulty: DifficultyQuery = None,
) -> cell_schemas.EntryBreakdownOut:
    """Where the entry's cells against the board's references were right, together: by degree,
    margin and class of the targets, with those before the attack."""
    keep_to(user, response)
    entry = find_submission(session, submission_id, user=user)
    at = difficulty_on(entry.board_id, difficulty)
    return entry_breakdown_of(service, session, entry, at, user)


@router.post(
    "/submissions/{submission_id}/withdraw", responses=responses(401, 403, 404, 409, 422, 503)
)
def withdraw(submission_id: str, service: ServiceDep, user: ManagerDep) -> schemas.SubmissionOut:
    """Take an entry out of the rankings; its owner or an admin may.  Can't be undone."""
    with service.sessions.writing() as session, conflicts():
        entry = find_submission(session, submission_id, user=user)
        check_theirs(entry, user, "withdraw")
        if marks.withdraw(session, entry, now=now()) and entry.user_id != user.id:
            audit.record(
                session,
                user_id=user.id,
                via="api",
                action="submission.withdraw",
                subject_kind="submission",
                subject_id=entry.id,
                now=now(),
            )
    return _read(service, submission_id, user)


@router.patch("/submissions/{submission_id}", responses=responses(401, 403, 404, 409, 422, 503))
def edit(
    submission_id: str, changes: SubmissionChanges, service: ServiceDep, user: ManagerDep
) -> schemas.SubmissionOut:
    """Change what is said of an entry, without evaluating it again; its owner or an admin may."""
    with service.sessions.writing() as session, conflicts():
        check_theirs(find_submission(session, submission_id, user=user), user, "edit")
        editing.edit(session, submission_id, changes, user_id=user.id, via="api", now=now())
    return _read(service, submission_id, user)


@router.delete("/submissions/{submission_id}", responses=responses(401, 403, 404, 409, 422, 503))
def delete(
    submission_id: str,
    service: ServiceDep,
    user: ManagerDep,
    reason: Annotated[
        str | None,
        Query(
            min_length=1,
            max_length=1000,
            pattern=r"\S",
            description="For the audit log; needed where the entry is another user's",
        ),
    ] = None,
) -> schemas.SubmissionOut:
    """Remove an entry's file and whatever tells whose it was; its owner or an admin may.

    Can't be undone.  It stays as an anonymous attempt, counted as before, and its finished cells
    keep their numbers.
    """
    why = None if reason is None else reason.strip()
    with service.sessions.writing() as session, conflicts():
        entry = find_submission(session, submission_id, user=user)
        check_theirs(entry, user, "delete")
        if why is None and entry.user_id != user.id:
            raise field("query/reason", "nothing", "why another user's entry is deleted")
        left = delete_submission(
            session, submission_id, user_id=user.id, via="api", reason=why, now=now()
        )
    try:
        orphans.remove(service.sessions, service.blobs, left)
    except BlobsAway as error:
        log.error(
            "submission %s is deleted, its file is left to grb admin tidy: %s", submission_id, error
        )
    return _read(service, submission_id, user)


@router.get(
    "/submissions/{submission_id}/artefact",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"application/octet-stream": {}}, "description": "The file"},
        304: {"description": "The file of the ETag in If-None-Match"},
        **responses(401, 403, 404, 410, 422, 503),
    },
)
def get_artefact(
    submission_id: str, request: Request, service: ServiceDep, user: MaybeUser
) -> Response:
    """The file as it was uploaded, once it has been found valid."""
    with service.sessions.reading() as session:
        entry = find_submission(session, submission_id, user=user)
    _check_readable(entry, user)
    tag = f'"{entry.sha256}"'
    headers = {"ETag": tag, "Cache-Control": "no-cache" if user is None else PRIVATE}
    if tag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    try:
        content = begun(service.blobs.stream(entry.sha256))
    except (BlobError, OSError) as error:
        raise unavailable(f"file of this submission ({error})") from None
    headers["Content-Length"] = str(entry.size)
    rest = f"-{entry.id}{SUFFIXES[cast(Side, entry.side)]}"
    headers["Content-Disposition"] = disposition(views.shown_name(entry) or entry.side, rest)
    return StreamingResponse(content, media_type="application/octet-stream", headers=headers)


def _read(service: Service, submission_id: str, user: User) -> schemas.SubmissionOut:
    with service.sessions.reading() as session:
        entry = find_submission(session, submission_id, user=user)
        return _out(service, session, entry, user)


def check_theirs(entry: Submission, user: User, action: str) -> None:
    """Refuse who is neither its owner nor an admin."""
    if not _is_theirs(entry, user):
        raise ApiError(403, "not-yours", f"only its owner or an admin may {action} this")


def _is_theirs(entry: Submission, user: User | None) -> bool:
    return user is not None and (user.role == "admin" or user.id == entry.user_id)


def _check_readable(entry: Submission, user: User | None) -> None:
    """Whether this user may download the file.

    What no worker has found valid is not handed on, nor what was withdrawn or hidden; a hidden
    reference still stands behind public numbers.  What was deleted is there for nobody.
    """
    if entry.deleted_at is not None:
        raise ApiError(410, "gone", "the entry was deleted, and its file with it")
    if entry.file_removed_at is not None:
        raise ApiError(410, "gone", "the file was rejected, and is no longer kept")
    if _is_theirs(entry, user):
        return
    if entry.state in ("received", "validating", "rejected"):
        raise ApiError(403, "not-public", f"the file is not public in state {entry.state}")
    if not is_shown(entry) and not entry.is_reference:
        raise ApiError(410, "gone", "the entry was withdrawn or hidden, and its file with it")
