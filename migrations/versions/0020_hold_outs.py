"""Attacks at other budgets and of other families, and what defenses make of them.

Revision: 0020, after 0019.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.execute(
        "ALTER TABLE submissions ADD COLUMN holdouts_asked_at "
        + ("TIMESTAMP WITH TIME ZONE" if _is_postgres() else "DATETIME")
    )
    op.create_table(
        "holdout_attacks",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("board_id", sa.String(length=80), nullable=False),
        sa.Column("protocol", sa.String(length=16), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("family", sa.String(length=80), nullable=False),
        sa.Column("kind", sa.String(length=8), nullable=False),
        sa.Column("factor", sa.Double(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("contents", sa.JSON(), nullable=False),
        sa.Column("made_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("kind IN ('budget', 'unseen')", name=op.f("ck_holdout_attacks_kind")),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_holdout_attacks_board_id_boards")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_holdout_attacks")),
        sa.UniqueConstraint(
            "board_id",
            "protocol",
            "name",
            "factor",
            name=op.f("uq_holdout_attacks_board_id_protocol_name_factor"),
        ),
    )
    op.create_table(
        "holdout_cells",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("attack_id", sa.String(length=26), nullable=False),
        sa.Column("defense_id", sa.String(length=26), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("error_code", sa.String(length=40), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_token", sa.String(length=36), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("correct", sa.JSON(), nullable=True),
        sa.Column("total", sa.JSON(), nullable=True),
        sa.Column("hits_sha256", sa.String(length=64), nullable=True),
        sa.Column("evaluator_version", sa.Integer(), nullable=True),
        sa.Column("device", sa.String(length=80), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed')", name=op.f("ck_holdout_cells_state")
        ),
        sa.CheckConstraint(
            "(state = 'running') = (lease_token IS NOT NULL)", name=op.f("ck_holdout_cells_lease")
        ),
        sa.CheckConstraint(
            "state != 'done' OR correct IS NOT NULL", name=op.f("ck_holdout_cells_result")
        ),
        sa.ForeignKeyConstraint(
            ["attack_id"],
            ["holdout_attacks.id"],
            name=op.f("fk_holdout_cells_attack_id_holdout_attacks"),
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(
            ["defense_id"], ["submissions.id"], name=op.f("fk_holdout_cells_defense_id_submissions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_holdout_cells")),
        sa.UniqueConstraint(
            "defense_id", "attack_id", name=op.f("uq_holdout_cells_defense_id_attack_id")
        ),
    )
    op.create_index(op.f("ix_holdout_cells_lease_token"), "holdout_cells", ["lease_token"])


def downgrade() -> None:
    op.drop_table("holdout_cells")
    op.drop_table("holdout_attacks")
    op.execute("ALTER TABLE submissions DROP COLUMN holdouts_asked_at")


def _is_postgres() -> bool:
    return op.get_bind().dialect.name == "postgresql"
