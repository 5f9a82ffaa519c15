"""Entries may be private, or under an embargo until a date.

Revision: 0007, after 0006.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_NOT_PUBLIC = sa.text("visibility != 'public'")


def upgrade() -> None:
    time = "TIMESTAMP WITH TIME ZONE" if op.get_bind().dialect.name == "postgresql" else "DATETIME"
    # both databases take a column with its constraints in one statement, without a new table
    _add(
        "visibility VARCHAR(10) DEFAULT 'public' NOT NULL CONSTRAINT ck_submissions_visibility "
        "CHECK (visibility IN ('public', 'embargoed', 'private')) "
        "CONSTRAINT ck_submissions_reference_is_public "
        "CHECK (visibility = 'public' OR NOT is_reference)"
    )
    _add(
        f"public_at {time} CONSTRAINT ck_submissions_embargo_has_an_end "
        "CHECK ((visibility = 'embargoed') = (public_at IS NOT NULL))"
    )
    _add(
        f"published_at {time} CONSTRAINT ck_submissions_public_stays "
        "CHECK (visibility = 'public' OR published_at IS NULL)"
    )
    # what was valid once may have been ranked at some time
    op.execute(
        "UPDATE submissions SET published_at = COALESCE(registered_at, validated_at) "
        "WHERE state IN ('evaluating', 'ranked', 'failed')"
    )
    op.create_index(
        "ix_submissions_kept",
        "submissions",
        ["board_id", "public_at"],
        sqlite_where=_NOT_PUBLIC,
        postgresql_where=_NOT_PUBLIC,
    )


def downgrade() -> None:
    op.drop_index("ix_submissions_kept", table_name="submissions")
    for name in ("published_at", "public_at", "visibility"):
        op.execute(f"ALTER TABLE submissions DROP COLUMN {name}")


def _add(column: str) -> None:
    op.execute(f"ALTER TABLE submissions ADD COLUMN {column}")
