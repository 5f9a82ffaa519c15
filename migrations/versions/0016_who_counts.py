"""Seasons of references, near-duplicates, and what admins decide of both.

Revision: 0016, after 0015.  Attacks that are there already have no sketch until they are validated
again: their files are not read here.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("submissions", sa.Column("sketch", sa.String(1664), nullable=True))
    op.create_table(
        "seasons",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("board_id", sa.String(80), nullable=False),
        sa.Column("number", sa.Integer(), nullable=True),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("protocol", sa.String(16), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("members", sa.JSON(), nullable=False),
        sa.Column("left_out", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("author_id", sa.String(26), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_by", sa.String(26), nullable=True),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('proposed', 'current', 'past', 'refused')", name=op.f("ck_seasons_state")
        ),
        sa.CheckConstraint(
            "(state IN ('current', 'past')) = (number IS NOT NULL)", name=op.f("ck_seasons_number")
        ),
        sa.CheckConstraint(
            "(state = 'proposed') = (decided_at IS NULL)", name=op.f("ck_seasons_decided")
        ),
        sa.CheckConstraint(
            "(state = 'past') = (ended_at IS NOT NULL)", name=op.f("ck_seasons_ended")
        ),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_seasons_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_seasons_author_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["decided_by"], ["users.id"], name=op.f("fk_seasons_decided_by_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seasons")),
    )
    current = sa.text("state = 'current'")
    op.create_index(
        "uq_seasons_current",
        "seasons",
        ["board_id"],
        unique=True,
        postgresql_where=current,
        sqlite_where=current,
    )
    op.create_index("uq_seasons_number", "seasons", ["board_id", "number"], unique=True)
    op.create_table(
        "duplicate_scans",
        sa.Column("board_id", sa.String(80), nullable=False),
        sa.Column("stamp", sa.String(64), nullable=False),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("scanned_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seconds", sa.Double(), nullable=False),
        sa.Column("found", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_duplicate_scans_board_id_boards")
        ),
        sa.PrimaryKeyConstraint("board_id", name=op.f("pk_duplicate_scans")),
    )
    op.create_table(
        "duplicate_decisions",
        sa.Column("id", sa.String(26), nullable=False),
        sa.Column("board_id", sa.String(80), nullable=False),
        sa.Column("side", sa.String(8), nullable=False),
        sa.Column("kind", sa.String(5), nullable=False),
        sa.Column("members", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("user_id", sa.String(26), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('merge', 'split')", name=op.f("ck_duplicate_decisions_kind")),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_duplicate_decisions_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_duplicate_decisions_user_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_duplicate_decisions")),
    )
    op.create_index(op.f("ix_duplicate_decisions_board_id"), "duplicate_decisions", ["board_id"])


def downgrade() -> None:
    op.drop_table("duplicate_decisions")
    op.drop_table("duplicate_scans")
    op.drop_table("seasons")
    op.drop_column("submissions", "sketch")
