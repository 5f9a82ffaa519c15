"""What flags stand on: probes of defenses, how far attacks are from the clean graph, and which
flags an admin has dismissed.

Revision: 0017, after 0016.  Entries that are there already have none: defenses get theirs when
they are evaluated again.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("cells", sa.Column("probe", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("submissions", sa.Column("shift", sa.JSON(none_as_null=True), nullable=True))
    op.add_column("submissions", sa.Column("dismissed", sa.JSON(none_as_null=True), nullable=True))


def downgrade() -> None:
    op.drop_column("submissions", "dismissed")
    op.drop_column("submissions", "shift")
    op.drop_column("cells", "probe")
