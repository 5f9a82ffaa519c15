"""What admins look through: users and what they use, uploads that failed, entries of all kinds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from sqlalchemy import ColumnElement, Select, func, select
from sqlalchemy.orm import Session, joinedload

from grbcore.scenario import Side
from grbcore.store import quotas
from grbcore.store.quotas import Limits, Usage
from grbcore.store.tables import RefusedUpload, Submission, User

Mark = Literal["reference", "withdrawn", "hidden", "deleted"]

_MARKS: dict[Mark, ColumnElement[bool]] = {
    "reference": Submission.is_reference.is_(True),
    "withdrawn": Submission.withdrawn_at.is_not(None),
    "hidden": Submission.hidden_at.is_not(None),
    "deleted": Submission.deleted_at.is_not(None),
}


@dataclass(frozen=True, slots=True)
class Uploader:
    """A user, and what they have uploaded."""

    user: User
    entries: int  # those that were rejected or deleted included
    last_upload_at: datetime | None  # of an entry
    usage: Usage


@dataclass(frozen=True, slots=True)
class FailedUpload:
    """A file that was refused at once, or rejected by the validator."""

    id: str  # of the submission, where it became one
    is_submission: bool
    at: datetime
    user: User
    board_id: str | None
    side: Side | None
    codes: tuple[str, ...]  # of its violations, each once
    size: int  # bytes


def uploaders(
    session: Session,
    now: datetime,
    limits: Limits,
    *,
    name: str | None = None,
    before: str | None = None,
    limit: int,
) -> list[Uploader]:
    """At most ``limit`` users, newest first, older than the id ``before``; ``name`` is a part."""
    query = select(User).order_by(User.id.desc()).limit(limit)
    if name is not None:
        query = query.where(User.name.icontains(name, autoescape=True))
    if before is not None:
        query = query.where(User.id < before)
    return _uploaders(session, session.scalars(query).all(), now, limits)


def uploader(session: Session, user: User, now: datetime, limits: Limits) -> Uploader:
    """What one user has uploaded."""
    return _uploaders(session, [user], now, limits)[0]


def failed_uploads(
    session: Session,
    *,
    user_id: str | None = None,
    board_id: str | None = None,
    before: str | None = None,
    limit: int,
) -> list[FailedUpload]:
    """At most ``limit`` uploads that came to nothing, newest first, before the id ``before``."""
    refused = select(RefusedUpload).options(joinedload(RefusedUpload.user))
    rejected = select(Submission).options(joinedload(Submission.user))
    rejected = rejected.where(Submission.state == "rejected")
    if user_id is not None:
        refused = refused.where(RefusedUpload.user_id == user_id)
        rejected = rejected.where(Submission.user_id == user_id)
    if board_id is not None:
        refused = refused.where(RefusedUpload.board_id == board_id)
        rejected = rejected.where(Submission.board_id == board_id)
    if before is not None:
        refused = refused.where(RefusedUpload.id < before)
        rejected = rejected.where(Submission.id < before)
    found = [
        *map(_refused, session.scalars(refused.order_by(RefusedUpload.id.desc()).limit(limit))),
        *map(_rejected, session.scalars(rejected.order_by(Submission.id.desc()).limit(limit))),
    ]
    return sorted(found, key=lambda upload: upload.id, reverse=True)[:limit]


def entries(
    session: Session,
    *,
    board_id: str | None = None,
    side: Side | None = None,
    state: str | None = None,
    user_id: str | None = None,
    mark: Mark | None = None,
    name: str | None = None,
    before: str | None = None,
    limit: int,
) -> Sequence[Submission]:
    """At most ``limit`` entries of any kind, newest first, older than the id ``before``."""
    query: Select[Submission] = select(Submission).options(joinedload(Submission.user))
    for column, wanted in (
        (Submission.board_id, board_id),
        (Submission.side, side),
        (Submission.state, state),
        (Submission.user_id, user_id),
    ):
        if wanted is not None:
            query = query.where(column == wanted)
    if mark is not None:
        query = query.where(_MARKS[mark])
    if name is not None:
        query = query.where(Submission.name.icontains(name, autoescape=True))
    if before is not None:
        query = query.where(Submission.id < before)
    return session.scalars(query.order_by(Submission.id.desc()).limit(limit)).all()


def _uploaders(
    session: Session, users: Sequence[User], now: datetime, limits: Limits
) -> list[Uploader]:
    ids = [user.id for user in users]
    used = quotas.usages(session, ids, now, limits)
    query = (
        select(Submission.user_id, func.count(), func.max(Submission.received_at))
        .where(Submission.user_id.in_(ids))
        .group_by(Submission.user_id)
    )
    counted = {user_id: (count, last) for user_id, count, last in session.execute(query)}
    found = []
    for user in users:
        entries, last = counted.get(user.id, (0, None))
        found.append(Uploader(user, entries, last, used[user.id]))
    return found


def _refused(row: RefusedUpload) -> FailedUpload:
    return FailedUpload(
        id=row.id,
        is_submission=False,
        at=row.refused_at,
        user=row.user,
        board_id=row.board_id,
        side=None,
        codes=tuple(row.codes),
        size=row.size,
    )


def _rejected(row: Submission) -> FailedUpload:
    side: Side = "attack" if row.side == "attack" else "defense"
    return FailedUpload(
        id=row.id,
        is_submission=True,
        at=row.validated_at or row.received_at,
        user=row.user,
        board_id=row.board_id,
        side=side,
        codes=tuple(sorted({str(violation["code"]) for violation in row.violations})),
        size=row.size,
    )
