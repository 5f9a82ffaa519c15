"""What this host knows of the boards, and how one moves to another host."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated
from uuid import uuid4

import typer
from rich.console import Console
from rich.table import Table

from grbcore import catalog, datasets
from grbcore.cli import service
from grbcore.cli.options import BoardName, bar_of_steps
from grbcore.cli.refusing import require_database
from grbcore.settings import Settings
from grbcore.store import boards, migrate, moving
from grbcore.store.blobs import Blobs
from grbcore.store.recount import recount
from grbcore.store.session import Sessions, connect, now

app = typer.Typer(help="The boards of this host.", no_args_is_help=True)


@app.command("list")
def list_boards() -> None:
    """List every board of the catalog, and whether its data is here."""
    settings = Settings()
    table = Table(title="Boards")
    for heading in ("board", "repeats", "data"):
        table.add_column(heading, overflow="fold")
    for board in catalog.boards().values():
        here = datasets.present(board.dataset, data_dir=settings.data_dir)
        words = "present" if here else f"not present: grb datasets fetch {board.dataset}"
        table.add_row(board.id, str(board.repeats), words)
    Console().print(table)


@app.command()
def sync() -> None:
    """Bring the database up to date: its tables, and the boards whose data is here."""
    settings = Settings()
    settings.var_dir.mkdir(parents=True, exist_ok=True)
    migrate.upgrade(settings.database_url)
    with Sessions(connect(settings.database_url)).writing() as session:
        rows = boards.sync(session, settings.data_dir, now(), needs=settings.needs)
        recount(session)
        proposed = service.proposals(session)
    for row in rows:
        if row.problem:
            typer.echo(f"{row.id} is left out: {row.problem}", err=True)
    for line in proposed:
        typer.echo(line, err=True)
    typer.echo(f"{len(rows)} boards are up to date")


@app.command("export")
def export_board(
    name: BoardName,
    out: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.")],
    without_hits: Annotated[
        bool, typer.Option("--without-hits", help="Leave out which targets each attack hit.")
    ] = False,
    history: Annotated[
        bool, typer.Option("--history", help="Results too that were replaced since.")
    ] = False,
    everything: Annotated[
        bool, typer.Option("--all", help="Private entries too, and those under an embargo.")
    ] = False,
) -> None:
    """Write a board with its entries, files and results into one file for another host.

    The service may run meanwhile.  Tokens, and addresses of users, stay here.
    """
    board_id = catalog.board(name).id
    settings = Settings()
    if not out.absolute().parent.is_dir():
        raise ValueError(f"FILE: found {out}, allowed: a file in an existing folder")
    _remove_halves(out)
    partial = out.with_name(f".{out.name}.{uuid4().hex}")
    with _service(settings) as (sessions, blobs), bar_of_steps() as bar:
        task = bar.add_task(f"writing {board_id}", total=0)
        try:
            with partial.open("xb") as file:
                done = moving.export_board(
                    sessions,
                    blobs,
                    board_id,
                    file,
                    hits=not without_hits,
                    history=history,
                    everything=everything,
                    progress=lambda at, total: bar.update(task, completed=at, total=total),
                )
                file.flush()
                os.fsync(file.fileno())
            partial.replace(out)
        finally:
            partial.unlink(missing_ok=True)
    typer.echo(
        f"{out}: {board_id}, {done.submissions} entries, {done.cells} results, {done.blobs} files"
    )
    if done.left_out:
        typer.echo(f"{done.left_out} entries that are not public are left out; --all takes them in")


def _remove_halves(out: Path) -> None:
    """What exports to this file that were killed left beside it, once it is a day old."""
    half = re.compile(re.escape(f".{out.name}.") + "[0-9a-f]{32}")
    for path in out.absolute().parent.iterdir():
        if half.fullmatch(path.name) and path.stat().st_mtime < time.time() - 86_400:
            path.unlink(missing_ok=True)


@app.command("import")
def import_board(
    path: Annotated[Path, typer.Argument(metavar="FILE", help="What grb board export wrote.")],
    check: Annotated[
        bool, typer.Option("--check", help="Read it all, say what would happen, change nothing.")
    ] = False,
    merge: Annotated[
        bool, typer.Option("--merge", help="Beside other entries that the board has here.")
    ] = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Believe no result: evaluate every entry here.")
    ] = False,
    user_prefix: Annotated[
        str, typer.Option(help="Put this before the name of every owner, such as 'lab-'.")
    ] = "",
    same_users: Annotated[
        bool, typer.Option("--same-users", help="Owners of a name that is here are that user.")
    ] = False,
) -> None:
    """Take in a board that another host wrote.

    Owners that are not here become users without a token (grb admin token --user NAME makes one).
    What is here already is left as it is, so the same file may be imported again.
    """
    settings = Settings()
    choices = moving.Choices(merge=merge, anew=anew, prefix=user_prefix, same_users=same_users)
    with path.open("rb") as file, _service(settings) as (sessions, blobs):
        found = moving.read_board_file(file)
        with sessions.writing() as session:
            boards.sync(session, settings.data_dir, now(), needs=settings.needs)
        with sessions.reading() as session:
            planned = moving.plan(session, found, choices)
        for line in _told(found, planned):
            typer.echo(line)
        if check:
            typer.echo("nothing was changed")
            return
        with bar_of_steps() as bar:
            task = bar.add_task("storing files", total=sum(member.size for member in found.blobs()))
            for done in moving.put_blobs(found, blobs, settings.scratch_dir, planned):
                bar.update(task, completed=done)
        with sessions.writing() as session:
            moving.keep_blobs(session, found, blobs, settings.scratch_dir, planned)
            taken = moving.take_in(session, found, choices, now())
    typer.echo(
        f"{found.board.id}: {taken.submissions} entries and {taken.cells} results came in, "
        f"{taken.known} entries were here"
    )
    if taken.waiting:
        typer.echo(f"{len(taken.waiting)} of them are evaluated against those they lack")


def _told(found: moving.BoardFile, planned: moving.Plan) -> Iterator[str]:
    """What an import means, where it is not what one would expect."""
    manifest = found.manifest
    yield f"{manifest.board}: {manifest.submissions} entries, {manifest.cells} results"
    if planned.other_protocol is not None:
        yield (
            f"the results are left out: they belong to protocol {manifest.protocol}, here it is "
            f"{planned.other_protocol} (other data, rules or evaluator)"
        )
    if not planned.believed:
        yield f"{len(planned.fresh)} entries are validated and evaluated here"
    if planned.new_users:
        yield f"new users, without a token: {', '.join(planned.new_users)}"
    if planned.same_users:
        yield f"taken as the same people: {', '.join(planned.same_users)}"


@contextmanager
def _service(settings: Settings) -> Iterator[tuple[Sessions, Blobs]]:
    """The database, with the newest tables, and the blobs of this host's service."""
    require_database(settings.database_url)
    migrate.upgrade(settings.database_url)
    sessions = Sessions(connect(settings.database_url))
    try:
        yield sessions, Blobs(settings.blob_url)
    finally:
        sessions.engine.dispose()
