"""Mean errors, of boards whose metric is one, in place of counts.

Revision: 0022, after 0021.
"""

from __future__ import annotations

from alembic import op

revision = "0022"
down_revision = "0021"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE cells ADD COLUMN errors JSON")


def downgrade() -> None:
    op.execute("ALTER TABLE cells DROP COLUMN errors")
