"""What an operator does: users and tokens."""

from __future__ import annotations

from typing import Annotated

import typer

from grbcore.settings import Settings
from grbcore.store import migrate, tokens
from grbcore.store.session import Sessions, connect, now

app = typer.Typer(help="Users and tokens.", no_args_is_help=True)


@app.callback()
def _group() -> None:
    """Users and tokens."""


@app.command()
def token(
    user: Annotated[str, typer.Option(help="Whose; a new name makes a new user.")] = "admin",
    admin: Annotated[bool, typer.Option(help="Make a new user an admin.")] = False,
) -> None:
    """Make a token and print it once; only its hash is kept."""
    settings = Settings()
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    migrate.upgrade(settings.database_url)
    with Sessions(connect(settings.database_url)).writing() as session:
        role = "admin" if admin or user == "admin" else "user"
        typer.echo(tokens.issue(session, user, now=now(), role=role))
