"""``grb admin ladder``: hide half of a board's targets until a season is over."""

from __future__ import annotations

from typing import Annotated

import typer

from grbcore import catalog
from grbcore.cli.database import VIA, operator, reading, told, writing
from grbcore.store import hiding
from grbcore.store.session import now
from grbcore.store.tables import BoardRow

app = typer.Typer(
    help="Hide half of a board's targets, so that nobody fits them by trying.",
    no_args_is_help=True,
)

Name = Annotated[str, typer.Argument(metavar="BOARD", help="Such as digits/injection@1.")]


@app.command()
def on(
    name: Name,
    step: Annotated[
        float, typer.Option(help="By more than what an entry must beat its submitter's best.")
    ] = 0.005,
) -> None:
    """Hide half of the targets of a board without results; later, change the step."""
    board = catalog.board(name)
    with writing() as session, told():
        hiding.hide(session, board.id, step, user_id=operator(session), via=VIA, now=now())
    typer.echo(f"half of the targets of {board.id} is hidden; step {step:g}")


@app.command()
def off(name: Name) -> None:
    """Have results of a board be over all of its targets; only while there are none."""
    board = catalog.board(name)
    with writing() as session, told():
        hiding.unhide(session, board.id, user_id=operator(session), via=VIA, now=now())
    typer.echo(f"no target of {board.id} is hidden")


@app.command()
def show(name: Name) -> None:
    """Say whether half of a board's targets is hidden, never which."""
    board = catalog.board(name)
    with reading() as session:
        row = session.get(BoardRow, board.id)
        step = row.ladder_step if row else None
    words = "no target is hidden" if step is None else f"half is hidden; step {step:g}"
    typer.echo(f"{board.id}: {words}")
