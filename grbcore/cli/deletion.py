"""``grb admin delete`` and ``grb admin tidy``: files that a service no longer keeps."""

from __future__ import annotations

from typing import Annotated

import typer

from grbcore.cli.database import VIA, database, find_submission, operator, told
from grbcore.cli.refusing import refuse
from grbcore.settings import Settings
from grbcore.store import orphans
from grbcore.store.blobs import Blobs, BlobsAway
from grbcore.store.deletion import delete_submission
from grbcore.store.rejected import sweep
from grbcore.store.session import now


def delete(
    submission: Annotated[str, typer.Argument(metavar="SUBMISSION", help="Its id.")],
    reason: Annotated[str, typer.Option(help="Why; kept in the audit log.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Remove an entry's file and whatever tells whose it was; can't be undone."""
    if not reason.strip():
        refuse("--reason: found nothing, allowed: a reason")
    with database() as sessions:
        with sessions.reading() as session:
            row = find_submission(session, submission)
            said = f"{row.side} {row.name!r} by {row.authors} on {row.board_id}"
        if not yes and not typer.confirm(f"Delete the {said}, for good?"):
            refuse("nothing was deleted")
        with sessions.writing() as session, told():
            left = delete_submission(
                session,
                submission,
                user_id=operator(session),
                via=VIA,
                reason=reason.strip(),
                now=now(),
            )
        typer.echo(f"submission {submission} is deleted")
        try:
            orphans.remove(sessions, Blobs(Settings().blob_url), left)
        except BlobsAway as error:
            refuse(f"its file is still there: {error}; grb admin tidy removes it after a day")


def tidy() -> None:
    """Remove files of entries rejected days ago, and those older than a day that nothing names."""
    settings = Settings()
    blobs = Blobs(settings.blob_url)
    with database() as sessions:
        try:
            swept = sweep(sessions, blobs, settings.keep_rejected_days, now())
            count = orphans.tidy(sessions, blobs, now())
        except BlobsAway as error:
            refuse(f"the files could not be removed: {error}")
    typer.echo(f"{count} file(s) removed")
    if swept:
        typer.echo(f"the files of {swept} rejected entries removed")
