"""What this host knows of the boards."""

from __future__ import annotations

import typer
from rich.console import Console
from rich.table import Table

from grbcore import catalog, datasets
from grbcore.cli import service
from grbcore.settings import Settings
from grbcore.store import boards, migrate
from grbcore.store.session import Sessions, connect, now

app = typer.Typer(help="The boards of this host.", no_args_is_help=True)


@app.command("list")
def list_boards() -> None:
    """List every board of the catalog, and whether its data is here."""
    settings = Settings()
    table = Table(title="Boards")
    for heading in ("board", "repeats", "data"):
        table.add_column(heading, overflow="fold")
    for board in catalog.boards().values():
        here = datasets.present(board.dataset, data_dir=settings.data_dir)
        words = "present" if here else f"not present: grb datasets fetch {board.dataset}"
        table.add_row(board.id, str(board.repeats), words)
    Console().print(table)


@app.command()
def sync() -> None:
    """Bring the database up to date: its tables, and the boards whose data is here."""
    settings = Settings()
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    migrate.upgrade(settings.database_url)
    with Sessions(connect(settings.database_url)).writing() as session:
        rows = boards.sync(session, settings.data_dir, now())
        proposed = service.proposals(session)
    for row in rows:
        if row.problem:
            typer.echo(f"{row.id} is left out: {row.problem}", err=True)
    for line in proposed:
        typer.echo(line, err=True)
    typer.echo(f"{len(rows)} boards are up to date")
