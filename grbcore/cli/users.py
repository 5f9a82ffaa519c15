"""What an operator does with accounts: tokens, roles, passwords, suspension."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from datetime import timedelta
from typing import Annotated, Literal

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from grbcore.cli.database import VIA, database, operator, reading, told, writing
from grbcore.cli.refusing import refuse
from grbcore.settings import Settings
from grbcore.store import audit, orphans, tokens
from grbcore.store.accounts import closing, passwords, people
from grbcore.store.blobs import Blobs, BlobsAway
from grbcore.store.session import now
from grbcore.store.tables import User

Name = Annotated[str, typer.Argument(metavar="USER", help="The user's name.")]
Reason = Annotated[str | None, typer.Option(help="Why; kept in the audit log.")]

_LISTED = 10_000  # users


def token(
    user: Annotated[str, typer.Option(help="Whose; a new name makes a new user.")] = "admin",
    admin: Annotated[bool, typer.Option(help="Make a new user an admin.")] = False,
    name: Annotated[str, typer.Option(help="What the token is called.")] = "",
    scopes: Annotated[
        str | None,
        typer.Option(help="Some of read,submit,manage,admin; all of the user's role by default."),
    ] = None,
    days: Annotated[
        int | None, typer.Option(min=1, max=3660, help="It runs out after so many days.")
    ] = None,
) -> None:
    """Make a token and print it once; only its hash is kept."""
    at = now()
    chosen = None if scopes is None else [one.strip() for one in scopes.split(",") if one.strip()]
    with writing() as session:
        role = "admin" if admin or user == "admin" else "user"
        try:
            issued = tokens.issue(
                session,
                user,
                role=role,
                scopes=chosen,
                title=name,
                expires_at=None if days is None else at + timedelta(days=days),
                now=at,
            )
        except ValueError as error:
            refuse(f"--user: {error}" if str(error).startswith(("name", "role")) else str(error))
        made = tokens.find(session, issued, at)
        if made is not None:
            _record(session, "token.make", "token", made.id)
        typer.echo(issued)


def revoke(user: Name) -> None:
    """End every token of a user, at once."""
    with writing() as session:
        owner = tokens.user(session, user)
        if owner is None:
            refuse(f"user: found no {user!r}, allowed: the name of a user")
        count = tokens.revoke_all(session, owner, now=now())
        _record(session, "token.revoke-all", "user", owner.id)
    typer.echo(f"{user}: {count} token(s) ended")


def user(
    name: Name,
    role: Annotated[Literal["user", "admin"] | None, typer.Option(help="Give this role.")] = None,
) -> None:
    """Make a user, or give one another role."""
    with writing() as session, told():
        owner = people.by_name(session, name)
        try:
            if owner is None:
                owner = tokens.create_user(session, name, role=role or "user", now=now())
                _record(session, "account.make", "user", owner.id)
            elif role is not None:
                by = operator(session)
                people.set_role(session, owner, role, user_id=by, via=VIA, now=now())
        except ValueError as error:
            refuse(str(error))
        said = f"{owner.name}: {owner.role}"
    typer.echo(said)


def show_users() -> None:
    """List the users: role, how they sign in, tokens, and whether they are suspended."""
    table = Table(box=None, pad_edge=False)
    for head in ("name", "role", "since", "password", "mail address", "tokens", "state"):
        table.add_column(head, overflow="fold")
    with reading() as session:
        for one in people.everybody(session, limit=_LISTED):
            address = one.email or "–"
            if one.email is not None and one.email_confirmed_at is None:
                address += " (not confirmed)"
            line = (
                one.name,
                one.role,
                f"{one.created_at:%Y-%m-%d}",
                "yes" if one.password_hash else "no",
                address,
                str(len(tokens.of(session, one))),
                "active" if one.is_active else "suspended",
            )
            table.add_row(*map(Text, line))
    Console().print(table)


def password(
    name: Name,
    generate: Annotated[
        bool, typer.Option("--generate", help="Make one and print it, in place of asking.")
    ] = False,
) -> None:
    """Set a user's password; it is asked for, and every session of theirs ends."""
    with database() as sessions:
        with sessions.reading() as session:
            owner = _find(session, name)
        chosen = secrets.token_urlsafe(15) if generate else _asked()
        fault = passwords.fault(chosen, owner.name)
        if fault is not None:
            refuse(f"password: found {fault[0]}, allowed: {fault[1]}")
        kept = passwords.hashed(chosen)
        with sessions.writing() as session, told():
            by = operator(session)
            people.set_password(session, owner.id, kept, user_id=by, via=VIA, now=now())
    typer.echo(chosen if generate else f"{owner.name}: the password is set")


def suspend(name: Name, reason: Reason = None) -> None:
    """Stop a user: their sessions end, their tokens rest, their entries stay."""
    _change(people.suspend, name, reason)
    typer.echo(f"{name} is suspended")


def unsuspend(name: Name, reason: Reason = None) -> None:
    """Let a suspended user go on; their tokens work again."""
    _change(people.unsuspend, name, reason)
    typer.echo(f"{name} may go on")


def delete_user(
    name: Name, yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False
) -> None:
    """Delete an account for good; entries that rank stay, without a name."""
    with database() as sessions:
        with sessions.reading() as session:
            owner = _find(session, name)
        if not yes and not typer.confirm(f"Delete the account {owner.name!r}, for good?"):
            refuse("nothing was deleted")
        with sessions.writing() as session, told():
            by = operator(session)
            left = closing.close(session, owner.id, user_id=by, via=VIA, now=now())
        typer.echo(f"{owner.name} is deleted")
        try:
            orphans.remove(sessions, Blobs(Settings().blob_url), left)
        except BlobsAway as error:
            refuse(f"some files are still there: {error}; grb admin tidy removes them after a day")


def _asked() -> str:
    return str(typer.prompt("New password", hide_input=True, confirmation_prompt=True))


def _find(session: Session, name: str) -> User:
    found = people.by_name(session, name)
    if found is None or found.deleted_at is not None:
        refuse(f"user: found no {name!r}, allowed: the name of a user")
    return found


def _change(change: Callable[..., None], name: str, reason: str | None) -> None:
    with writing() as session, told():
        owner, by = _find(session, name), operator(session)
        change(session, owner, user_id=by, via=VIA, reason=reason, now=now())


def _record(session: Session, action: str, kind: str, subject_id: str) -> None:
    audit.record(
        session,
        user_id=operator(session),
        via=VIA,
        action=action,
        subject_kind=kind,
        subject_id=subject_id,
        now=now(),
    )
