"""Files that arrive in parts, by the tus protocol: an upload goes on where it stopped."""

from __future__ import annotations

import asyncio
import base64
from collections.abc import Callable, Mapping
from functools import partial
from typing import Annotated, TypeVar

from fastapi import APIRouter, BackgroundTasks, Header, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import JSONResponse
from starlette.requests import ClientDisconnect

from api import parts, quotas, schemas, tus, upload_schemas, views
from api.announcing import announced
from api.deps import Service, ServiceDep, SubmitterDep, catalog_board, find_submission
from api.errors import ApiError, responses
from api.forms import fields_description, greatest
from api.incoming import Part
from api.intake import Stored
from api.transfers import Transfer, beyond, receive, receive_checked
from grbcore.store import uploads
from grbcore.store.session import now
from grbcore.store.tables import UploadRow, User

T = TypeVar("T")

router = APIRouter(tags=["uploads"], route_class=tus.Route)

#: Seconds between tries to have a file alone.
_PAUSES = (0.05, 0.1, 0.2)

#: Longer texts are not repeated in a header.
_LONGEST = 2000

_SUBMISSION = {"model": schemas.SubmissionOut}
_BYTES = {
    "required": True,
    "content": {tus.CONTENT_TYPE: {"schema": {"type": "string", "format": "binary"}}},
}


@router.options("/uploads/{upload_id}", include_in_schema=False, status_code=204)
@router.options("/uploads", status_code=204)
def capabilities() -> Response:
    """What of tus this server does, and how large a file may be."""
    return Response(status_code=204, headers=tus.capabilities(greatest()))


@router.post(
    "/uploads",
    status_code=201,
    response_model=upload_schemas.UploadOut,
    responses={
        200: {
            **_SUBMISSION,
            "description": "The same bytes were submitted before: the submission that they are",
        },
        **responses(401, 403, 404, 408, 409, 412, 413, 415, 422, 429, 503, 507),
    },
    openapi_extra={"requestBody": fields_description()},
)
async def begin_upload(
    request: Request,
    response: Response,
    service: ServiceDep,
    user: SubmitterDep,
    length: Annotated[int, Header(alias="Upload-Length", ge=0)],
    metadata: Annotated[
        str | None, Header(alias="Upload-Metadata", description="The fields, in base64")
    ] = None,
) -> upload_schemas.UploadOut | Response:
    """Announce an attack or a defense whose bytes will follow by PATCH to `Location`.

    The fields are those of the form, as metadata or as JSON. With a `sha256` among them an
    unfinished upload of the same bytes is gone on with, and bytes that were submitted before need
    not be sent again.
    """
    fields, sha256 = await announced(request, metadata)
    found = await run_in_threadpool(parts.begin, service, fields, length, sha256, user)
    if isinstance(found, str):
        return await _submission(service, user, found, 200, {})
    out = await run_in_threadpool(parts.shown, service, found)
    response.headers.update(_progress(found, out.arrived))
    response.headers["Location"] = out.location
    return out


@router.get("/uploads", responses=responses(401, 403, 412, 422, 503))
def list_uploads(
    service: ServiceDep,
    user: SubmitterDep,
    sha256: Annotated[str | None, Query(pattern="^[0-9a-f]{64}$")] = None,
) -> upload_schemas.UploadList:
    """Your own uploads, newest first: unfinished ones, and those that ended lately."""
    with service.sessions.reading() as session:
        rows = uploads.of_user(session, user.id, now(), sha256=sha256)
    return upload_schemas.UploadList(uploads=[parts.shown(service, row) for row in rows])


@router.get(
    "/uploads/{upload_id}",
    responses=responses(401, 403, 404, 409, 410, 412, 422, 423, 429, 503, 507),
)
async def get_upload(
    upload_id: str,
    request: Request,
    response: Response,
    background: BackgroundTasks,
    service: ServiceDep,
    user: SubmitterDep,
) -> upload_schemas.UploadOut:
    """How far an upload is.

    HEAD is for the client that goes on with it: a request that still brings bytes is ended, as its
    connection may be lost without the service knowing; `Upload-Offset` says where to go on.
    """
    row = await run_in_threadpool(parts.find, service, upload_id, user)
    if request.scope.get("head"):
        row, whole = await _alone(service, upload_id, partial(_stands, service, row, user))
        if whole:
            async with service.slots.taken(user.id):
                settle = partial(_settled, service, row, user)
                row, stored = await _alone(service, upload_id, settle)
            _wake(background, service, stored)
    out = await run_in_threadpool(parts.shown, service, row)
    response.headers.update(_progress(row, out.arrived))
    response.headers["Upload-Metadata"] = _metadata(row.fields)
    response.headers["Cache-Control"] = "no-store"
    return out


