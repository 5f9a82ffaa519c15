"""How sure a defense is of each target on the clean graph.

Revision: 0019, after 0018.
"""

from __future__ import annotations

from alembic import op

revision = "0019"
down_revision = "0018"
branch_labels = None
depends_on = None


def upgrade() -> None:
    kind = "BYTEA" if op.get_bind().dialect.name == "postgresql" else "BLOB"
    op.execute(f"ALTER TABLE cells ADD COLUMN margins {kind}")


def downgrade() -> None:
    op.execute("ALTER TABLE cells DROP COLUMN margins")
