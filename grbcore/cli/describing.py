"""``grb admin describe``: what is told of attacks, of those that earlier versions checked."""

from __future__ import annotations

import typer

from grbcore import catalog, datasets
from grbcore.cli.database import database
from grbcore.cli.options import BoardName
from grbcore.cli.refusing import refuse
from grbcore.datasets import DatasetError
from grbcore.settings import Settings
from grbcore.store import describing
from grbcore.store.blobs import Blobs, BlobsAway
from grbcore.store.session import now
from grbcore.validator import describe as described


def describe(name: BoardName) -> None:
    """Count what attacks spend, how far they are from the clean graph, and sketch them, of those
    that were checked before the service did so; a re-evaluation does not."""
    board, settings = catalog.board(name), Settings()
    try:
        dataset = datasets.load(board.dataset, data_dir=settings.data_dir)
        with database() as sessions:
            done, left = describing.fill(
                sessions,
                Blobs(settings.blob_url),
                board.id,
                lambda path: described(path, board, dataset),
                cache=settings.cache_dir,
                now=now,
            )
    except (BlobsAway, DatasetError) as error:
        refuse(str(error))
    unread = f", {left} could not be, as their files can't be read" if left else ""
    typer.echo(f"{board.id}: {done} attacks were described{unread}")
