"""Re-evaluations with their shadow cells, an audit log, notices, and what workers take.

Revision: 0004, after 0003.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None

_CLEAN, _PAIR = "attack_id IS NULL", "attack_id IS NOT NULL"


def upgrade() -> None:
    op.create_table(
        "reevaluations",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("board_id", sa.String(length=80), nullable=False),
        sa.Column("protocol", sa.String(length=16), nullable=False),
        sa.Column("facts", sa.JSON(), nullable=True),
        sa.Column("selection", sa.JSON(), nullable=False),
        sa.Column("reason", sa.Text(), nullable=False),
        sa.Column("author_id", sa.String(length=26), nullable=True),
        sa.Column("state", sa.String(length=12), nullable=False),
        sa.Column("cells", sa.Integer(), nullable=False),
        sa.Column("estimate", sa.Double(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("started_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("ready_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decided_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("decider_id", sa.String(length=26), nullable=True),
        sa.Column("outcome", sa.JSON(), nullable=True),
        sa.CheckConstraint(
            "state IN ('proposed', 'running', 'ready', 'applied', 'cancelled')",
            name=op.f("ck_reevaluations_state"),
        ),
        sa.CheckConstraint(
            "(state IN ('applied', 'cancelled')) = (decided_at IS NOT NULL)",
            name=op.f("ck_reevaluations_decided"),
        ),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_reevaluations_board_id_boards")
        ),
        sa.ForeignKeyConstraint(
            ["author_id"], ["users.id"], name=op.f("fk_reevaluations_author_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["decider_id"], ["users.id"], name=op.f("fk_reevaluations_decider_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_reevaluations")),
    )
    op.create_index("ix_reevaluations_board", "reevaluations", ["board_id", "state"])
    op.create_table(
        "audit",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=True),
        sa.Column("via", sa.String(length=8), nullable=False),
        sa.Column("action", sa.String(length=40), nullable=False),
        sa.Column("subject_kind", sa.String(length=20), nullable=False),
        sa.Column("subject_id", sa.String(length=80), nullable=False),
        sa.Column("reason", sa.Text(), nullable=True),
        sa.Column("details", sa.JSON(), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_audit_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit")),
    )
    op.create_index("ix_audit_subject", "audit", ["subject_kind", "subject_id"])
    op.create_table(
        "notices",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("submission_id", sa.String(length=26), nullable=True),
        sa.Column("event", sa.String(length=40), nullable=False),
        sa.Column("channel", sa.String(length=8), nullable=False),
        sa.Column("payload", sa.JSON(), nullable=False),
        sa.Column("state", sa.String(length=8), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("problem", sa.Text(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("due_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("lease_token", sa.String(length=36), nullable=True),
        sa.Column("lease_until", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('waiting', 'sent', 'failed')", name=op.f("ck_notices_state")),
        sa.CheckConstraint("channel IN ('webhook', 'mail')", name=op.f("ck_notices_channel")),
        sa.CheckConstraint(
            "(lease_token IS NULL) = (lease_until IS NULL)", name=op.f("ck_notices_lease")
        ),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_notices_user_id_users")),
        sa.ForeignKeyConstraint(
            ["submission_id"], ["submissions.id"], name=op.f("fk_notices_submission_id_submissions")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
    )
    op.create_index("ix_notices_due", "notices", ["state", "due_at"])
    op.create_index(op.f("ix_notices_user_id"), "notices", ["user_id"])
    op.create_index(op.f("ix_notices_submission_id"), "notices", ["submission_id"])

    time = "TIMESTAMP WITH TIME ZONE" if _postgres() else "DATETIME"
    _add("users", "email VARCHAR(254)")
    _add("users", f"email_confirmed_at {time}")
    _add("users", "email_digest VARCHAR(64)")
    _add("users", "webhook_url VARCHAR(400)")
    _add("users", "webhook_secret VARCHAR(80)")
    _add(
        "boards",
        "need VARCHAR(12) DEFAULT 'cpu' NOT NULL CONSTRAINT ck_boards_need "
        "CHECK (need IN ('cpu', 'gpu', 'gpu-large'))",
    )
    _add(
        "submissions",
        f"deleted_at {time} CONSTRAINT ck_submissions_reference_is_kept "
        "CHECK (deleted_at IS NULL OR NOT is_reference)",
    )
    _add("submissions", f"edited_at {time}")
    _add("workers", """takes JSON DEFAULT '["cpu", "gpu", "gpu-large"]' NOT NULL""")
    _add("cells", "log TEXT")
    _add(
        "cells",
        "reevaluation_id VARCHAR(26) CONSTRAINT fk_cells_reevaluation_id_reevaluations "
        "REFERENCES reevaluations (id)",
    )
    _add("cells", f"replaced_at {time}")
    _add(
        "cells",
        "place VARCHAR(8) DEFAULT 'current' NOT NULL "
        "CONSTRAINT ck_cells_place CHECK (place IN ('current', 'shadow', 'past')) "
        "CONSTRAINT ck_cells_shadow CHECK (place != 'shadow' OR reevaluation_id IS NOT NULL) "
        "CONSTRAINT ck_cells_past CHECK ((place = 'past') = (replaced_at IS NOT NULL)) "
        "CONSTRAINT ck_cells_past_is_final CHECK (place != 'past' OR finished_at IS NOT NULL)",
    )
    op.drop_index("uq_cells_clean", table_name="cells")
    op.drop_index("uq_cells_pair", table_name="cells")
    for place, scope in (("current", "protocol"), ("shadow", "reevaluation_id")):
        _unique(f"uq_cells_{place}_clean", ["defense_id", scope], f"place = '{place}' AND {_CLEAN}")
        _unique(
            f"uq_cells_{place}_pair",
            ["attack_id", "defense_id", scope],
            f"place = '{place}' AND {_PAIR}",
        )
    op.create_index("ix_cells_reevaluation", "cells", ["reevaluation_id", "place", "state"])


def downgrade() -> None:
    op.execute("DELETE FROM cells WHERE place != 'current'")
    for place in ("current", "shadow"):
        op.drop_index(f"uq_cells_{place}_clean", table_name="cells")
        op.drop_index(f"uq_cells_{place}_pair", table_name="cells")
    op.drop_index("ix_cells_reevaluation", table_name="cells")
    # a column's constraints are written with it and go with it
    _drop("cells", "place", "replaced_at", "reevaluation_id", "log")
    _drop("workers", "takes")
    _drop("submissions", "edited_at", "deleted_at")
    _drop("boards", "need")
    _drop("users", "webhook_secret", "webhook_url", "email_digest", "email_confirmed_at", "email")
    _unique("uq_cells_clean", ["defense_id", "protocol"], _CLEAN)
    _unique("uq_cells_pair", ["attack_id", "defense_id", "protocol"], _PAIR)
    op.drop_table("notices")
    op.drop_table("audit")
    op.drop_table("reevaluations")


def _postgres() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _add(table: str, column: str) -> None:
    """Both databases take a column with its constraints in one statement, without a new table."""
    op.execute(f"ALTER TABLE {table} ADD COLUMN {column}")


def _drop(table: str, *columns: str) -> None:
    for column in columns:
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")


def _unique(name: str, columns: list[str], where: str) -> None:
    op.create_index(
        name,
        "cells",
        columns,
        unique=True,
        postgresql_where=sa.text(where),
        sqlite_where=sa.text(where),
    )
