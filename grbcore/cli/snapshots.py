"""``grb admin snapshot``: a board kept as it stands."""

from __future__ import annotations

from typing import Annotated

import typer

from grbcore import catalog
from grbcore.cli.database import VIA, database, operator, told
from grbcore.cli.options import BoardName
from grbcore.cli.refusing import refuse
from grbcore.settings import Settings
from grbcore.store import snapshots
from grbcore.store.blobs import Blobs, BlobsAway
from grbcore.store.session import now


def snapshot(
    name: BoardName,
    reason: Annotated[str | None, typer.Option(help="Why; its page says it.")] = None,
) -> None:
    """Keep a board as it stands now, for good, with every hash, for citing."""
    board = catalog.board(name)
    settings = Settings()
    with database() as sessions:
        with sessions.writing() as session:
            user = operator(session)
        try:
            with told():
                made = snapshots.make(
                    sessions,
                    Blobs(settings.blob_url),
                    board,
                    user_id=user,
                    via=VIA,
                    reason=reason,
                    now=now(),
                )
        except BlobsAway as error:
            refuse(f"nothing was kept: {error}")
    typer.echo(f"{board.id} is kept as snapshot {made}: /snapshots/{made}")
