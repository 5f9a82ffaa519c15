"""Sessions of commands that work on a service's database, and how they refuse."""

from __future__ import annotations

import getpass
import os
from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy.orm import Session

from grbcore.cli.refusing import refuse, require_database
from grbcore.settings import Settings
from grbcore.store import migrate, tokens
from grbcore.store.audit import Via
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import Sessions, connect, now
from grbcore.store.tables import Submission

#: How the audit log calls what was done by these commands.
VIA: Via = "cli"


@contextmanager
def database() -> Iterator[Sessions]:
    """The service's database, with its tables brought up to date."""
    url = Settings().database_url
    require_database(url)
    migrate.upgrade(url)
    sessions = Sessions(connect(url))
    try:
        yield sessions
    finally:
        sessions.engine.dispose()


@contextmanager
def writing() -> Iterator[Session]:
    """One transaction on the service's database."""
    with database() as sessions, sessions.writing() as session:
        yield session


@contextmanager
def reading() -> Iterator[Session]:
    """One view of the service's database."""
    with database() as sessions, sessions.reading() as session:
        yield session


def operator(session: Session) -> str:
    """The id of the user who stands for whoever runs this command: ``cli:`` and the system's name.

    They have no token, so nobody else can act in their name.
    """
    try:
        name = getpass.getuser()
    except (KeyError, OSError):  # a container may know a number only
        name = str(os.getuid())
    name = f"{VIA}:{name}"[:80]
    return (tokens.user(session, name) or tokens.create_user(session, name, now=now())).id


def find_submission(session: Session, submission_id: str) -> Submission:
    """The submission of this id."""
    row = session.get(Submission, submission_id)
    if row is None:
        refuse(f"submission: found no {submission_id!r}, allowed: the id of a submission")
    return row


@contextmanager
def told() -> Iterator[None]:
    """Refuse what can't be done as things stand."""
    try:
        yield
    except NotPossible as error:
        refuse(str(error))
