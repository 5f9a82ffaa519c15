"""``grb admin study``: studies that the service shows."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grbcore import studies
from grbcore.settings import Settings
from grbcore.store.session import now

app = typer.Typer(help="Studies that the service shows at /studies.", no_args_is_help=True)


@app.callback()
def about() -> None:
    """Studies that the service shows at /studies."""


@app.command()
def publish(
    folder: Annotated[
        Path, typer.Argument(help="Where grb study splits, robustness or expressive wrote.")
    ],
    name: Annotated[str, typer.Option(help="Its address, such as citeseer-20.")],
    title: Annotated[str | None, typer.Option(help="What it is called; the name.")] = None,
) -> None:
    """Check a study's results and show them, its files included."""
    target = Settings().studies_dir
    studies.publish(folder, target, name=name, title=title or name, now=now())
    typer.echo(f"shown at /studies/{name}, from {target / name}")


@app.command()
def withdraw(name: Annotated[str, typer.Argument(help="As in the list.")]) -> None:
    """Show a study no longer; its files here are removed."""
    studies.withdraw(Settings().studies_dir, name)
    typer.echo(f"{name} is no longer shown")


@app.command("list")
def listed() -> None:
    """The studies that are published, and which of them can't be shown."""
    for one in studies.published(Settings().studies_dir):
        lost = "" if one.is_sound() else f"  not shown: {studies.FILE} is no study's any more"
        typer.echo(f"{one.about.name}  {one.about.kind}  {', '.join(one.about.of)}{lost}")
