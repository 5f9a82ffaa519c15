"""Results of a board computed once more: planned, followed, previewed, applied or cancelled."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from datetime import timedelta
from typing import Annotated, Any, TypeVar

import typer
from pydantic import ValidationError
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn
from sqlalchemy.orm import Session

from grbcore import catalog
from grbcore.catalog import Board
from grbcore.cli import reevaluation_tables as tables
from grbcore.cli.database import VIA, database, operator, reading, told, writing
from grbcore.cli.refusing import refuse
from grbcore.store import application, history, previews, queries, reached
from grbcore.store import reevaluation as store
from grbcore.store.previews import Preview
from grbcore.store.selection import Selection
from grbcore.store.session import Sessions, now
from grbcore.store.tables import Reevaluation
from grbcore.store.views import VIEWS

console = Console()

Word = TypeVar("Word", bound=str)

_LISTED = 30  # jobs, newest first
_POLL_SECONDS = 1.0
_SPANS = {"h": timedelta(hours=1), "d": timedelta(days=1), "w": timedelta(weeks=1)}

Job = Annotated[str, typer.Argument(metavar="JOB", help="The id of a re-evaluation.")]
View = Annotated[str, typer.Option(help="reference or all.")]
Difficulty = Annotated[
    str | None,
    typer.Option(help="One of the board's; what its rankings are ordered by if not given."),
]
Yes = Annotated[bool, typer.Option("--yes", help="Don't ask.")]
Reason = Annotated[str, typer.Option(help="Why; everybody who reads the board may read it.")]


def reevaluate(
    name: Annotated[str, typer.Argument(metavar="BOARD", help="Such as digits/injection@1.")],
    reason: Reason,
    submission: Annotated[
        list[str] | None, typer.Option(help="Cells of this entry; more than one may be named.")
    ] = None,
    side: Annotated[
        str | None, typer.Option(help="attack or defense: what --submission and --family name.")
    ] = None,
    family: Annotated[list[str] | None, typer.Option(help="Cells of this family.")] = None,
    state: Annotated[
        list[str] | None, typer.Option(help="done, failed or dead; done if none is named.")
    ] = None,
    protocol: Annotated[str | None, typer.Option(help="Measured under this protocol.")] = None,
    evaluator_before: Annotated[
        int | None, typer.Option(help="Measured by an evaluator older than this version.")
    ] = None,
    torch: Annotated[str | None, typer.Option(help="Measured with this PyTorch.")] = None,
    device: Annotated[str | None, typer.Option(help="Measured on this device.")] = None,
    older_than: Annotated[
        str | None, typer.Option(help="Measured longer ago than this, such as 12h, 30d or 8w.")
    ] = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only tell what it takes.")] = False,
    yes: Yes = False,
) -> None:
    """Compute results of a board once more, beside those that it shows."""
    board = catalog.board(name)
    at = now()
    chosen = _selection(
        submissions=submission or [],
        side=side,
        families=family or [],
        **({"states": state} if state else {}),
        protocol=protocol,
        evaluator_before=evaluator_before,
        torch=torch,
        device=device,
        finished_before=None if older_than is None else at - _age(older_than),
    )
    with database() as sessions, told():
        with sessions.reading() as session:
            console.print(tables.plan(board.id, store.plan(session, board.id, chosen, at)))
        if dry_run:
            return
        _ask("Compute these once more?", yes)
        with sessions.writing() as session:
            author = operator(session)
            job = store.create(
                session, board.id, chosen, reason=reason, author_id=author, via=VIA, now=now()
            )
    typer.echo(f"re-evaluation {job.id} runs: grb admin reevaluations {job.id} --watch")


def show_reevaluations(
    job: Annotated[str | None, typer.Argument(metavar="JOB", help="Only this one.")] = None,
    board: Annotated[str | None, typer.Option(help="Only of this board.")] = None,
    state: Annotated[
        list[str] | None,
        typer.Option(help="proposed, running, ready, applied or cancelled."),
    ] = None,
    watch: Annotated[bool, typer.Option("--watch", help="Follow JOB to its end.")] = False,
) -> None:
    """List re-evaluations, or show one and how far it is."""
    with database() as sessions:
        if job is None:
            if watch:
                refuse("--watch: found no JOB, allowed: the id of a re-evaluation to follow")
            _list(sessions, board, state)
            return
        if watch:
            _follow(sessions, job)
        with sessions.reading() as session:
            row = _find(session, job)
            console.print(tables.job(row, *_progress(session, row)))


def preview(
    job: Job,
    view: View = "reference",
    difficulty: Difficulty = None,
) -> None:
    """Show what applying a re-evaluation would change: ranks, differences, new failures."""
    with reading() as session, told():
        row, found = _preview(session, job, view, difficulty)
        names = _names(session, found)
        shown = [*tables.preview(found, names, queries.measure_of(session, row.board_id))]
        state = row.state
    for part in shown:
        console.print(part, "")
    if state == "ready":
        typer.echo(f"to apply it: grb admin apply {job} --revision {found.revision}")


def start(job: Job) -> None:
    """Begin a re-evaluation that is proposed."""
    with writing() as session, told():
        _find(session, job)
        store.start(session, job, user_id=operator(session), via=VIA, now=now())
    typer.echo(f"re-evaluation {job} runs: grb admin reevaluations {job} --watch")


def apply(
    job: Job,
    revision: Annotated[
        int | None,
        typer.Option(help="Of the board, as the preview told it; without, it is previewed now."),
    ] = None,
    yes: Yes = False,
) -> None:
    """Put the new results in the place of the old ones, at once and all together."""
    with database() as sessions, told():
        if revision is None:
            with sessions.reading() as session:
                _, found = _preview(session, job, "reference", None)
            console.print(tables.summary(found))
            _ask("Apply this?", yes)
            revision = found.revision
        with sessions.writing() as session:
            board = _board(_find(session, job))
            user = operator(session)
            row = application.apply(
                session, board, job, revision=revision, user_id=user, via=VIA, now=now()
            )
            outcome = tables.outcome(row)
    typer.echo(f"re-evaluation {job} is applied: {outcome}")


def cancel(
    job: Job,
    reason: Annotated[str, typer.Option(help="Why; kept in the audit log.")],
) -> None:
    """End a re-evaluation; the board stays as it is."""
    with writing() as session, told():
        _find(session, job)
        user = operator(session)
        store.cancel(session, job, user_id=user, via=VIA, reason=reason, now=now())
    typer.echo(f"re-evaluation {job} is cancelled")


def _selection(**fields: Any) -> Selection:
    try:
        return Selection.model_validate(fields)
    except ValidationError as error:
        first = error.errors()[0]
        option = str(first["loc"][0])
        option = {"states": "state", "families": "family"}.get(option, option).replace("_", "-")
        allowed = first["msg"].removeprefix("Input should be ").removeprefix("Value error, ")
        refuse(f"--{option}: found {first['input']!r}, allowed: {allowed}")


def _age(text: str) -> timedelta:
    found = re.fullmatch(r"(\d{1,5})([hdw])", text)
    if found is None:
        refuse(f"--older-than: found {text!r}, allowed: hours, days or weeks, such as 12h, 30d, 8w")
    return int(found[1]) * _SPANS[found[2]]


def _ask(question: str, yes: bool) -> None:
    """Ends the command unless the answer is yes."""
    if not yes and not typer.confirm(question):
        raise typer.Exit(1)


def _find(session: Session, job_id: str) -> Reevaluation:
    row = store.find(session, job_id)
    if row is None:
        refuse(f"re-evaluation: found no {job_id!r}, allowed: an id of grb admin reevaluations")
    return row


def _board(row: Reevaluation) -> Board:
    return catalog.board(row.board_id)


def _preview(
    session: Session, job_id: str, view: str, difficulty: str | None
) -> tuple[Reevaluation, Preview]:
    chosen_view = _one_of("--view", view, VIEWS)
    row = _find(session, job_id)
    board = _board(row)
    at = _one_of("--difficulty", difficulty or board.ranked, board.choices)
    return row, previews.preview(session, board, row, view=chosen_view, difficulty=at)


def _one_of(option: str, value: str, allowed: Sequence[Word]) -> Word:
    for word in allowed:
        if word == value:
            return word
    refuse(f"{option}: found {value!r}, allowed: {', '.join(allowed)}")


def _names(session: Session, found: Preview) -> dict[str, str]:
    """The name of every entry that a preview speaks of."""
    entries = history.entries_of(session, history.spoken_of(found))
    return {entry.id: entry.name for entry in entries.values()}


def _list(sessions: Sessions, board: str | None, states: Sequence[str] | None) -> None:
    board_id = None if board is None else catalog.board(board).id
    with sessions.reading() as session:
        rows = store.jobs(session, board_id=board_id, states=states, limit=_LISTED)
        shown = tables.jobs([(row, *_progress(session, row)) for row in rows])
    if rows:
        console.print(shown)
    else:
        typer.echo("no re-evaluation is known")


def _follow(sessions: Sessions, job_id: str) -> None:
    """Show the progress until no cell waits or runs."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TextColumn("{task.fields[left]}"), console=console) as bar:
        task = bar.add_task(job_id, total=None, left="")
        while True:
            with sessions.reading() as session:
                row = _find(session, job_id)
                found, left = _progress(session, row)
            finished = found.done + found.failed + found.dead
            bar.update(task, total=found.cells, completed=finished, left=tables.left(left))
            if row.state != "running":
                return
            time.sleep(_POLL_SECONDS)


def _progress(session: Session, row: Reevaluation) -> tuple[reached.Progress, float | None]:
    """How far one is, and the seconds left while it runs."""
    found = reached.progress(session, [row.id])[row.id]
    return found, store.seconds_left(session, row, now()) if row.state == "running" else None
