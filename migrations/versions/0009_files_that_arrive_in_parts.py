"""Uploads that go on after the connection was lost.

Revision: 0009, after 0008.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "uploads",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("board_id", sa.String(length=80), nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("fields", sa.JSON(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=True),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("arrived", sa.Integer(), nullable=False),
        sa.Column("place", sa.String(length=26), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("submission_id", sa.String(length=26), nullable=True),
        sa.Column("problem", sa.JSON(none_as_null=True), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("side IN ('attack', 'defense')", name=op.f("ck_uploads_side")),
        sa.CheckConstraint("state IN ('open', 'done', 'refused')", name=op.f("ck_uploads_state")),
        sa.CheckConstraint("arrived >= 0 AND arrived <= size", name=op.f("ck_uploads_arrived")),
        sa.CheckConstraint(
            "(state = 'done') = (submission_id IS NOT NULL)", name=op.f("ck_uploads_done")
        ),
        sa.CheckConstraint(
            "(state = 'refused') = (problem IS NOT NULL)", name=op.f("ck_uploads_refused")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_uploads_user_id_users")),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_uploads_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["submission_id"],
            ["submissions.id"],
            name=op.f("fk_uploads_submission_id_submissions"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_uploads")),
    )
    op.create_index("ix_uploads_user", "uploads", ["user_id", "state"])
    op.create_index(op.f("ix_uploads_expires_at"), "uploads", ["expires_at"])


def downgrade() -> None:
    op.drop_index(op.f("ix_uploads_expires_at"), table_name="uploads")
    op.drop_index("ix_uploads_user", table_name="uploads")
    op.drop_table("uploads")
