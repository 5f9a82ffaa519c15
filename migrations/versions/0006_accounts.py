"""Passwords, sessions, identities elsewhere, tokens with a name, scopes and an end.

A token of before may do everything that its user's role may.

Revision: 0006, after 0005.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_EMPTY = (
    "deleted_at IS NULL OR (role = 'user' AND password_hash IS NULL AND email IS NULL "
    "AND webhook_url IS NULL)"
)


def upgrade() -> None:
    time = "TIMESTAMP WITH TIME ZONE" if _postgres() else "DATETIME"
    _add("users", "password_hash VARCHAR(255)")
    _add("users", "awaits_email BOOLEAN DEFAULT false NOT NULL")
    _add("users", "reset_digest VARCHAR(64)")
    _add("users", f"reset_until {time}")
    _add("users", f"suspended_at {time}")
    _add("users", f"deleted_at {time} CONSTRAINT ck_users_deleted_is_empty CHECK ({_EMPTY})")
    _add("tokens", "name VARCHAR(80) DEFAULT '' NOT NULL")
    _add("tokens", "scopes VARCHAR(60) DEFAULT '' NOT NULL")
    _add("tokens", f"expires_at {time}")
    _add("tokens", f"last_used_at {time}")
    op.execute("UPDATE tokens SET scopes = 'read submit manage'")
    op.execute(
        "UPDATE tokens SET scopes = 'read submit manage admin' "
        "WHERE user_id IN (SELECT id FROM users WHERE role = 'admin')"
    )
    _sessions()
    _identities()
    _pending()
    op.create_table(
        "throttles",
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("key", sa.String(length=64), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("kind", "key", name=op.f("pk_throttles")),
    )
    op.create_index("ix_throttles_since", "throttles", ["since"])


def downgrade() -> None:
    for table in ("throttles", "pending_sign_ins", "identities", "sessions"):
        op.drop_table(table)
    _drop("tokens", "last_used_at", "expires_at", "scopes", "name")
    # a column's constraints are written with it and go with it
    _drop("users", "deleted_at", "suspended_at", "reset_until", "reset_digest", "awaits_email")
    _drop("users", "password_hash")


def _sessions() -> None:
    op.create_table(
        "sessions",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("agent", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("seen_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["users.id"], name=op.f("fk_sessions_user_id_users")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sessions")),
        sa.UniqueConstraint("digest", name=op.f("uq_sessions_digest")),
    )
    op.create_index(op.f("ix_sessions_user_id"), "sessions", ["user_id"])


def _identities() -> None:
    op.create_table(
        "identities",
        sa.Column("id", sa.String(length=26), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=False),
        sa.Column("issuer", sa.String(length=255), nullable=False),
        sa.Column("subject", sa.String(length=255), nullable=False),
        sa.Column("label", sa.String(length=254), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_identities_user_id_users")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_identities")),
        sa.UniqueConstraint("issuer", "subject", name=op.f("uq_identities_issuer_subject")),
    )
    op.create_index(op.f("ix_identities_user_id"), "identities", ["user_id"])


def _pending() -> None:
    op.create_table(
        "pending_sign_ins",
        sa.Column("digest", sa.String(length=64), nullable=False),
        sa.Column("provider", sa.String(length=20), nullable=False),
        sa.Column("data", sa.JSON(), nullable=False),
        sa.Column("user_id", sa.String(length=26), nullable=True),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["user_id"], ["users.id"], name=op.f("fk_pending_sign_ins_user_id_users")
        ),
        sa.PrimaryKeyConstraint("digest", name=op.f("pk_pending_sign_ins")),
    )
    op.create_index(op.f("ix_pending_sign_ins_user_id"), "pending_sign_ins", ["user_id"])
    op.create_index(op.f("ix_pending_sign_ins_expires_at"), "pending_sign_ins", ["expires_at"])


def _postgres() -> bool:
    return op.get_bind().dialect.name == "postgresql"


def _add(table: str, column: str) -> None:
    """Both databases take a column with its constraints in one statement, without a new table."""
    op.execute(f"ALTER TABLE {table} ADD COLUMN {column}")


def _drop(table: str, *columns: str) -> None:
    for column in columns:
        op.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
