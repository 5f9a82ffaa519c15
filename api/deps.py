"""What routes are given: the service's parts, a session, the user, the board."""

from __future__ import annotations

import logging
import re
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, cast, get_args

from fastapi import Depends, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.security import APIKeyCookie, HTTPAuthorizationCredentials, HTTPBearer
from pydantic import WithJsonSchema
from sqlalchemy.orm import Session
from sqlalchemy.orm.attributes import set_committed_value

from api import browsers
from api.answers import Answers
from api.arenas import Arenas
from api.couriers import Couriers
from api.errors import DATABASE_ERRORS, ApiError, not_found, unauthorized
from api.errors import field as fault
from api.events import Streams
from api.incoming import Incoming
from api.looks import Looks
from api.providers import Provider
from api.rankings import Rankings
from api.readiness import Readiness
from api.slots import Sheets, Slots
from api.transfers import Transfers
from api.wake import Waker
from grbcore import catalog
from grbcore.catalog import Board
from grbcore.scenario import Difficulty, choices_of, ranked_of, scenario_of
from grbcore.settings import Settings
from grbcore.store import queries, reevaluation, seasons, tokens
from grbcore.store.accounts import sessions as signed_in
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions, now
from grbcore.store.tables import CellRow, Reevaluation, Season, SessionRow, Submission, User
from grbcore.store.visibility import may_see, may_see_cell

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
    incoming: Incoming
    answers: Answers
    looks: Looks
    slots: Slots
    sheets: Sheets = field(default_factory=Sheets)
    rankings: Rankings = field(default_factory=Rankings)
    transfers: Transfers = field(default_factory=Transfers)
    providers: Mapping[str, Provider] = field(default_factory=dict)
    arenas: Arenas = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "arenas", Arenas(self.rankings))

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


# What waits for nothing is a coroutine: a plain function would be sent to a thread, at a price.


async def get_service(request: Request) -> Service:
    """The parts of the application that answers this request."""
    return cast(Service, request.app.state.service)


ServiceDep = Annotated[Service, Depends(get_service)]


def get_session(service: ServiceDep) -> Iterator[Session]:
    """A session for reading."""
    with service.sessions.reading() as session:
        yield session


SessionDep = Annotated[Session, Depends(get_session)]

_bearer = HTTPBearer(auto_error=False, description="A token of the user")
_cookie = APIKeyCookie(
    name=browsers.SECURE,
    auto_error=False,
    description=f"A signed-in browser; what changes anything needs `{browsers.CSRF_HEADER}` too",
)


@dataclass(frozen=True, slots=True)
class Credential:
    """Who asks, by a token or from a signed-in browser, and what they may do by it.

    An admin is a user as far as ``user`` goes where the token's scopes lack ``admin``.
    """

    user: User
    role: str
    scopes: frozenset[str]
    session: SessionRow | None  # null: a token


async def get_credential(
    request: Request,
    service: ServiceDep,
    bearer: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)],
    _documented: Annotated[str | None, Depends(_cookie)],
) -> Credential | None:
    """By what the request is made; None without a token and without a session.

    A token that is wrong, revoked or out of date is an error even where none is needed.  A cookie
    of no session is none, and one with which another site sends something is an error.
    """
    if bearer is not None:
        return await run_in_threadpool(_of_token, service, bearer.credentials)
    secret = browsers.cookie(request, service.settings)
    if secret is None:
        return None
    return await run_in_threadpool(_of_cookie, request, service, secret)


def _of_cookie(request: Request, service: Service, secret: str) -> Credential | None:
    at = now()
    with service.sessions.reading() as session:
        row = signed_in.find(session, secret, at)
    if row is None:
        return None
    if request.method not in browsers.SAFE:
        browsers.check_csrf(request, service.settings, secret)
    if at - row.seen_at >= signed_in.NOTED:
        _note(service, lambda session: signed_in.seen(session, row.id, at))
    role = row.user.role
    return Credential(row.user, role, frozenset(tokens.scopes_of(role)), row)


def _of_token(service: Service, text: str) -> Credential:
    at = now()
    with service.sessions.reading() as session:
        token = tokens.find(session, text, at)
    if token is None:
        raise unauthorized("the token is unknown, revoked or out of date")
    if token.last_used_at is None or at - token.last_used_at >= signed_in.NOTED:
        _note(service, lambda session: tokens.used(session, token.id, at))
    owner, role, scopes = token.user, token.user.role, frozenset(token.scopes.split())
    if "admin" not in scopes:
        set_committed_value(owner, "role", "user")  # of this object only, which is read-only here
    return Credential(owner, role, scopes & frozenset(tokens.scopes_of(role)), None)


def _note(service: Service, write: Callable[[Session], None]) -> None:
    """Write down that a credential was used; a database that only reads stops nobody."""
    try:
        with service.sessions.writing() as session:
            write(session)
    except DATABASE_ERRORS as error:
        log.warning("the use of a credential is not noted: %s", error)


CredentialDep = Annotated[Credential | None, Depends(get_credential)]


async def get_user(credential: CredentialDep) -> User | None:
    """Who asks; None where nobody says, or where their token may not read what is theirs."""
    return credential.user if credential and "read" in credential.scopes else None


