"""Uploads in parts: which there are, how far they are, and what became of them.

The bytes lie in files beside the database; `UploadRow.place` names the folder.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from grbcore.scenario import Side
from grbcore.store.addresses import active
from grbcore.store.tables import Submission, UploadRow

_LISTED = 100  # uploads of a user that are listed, newest first


class TooMany(ValueError):
    """The user has more unfinished uploads, or more bytes in them, than one may have."""


@dataclass(frozen=True, slots=True)
class Allowance:
    """What one user may have unfinished at a time."""

    uploads: int
    bytes: int  # of their whole files


def submitted(
    session: Session, *, user_id: str, board_id: str, side: Side, sha256: str
) -> str | None:
    """The id of the submission that these bytes of this user are on this board and side."""
    return session.scalar(
        select(Submission.id).where(
            Submission.user_id == user_id,
            Submission.board_id == board_id,
            Submission.side == side,
            Submission.sha256 == sha256,
        )
    )


def begin(
    session: Session,
    *,
    user_id: str,
    board_id: str,
    side: Side,
    fields: Mapping[str, str],
    size: int,
    sha256: str | None,
    place: str,
    allowance: Allowance,
    lasts: timedelta,
    now: datetime,
) -> UploadRow:
    """A new upload; or the one in this place of the same bytes that is not finished, with these
    fields from now on.

    Raises:
        TooMany: it would be more than the allowance.
        NotPossible: the user may do nothing any more.
    """
    active(session, user_id)
    theirs = session.scalars(
        select(UploadRow).where(
            UploadRow.user_id == user_id, UploadRow.state == "open", UploadRow.expires_at > now
        )
    ).all()
    wanted = (board_id, side, size, sha256, place)
    for row in theirs:
        if sha256 and (row.board_id, row.side, row.size, row.sha256, row.place) == wanted:
            row.fields = dict(fields)
            session.flush()
            return row
    if len(theirs) >= allowance.uploads:
        raise TooMany(
            f"unfinished uploads: found {len(theirs)}, allowed: at most {allowance.uploads} at a "
            "time; finish or delete one"
        )
    held = sum(row.size for row in theirs)
    if held + size > allowance.bytes:
        raise TooMany(
            f"bytes of unfinished uploads: found {held + size} with this one, allowed: at most "
            f"{allowance.bytes} at a time; finish or delete one"
        )
    row = UploadRow(
        user_id=user_id,
        board_id=board_id,
        side=side,
        fields=dict(fields),
        size=size,
        sha256=sha256,
        place=place,
        created_at=now,
        expires_at=now + lasts,
    )
    session.add(row)
    session.flush()
    return row


def find(session: Session, upload_id: str, user_id: str) -> UploadRow | None:
    """The upload of this id, if it is this user's."""
    row = session.get(UploadRow, upload_id)
    return row if row is not None and row.user_id == user_id else None


def of_user(
    session: Session, user_id: str, now: datetime, *, sha256: str | None = None
) -> list[UploadRow]:
    """A user's uploads, newest first: unfinished ones that can be gone on with, and those that
    ended lately."""
    query = select(UploadRow).where(
        UploadRow.user_id == user_id,
        or_(UploadRow.state != "open", UploadRow.expires_at > now),
    )
    if sha256 is not None:
        query = query.where(UploadRow.sha256 == sha256)
    return list(session.scalars(query.order_by(UploadRow.id.desc()).limit(_LISTED)))


def count(session: Session, upload_id: str, arrived: int) -> None:
    """Note how many bytes have arrived, for lists; the file itself knows better."""
    row = session.get(UploadRow, upload_id)
    if row is not None:
        row.arrived = arrived


def done(session: Session, upload_id: str, submission: Submission) -> None:
    """The file became this submission; written in the transaction that made it."""
    row = session.get(UploadRow, upload_id)
    if row is not None:
        row.state, row.submission_id, row.arrived = "done", submission.id, row.size


def refuse(session: Session, upload_id: str, problem: Mapping[str, Any]) -> None:
    """The file breaks the board's rules; ``problem`` is the answer that said so."""
    row = session.get(UploadRow, upload_id)
    if row is not None and row.state == "open":
        row.state, row.problem, row.arrived = "refused", dict(problem), row.size


def remove(session: Session, upload_id: str) -> None:
    """Forget an upload.  Its file goes first."""
    session.execute(delete(UploadRow).where(UploadRow.id == upload_id))


def forget(session: Session, submission_id: str) -> None:
    """Forget how a submission came, and with it what was said of it then."""
    session.execute(delete(UploadRow).where(UploadRow.submission_id == submission_id))


def forget_user(session: Session, user_id: str) -> None:
    """Forget all of a user's uploads; the files of unfinished ones are swept."""
    session.execute(delete(UploadRow).where(UploadRow.user_id == user_id))


def still_open(session: Session, ids: Collection[str], now: datetime) -> set[str]:
    """Those of these uploads whose files are needed."""
    query = select(UploadRow.id).where(
        UploadRow.id.in_(ids), UploadRow.state == "open", UploadRow.expires_at > now
    )
    return set(session.scalars(query))


def missing_bytes(session: Session, place: str, now: datetime) -> int:
    """How many bytes the unfinished uploads of a place will still bring, as last counted."""
    query = select(func.coalesce(func.sum(UploadRow.size - UploadRow.arrived), 0)).where(
        UploadRow.place == place, UploadRow.state == "open", UploadRow.expires_at > now
    )
    return int(session.scalars(query).one())


def forgettable(session: Session, before: datetime) -> list[str]:
    """Uploads that expired before then, whatever became of them."""
    return list(session.scalars(select(UploadRow.id).where(UploadRow.expires_at < before)))
