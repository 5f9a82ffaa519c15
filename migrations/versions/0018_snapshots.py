"""Boards as they stood, kept for good.

Revision: 0018, after 0017.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "snapshots",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("board_id", sa.String(length=80), nullable=False),
        sa.Column("month", sa.String(length=7), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("protocol", sa.String(length=16), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("author_id", sa.String(length=26), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("attacks", sa.Integer(), nullable=False),
        sa.Column("defenses", sa.Integer(), nullable=False),
        sa.Column("cells", sa.Integer(), nullable=False),
        sa.Column("entries", sa.JSON(), nullable=False),
        sa.Column("unnamed", sa.JSON(), nullable=False),
        sa.Column("reissued_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_snapshots_author_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_snapshots_board_id_boards")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_snapshots")),
        sa.UniqueConstraint("board_id", "month", name=op.f("uq_snapshots_board_id_month")),
    )
    op.create_index("ix_snapshots_board_id", "snapshots", ["board_id", "id"])
    op.create_table(
        "snapshot_files",
        sa.Column("snapshot_id", sa.String(length=26), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("name", sa.String(length=20), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("replaced_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["snapshot_id"], ["snapshots.id"], name=op.f("fk_snapshot_files_snapshot_id_snapshots")
        ),
        sa.PrimaryKeyConstraint("snapshot_id", "sha256", name=op.f("pk_snapshot_files")),
    )
    op.create_index(op.f("ix_snapshot_files_sha256"), "snapshot_files", ["sha256"])


def downgrade() -> None:
    op.drop_table("snapshot_files")
    op.drop_table("snapshots")
