"""What an operator does: tokens, work that is stuck, entries that should not be seen."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, NoReturn

import typer
from rich.console import Console
from sqlalchemy.engine import make_url
from sqlalchemy.orm import Session

from grbcore.cli import deletion, service
from grbcore.settings import Settings
from grbcore.store import marks, migrate, recovery, tokens
from grbcore.store.session import Sessions, connect, now
from grbcore.store.status import status as read_status
from grbcore.store.tables import CellRow, Submission

app = typer.Typer(help="Users, tokens, and work that needs a hand.", no_args_is_help=True)

app.command()(deletion.delete)
app.command()(deletion.tidy)

SubmissionId = Annotated[str, typer.Argument(metavar="SUBMISSION", help="Its id.")]


@app.callback()
def _group() -> None:
    """Users, tokens, and work that needs a hand."""


@app.command()
def token(
    user: Annotated[str, typer.Option(help="Whose; a new name makes a new user.")] = "admin",
    admin: Annotated[bool, typer.Option(help="Make a new user an admin.")] = False,
) -> None:
    """Make a token and print it once; only its hash is kept."""
    with _writing() as session:
        role = "admin" if admin or user == "admin" else "user"
        try:
            issued = tokens.issue(session, user, now=now(), role=role)
        except ValueError as error:
            _refuse(f"--user: {error}")
        typer.echo(issued)


@app.command()
def revoke(
    user: Annotated[str, typer.Argument(metavar="USER", help="The user's name.")],
) -> None:
    """End every token of a user, at once."""
    with _writing() as session:
        owner = tokens.user(session, user)
        if owner is None:
            _refuse(f"user: found no {user!r}, allowed: the name of a user")
        count = tokens.revoke_all(session, owner, now=now())
    typer.echo(f"{user}: {count} token(s) ended")


@app.command()
def requeue(
    cell: Annotated[str, typer.Argument(metavar="CELL", help="The id of a dead cell.")],
) -> None:
    """Give a dead cell its attempts back, once what stopped it is mended."""
    with _writing() as session:
        row = session.get(CellRow, cell)
        if row is None:
            _refuse(f"cell: found no {cell!r}, allowed: the id of a dead cell")
        if not recovery.requeue(session, cell, now()):
            _refuse(f"cell {cell}: found state {row.state}, allowed: dead")
    typer.echo(f"cell {cell} is queued again")


@app.command()
def revalidate(submission: SubmissionId) -> None:
    """Give a submission whose validation stopped its attempts back."""
    with _writing() as session:
        row = _submission(session, submission)
        if not recovery.revalidate(session, submission):
            _refuse(f"submission {submission}: found state {row.state}, allowed: received")
    typer.echo(f"submission {submission} waits for its validation again")


@app.command()
def hide(submission: SubmissionId) -> None:
    """Take an entry out of the rankings; a hidden reference still counts for others."""
    _mark(submission, marks.hide)
    typer.echo(f"submission {submission} is hidden")


@app.command()
def show(submission: SubmissionId) -> None:
    """Undo hide; the entry ranks again once it is evaluated against whom it missed."""
    _mark(submission, marks.show)
    typer.echo(f"submission {submission} is shown")


@app.command()
def status() -> None:
    """Show the service's queue, workers, failures, and how long a new entry takes."""
    console = Console()
    with _writing() as session:
        shown = [*service.tables(read_status(session, now()))]
    for number, table in enumerate(shown):
        console.print(*(() if number == 0 else ("",)), table, sep="\n")


def _mark(submission_id: str, change: Callable[..., object]) -> None:
    with _writing() as session:
        change(session, _submission(session, submission_id), now=now())


@contextmanager
def _writing() -> Iterator[Session]:
    settings = Settings()
    _require_database(settings.database_url)
    migrate.upgrade(settings.database_url)
    sessions = Sessions(connect(settings.database_url))
    try:
        with sessions.writing() as session:
            yield session
    finally:
        sessions.engine.dispose()


def _require_database(url: str) -> None:
    """A command that changes a service must not make a new, empty one beside it."""
    address = make_url(url)
    if address.get_backend_name() != "sqlite" or not address.database:
        return
    path = Path(address.database).absolute()
    if not path.is_file():
        _refuse(
            f"no database at {path}: run it in the service's folder or set GRB_VAR_DIR / "
            "GRB_DATABASE_URL"
        )


def _submission(session: Session, submission_id: str) -> Submission:
    row = session.get(Submission, submission_id)
    if row is None:
        _refuse(f"submission: found no {submission_id!r}, allowed: the id of a submission")
    return row


def _refuse(message: str) -> NoReturn:
    typer.echo(f"grb: {message}", err=True)
    raise typer.Exit(1)
