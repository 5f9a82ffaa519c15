"""``grb admin backup`` and ``grb admin restore``."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from grbcore.cli.options import bar_of_steps
from grbcore.cli.refusing import require_database
from grbcore.settings import Settings
from grbcore.store import backups
from grbcore.store.blobs import Blobs
from grbcore.store.session import now

Folder = Annotated[Path, typer.Argument(metavar="FOLDER", help="The folder of backups.")]


def backup(
    folder: Folder,
    keep: Annotated[
        int | None, typer.Option(min=1, help="Remove all but so many of the newest.")
    ] = None,
    verify: Annotated[
        bool, typer.Option("--verify", help="Read the files of earlier backups too.")
    ] = False,
) -> None:
    """Copy the database and the files of a service that runs; only new files are copied.

    Datasets are not part of it.  Whoever can read the folder can read everything that the service
    keeps, but no token.
    """
    settings = Settings()
    require_database(settings.database_url)
    blobs = Blobs(settings.blob_url)
    with bar_of_steps() as bar:
        task = bar.add_task("copying files", total=0)
        made = backups.make(
            settings.database_url,
            blobs,
            folder,
            now(),
            verify=verify,
            progress=lambda done, total: bar.update(task, completed=done, total=total),
        )
    typer.echo(f"{made.backup.folder}: the database and {made.blobs} files, {made.copied} new")
    if keep is not None:
        old, unneeded = backups.prune(folder, keep)
        typer.echo(f"{old} older backups and {unneeded} files of theirs were removed")
    _tell_lost(made.lost, "the service has lost them: upload them once more")


def restore(
    folder: Folder,
    at: Annotated[str | None, typer.Option(help="Which; the newest by default.")] = None,
) -> None:
    """Restore a backup into an empty database, with the service stopped.

    Tokens work as before, and what was being evaluated goes on.
    """
    settings = Settings()
    with bar_of_steps() as bar:
        task = bar.add_task("restoring files", total=0)
        done = backups.restore(
            settings.database_url,
            Blobs(settings.blob_url),
            folder,
            at,
            progress=lambda at, total: bar.update(task, completed=at, total=total),
        )
    typer.echo(f"{done.backup.name} is restored: the database and {done.blobs} files")
    _tell_lost(done.lost, "the backup lacks them: upload them once more")


def _tell_lost(lost: tuple[str, ...], mend: str) -> None:
    if lost:
        for digest in lost[:20]:
            typer.echo(f"  {digest}", err=True)
        typer.echo(f"grb: {len(lost)} files are missing or damaged; {mend}", err=True)
        raise typer.Exit(1)
