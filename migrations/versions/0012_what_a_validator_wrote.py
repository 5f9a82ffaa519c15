"""What a validator that died wrote to stderr is kept with its submission.

Revision: 0012, after 0011.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submissions", sa.Column("log", sa.Text(), nullable=True))


def downgrade() -> None:
    op.drop_column("submissions", "log")
