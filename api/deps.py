"""What routes are given: the service's parts, a session, the user, the board."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Annotated, cast

from fastapi import Depends, Path, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from sqlalchemy.orm import Session

from api.couriers import Couriers
from api.errors import DATABASE_ERRORS, ApiError, not_found, unauthorized
from api.events import Streams
from api.rankings import Rankings
from api.readiness import Readiness
from api.slots import Slots
from api.wake import Waker
from grbcore import catalog
from grbcore.catalog import Board
from grbcore.settings import Settings
from grbcore.store import queries, reevaluation, tokens
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions
from grbcore.store.tables import CellRow, Reevaluation, Submission, User

log = logging.getLogger(__name__)

_ID = re.compile("[0-9A-Z]{26}")
_LONGEST_ID = 80  # characters of a board's id


@dataclass(frozen=True, slots=True)
class Service:
    """The parts that requests share."""

    settings: Settings
    sessions: Sessions
    blobs: Blobs
    waker: Waker
    readiness: Readiness
    couriers: Couriers
    streams: Streams
    slots: Slots
    rankings: Rankings = field(default_factory=Rankings)

    def wake(self, board_id: str, about: str) -> None:
        """Wake a worker that takes this board; a database that is away wakes none."""
        try:
            with self.sessions.reading() as session:
                row = queries.board_row(session, board_id)
        except DATABASE_ERRORS as error:
            log.warning("no worker was woken for %s: %s", about, error)
            return
        if row is not None:
            self.waker.wake(about, row.need)


def get_service(request: Request) -> Service:
    """The parts of the application that answers this request."""
    return cast(Service, request.app.state.service)


ServiceDep = Annotated[Service, Depends(get_service)]


def get_session(service: ServiceDep) -> Iterator[Session]:
    """A session for reading."""
    with service.sessions.reading() as session:
        yield session


SessionDep = Annotated[Session, Depends(get_session)]

_bearer = HTTPBearer(auto_error=False, description="A token of `grb admin token`")


def get_user(
    service: ServiceDep,
    credentials: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
) -> User | None:
    """Whose token the request carries; None without one.

    A token that is wrong or revoked is an error even where none is needed.
    """
    if credentials is None:
        return None
    with service.sessions.reading() as session:
        user = tokens.verify(session, credentials.credentials)
    if user is None:
        raise unauthorized("the token is unknown or revoked")
    return user


MaybeUser = Annotated[User | None, Depends(get_user)]


def require_user(user: MaybeUser) -> User:
    """Whose token the request carries; 401 without one."""
    if user is None:
        raise unauthorized("a token is needed: Authorization: Bearer grb_…")
    return user


UserDep = Annotated[User, Depends(require_user)]


def require_admin(user: UserDep) -> User:
    """Whose token the request carries, an admin; 403 for everybody else."""
    if user.role != "admin":
        raise ApiError(403, "not-admin", f"role: found {user.role}, allowed: admin")
    return user


AdminDep = Annotated[User, Depends(require_admin)]


def find_board(name: str) -> Board:
    """The catalog's board of this id, with or without its version; 404 where there is none."""
    try:
        return catalog.board(name[:_LONGEST_ID])
    except KeyError as error:
        missing = not_found("board", name)
        missing.message = str(error.args[0])
        raise missing from None


def get_board(
    dataset: Annotated[str, Path(max_length=80, examples=["digits"])],
    scenario: Annotated[
        str,
        Path(
            max_length=80,
            description="With its version, or without for the newest",
            examples=["injection@1"],
        ),
    ],
) -> Board:
    """The board that the path names."""
    return find_board(f"{dataset}/{scenario}")


BoardDep = Annotated[Board, Depends(get_board)]


def is_id(text: str) -> bool:
    """Whether this can be an id at all; a database refuses some texts as a parameter."""
    return _ID.fullmatch(text) is not None


def find_submission(session: Session, submission_id: str) -> Submission:
    """The submission of this id; 404 where there is none."""
    found = queries.submission(session, submission_id) if is_id(submission_id) else None
    if found is None:
        raise not_found("submission", submission_id)
    return found


def find_user(session: Session, user_id: str) -> User:
    """The user of this id; 404 where there is none."""
    found = session.get(User, user_id) if is_id(user_id) else None
    if found is None:
        raise not_found("user", user_id)
    return found


def find_cell(session: Session, cell_id: str, *, user: User | None = None) -> CellRow:
    """The cell of this id; 404 where there is none.

    Cells of a re-evaluation that is not applied are there for admins only.
    """
    found = queries.cell(session, cell_id) if is_id(cell_id) else None
    is_admin = user is not None and user.role == "admin"
    if found is None or (found.place == "shadow" and not is_admin):
        raise not_found("cell", cell_id)
    return found


def find_reevaluation(session: Session, job_id: str) -> Reevaluation:
    """The re-evaluation of this id; 404 where there is none."""
    found = reevaluation.find(session, job_id) if is_id(job_id) else None
    if found is None:
        raise not_found("reevaluation", job_id)
    return found


def catalog_board(board_id: str) -> Board | None:
    """The catalog's board of exactly this id, unless the catalog lost it."""
    return catalog.boards().get(board_id)
