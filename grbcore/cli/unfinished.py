"""``grb uploads``: files that were sent in parts and did not arrive whole."""

from __future__ import annotations

from datetime import datetime
from typing import Annotated

import typer
from rich.console import Console
from rich.filesize import decimal
from rich.table import Table
from rich.text import Text

from grbcore.cli.server import LOCAL, Server, TokenOption, client, get

console = Console()


def uploads(
    delete: Annotated[
        str | None, typer.Option(metavar="ID", help="Give this one up, and what arrived of it.")
    ] = None,
    token: TokenOption = "",
    server: Server = LOCAL,
) -> None:
    """List your unfinished uploads, or give one up; grb submit of the same file goes on with it."""
    with client(server, token) as opened:
        if delete is not None:
            path = f"/uploads/{delete}"
            get(opened, path)  # tells what is wrong with the id, which may be no id at all
            opened.delete(path).raise_for_status()
            console.print(f"{delete} is given up", highlight=False, markup=False)
            return
        found = get(opened, "/uploads")["uploads"]
    unfinished = [one for one in found if one["state"] == "open"]
    if not unfinished:
        console.print("no unfinished uploads")
        return
    table = Table("id", "board", "side", "name", "arrived", "until", box=None, pad_edge=False)
    table.columns[0].no_wrap = True
    for one in unfinished:
        until = f"{datetime.fromisoformat(one['expires_at']):%Y-%m-%d %H:%M} UTC"
        arrived = f"{decimal(one['arrived'])} of {decimal(one['bytes'])}"
        row = (one["id"], one["board"], one["side"], one["name"], arrived, until)
        table.add_row(*map(Text, row))
    console.print(table)
