"""Who did what to the service's records, and why.  Rows are only ever added."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import select
from sqlalchemy.orm import Session, joinedload

from grbcore.store.tables import AuditRow

Via = Literal["api", "cli", "service"]


def record(
    session: Session,
    *,
    user_id: str | None,
    via: Via,
    action: str,
    subject_kind: str,
    subject_id: str,
    now: datetime,
    reason: str | None = None,
    details: Mapping[str, Any] | None = None,
) -> None:
    """Note an action in the transaction that does it; ``user_id`` None is the service itself."""
    session.add(
        AuditRow(
            at=now,
            user_id=user_id,
            via=via,
            action=action,
            subject_kind=subject_kind,
            subject_id=subject_id,
            reason=reason,
            details=dict(details or {}),
        )
    )
    session.flush()


def entries(
    session: Session,
    *,
    subject_kind: str | None = None,
    subject_id: str | None = None,
    user_id: str | None = None,
    action: str | None = None,
    before: str | None = None,
    limit: int,
) -> Sequence[AuditRow]:
    """What was done, newest first, at most ``limit``, all older than the row ``before``.

    ``action`` is the beginning of one, such as ``submission.`` or ``submission.hide``.
    """
    query = select(AuditRow).options(joinedload(AuditRow.user)).order_by(AuditRow.id.desc())
    if subject_kind is not None:
        query = query.where(AuditRow.subject_kind == subject_kind)
    if subject_id is not None:
        query = query.where(AuditRow.subject_id == subject_id)
    if user_id is not None:
        query = query.where(AuditRow.user_id == user_id)
    if action is not None:
        query = query.where(AuditRow.action.startswith(action, autoescape=True))
    if before is not None:
        query = query.where(AuditRow.id < before)
    return session.scalars(query.limit(limit)).all()
