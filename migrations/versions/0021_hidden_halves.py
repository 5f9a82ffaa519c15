"""Halves of the targets that stay hidden until a season is over.

Revision: 0021, after 0020.
"""

from __future__ import annotations

from alembic import op

revision = "0021"
down_revision = "0020"
branch_labels = None
depends_on = None


def upgrade() -> None:
    double = "DOUBLE PRECISION" if op.get_bind().dialect.name == "postgresql" else "DOUBLE"
    op.execute("ALTER TABLE boards ADD COLUMN hidden_seed VARCHAR(64)")
    op.execute(f"ALTER TABLE boards ADD COLUMN ladder_step {double}")
    op.execute("ALTER TABLE cells ADD COLUMN hidden JSON")


def downgrade() -> None:
    op.execute("ALTER TABLE cells DROP COLUMN hidden")
    op.execute("ALTER TABLE boards DROP COLUMN ladder_step")
    op.execute("ALTER TABLE boards DROP COLUMN hidden_seed")
