"""Users take turns in the queue, and a spoiled validation waits before its next try.

Revision: 0002, after 0001.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("users", sa.Column("served_at", sa.DateTime(timezone=True), nullable=True))
    op.add_column("submissions", sa.Column("retry_at", sa.DateTime(timezone=True), nullable=True))


def downgrade() -> None:
    op.drop_column("submissions", "retry_at")
    op.drop_column("users", "served_at")
