"""``grb admin duplicates``: entries of several users with one content; what counts as one."""

from __future__ import annotations

from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from grbcore import catalog
from grbcore.cli.database import VIA, operator, reading, told, writing
from grbcore.clones import Decision
from grbcore.store import clusters, duplicates
from grbcore.store.session import now
from grbcore.store.tables import Submission

Name = Annotated[str, typer.Argument(metavar="BOARD", help="Such as digits/injection@1.")]
Entries = Annotated[list[str], typer.Argument(metavar="SUBMISSION…", help="Of one side.")]
Reason = Annotated[str, typer.Option(help="Why; kept in the audit log.")]


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


def merge(name: Name, entries: Entries, reason: Reason) -> None:
    """Have entries count as one opponent in the open arena, with all of their clusters."""
    _decide(name, "merge", entries, reason)
    typer.echo(f"{len(entries)} entries count as one")


def split(name: Name, entries: Entries, reason: Reason) -> None:
    """Have each of these entries count alone in the open arena, whatever was found of them."""
    _decide(name, "split", entries, reason)
    typer.echo(f"{len(entries)} entries count alone")


def _decide(name: str, kind: Literal["merge", "split"], entries: list[str], reason: str) -> None:
    board, decision = catalog.board(name), Decision(kind, tuple(entries))
    with writing() as session, told():
        user = operator(session)
        clusters.decide(
            session, board.id, decision, reason=reason, user_id=user, via=VIA, now=now()
        )


def _line(entry: Submission) -> tuple[str, ...]:
    received = f"{entry.received_at:%Y-%m-%d %H:%M}"
    content = (entry.canonical or "")[:12]
    return (
        content, entry.board_id, entry.side, entry.id, entry.user.name, entry.state, received,
    )  # fmt: skip
