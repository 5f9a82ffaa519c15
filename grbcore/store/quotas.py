"""How much a user may upload: a day on each board, altogether, and of what turns out invalid.

Nothing is counted beside the rows themselves, so no counter can drift.  A submission takes a place
of its user's day on its board when it is received (`Submission.charged_at`), under the user's lock.
It gives the place back where it was rejected, where infrastructure stopped it, or where its owner
withdrew it before any cell began.  What is refused or rejected counts towards a limit of its own,
so failing files are neither costly nor free.  A day begins at midnight in UTC.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, and_, delete, exists, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from grbcore.settings import Settings
from grbcore.store.locks import lock_user
from grbcore.store.tables import CellRow, RefusedUpload, Submission, User

#: How long it is kept that an upload was refused.
MEMORY = timedelta(days=90)

_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Limits:
    """What one user may upload; 0: as much as they like."""

    per_day: int  # valid files on each board
    invalid_per_day: int  # files that are refused or rejected, on all boards
    stored_bytes: int  # of all files that are kept

    @staticmethod
    def of(settings: Settings) -> Limits:
        """Those of this service."""
        return Limits(
            settings.quota_per_day, settings.quota_invalid_per_day, int(settings.quota_bytes)
        )


#: Whoever it is may upload as much as they like.
UNLIMITED = Limits(per_day=0, invalid_per_day=0, stored_bytes=0)


@dataclass(frozen=True, slots=True)
class Usage:
    """What a user has used of their limits today, and how many bytes they have stored."""

    limits: Limits  # as they hold for this user
    exempt: bool  # an admin: nothing is refused
    boards: Mapping[str, int]  # board -> places taken today
    invalid: int
    stored: int  # bytes
    day: datetime  # when today began
    frees_at: datetime  # when it ends


class QuotaExceeded(Exception):
    """An upload for which its user has nothing left.

    Attributes:
        code: ``quota``, ``quota-invalid`` or ``quota-bytes``.
        place: what is used up.
        found: how much of it is used.
        allowed: how much there is, and when some is free again.
        frees_at: that time; None where none is known.
    """

    def __init__(
        self, code: str, place: str, found: str, allowed: str, frees_at: datetime | None
    ) -> None:
        super().__init__(f"{place}: found {found}, allowed: {allowed}")
        self.code = code
        self.place = place
        self.found = found
        self.allowed = allowed
        self.frees_at = frees_at


def usage(session: Session, user_id: str, now: datetime, limits: Limits) -> Usage:
    """What this user has used; the service's ``limits``, or those an admin gave them instead."""
    return usages(session, [user_id], now, limits)[user_id]


def usages(
    session: Session, user_ids: Collection[str], now: datetime, limits: Limits
) -> dict[str, Usage]:
    """`usage` of each of these users, with the same few queries for any number."""
    start = day(now)
    users = session.execute(
        select(User.id, User.role, User.quota_per_day, User.quota_bytes).where(
            User.id.in_(user_ids)
        )
    )
    boards, invalid = _charged(session, user_ids, start), _invalid(session, user_ids, start)
    stored = _stored(session, user_ids)
    return {
        user.id: Usage(
            limits=replace(
                limits,
                per_day=limits.per_day if user.quota_per_day is None else user.quota_per_day,
                stored_bytes=limits.stored_bytes if user.quota_bytes is None else user.quota_bytes,
            ),
            exempt=user.role == "admin",
            boards=boards.get(user.id, {}),
            invalid=invalid[user.id],
            stored=stored.get(user.id, 0),
            day=start,
            frees_at=start + _DAY,
        )
        for user in users
    }


def reserve(
    session: Session, user_id: str, board_id: str, size: int, now: datetime, limits: Limits
) -> datetime | None:
    """Take a place of this user's day for a file of ``size`` bytes: its `Submission.charged_at`.

    The user stays locked until the transaction ends, so of many at once no more than allowed get
    one.  None for an admin, who needs none.

    Raises:
        QuotaExceeded: nothing is left.
    """
    lock_user(session, user_id)
    found = usage(session, user_id, now, limits)
    if found.exempt:
        return None
    check(found, size)
    taken, most = found.boards.get(board_id, 0), found.limits.per_day
    if most and taken >= most:
        raise QuotaExceeded(
            "quota",
            f"{board_id}, today",
            _uploads(taken),
            f"{most} a day; the next from {_told(found.frees_at)}",
            found.frees_at,
        )
    return now


