"""``grb admin season``: the references of a board's next season, proposed and decided."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from grbcore import catalog
from grbcore.cli.database import VIA, database, operator, reading, told, writing
from grbcore.settings import Settings
from grbcore.store import charting, clusters, seasons
from grbcore.store.blobs import Blobs
from grbcore.store.session import now
from grbcore.store.tables import Season, Submission

app = typer.Typer(help="The frozen references of a board, and the next ones.", no_args_is_help=True)

Name = Annotated[str, typer.Argument(metavar="BOARD", help="Such as digits/injection@1.")]
SeasonId = Annotated[str, typer.Argument(metavar="SEASON", help="The id of a proposal.")]
Why = Annotated[str, typer.Option(help="Why; everybody who reads the board may read it.")]

_SHOWN = 20  # the latest


@app.command()
def propose(name: Name) -> None:
    """Propose the next season's references, with reasons; nothing changes until one accepts."""
    board = catalog.board(name)
    blobs = Blobs(Settings().blob_url)
    with database() as sessions, told():
        clusters.scan(sessions, blobs, board.id, clusters.Known(), now())
        with sessions.writing() as session:
            user = operator(session)
            season = seasons.propose(session, board, user_id=user, via=VIA, now=now())
            shown = list(_tables(session, season))
            season_id = season.id
    _print(shown)
    typer.echo(f"to accept it: grb admin season accept {season_id} --reason …")


@app.command()
def show(name: Name) -> None:
    """Show a board's seasons and proposals, the latest first."""
    board = catalog.board(name)
    with reading() as session:
        found = seasons.known(session, board.id, limit=_SHOWN)
        shown = [table for season in found for table in _tables(session, season)]
    if not shown:
        typer.echo("no season has begun: the references are those that are marked so now")
    _print(shown)


@app.command()
def accept(season: SeasonId, reason: Why) -> None:
    """Begin a season that is proposed: official scores are over its references from now on."""
    with writing() as session, told():
        user = operator(session)
        found = seasons.accept(session, season, reason=reason, user_id=user, via=VIA, now=now())
        said = f"season {found.number} of {found.board_id} has begun"
    typer.echo(said)


@app.command()
def refuse(season: SeasonId, reason: Why) -> None:
    """Put a proposal away."""
    with writing() as session, told():
        user = operator(session)
        seasons.refuse(session, season, reason=reason, user_id=user, via=VIA, now=now())
    typer.echo(f"season {season} is refused")


def _tables(session: Session, season: Season) -> Iterator[Table]:
    called = f"season {season.number}" if season.number else f"proposal {season.id}"
    cards = charting.cards(session, {one["id"] for one in (*season.members, *season.left_out)})
    for words, members in (("references", season.members), ("left out", season.left_out)):
        table = Table(
            box=None, pad_edge=False, title=f"{called}, {season.state}: {words}",
            title_justify="left",
        )  # fmt: skip
        for head in ("side", "entry", "name", "family", "SHA-256", "why"):
            table.add_column(head, overflow="fold", no_wrap=head != "why")
        for one in members:
            table.add_row(*map(Text, _line(one, cards)))
        if table.row_count:
            yield table


def _line(member: dict[str, Any], cards: Mapping[str, Submission]) -> tuple[str, ...]:
    entry = cards[member["id"]]
    why = "; ".join(member["reasons"])
    return (member["side"], entry.id, entry.name, entry.family, member["sha256"][:12], why)


def _print(tables: list[Table]) -> None:
    console = Console()
    for table in tables:
        console.print(table)
        console.print()
