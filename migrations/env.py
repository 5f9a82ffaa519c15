"""How alembic reaches the database: a connection that is handed in, or the service's settings."""

from __future__ import annotations

from typing import Literal

from alembic import context
from sqlalchemy import JSON, Connection

from grbcore.settings import Settings
from grbcore.store.session import connect
from grbcore.store.tables import Base, UtcDateTime


def render(kind: str, item: object, _context: object) -> str | Literal[False]:
    """Write column types without the service's own classes, so that old revisions stay as they are."""
    if kind == "type" and isinstance(item, UtcDateTime):
        return "sa.DateTime(timezone=True)"
    if kind == "type" and isinstance(item, JSON):
        return "sa.JSON()"
    return False


def migrate(connection: Connection) -> None:
    context.configure(
        connection=connection,
        target_metadata=Base.metadata,
        compare_type=True,
        render_item=render,
        render_as_batch=connection.dialect.name == "sqlite",
    )
    with context.begin_transaction():
        context.run_migrations()


given = context.config.attributes.get("connection")
if given is not None:
    migrate(given)
else:
    engine = connect(Settings().database_url)
    with engine.begin() as opened:
        migrate(opened)
    engine.dispose()
