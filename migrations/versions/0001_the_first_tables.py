"""The first tables.

Revision: 0001, the first.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "boards",
        sa.Column("id", sa.String(length=80), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("protocol", sa.String(length=16), nullable=True),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("revision", sa.Integer(), nullable=False),
        sa.Column("changed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("preparation", sa.JSON(), nullable=True),
        sa.Column("facts", sa.JSON(), nullable=True),
        sa.CheckConstraint(
            "state IN ('ready', 'preparing', 'no-data')", name=op.f("ck_boards_state")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_boards")),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("role", sa.String(length=8), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint("role IN ('user', 'admin')", name=op.f("ck_users_role")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_users")),
        sa.UniqueConstraint("name", name=op.f("uq_users_name")),
    )
    op.create_table(
        "submissions",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("board_id", sa.String(length=80), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("side", sa.String(length=8), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("authors", sa.String(length=400), nullable=False),
        sa.Column("team", sa.String(length=80), nullable=True),
        sa.Column("family", sa.String(length=80), nullable=False),
        sa.Column("description", sa.Text(), nullable=False),
        sa.Column("paper_url", sa.String(length=400), nullable=True),
        sa.Column("code_url", sa.String(length=400), nullable=True),
        sa.Column("adversarially_trained", sa.Boolean(), nullable=False),
        sa.Column("surrogate", sa.String(length=80), nullable=True),
        sa.Column("is_reference", sa.Boolean(), nullable=False),
        sa.Column("attempt", sa.Integer(), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("contents", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("violations", sa.JSON(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("validated_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("registered_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("withdrawn_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("hidden_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_owner", sa.String(length=120), nullable=True),
        sa.Column("lease_token", sa.String(length=36), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "(state = 'validating') = (lease_token IS NOT NULL) AND (lease_token IS NULL) = (lease_until IS NULL) AND (lease_token IS NULL) = (lease_owner IS NULL)",
            name=op.f("ck_submissions_lease"),
        ),
        sa.CheckConstraint("side IN ('attack', 'defense')", name=op.f("ck_submissions_side")),
        sa.CheckConstraint(
            "state != 'ranked' OR registered_at IS NOT NULL", name=op.f("ck_submissions_registered")
        ),
        sa.CheckConstraint(
            "state IN ('received', 'validating', 'rejected', 'evaluating', 'ranked', 'failed')",
            name=op.f("ck_submissions_state"),
        ),
        sa.CheckConstraint(
            "withdrawn_at IS NULL OR NOT is_reference", name=op.f("ck_submissions_reference_stays")
        ),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_submissions_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_submissions_user_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_submissions")),
        sa.UniqueConstraint(
            "user_id",
            "board_id",
            "side",
            "sha256",
            name=op.f("uq_submissions_user_id_board_id_side_sha256"),
        ),
    )
    op.create_index(op.f("ix_submissions_board_id"), "submissions", ["board_id"], unique=False)
    op.create_index("ix_submissions_queue", "submissions", ["state", "received_at"], unique=False)
    op.create_index(op.f("ix_submissions_user_id"), "submissions", ["user_id"], unique=False)
    op.create_table(
        "tokens",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_tokens_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_tokens")),
        sa.UniqueConstraint("digest", name=op.f("uq_tokens_digest")),
    )
    op.create_index(op.f("ix_tokens_user_id"), "tokens", ["user_id"], unique=False)
    op.create_table(
        "cells",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("board_id", sa.String(length=80), nullable=False),
        sa.Column("attack_id", sa.String(length=26), nullable=True),
        sa.Column("defense_id", sa.String(length=26), nullable=False),
        sa.Column("newcomer_id", sa.String(length=26), nullable=False),
        sa.Column("protocol", sa.String(length=16), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("priority", sa.Integer(), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("infra_failures", sa.Integer(), nullable=False),
        sa.Column("max_attempts", sa.Integer(), nullable=False),
        sa.Column("error_code", sa.String(length=40), nullable=True),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("queued_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_owner", sa.String(length=120), nullable=True),
        sa.Column("lease_token", sa.String(length=36), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.Column("heartbeat_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("correct", sa.JSON(), nullable=True),
        sa.Column("total", sa.JSON(), nullable=True),
        sa.Column("not_finite", sa.JSON(), nullable=True),
        sa.Column("hits_sha256", sa.String(length=64), nullable=True),
        sa.Column("evaluator_version", sa.Integer(), nullable=True),
        sa.Column("device", sa.String(length=80), nullable=True),
        sa.Column("seconds", sa.Double(), nullable=True),
        sa.Column("versions", sa.JSON(), nullable=True),
        sa.CheckConstraint(
            "(state = 'running') = (lease_token IS NOT NULL) AND (lease_token IS NULL) = (lease_until IS NULL) AND (lease_token IS NULL) = (lease_owner IS NULL)",
            name=op.f("ck_cells_lease"),
        ),
        sa.CheckConstraint(
            "state != 'done' OR (finished_at IS NOT NULL AND correct IS NOT NULL AND total IS NOT NULL)",
            name=op.f("ck_cells_result"),
        ),
        sa.CheckConstraint(
            "state IN ('queued', 'running', 'done', 'failed', 'dead')", name=op.f("ck_cells_state")
        ),
        sa.CheckConstraint(
            "state NOT IN ('queued', 'running') OR finished_at IS NULL",
            name=op.f("ck_cells_unfinished"),
        ),
        sa.ForeignKeyConstraint(
            ["attack_id"], ["submissions.id"], name=op.f("fk_cells_attack_id_submissions")
        ),
        sa.ForeignKeyConstraint(["board_id"], ["boards.id"], name=op.f("fk_cells_board_id_boards")),
        sa.ForeignKeyConstraint(
            ["defense_id"], ["submissions.id"], name=op.f("fk_cells_defense_id_submissions")
        ),
        sa.ForeignKeyConstraint(
            ["newcomer_id"], ["submissions.id"], name=op.f("fk_cells_newcomer_id_submissions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_cells")),
    )
    op.create_index(op.f("ix_cells_attack_id"), "cells", ["attack_id"], unique=False)
    op.create_index(op.f("ix_cells_board_id"), "cells", ["board_id"], unique=False)
    op.create_index(op.f("ix_cells_defense_id"), "cells", ["defense_id"], unique=False)
    op.create_index(op.f("ix_cells_newcomer_id"), "cells", ["newcomer_id"], unique=False)
    op.create_index("ix_cells_queue", "cells", ["state", "priority", "queued_at"], unique=False)
    op.create_index(
        "uq_cells_clean",
        "cells",
        ["defense_id", "protocol"],
        unique=True,
        postgresql_where=sa.text("attack_id IS NULL"),
        sqlite_where=sa.text("attack_id IS NULL"),
    )
    op.create_index(
        "uq_cells_pair",
        "cells",
        ["attack_id", "defense_id", "protocol"],
        unique=True,
        postgresql_where=sa.text("attack_id IS NOT NULL"),
        sqlite_where=sa.text("attack_id IS NOT NULL"),
    )


def downgrade() -> None:
    op.drop_index(
        "uq_cells_pair",
        table_name="cells",
        postgresql_where=sa.text("attack_id IS NOT NULL"),
        sqlite_where=sa.text("attack_id IS NOT NULL"),
    )
    op.drop_index(
        "uq_cells_clean",
        table_name="cells",
        postgresql_where=sa.text("attack_id IS NULL"),
        sqlite_where=sa.text("attack_id IS NULL"),
    )
    op.drop_index("ix_cells_queue", table_name="cells")
    op.drop_index(op.f("ix_cells_newcomer_id"), table_name="cells")
    op.drop_index(op.f("ix_cells_defense_id"), table_name="cells")
    op.drop_index(op.f("ix_cells_board_id"), table_name="cells")
    op.drop_index(op.f("ix_cells_attack_id"), table_name="cells")
    op.drop_table("cells")
    op.drop_index(op.f("ix_tokens_user_id"), table_name="tokens")
    op.drop_table("tokens")
    op.drop_index(op.f("ix_submissions_user_id"), table_name="submissions")
    op.drop_index("ix_submissions_queue", table_name="submissions")
    op.drop_index(op.f("ix_submissions_board_id"), table_name="submissions")
    op.drop_table("submissions")
    op.drop_table("users")
    op.drop_table("boards")