@router.patch(
    "/uploads/{upload_id}",
    status_code=204,
    response_class=Response,
    responses={
        200: {**_SUBMISSION, "description": "As 202, and the same bytes were submitted before"},
        202: {**_SUBMISSION, "description": "Those were the last bytes, and you `Prefer` to see"},
        204: {"description": "Arrived: `Upload-Offset`; after the last bytes also `Submission`"},
        **responses(400, 401, 403, 404, 408, 409, 410, 412, 413, 415, 422, 423, 429, 460, 503, 507),
    },
    openapi_extra={"requestBody": _BYTES},
)
async def append(
    upload_id: str,
    request: Request,
    background: BackgroundTasks,
    service: ServiceDep,
    user: SubmitterDep,
    offset: Annotated[int, Header(alias="Upload-Offset", ge=0)],
    checksum: Annotated[
        str | None, Header(alias="Upload-Checksum", description="Of this body: sha256 <base64>")
    ] = None,
    prefer: Annotated[
        str | None, Header(description="return=representation: see the submission at the end")
    ] = None,
) -> Response:
    """Bring the bytes from `Upload-Offset` on.

    After the last one the file is checked and becomes a submission, as by the form; a file that
    breaks the rules is 422 with all its violations. Whatever ends a request early, what arrived is
    kept. `RateLimit` with the last bytes tells what is left of today's uploads.
    """
    _check_type(request)
    expected = None if checksum is None else tus.checksum(checksum)
    row = await run_in_threadpool(parts.find, service, upload_id, user)
    stored = None
    if row.state == "open":
        async with service.slots.taken(user.id):
            with parts.held(service, row) as part, service.transfers.running(upload_id) as transfer:
                row = await run_in_threadpool(parts.find, service, upload_id, user)
                if row.state == "open":
                    _check_offset(request, offset, part.size, row.size)
                    await _take(request, service, transfer, row, part, expected)
                    arrived = part.size
                    if arrived < row.size:
                        return Response(status_code=204, headers=_progress(row, arrived))
                    stored = await run_in_threadpool(parts.finish, service, row, part, user)
                else:
                    part.remove()
    if stored is None:
        if row.state == "refused":
            raise parts.refusal(row)
        _check_offset(request, offset, row.size, row.size)
    _wake(background, service, stored)
    used = await run_in_threadpool(quotas.usage, service, user)
    headers = {**_progress(row, row.size), **quotas.headers(used, row.board_id)}
    submission_id = stored.submission_id if stored else row.submission_id
    assert submission_id is not None
    if "return=representation" in (prefer or "").replace(" ", ""):
        status = 202 if stored and stored.created else 200
        return await _submission(service, user, submission_id, status, headers)
    return Response(status_code=204, headers={**headers, **_names(submission_id)})


@router.delete(
    "/uploads/{upload_id}",
    status_code=204,
    response_class=Response,
    responses=responses(401, 403, 404, 410, 412, 422, 423, 503, 507),
)
async def end_upload(upload_id: str, service: ServiceDep, user: SubmitterDep) -> Response:
    """Give up an upload, and its bytes; a submission that it became stays."""
    row = await run_in_threadpool(parts.find, service, upload_id, user)
    await _alone(service, upload_id, partial(parts.end, service, row))
    return Response(status_code=204)


async def _alone(service: Service, upload_id: str, work: Callable[[], T]) -> T:
    """Do what needs the file, after whoever brings bytes to this process has ended; one who comes
    at the same moment is ended too."""
    for pause in _PAUSES:
        await service.transfers.end(upload_id)
        try:
            return await run_in_threadpool(work)
        except ApiError as error:
            if error.status != 423:
                raise
        await asyncio.sleep(pause)
    return await run_in_threadpool(work)


