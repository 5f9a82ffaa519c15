"""Intervals of scores and ranks, and whose turn it is to compute them.

Revision: 0015, after 0014.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "intervals",
        sa.Column("board_id", sa.String(80), nullable=False),
        sa.Column("view", sa.String(10), nullable=False),
        sa.Column("side", sa.String(8), nullable=False),
        sa.Column("difficulty", sa.String(8), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("inputs", sa.String(64), nullable=False),
        sa.Column("draws", sa.Integer(), nullable=False),
        sa.Column("computed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("found", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name="fk_intervals_board_id_boards"),
        sa.PrimaryKeyConstraint("board_id", "view", "side", "difficulty", name="pk_intervals"),
    )
    op.create_table(
        "interval_turns",
        sa.Column("board_id", sa.String(80), nullable=False),
        sa.Column("view", sa.String(10), nullable=False),
        sa.Column("owner", sa.String(120), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name="fk_interval_turns_board_id_boards"
        ),
        sa.PrimaryKeyConstraint("board_id", "view", name="pk_interval_turns"),
    )


def downgrade() -> None:
    op.drop_table("interval_turns")
    op.drop_table("intervals")
