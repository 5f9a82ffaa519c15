"""``grb edit``: change what a submission says of itself, without evaluating it again."""

from __future__ import annotations

from typing import Annotated

import typer
from rich.console import Console

from grbcore.cli import audience
from grbcore.cli.audience import EmbargoOption, PrivateOption
from grbcore.cli.server import LOCAL, Server, TokenOption, client, fail, json_of

console = Console()


def edit(
    submission: Annotated[str, typer.Argument(metavar="SUBMISSION", help="Its id.")],
    name: Annotated[str | None, typer.Option(help="What the leaderboard calls it.")] = None,
    authors: Annotated[str | None, typer.Option(help="Who made it.")] = None,
    team: Annotated[str | None, typer.Option(help="Your team.")] = None,
    description: Annotated[str | None, typer.Option(help="Markdown.")] = None,
    paper_url: Annotated[str | None, typer.Option(help="Where the paper is.")] = None,
    code_url: Annotated[str | None, typer.Option(help="Where the code is.")] = None,
    public: Annotated[
        bool, typer.Option("--public", help="Show it to everybody, for good.")
    ] = False,
    private: PrivateOption = False,
    embargo: EmbargoOption = None,
    token: TokenOption = "",
    server: Server = LOCAL,
) -> None:
    """Change what is said of a submission; '' empties a field that may be empty."""
    fields = {
        "name": name,
        "authors": authors,
        "team": team,
        "description": description,
        "paper_url": paper_url,
        "code_url": code_url,
    }
    changes = {key: value for key, value in fields.items() if value is not None}
    changes |= audience.chosen(private=private, embargo=embargo, public=public)
    if not changes:
        names = (*fields, "public", "private", "embargo")
        options = ", ".join(f"--{key.replace('_', '-')}" for key in names)
        fail(f"options: found none, allowed: one or more of {options}")
    with client(server, token) as opened:
        answer = opened.patch(f"/submissions/{submission}", json=changes)
        entry = json_of(answer.raise_for_status())
        address = f"{server.rstrip('/')}{entry['url']}"
        said = f"{entry['name']} by {entry['authors']}: {address}"
        console.print(said, soft_wrap=True, highlight=False, markup=False)
        if audience.shown(entry):
            console.print(audience.shown(entry), highlight=False)