async def _take(
    request: Request,
    service: Service,
    transfer: Transfer,
    row: UploadRow,
    part: Part,
    expected: tus.Checksum | None,
) -> None:
    """Append the body; what arrived is kept, but for a body that is too long or not the one
    that it was said to be."""
    start = part.size
    room, seconds = row.size - start, service.settings.upload_seconds
    try:
        if expected is None:
            await receive(request, transfer, part, room=room, seconds=seconds)
        else:
            await receive_checked(request, transfer, part, expected, room=room, seconds=seconds)
    except (ApiError, ClientDisconnect) as error:
        if isinstance(error, ApiError):
            if error.status == 413:
                part.cut(start)
            error.headers["Upload-Offset"] = str(part.size)
        await run_in_threadpool(parts.keep, service, row, part)
        raise
    await run_in_threadpool(parts.keep, service, row, part)


def _stands(service: Service, row: UploadRow, user: User) -> tuple[UploadRow, bool]:
    """An upload that no request brings bytes of, and whether it is whole but not taken in."""
    whole = False
    if row.state == "open":
        with parts.held(service, row) as part:
            whole = part.size == row.size
        row = parts.find(service, row.id, user)
    _check_refused(row)
    return row, whole and row.state == "open"


def _settled(service: Service, row: UploadRow, user: User) -> tuple[UploadRow, Stored | None]:
    """As `_stands`; one that is whole is taken in."""
    stored = None
    if row.state == "open":
        with parts.held(service, row) as part:
            row = parts.find(service, row.id, user)
            if row.state == "open" and part.size == row.size:
                stored = parts.finish(service, row, part, user)
        row = parts.find(service, row.id, user)
    _check_refused(row)
    return row, stored


def _check_refused(row: UploadRow) -> None:
    if row.state == "refused":
        raise ApiError(410, "refused", f"{parts.refusal(row).message}; begin with another file")


def _check_type(request: Request) -> None:
    kind = request.headers.get("content-type", "nothing").strip().lower()
    if kind != tus.CONTENT_TYPE:
        raise ApiError(
            415, "media-type", f"content type: found {kind[:100]}, allowed: {tus.CONTENT_TYPE}"
        )


def _check_offset(request: Request, offset: int, arrived: int, size: int) -> None:
    if offset != arrived:
        raise ApiError(
            409,
            "offset",
            f"Upload-Offset: found {offset}, allowed: {arrived}, the bytes that have arrived",
            headers={"Upload-Offset": str(arrived), "Connection": "close"},
        )
    length = request.headers.get("content-length", "")
    if length.isdecimal() and int(length[:20]) > size - arrived:
        raise beyond()


async def _submission(
    service: Service, user: User, submission_id: str, status: int, headers: Mapping[str, str]
) -> Response:
    def found() -> schemas.SubmissionOut:
        with service.sessions.reading() as session:
            entry = find_submission(session, submission_id, user=user)
            board = catalog_board(entry.board_id)
            return views.submission(session, service.rankings, board, entry, user)

    out = await run_in_threadpool(found)
    more = {**headers, **_names(submission_id)}
    return JSONResponse(out.model_dump(mode="json"), status, more)


def _wake(background: BackgroundTasks, service: Service, stored: Stored | None) -> None:
    if stored is not None and stored.created:
        background.add_task(service.waker.wake, stored.submission_id, stored.need)


def _names(submission_id: str) -> dict[str, str]:
    return {
        "Submission": submission_id,
        "Content-Location": f"/api/v1/submissions/{submission_id}",
    }


def _progress(row: UploadRow, arrived: int) -> dict[str, str]:
    headers = {
        "Upload-Offset": str(arrived),
        "Upload-Length": str(row.size),
        "Upload-Expires": tus.expires(row.expires_at),
    }
    return headers | (_names(row.submission_id) if row.submission_id else {})


def _metadata(fields: Mapping[str, str]) -> str:
    """The fields as tus tells them."""
    return ",".join(
        f"{name} {base64.b64encode(text.encode()).decode()}"
        for name, text in fields.items()
        if len(text) <= _LONGEST
    )
