"""Deleting an account: whose entries they were is forgotten, that they count is not."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from grbcore.store import audit, notices, uploads
from grbcore.store.accounts.people import lock_admins, refuse_the_last_admin
from grbcore.store.addresses import locked
from grbcore.store.audit import Via
from grbcore.store.deletion import delete_submission
from grbcore.store.locks import lock_board
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import (
    Identity,
    NoticeRow,
    PendingSignIn,
    RefusedUpload,
    SessionRow,
    Submission,
    Token,
    User,
)
from grbcore.store.visibility import is_public

#: What an entry and its authors are called once the account that they belong to is gone.
ENTRY, AUTHORS = "(anonymous)", "(deleted account)"


def close(
    session: Session, owner_id: str, *, user_id: str | None, via: Via, now: datetime
) -> frozenset[str]:
    """Delete an account; the blobs that nothing names any more, for `orphans.remove` afterwards.

    Entries that rank, or are on their way to, stay where they are with their files, so that every
    number can be computed again; their names, authors, teams, descriptions and links go.  All
    others, withdrawn ones and those that not everybody sees too, are deleted as
    `delete_submission` does.  Attempts stay counted.
    The row of the user stays for what refers to it, under a name that says nothing.

    Raises:
        NotPossible: no admin would be left, or an entry is a reference of its board.
    """
    lock_admins(session)
    mine = select(Submission.board_id).where(Submission.user_id == owner_id).distinct()
    held = {name: lock_board(session, name) for name in sorted(session.scalars(mine))}
    owner = locked(session, owner_id)
    if owner.deleted_at is not None:
        return frozenset()
    refuse_the_last_admin(session, owner)
    entries = session.scalars(
        select(Submission)
        .where(Submission.user_id == owner_id, Submission.deleted_at.is_(None))
        .order_by(Submission.board_id, Submission.id)
        .execution_options(populate_existing=True)
    ).all()
    if any(row.is_reference for row in entries):
        raise NotPossible("reference", "an account with reference entries can't be deleted")
    if any(row.board_id not in held for row in entries):
        raise NotPossible("state", "an entry came in meanwhile, allowed: once more")
    left: frozenset[str] = frozenset()
    for row in entries:
        goes_on = row.state in ("evaluating", "ranked") and row.withdrawn_at is None
        if goes_on and is_public(row, now):
            _forget_whose(session, row)
            held[row.board_id].revision += 1
            held[row.board_id].changed_at = now
        else:
            reason = "its account was deleted"
            left |= delete_submission(
                session, row.id, user_id=user_id, via=via, reason=reason, now=now
            )
    _empty(session, owner, now)
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action="account.delete",
        subject_kind="user",
        subject_id=owner.id,
        now=now,
    )
    return left


def _forget_whose(session: Session, row: Submission) -> None:
    row.name, row.authors, row.description = ENTRY, AUTHORS, ""
    row.team = row.paper_url = row.code_url = row.surrogate = None
    row.dismissed = None  # an admin's reason may name its author
    if row.family.startswith("other:"):  # the user's own words
        row.family = "other"
    notices.forget(session, row.id)


def _empty(session: Session, owner: User, now: datetime) -> None:
    uploads.forget_user(session, owner.id)
    for table in (SessionRow, Identity, PendingSignIn, Token, NoticeRow, RefusedUpload):
        session.execute(delete(table).where(table.user_id == owner.id))
    owner.name, owner.role = f"deleted:{owner.id}", "user"
    owner.password_hash = owner.reset_digest = owner.reset_until = None
    owner.email = owner.email_confirmed_at = owner.email_digest = None
    owner.webhook_url = owner.webhook_secret = None
    owner.awaits_email, owner.suspended_at, owner.deleted_at = False, None, now
    session.flush()
