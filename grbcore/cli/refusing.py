"""Refusals that commands of the service share."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

import typer
from sqlalchemy.engine import make_url


def refuse(message: str) -> NoReturn:
    """Say in a line why a command does nothing, and end it."""
    typer.echo(f"grb: {message}", err=True)
    raise typer.Exit(1)


def require_database(url: str) -> None:
    """A command that changes a service must not make a new, empty one beside it."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite" or not address.database:
        return
    path = Path(address.database).absolute()
    if not path.is_file():
        refuse(
            f"no database at {path}: run it in the service's folder or set GRB_VAR_DIR / "
            "GRB_DATABASE_URL"
        )
