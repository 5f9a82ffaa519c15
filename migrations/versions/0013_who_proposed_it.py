"""On which host's data a re-evaluation was proposed, so that hosts with other data do not take
back each other's.

Revision: 0013, after 0012.
"""

from __future__ import annotations

from alembic import op

revision = "0013"
down_revision = "0012"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE reevaluations ADD COLUMN host VARCHAR(80)")


def downgrade() -> None:
    op.execute("ALTER TABLE reevaluations DROP COLUMN host")
