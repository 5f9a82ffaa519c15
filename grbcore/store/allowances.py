"""What an admin allows one user in place of the service's quotas; it leaves a line in the log."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store import audit
from grbcore.store.audit import Via
from grbcore.store.tables import User

_MOST_BYTES = 2**53 - 1  # as every reader of JSON has it


class Allowance(BaseModel):
    """What changes; what is left out stays as it is.

    0 is as much as they like, None what the service allows everybody.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    quota_per_day: Annotated[int, Field(ge=0, le=1_000_000)] | None = None
    quota_bytes: Annotated[int, Field(ge=0, le=_MOST_BYTES)] | None = None
    reset: bool = False  # today's uploads and invalid files no longer count


def allow(
    session: Session,
    user_id: str,
    changes: Allowance,
    *,
    by: str | None,
    via: Via,
    reason: str | None,
    now: datetime,
) -> User:
    """Change what this user is allowed; the user."""
    query = select(User).where(User.id == user_id).with_for_update(key_share=True)
    user = session.scalars(query.execution_options(populate_existing=True)).one()
    told: dict[str, Any] = {}
    for name in ("quota_per_day", "quota_bytes"):
        if name in changes.model_fields_set and getattr(user, name) != getattr(changes, name):
            told[name] = {"was": getattr(user, name), "is": getattr(changes, name)}
            setattr(user, name, getattr(changes, name))
    if changes.reset:
        user.quota_reset_at = now
        told["reset"] = True
    if told:
        audit.record(
            session,
            user_id=by,
            via=via,
            action="user.quota",
            subject_kind="user",
            subject_id=user.id,
            reason=reason,
            details=told,
            now=now,
        )
    return user