MaybeUser = Annotated[User | None, Depends(get_user)]


def require_user(user: User | None) -> User:
    """This user; 401 where there is none."""
    if user is None:
        raise unauthorized("a token that may read is needed: Authorization: Bearer grb_…")
    return user


def require_scope(scope: str) -> Callable[[Credential | None], Awaitable[User]]:
    """A dependency: who asks, by something that may do this; 401 and 403 for everybody else."""

    async def required(credential: CredentialDep) -> User:
        if credential is None:
            raise unauthorized("a token is needed: Authorization: Bearer grb_…")
        if scope == "admin" and credential.role != "admin":
            raise ApiError(403, "not-admin", f"role: found {credential.role}, allowed: admin")
        if scope not in credential.scopes:
            found = " ".join(sorted(credential.scopes))
            raise ApiError(403, "scope", f"scopes: found {found}, allowed: a token with {scope}")
        return credential.user

    return required


#: Who asks, by something that may see what is theirs.
UserDep = Annotated[User, Depends(require_scope("read"))]
SubmitterDep = Annotated[User, Depends(require_scope("submit"))]
#: Who asks, by something that may change entries and settings of theirs.
ManagerDep = Annotated[User, Depends(require_scope("manage"))]
AdminDep = Annotated[User, Depends(require_scope("admin"))]


async def require_session(credential: CredentialDep) -> SessionRow:
    """The session of a signed-in browser; 401 without one, 403 with a token."""
    if credential is None:
        raise unauthorized("sign in: this is done in the browser")
    if credential.session is None:
        text = "found a token, allowed: a signed-in browser; a token that leaks must not do this"
        raise ApiError(403, "session-needed", text)
    return credential.session


SignedInDep = Annotated[SessionRow, Depends(require_session)]


def find_board(name: str) -> Board:
    """The catalog's board of this id, with or without its version; 404 where there is none."""
    try:
        return catalog.board(name[:_LONGEST_ID])
    except KeyError as error:
        missing = not_found("board", name)
        missing.message = str(error.args[0])
        raise missing from None


async def get_board(
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

_Named = Annotated[str, WithJsonSchema({"type": "string", "enum": list(get_args(Difficulty))})]

#: As it is asked for; `difficulty_on` makes one of the board's of it.
DifficultyQuery = Annotated[
    _Named | None,
    Query(
        description="Which targets are attacked, or how much of each graph may change: one of the "
        "board's `difficulties`, or its `ranked`, which it is unless given"
    ),
]


def difficulty_on(board_id: str, asked: str | None) -> Difficulty:
    """The difficulty that is asked for, or the one that the board is ranked by.

    Raises:
        ApiError: 422, the board has no such difficulty.
    """
    scenario = scenario_of(board_id)
    if asked is None:
        return ranked_of(scenario)
    choices = choices_of(scenario)
    for one in choices:
        if one == asked:
            return one
    raise fault("query/difficulty", repr(asked[:40]), ", ".join(choices))


async def get_difficulty(board: BoardDep, difficulty: DifficultyQuery = None) -> Difficulty:
    """`difficulty_on` the board that the path names."""
    return difficulty_on(board.id, difficulty)


DifficultyDep = Annotated[Difficulty, Depends(get_difficulty)]


def is_id(text: str) -> bool:
    """Whether this can be an id at all; a database refuses some texts as a parameter."""
    return _ID.fullmatch(text) is not None


def find_submission(
    session: Session, submission_id: str, *, user: User | None = None
) -> Submission:
    """The submission of this id; 404 where there is none that this user sees."""
    found = queries.submission(session, submission_id) if is_id(submission_id) else None
    if found is None or not may_see(found, user, now()):
        raise not_found("submission", submission_id)
    return found


def find_user(session: Session, user_id: str) -> User:
    """The user of this id; 404 where there is none."""
    found = session.get(User, user_id) if is_id(user_id) else None
    if found is None:
        raise not_found("user", user_id)
    return found


def find_cell(session: Session, cell_id: str, *, user: User | None = None) -> CellRow:
    """The cell of this id; 404 where there is none, or one of its entries is not seen.

    Cells of a re-evaluation that is not applied are there for admins only.
    """
    found = queries.cell(session, cell_id) if is_id(cell_id) else None
    is_admin = user is not None and user.role == "admin"
    if found is None or (found.place == "shadow" and not is_admin):
        raise not_found("cell", cell_id)
    if not may_see_cell(found, user, now()):
        raise not_found("cell", cell_id)
    return found


def find_reevaluation(session: Session, job_id: str) -> Reevaluation:
    """The re-evaluation of this id; 404 where there is none."""
    found = reevaluation.find(session, job_id) if is_id(job_id) else None
    if found is None:
        raise not_found("reevaluation", job_id)
    return found


def find_season(session: Session, board: Board, number: int) -> Season:
    """The season of a board that has this number; 404 where none has begun."""
    found = seasons.numbered(session, board.id, number)
    if found is None:
        raise not_found("season", str(number))
    return found


def catalog_board(board_id: str) -> Board | None:
    """The catalog's board of exactly this id, unless the catalog lost it."""
    return catalog.boards().get(board_id)
