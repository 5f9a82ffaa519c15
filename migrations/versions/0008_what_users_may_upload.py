"""What users may upload in a day, what was refused, and files that go some days after a rejection.

Revision: 0008, after 0007.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_TIME = "TIMESTAMP WITH TIME ZONE"


def upgrade() -> None:
    time = _TIME if op.get_bind().dialect.name == "postgresql" else "DATETIME"
    op.execute("ALTER TABLE users ADD COLUMN quota_per_day INTEGER")
    op.execute(
        "ALTER TABLE users ADD COLUMN quota_bytes BIGINT "
        "CONSTRAINT ck_users_quota CHECK (quota_per_day >= 0 AND quota_bytes >= 0)"
    )
    op.execute(f"ALTER TABLE users ADD COLUMN quota_reset_at {time}")
    op.execute(f"ALTER TABLE submissions ADD COLUMN charged_at {time}")
    op.execute(
        f"ALTER TABLE submissions ADD COLUMN file_removed_at {time} "
        "CONSTRAINT ck_submissions_file_is_kept "
        "CHECK (file_removed_at IS NULL OR state = 'rejected')"
    )
    op.create_table(
        "refused_uploads",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("board_id", sa.String(length=80), nullable=True),
        sa.Column("codes", sa.JSON(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("refused_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_refused_uploads_user_id_users")
        ),
        sa.ForeignKeyConstraint(
            ["board_id"], ["boards.id"], name=op.f("fk_refused_uploads_board_id_boards")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_refused_uploads")),
    )
    op.create_index("ix_refused_uploads_user", "refused_uploads", ["user_id", "refused_at"])
    op.create_index(op.f("ix_refused_uploads_refused_at"), "refused_uploads", ["refused_at"])


def downgrade() -> None:
    op.drop_table("refused_uploads")
    # a constraint goes with the column that it was added with
    for column in ("file_removed_at", "charged_at"):
        op.execute(f"ALTER TABLE submissions DROP COLUMN {column}")
    for column in ("quota_bytes", "quota_reset_at", "quota_per_day"):
        op.execute(f"ALTER TABLE users DROP COLUMN {column}")
