"""``grb admin duplicates``: entries of several users with one content."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grbcore.cli.database import reading
from grbcore.store import duplicates
from grbcore.store.tables import Submission


def show_duplicates(
    board: Annotated[
        str | None, typer.Argument(metavar="BOARD", help="Only of this board, such as digits/…@1.")
    ] = None,
) -> None:
    """Show entries of several users with the same content, the earliest of each first."""
    table = Table(box=None, pad_edge=False)
    for head in ("content", "board", "side", "entry", "by", "state", "received"):
        table.add_column(head, overflow="fold", no_wrap=True)
    with reading() as session:
        for alike in duplicates.groups(session, board):
            for entry in alike:
                table.add_row(*map(Text, _line(entry)))
    if not table.row_count:
        typer.echo("no two users have sent the same content")
        return
    Console().print(table)


def _line(entry: Submission) -> tuple[str, ...]:
    received = f"{entry.received_at:%Y-%m-%d %H:%M}"
    content = (entry.canonical or "")[:12]
    return (
        content, entry.board_id, entry.side, entry.id, entry.user.name, entry.state, received,
    )  # fmt: skip
