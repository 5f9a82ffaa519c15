"""An index from which rankings are read without a look at the rows of cells.

Revision: 0011, after 0010.
"""

from __future__ import annotations

from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "CREATE INDEX ix_cells_counts ON cells "
        "(board_id, protocol, attack_id, defense_id, counts) "
        "WHERE place = 'current' AND state = 'done'"
    )


def downgrade() -> None:
    op.execute("DROP INDEX ix_cells_counts")
