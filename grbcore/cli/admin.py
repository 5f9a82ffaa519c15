"""What an operator does: tokens, work that is stuck, entries that should not be seen."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from grbcore.cli import (
    deletion,
    describing,
    duplicates,
    holdouts,
    ladder,
    quotas,
    reevaluations,
    seasons,
    service,
    snapshots,
    studies,
    users,
)
from grbcore.cli.database import (
    VIA,
    find_submission,
    operator,
    reading,
    told,
    writing,
)
from grbcore.cli.refusing import refuse
from grbcore.store import audit as log
from grbcore.store import dismissals, moderation, reevaluation
from grbcore.store.session import now
from grbcore.store.status import status as read_status
from grbcore.store.tables import AuditRow, CellRow, Reevaluation, Submission

app = typer.Typer(help="Users, tokens, and work that needs a hand.", no_args_is_help=True)
app.command()(reevaluations.reevaluate)
app.command("reevaluations")(reevaluations.show_reevaluations)
app.command()(reevaluations.preview)
app.command()(reevaluations.start)
app.command()(reevaluations.apply)
app.command()(reevaluations.cancel)

app.command()(users.token)
app.command()(users.revoke)
app.command()(users.user)
app.command("users")(users.show_users)
app.command()(users.password)
app.command()(users.suspend)
app.command()(users.unsuspend)
app.command("delete-user")(users.delete_user)

app.command()(deletion.delete)
app.command()(deletion.tidy)
app.command()(quotas.quota)
app.command()(snapshots.snapshot)
app.command()(describing.describe)
app.command("duplicates")(duplicates.show_duplicates)
app.command()(duplicates.merge)
app.command()(duplicates.split)
app.add_typer(seasons.app, name="season")
app.add_typer(holdouts.app, name="holdout")
app.add_typer(ladder.app, name="ladder")
app.add_typer(studies.app, name="study")

SubmissionId = Annotated[str, typer.Argument(metavar="SUBMISSION", help="Its id.")]
Reason = Annotated[str | None, typer.Option(help="Why; kept in the audit log.")]


@app.callback()
def _group() -> None:
    """Users, tokens, and work that needs a hand."""


@app.command()
def requeue(
    which: Annotated[
        str, typer.Argument(metavar="ID", help="Of a dead cell, or of a re-evaluation with such.")
    ],
    reason: Reason = None,
) -> None:
    """Give dead cells their attempts back, once what stopped them is mended."""
    with writing() as session, told():
        user = operator(session)
        if session.get(Reevaluation, which) is not None:
            count = reevaluation.requeue_dead(
                session, which, user_id=user, via=VIA, reason=reason, now=now()
            )
            said = f"re-evaluation {which}: {count} cell(s) are queued again"
        else:
            row = session.get(CellRow, which)
            if row is None:
                refuse(f"cell: found no {which!r}, allowed: the id of a dead cell")
            moderation.requeue(session, row, user_id=user, via=VIA, reason=reason, now=now())
            said = f"cell {which} is queued again"
    typer.echo(said)


@app.command()
def revalidate(submission: SubmissionId, reason: Reason = None) -> None:
    """Give a submission whose validation stopped its attempts back."""
    _change(moderation.revalidate, submission, reason)
    typer.echo(f"submission {submission} waits for its validation again")


@app.command()
def hide(submission: SubmissionId, reason: Reason = None) -> None:
    """Take an entry out of the rankings; a hidden reference still counts for others."""
    _change(moderation.hide, submission, reason)
    typer.echo(f"submission {submission} is hidden")


@app.command()
def show(submission: SubmissionId, reason: Reason = None) -> None:
    """Undo hide; the entry ranks again once it is evaluated against whom it missed."""
    _change(moderation.show, submission, reason)
    typer.echo(f"submission {submission} is shown")


Code = Annotated[str, typer.Argument(metavar="FLAG", help="Its code: docs/flags.md has them.")]


@app.command("dismiss-flag")
def dismiss_flag(
    submission: SubmissionId,
    flag: Code,
    reason: Annotated[str, typer.Option(help="Why; shown with the entry.")],
) -> None:
    """Take a measured flag off an entry; its page goes on to show it, with the reason."""
    _change(partial(_of_flag, dismissals.dismiss_flag, flag), submission, reason)
    typer.echo(f"submission {submission}: {flag} is dismissed")


@app.command("restore-flag")
def restore_flag(submission: SubmissionId, flag: Code, reason: Reason = None) -> None:
    """Undo dismiss-flag."""
    _change(partial(_of_flag, dismissals.restore_flag, flag), submission, reason)
    typer.echo(f"submission {submission}: {flag} is shown again")


def _of_flag(
    change: Callable[..., None], code: str, session: Session, row: Submission, **who: Any
) -> None:
    change(session, row, code, **who)


@app.command()
def status() -> None:
    """Show the service's queue, workers, failures, and how long a new entry takes."""
    console = Console()
    with writing() as session:
        shown = [*service.tables(read_status(session, now()))]
    for number, table in enumerate(shown):
        console.print(*(() if number == 0 else ("",)), table, sep="\n")


@app.command()
def audit(
    subject: Annotated[
        str | None,
        typer.Argument(metavar="SUBJECT", help="Only of this submission, cell or re-evaluation."),
    ] = None,
    limit: Annotated[int, typer.Option(min=1, max=1000, help="How many of the newest.")] = 50,
) -> None:
    """Show who did what, when and why, newest first."""
    with reading() as session:
        rows = [_line(row) for row in log.entries(session, subject_id=subject, limit=limit)]
    if not rows:
        typer.echo("nothing is on record")
        return
    table = Table(box=None, pad_edge=False)
    for head in ("at", "by", "via", "did", "to", "reason"):
        table.add_column(head, overflow="fold", no_wrap=head != "reason")
    for line in rows:
        table.add_row(*map(Text, line))
    Console().print(table)


def _line(row: AuditRow) -> tuple[str, ...]:
    by = row.user.name if row.user else "the service"
    subject = f"{row.subject_kind} {row.subject_id}"
    return (f"{row.at:%Y-%m-%d %H:%M:%S}", by, row.via, row.action, subject, row.reason or "–")


def _change(change: Callable[..., None], submission_id: str, reason: str | None) -> None:
    """Change a submission and put it on record, in one transaction."""
    with writing() as session, told():
        row = find_submission(session, submission_id)
        change(session, row, user_id=operator(session), via=VIA, reason=reason, now=now())
