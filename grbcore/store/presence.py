"""Who is there: what the marks beside a submission's state mean, in SQL and of a row.

Its owner withdraws a submission, an admin hides or deletes it.
"""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, or_

from grbcore.store.tables import Submission

#: The user who owns what the catalog's recipes give.
BASELINES = "baselines"


def stays() -> ColumnElement[bool]:
    """Neither withdrawn nor deleted: still wanted."""
    return and_(Submission.withdrawn_at.is_(None), Submission.deleted_at.is_(None))


def in_force() -> ColumnElement[bool]:
    """Still wanted, and hidden only if it is a reference: others may be measured against it."""
    return and_(stays(), or_(Submission.hidden_at.is_(None), Submission.is_reference))


def shown() -> ColumnElement[bool]:
    """Neither withdrawn, hidden nor deleted: it may be named and ranked."""
    return and_(stays(), Submission.hidden_at.is_(None))


def is_in_force(row: Submission) -> bool:
    """`in_force` of a row."""
    wanted = row.withdrawn_at is None and row.deleted_at is None
    return wanted and (row.hidden_at is None or row.is_reference)


def is_shown(row: Submission) -> bool:
    """`shown` of a row."""
    return row.withdrawn_at is None and row.deleted_at is None and row.hidden_at is None
