"""A cell's counts once more, packed, so that a board of a million cells is read in seconds.

Revision: 0005, after 0004.
"""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_DIFFICULTIES = ("easy", "medium", "hard", "full")
_BATCH = 20_000


def upgrade() -> None:
    kind = "BYTEA" if op.get_bind().dialect.name == "postgresql" else "BLOB"
    op.execute(f"ALTER TABLE cells ADD COLUMN counts {kind}")
    _fill(op.get_bind())


def downgrade() -> None:
    op.execute("ALTER TABLE cells DROP COLUMN counts")


def _fill(connection: sa.Connection) -> None:
    """The counts of every result that is there, some thousands at a time."""
    update = sa.text("UPDATE cells SET counts = :counts WHERE id = :id")
    last = ""
    while rows := connection.execute(
        sa.text(
            "SELECT id, correct, total FROM cells "
            "WHERE id > :last AND correct IS NOT NULL AND total IS NOT NULL "
            "ORDER BY id LIMIT :batch"
        ),
        {"last": last, "batch": _BATCH},
    ).all():
        connection.execute(
            update,
            [{"id": row.id, "counts": _pack(_json(row.correct), _json(row.total))} for row in rows],
        )
        last = rows[-1].id


def _json(value: Any) -> dict[str, Any]:
    """SQLite gives JSON as text."""
    found: dict[str, Any] = json.loads(value) if isinstance(value, str) else value
    return found


def _pack(correct: dict[str, Any], total: dict[str, Any]) -> bytes:
    """As `grbcore.columns.pack` of this revision."""
    most = max((len(counts) for counts in correct.values()), default=0)
    packed = np.full((len(_DIFFICULTIES), 1 + most), -1, "<i4")
    for place, difficulty in enumerate(_DIFFICULTIES):
        counts = correct.get(difficulty)
        if counts is not None:
            packed[place, 0] = total[difficulty]
            packed[place, 1 : 1 + len(counts)] = counts
    return packed.tobytes()
