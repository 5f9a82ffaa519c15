"""``grb withdraw``: take a submission of one's own back."""

from __future__ import annotations

from typing import Annotated

import typer

from grbcore.cli.server import LOCAL, Server, TokenOption, client, fail, get, json_of


def withdraw(
    submission: Annotated[str, typer.Argument(metavar="SUBMISSION", help="Its id.")],
    delete: Annotated[
        bool,
        typer.Option("--delete", help="Remove its file too, and all that is said of it."),
    ] = False,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    token: TokenOption = "",
    server: Server = LOCAL,
) -> None:
    """Take a submission out of the rankings, for good; the attempt stays counted."""
    path = f"/submissions/{submission}"
    with client(server, token) as opened:
        entry = get(opened, path)
        said = f"{entry['side']} {entry['name']!r} by {entry['authors']} on {entry['board']}"
        verb = "Delete" if delete else "Withdraw"
        if not yes and not typer.confirm(f"{verb} the {said}, for good?"):
            fail(f"nothing was {'deleted' if delete else 'withdrawn'}")
        answer = opened.delete(path) if delete else opened.post(f"{path}/withdraw")
        done = json_of(answer.raise_for_status())
    attempt = f"attempt {done['attempt']} of {done['attempts']} stays counted"
    typer.echo(f"{submission} is {'deleted' if delete else 'withdrawn'}; {attempt}")