def check(found: Usage, size: int | None = None) -> None:
    """Refuse what can be refused before a file is there.

    Raises:
        QuotaExceeded: too many invalid files today, or no room for ``size`` more bytes.
    """
    if found.exempt:
        return
    most = found.limits.invalid_per_day
    if most and found.invalid >= most:
        raise QuotaExceeded(
            "quota-invalid",
            "invalid files, today",
            str(found.invalid),
            f"{most} a day; the next from {_told(found.frees_at)}",
            found.frees_at,
        )
    room = found.limits.stored_bytes
    if size is not None and room and found.stored + size > room:
        found_bytes = f"{found.stored} bytes stored and {size} more"
        raise QuotaExceeded("quota-bytes", "stored files", found_bytes, f"{room} bytes", None)


def give_back(row: Submission) -> None:
    """Take nothing of its user's day for this submission any more; a second time does nothing."""
    row.charged_at = None


def give_back_unstarted(session: Session, row: Submission) -> None:
    """`give_back`, unless a cell of this submission has begun; call it before cells are removed."""
    begun = and_(
        CellRow.newcomer_id == row.id, or_(CellRow.state != "queued", CellRow.attempts > 0)
    )
    if row.state in ("received", "validating") or (
        row.state == "evaluating" and not session.scalar(select(exists().where(begun)))
    ):
        give_back(row)


def refused(
    session: Session,
    user_id: str,
    board_id: str | None,
    codes: Collection[str],
    size: int,
    now: datetime,
) -> None:
    """Note that a file was refused before it became a submission; the file is not kept.

    Of a user who was suspended or deleted meanwhile nothing is noted.
    """
    lock_user(session, user_id)
    if not session.get_one(User, user_id, populate_existing=True).is_active:
        return
    found = sorted(set(codes))
    session.add(
        RefusedUpload(user_id=user_id, board_id=board_id, codes=found, size=size, refused_at=now)
    )
    session.flush()


def forget_refused(session: Session, now: datetime) -> None:
    """Remove what is older than `MEMORY`."""
    session.execute(delete(RefusedUpload).where(RefusedUpload.refused_at < now - MEMORY))


def day(now: datetime) -> datetime:
    """When the day of this time began, in UTC."""
    return now.replace(hour=0, minute=0, second=0, microsecond=0)


def kept() -> ColumnElement[bool]:
    """Submissions whose file is stored."""
    return and_(Submission.deleted_at.is_(None), Submission.file_removed_at.is_(None))


def _charged(
    session: Session, user_ids: Collection[str], start: datetime
) -> dict[str, dict[str, int]]:
    query = (
        select(Submission.user_id, Submission.board_id, func.count())
        .join(User, User.id == Submission.user_id)
        .where(Submission.user_id.in_(user_ids), _since(Submission.charged_at, start))
        .group_by(Submission.user_id, Submission.board_id)
    )
    found: dict[str, dict[str, int]] = {}
    for user_id, board_id, count in session.execute(query):
        found.setdefault(user_id, {})[board_id] = count
    return found


def _invalid(session: Session, user_ids: Collection[str], start: datetime) -> Counter[str]:
    refused = (
        select(RefusedUpload.user_id, func.count())
        .join(User, User.id == RefusedUpload.user_id)
        .where(RefusedUpload.user_id.in_(user_ids), _since(RefusedUpload.refused_at, start))
        .group_by(RefusedUpload.user_id)
    )
    rejected = (
        select(Submission.user_id, func.count())
        .join(User, User.id == Submission.user_id)
        .where(
            Submission.user_id.in_(user_ids),
            Submission.state == "rejected",
            _since(Submission.validated_at, start),
            ~Submission.is_reference,
        )
        .group_by(Submission.user_id)
    )
    found: Counter[str] = Counter()
    for query in (refused, rejected):
        found.update({user_id: count for user_id, count in session.execute(query)})
    return found


def _stored(session: Session, user_ids: Collection[str]) -> dict[str, int]:
    query = (
        select(Submission.user_id, func.sum(Submission.size))
        .where(Submission.user_id.in_(user_ids), ~Submission.is_reference, kept())
        .group_by(Submission.user_id)
    )
    return {user_id: int(size) for user_id, size in session.execute(query)}


def _since(moment: InstrumentedAttribute[Any], start: datetime) -> ColumnElement[bool]:
    """Today, and not before an admin had this user's day begin anew."""
    anew = or_(User.quota_reset_at.is_(None), moment >= User.quota_reset_at)
    return and_(moment >= start, anew)


def _uploads(count: int) -> str:
    return "1 upload" if count == 1 else f"{count} uploads"


def _told(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M} UTC"
