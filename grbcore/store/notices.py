"""What users are told: rows written with the change that they tell of, delivered afterwards.

A notice may arrive twice, where a deliverer ends between sending it and saying so; its id is the
same each time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Literal, cast
from uuid import uuid4

from sqlalchemy import ColumnElement, and_, exists, func, or_, select, update
from sqlalchemy.orm import Session, aliased

from grbcore.store.tables import NoticeRow, Submission, User

Channel = Literal["webhook", "mail"]

RANKED, REJECTED, FAILED = "submission.ranked", "submission.rejected", "submission.failed"
STUCK = "submission.stuck"  # waits for an admin
PUBLISHED = "submission.published"  # it was private, or under an embargo

#: Longer than any delivery takes.
LEASE = timedelta(minutes=2)

#: How long a notice waits after each try that did not arrive; after one more it is failed.
PAUSES = tuple(timedelta(seconds=s) for s in (10, 60, 300, 1800, 7200))

DAY = timedelta(days=1)

_CLAIM_KEY = 0x67726205  # of the advisory lock under which notices are claimed

_CUT_OFF = "found nothing said of how it ended, allowed: an answer"


@dataclass(frozen=True, slots=True)
class LeasedNotice:
    """A notice that its holder may deliver, and where to."""

    id: str
    token: str
    event: str
    channel: Channel
    payload: dict[str, Any]
    created_at: datetime
    address: str  # of the webhook or of the mailbox
    secret: str | None  # that signs what goes to a webhook


@dataclass(frozen=True, slots=True)
class Counts:
    """How many notices wait, and how many were given up within a day."""

    waiting: int
    failed: int


def tell(session: Session, entry: Submission, event: str, now: datetime) -> None:
    """Note that the owner of a submission is to be told of this event, once for each submission.

    There is one row for each channel that the owner has; most have none.  The caller holds the
    lock of the entry's board.
    """
    owner = session.get_one(User, entry.user_id)
    channels = _channels(owner)
    if not channels:
        return
    known = exists().where(NoticeRow.submission_id == entry.id, NoticeRow.event == event)
    if session.scalar(select(known)):
        return
    payload = {
        "id": entry.id,
        "board": entry.board_id,
        "side": entry.side,
        "name": entry.name,
        "state": entry.state,
        "reason": entry.reason,
    }
    for channel in channels:
        session.add(
            NoticeRow(
                user_id=owner.id,
                submission_id=entry.id,
                event=event,
                channel=channel,
                payload=payload,
                created_at=now,
                due_at=now,
            )
        )
    session.flush()


def forget(session: Session, submission_id: str) -> None:
    """Take what was written of a submission out of its notices; those that wait go unsent."""
    of_it = NoticeRow.submission_id == submission_id
    waiting = and_(of_it, NoticeRow.state == "waiting")
    gone = {"state": "failed", "lease_token": None, "lease_until": None}
    told = update(NoticeRow).execution_options(synchronize_session=False)
    problem = "the submission was deleted before it was told"
    session.execute(told.where(waiting).values(**gone, problem=problem))
    session.execute(told.where(of_it).values(payload={}))


def due(session: Session, now: datetime) -> bool:
    """Whether a notice waits for a deliverer; one query, without a lock."""
    return bool(session.scalar(select(exists().where(_due(now), _free(now)))))


def claim(session: Session, now: datetime) -> LeasedNotice | None:
    """Lease the notice that is due for longest, one at a time of each user.

    What is due on a channel that its user has taken away since is given up.
    """
    if session.get_bind().dialect.name == "postgresql":
        session.execute(select(func.pg_advisory_xact_lock(_CLAIM_KEY)))
    while True:
        row = session.scalar(
            select(NoticeRow)
            .where(_due(now), _free(now))
            .order_by(NoticeRow.due_at, NoticeRow.id)
            .limit(1)
            .with_for_update(skip_locked=True, of=NoticeRow)
            .execution_options(populate_existing=True)
        )
        if row is None:
            return None
        channel = cast(Channel, row.channel)
        owner = session.get_one(User, row.user_id, populate_existing=True)
        address = _channels(owner).get(channel)
        if address is not None:
            break
        row.state, row.problem = "failed", f"the user has no {channel} any more"
        row.lease_token = row.lease_until = None
        session.flush()
    row.lease_token, row.lease_until = str(uuid4()), now + LEASE
    session.flush()
    return LeasedNotice(
        row.id,
        row.lease_token,
        row.event,
        channel,
        dict(row.payload),
        row.created_at,
        address,
        owner.webhook_secret if channel == "webhook" else None,
    )


def sent(session: Session, notice: LeasedNotice, now: datetime) -> bool:
    """Note that a notice arrived; False where the lease is lost."""
    row = _held(session, notice)
    if row is None:
        return False
    row.state, row.sent_at, row.problem = "sent", now, None
    _end_try(row)
    session.flush()
    return True


def not_sent(session: Session, notice: LeasedNotice, problem: str, now: datetime) -> bool:
    """Note why a notice did not arrive, and when it is tried again; False where the lease is lost.

    After the last of `PAUSES` it is given up.
    """
    row = _held(session, notice)
    if row is None:
        return False
    row.problem = problem
    if row.attempts < len(PAUSES):
        row.due_at = now + PAUSES[row.attempts]
    else:
        row.state = "failed"
    _end_try(row)
    session.flush()
    return True


def begin(session: Session, user_id: str, event: str, channel: Channel, at: datetime) -> str:
    """Note a message that is sent at once and never again; its id, which `end` takes."""
    row = NoticeRow(
        user_id=user_id,
        event=event,
        channel=channel,
        payload={},
        state="failed",
        problem=_CUT_OFF,
        created_at=at,
        due_at=at,
    )
    session.add(row)
    session.flush()
    return row.id


def end(session: Session, notice_id: str, problem: str | None, now: datetime) -> None:
    """Note how a message that was begun ended: it arrived, or what the problem was."""
    row = session.get_one(NoticeRow, notice_id)
    row.attempts, row.problem = 1, problem
    if problem is None:
        row.state, row.sent_at = "sent", now
    session.flush()


def latest(session: Session, user_id: str, event: str) -> datetime | None:
    """When this user was last sent a message of this event."""
    return session.scalar(
        select(NoticeRow.created_at)
        .where(NoticeRow.user_id == user_id, NoticeRow.event == event)
        .order_by(NoticeRow.id.desc())
        .limit(1)
    )


def recent(session: Session, user_id: str, limit: int = 50) -> Sequence[NoticeRow]:
    """The latest notices of a user, newest first."""
    mine = select(NoticeRow).where(NoticeRow.user_id == user_id)
    return session.scalars(mine.order_by(NoticeRow.id.desc()).limit(limit)).all()


def counts(session: Session, now: datetime) -> Counts:
    """Notices of submissions that wait, and those given up within the last day."""

    def count(*conditions: ColumnElement[bool]) -> int:
        of_submissions = NoticeRow.submission_id.is_not(None)
        query = select(func.count()).select_from(NoticeRow)
        return session.scalar(query.where(of_submissions, *conditions)) or 0

    lately = NoticeRow.due_at >= now - DAY
    return Counts(count(NoticeRow.state == "waiting"), count(NoticeRow.state == "failed", lately))


def _channels(owner: User) -> dict[Channel, str]:
    """Where this user is told; a mail address counts once it is confirmed."""
    found: dict[Channel, str] = {}
    if owner.webhook_url is not None:
        found["webhook"] = owner.webhook_url
    if owner.email is not None and owner.email_confirmed_at is not None:
        found["mail"] = owner.email
    return found


def _due(now: datetime) -> ColumnElement[bool]:
    unleased = or_(NoticeRow.lease_until.is_(None), NoticeRow.lease_until < now)
    return and_(NoticeRow.state == "waiting", NoticeRow.due_at <= now, unleased)


def _free(now: datetime) -> ColumnElement[bool]:
    """No other notice of the same user is being delivered: who is slow to answer delays only their
    own."""
    other = aliased(NoticeRow)
    return ~exists().where(
        other.user_id == NoticeRow.user_id, other.state == "waiting", other.lease_until >= now
    )


def _held(session: Session, notice: LeasedNotice) -> NoticeRow | None:
    return session.scalar(
        select(NoticeRow)
        .where(NoticeRow.id == notice.id, NoticeRow.lease_token == notice.token)
        .with_for_update()
        .execution_options(populate_existing=True)
    )


def _end_try(row: NoticeRow) -> None:
    row.attempts += 1
    row.lease_token = row.lease_until = None
