"""What routes do with an upload in parts: find it, hold its file, take it in once it is whole."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import timedelta

from api import quotas, schemas, upload_schemas
from api.deps import Service, is_id
from api.errors import DATABASE_ERRORS, ApiError, conflicts, field, full, invalid_file, not_found
from api.forms import cap, read
from api.incoming import Held, Part
from api.intake import Stored, open_board, store
from api.transfers import disk
from api.uploads import too_large
from grbcore.files import sha256_of
from grbcore.store import uploads
from grbcore.store.session import now
from grbcore.store.tables import UploadRow, User
from grbcore.violations import Violation

log = logging.getLogger(__name__)


def begin(
    service: Service, fields: dict[str, str], size: int, sha256: str | None, user: User
) -> UploadRow | str:
    """An upload, new or one to go on with; or the id of the submission that these bytes are.

    Everything that can be known before the first byte is checked.

    Raises:
        ApiError: 404, 409, 413, 422, 429, 503 or 507.
        QuotaExceeded: nothing is left of what the user may upload.
    """
    board, side, _said = read(fields)
    most = cap(fields)
    if size == 0:
        raise field("header/Upload-Length", "an empty file", "a file with content")
    if size > most:
        raise too_large(most)
    open_board(service, board)
    if sha256 is not None:
        with service.sessions.reading() as session:
            known = uploads.submitted(
                session, user_id=user.id, board_id=board.id, side=side, sha256=sha256
            )
        if known is not None:
            return known
    quotas.require(service, user, size)
    service.readiness.require()
    settings = service.settings
    with disk():
        place = service.incoming.place()
        room = service.incoming.free() - settings.min_free_bytes
    moment = now()
    try:
        with service.sessions.writing() as session, conflicts():
            row = uploads.begin(
                session,
                user_id=user.id,
                board_id=board.id,
                side=side,
                fields=fields,
                size=size,
                sha256=sha256,
                place=place,
                allowance=uploads.Allowance(settings.open_uploads, settings.open_upload_bytes),
                lasts=timedelta(hours=settings.upload_hours),
                now=moment,
            )
            if uploads.missing_bytes(session, place, moment) > room:  # this one counts
                raise full("disk")
            return row
    except uploads.TooMany as error:
        raise ApiError(429, "too-many-uploads", str(error)) from None


def find(service: Service, upload_id: str, user: User) -> UploadRow:
    """A user's own upload.

    Raises:
        ApiError: 404 for one that is not there or another's; 410 for one that expired.
    """
    row = None
    if is_id(upload_id):
        with service.sessions.reading() as session:
            row = uploads.find(session, upload_id, user.id)
    if row is None:
        raise not_found("upload", upload_id)
    if row.state == "open" and row.expires_at <= now():
        ended = f"{row.expires_at:%Y-%m-%d %H:%M} UTC"
        raise ApiError(410, "expired", f"the upload ended unfinished at {ended}: begin a new one")
    return row


@contextmanager
def held(service: Service, row: UploadRow) -> Iterator[Part]:
    """The upload's file, for this request alone.

    Raises:
        ApiError: 409 where it is in another folder; 423 while another request has it; 503 or 507.
    """
    with disk():
        here = service.incoming.place()
    if row.place != here:
        raise ApiError(
            409,
            "elsewhere",
            "the bytes of this upload are on another host of this service, which does not answer "
            "here; try again, or delete it and begin a new one",
        )
    try:
        with disk():
            part = service.incoming.hold(row.id)
    except Held:
        raise ApiError(
            423,
            "locked",
            "another request brings bytes of this upload; HEAD ends it and tells where to go on",
            headers={"Retry-After": "1"},
        ) from None
    with closing(part):
        if part.size > row.size:  # nothing that we wrote
            part.cut(0)
        yield part


def arrived(service: Service, row: UploadRow) -> int:
    """How many bytes have arrived, without holding the file."""
    if row.state != "open":
        return row.size
    if row.place != service.incoming.place():
        return row.arrived
    return min(row.size, service.incoming.size(row.id))


def keep(service: Service, row: UploadRow, part: Part) -> None:
    """Have what arrived survive whatever comes, and note how much it is.

    A database that is away doesn't matter here: the file tells its size itself.
    """
    with disk():
        part.sync()
    try:
        with service.sessions.writing() as session:
            uploads.count(session, row.id, min(part.size, row.size))
    except DATABASE_ERRORS as error:
        log.warning("upload %s: how far it is was not noted: %s", row.id, error)


def finish(service: Service, row: UploadRow, part: Part, user: User) -> Stored:
    """Take in a file whose bytes are all here.

    Raises:
        ApiError: 422, and the file is gone; or any other, and the upload can be finished later.
    """
    sha256 = sha256_of(part.path)
    try:
        if row.sha256 not in (None, sha256):
            quotas.refuse(service, user, row.board_id, ["damaged"], row.size)
            allowed = f"SHA-256 {row.sha256}, as announced"
            raise invalid_file([Violation("damaged", "file", f"SHA-256 {sha256}", allowed)])
        stored = store(
            service,
            fields=row.fields,
            file=part.path,
            sha256=sha256,
            size=row.size,
            user=user,
            beside=lambda session, entry: uploads.done(session, row.id, entry),
        )
    except ApiError as error:
        if error.status == 422:
            with service.sessions.writing() as session:
                uploads.refuse(session, row.id, _problem(error))
            part.remove()
        raise
    part.remove()
    return stored


def _problem(error: ApiError) -> dict[str, object]:
    return {
        "code": error.code,
        "message": error.message,
        "violations": [violation.model_dump() for violation in error.violations],
    }


def refusal(row: UploadRow) -> ApiError:
    """The answer that a refused upload got."""
    problem = row.problem or {}
    violations = [schemas.ViolationOut(**one) for one in problem.get("violations", [])]
    return ApiError(422, problem["code"], problem["message"], violations)


def end(service: Service, row: UploadRow) -> None:
    """Remove an upload and its file; the submission that it became stays."""
    if row.state == "open" and row.place == service.incoming.place():
        with held(service, row) as part:
            part.remove()
    with service.sessions.writing() as session:
        uploads.remove(session, row.id)


def shown(service: Service, row: UploadRow) -> upload_schemas.UploadOut:
    """What an upload's owner is told of it."""
    problem = row.problem or {}
    return upload_schemas.UploadOut(
        id=row.id,
        location=address(row.id),
        board=row.board_id,
        side="attack" if row.side == "attack" else "defense",
        name=row.fields["name"].strip(),
        sha256=row.sha256,
        bytes=row.size,
        arrived=arrived(service, row),
        state=row.state,
        created_at=row.created_at,
        expires_at=row.expires_at,
        submission=row.submission_id,
        reason=problem.get("message"),
        violations=problem.get("violations", []),
    )


def address(upload_id: str) -> str:
    """Where an upload's bytes go."""
    return f"/api/v1/uploads/{upload_id}"
