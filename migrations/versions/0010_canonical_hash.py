"""The hash of what a file says, however it is ordered or packed.

Revision: 0010, after 0009.  Entries that are there already have none until they are validated
again: their files are not read here.
"""

from __future__ import annotations

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute("ALTER TABLE submissions ADD COLUMN canonical VARCHAR(64)")
    op.create_index("ix_submissions_canonical", "submissions", ["board_id", "side", "canonical"])


def downgrade() -> None:
    op.drop_index("ix_submissions_canonical", "submissions")
    op.execute("ALTER TABLE submissions DROP COLUMN canonical")
