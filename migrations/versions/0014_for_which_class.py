"""For which class targets were taken, where logits were not finite, and what attacks spend.

Revision: 0014, after 0013.
"""

from __future__ import annotations

import json
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"
branch_labels = None
depends_on = None

_BATCH = 20_000
_MARKED = "place = 'current' AND state = 'done' AND not_finite_most IS NOT NULL"


def upgrade() -> None:
    kind = "BYTEA" if op.get_bind().dialect.name == "postgresql" else "BLOB"
    op.execute("ALTER TABLE cells ADD COLUMN not_finite_most INTEGER")
    op.execute(f"ALTER TABLE cells ADD COLUMN confusion {kind}")
    op.execute("ALTER TABLE submissions ADD COLUMN spent JSON")
    _fill(op.get_bind())
    columns = "board_id, protocol, not_finite_most, attack_id, defense_id"
    op.execute(f"CREATE INDEX ix_cells_not_finite ON cells ({columns}) WHERE {_MARKED}")


def downgrade() -> None:
    op.execute("DROP INDEX ix_cells_not_finite")
    op.execute("ALTER TABLE submissions DROP COLUMN spent")
    op.execute("ALTER TABLE cells DROP COLUMN confusion")
    op.execute("ALTER TABLE cells DROP COLUMN not_finite_most")


def _fill(connection: sa.Connection) -> None:
    """Of the results that are there, those with logits that were not finite."""
    update = sa.text("UPDATE cells SET not_finite_most = :most WHERE id = :id")
    read = sa.text(
        "SELECT id, not_finite FROM cells "
        "WHERE id > :last AND not_finite IS NOT NULL ORDER BY id LIMIT :batch"
    )
    last = ""
    while rows := connection.execute(read, {"last": last, "batch": _BATCH}).all():
        found = [{"id": row.id, "most": _most(row.not_finite)} for row in rows]
        marked = [one for one in found if one["most"]]
        if marked:
            connection.execute(update, marked)
        last = rows[-1].id


def _most(value: Any) -> int:
    """SQLite gives JSON as text."""
    found: dict[str, list[int]] = json.loads(value) if isinstance(value, str) else value
    return max((max(counts, default=0) for counts in found.values()), default=0)
