"""Flags that an admin finds to be wrong of an entry; each change is in the audit log."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from grbcore.flags import DECLARED, KINDS
from grbcore.store import audit
from grbcore.store.audit import Via
from grbcore.store.locks import lock_board
from grbcore.store.marks import refuse_deleted
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import Submission
from grbcore.store.visibility import is_public


def dismiss_flag(
    session: Session,
    row: Submission,
    code: str,
    *,
    user_id: str | None,
    via: Via,
    reason: str,
    now: datetime,
) -> None:
    """Leave a measured flag out of the rankings; the entry's page shows it with the reason.

    It holds for the flag as such, whether it is raised now or later.

    Raises:
        NotPossible: there is no such flag, it is declared and not measured, or the entry is gone.
    """
    _change(
        session, row, code, {"reason": reason, "at": now.isoformat()}, now, user_id, via, reason
    )


def restore_flag(
    session: Session,
    row: Submission,
    code: str,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None = None,
    now: datetime,
) -> None:
    """Undo `dismiss_flag`; a second time changes nothing."""
    _change(session, row, code, None, now, user_id, via, reason)


def _change(
    session: Session,
    row: Submission,
    code: str,
    dismissal: dict[str, str] | None,
    now: datetime,
    user_id: str | None,
    via: Via,
    reason: str | None,
) -> None:
    allowed = [known for known in KINDS if known not in DECLARED]
    if code not in allowed:
        raise NotPossible("flag", f"flag: found {code!r}, allowed: {', '.join(allowed)}")
    board = lock_board(session, row.board_id)
    session.refresh(row)
    refuse_deleted(row)
    before = dict(row.dismissed or {})
    if dismissal is None and code not in before:
        return
    others = {name: why for name, why in before.items() if name != code}
    row.dismissed = (others if dismissal is None else {**others, code: dismissal}) or None
    if is_public(row, now):
        board.revision += 1
        board.changed_at = now
    session.flush()
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action=f"submission.{'restore' if dismissal is None else 'dismiss'}-flag",
        subject_kind="submission",
        subject_id=row.id,
        reason=reason,
        details={"flag": code},
        now=now,
    )
