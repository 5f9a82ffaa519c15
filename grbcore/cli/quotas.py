"""``grb admin quota``: what users may upload, and what they have used of it."""

from __future__ import annotations

from typing import Annotated

import typer
from pydantic import ByteSize, TypeAdapter, ValidationError
from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from grbcore.cli.database import VIA, operator, reading, writing
from grbcore.cli.refusing import refuse
from grbcore.settings import Settings
from grbcore.store import oversight, tokens
from grbcore.store.allowances import Allowance, allow
from grbcore.store.oversight import Uploader
from grbcore.store.quotas import Limits
from grbcore.store.session import now
from grbcore.store.tables import User

_DEFAULT = "default"
_BYTES = TypeAdapter(ByteSize)


def quota(
    user: Annotated[
        str | None, typer.Argument(metavar="[USER]", help="The user's name; by default all.")
    ] = None,
    per_day: Annotated[
        str | None,
        typer.Option(help="Valid files on each board in a day; 0: any number; or default."),
    ] = None,
    stored: Annotated[
        str | None, typer.Option(help="Bytes, such as 20GiB; 0: any number; or default.")
    ] = None,
    reset: Annotated[bool, typer.Option("--reset", help="Have their day begin anew.")] = False,
    reason: Annotated[str | None, typer.Option(help="Why; kept in the audit log.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many of the newest.")] = 200,
) -> None:
    """Show what users have used of their quotas, or allow one of them something else."""
    limits = Limits.of(Settings())
    changes = _changes(per_day, stored, reset)
    if user is None:
        if changes.model_fields_set:
            refuse("USER: found nothing, allowed: the user whose quota changes")
        with reading() as session:
            _print(oversight.uploaders(session, now(), limits, limit=limit))
        return
    with writing() as session:
        owner = _find(session, user)
        if changes.model_fields_set:
            by = operator(session)
            allow(session, owner.id, changes, by=by, via=VIA, reason=reason, now=now())
            session.flush()
        found = oversight.uploader(session, owner, now(), limits)
    _print([found])


def _changes(per_day: str | None, stored: str | None, reset: bool) -> Allowance:
    given: dict[str, int | bool | None] = {"reset": True} if reset else {}
    try:
        if per_day is not None:
            given["quota_per_day"] = None if per_day == _DEFAULT else int(per_day)
    except ValueError:
        refuse(f"--per-day: found {per_day!r}, allowed: a whole number or {_DEFAULT}")
    try:
        if stored is not None:
            given["quota_bytes"] = None if stored == _DEFAULT else _BYTES.validate_python(stored)
        return Allowance.model_validate(given)
    except ValidationError:
        if stored is None or "quota_bytes" in given:
            refuse("--per-day, --stored: found a number out of bounds, allowed: 0 or more")
        refuse(f"--stored: found {stored!r}, allowed: a size such as 20GiB or {_DEFAULT}")


def _find(session: Session, name: str) -> User:
    found = tokens.user(session, name)
    if found is None:
        refuse(f"user: found no {name!r}, allowed: the name of a user")
    return found


def _print(found: list[Uploader]) -> None:
    table = Table(box=None, pad_edge=False)
    for head in ("user", "role", "entries", "today", "invalid today", "stored"):
        table.add_column(head, overflow="fold")
    for one in found:
        table.add_row(*map(Text, _line(one)))
    Console().print(table)


def _line(found: Uploader) -> tuple[str, ...]:
    used = found.usage
    per_day = None if used.exempt else used.limits.per_day
    today = ", ".join(f"{board} {_of(count, per_day)}" for board, count in used.boards.items())
    return (
        found.user.name,
        found.user.role,
        str(found.entries),
        today or _of(0, per_day),
        _of(used.invalid, None if used.exempt else used.limits.invalid_per_day),
        _of_bytes(used.stored, None if used.exempt else used.limits.stored_bytes),
    )


def _of(count: int, most: int | None) -> str:
    return f"{count} of {most}" if most else str(count)


def _of_bytes(size: int, most: int | None) -> str:
    told = ByteSize(size).human_readable()
    return f"{told} of {ByteSize(most).human_readable()}" if most else told
