"""Answers to readers who say which one they have (RFC 9110, 13): tags, 304, kept answers."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from functools import partial
from typing import Annotated

from fastapi import Depends, Request, Response
from sqlalchemy.orm import Session

from api.answers import Answer
from api.deps import BoardDep, Service, ServiceDep, SessionDep
from api.downloads import disposition
from api.privacy import PRIVATE
from grbcore import __version__
from grbcore.catalog import Board
from grbcore.store import queries
from grbcore.store.session import now
from grbcore.store.tables import BoardRow
from grbcore.store.visibility import beyond

_JSON = "application/json"

UNCHANGED: dict[int | str, dict[str, object]] = {
    304: {"description": "Nothing changed since the ETag in If-None-Match"}
}


def answered(
    request: Request,
    service: Service,
    session: Session,
    question: Hashable,
    tag: str,
    make: Callable[[Session], Answer],
    *,
    media: str = _JSON,
) -> Response:
    """What everybody is given: the answer with this tag or the one before; 304 to who has it."""
    known = _known(request)
    if tag in known:
        return Response(status_code=304, headers=_headers(tag))
    found = service.answers.get(question, tag, make, session.close, fresh=insists(request))
    if found.tag in known:
        return Response(status_code=304, headers=_headers(found.tag))
    return Response(found.body, headers=_headers(found.tag), media_type=media)


@dataclass(frozen=True, slots=True)
class OfBoard:
    """A request about a board, and what it is answered from."""

    request: Request
    board: Board
    service: Service
    session: Session

    def answered(
        self,
        question: tuple[object, ...],
        tag: str,
        make: Callable[[Session], Answer],
        *,
        media: str = _JSON,
    ) -> Response:
        """`answered` of a question about the board."""
        asked = (self.board.id, *question)
        return answered(self.request, self.service, self.session, asked, tag, make, media=media)

    def kept(
        self,
        question: tuple[object, ...],
        make: Callable[[Session, BoardRow | None], str],
        *,
        media: str = _JSON,
        name: str | None = None,
    ) -> Response:
        """`answered` of what everybody sees of the board's ranked entries, and of nothing else.

        With the end of a ``name`` as a file.
        """
        tag = _state(self.session, self.board, question)[1]
        answer = partial(_answer, self.board, question, make)
        return self._named(self.answered(question, tag, answer, media=media), name)

    def made(self, body: str, media: str, name: str | None) -> Response:
        """`made` for this request; with the end of a ``name`` as a file."""
        return self._named(made(self.request, body.encode(), media), name)

    def _named(self, answer: Response, name: str | None) -> Response:
        if name is not None:
            answer.headers["Content-Disposition"] = disposition(self.board.id, name)
        return answer


async def of_board(
    request: Request, board: BoardDep, service: ServiceDep, session: SessionDep
) -> OfBoard:
    """A request about the board that its path names."""
    return OfBoard(request, board, service, session)


OfBoardDep = Annotated[OfBoard, Depends(of_board)]


def held(
    service: Service,
    session: Session,
    board: Board,
    question: tuple[object, ...],
    make: Callable[[Session, BoardRow | None], str],
) -> bytes:
    """The body that `OfBoard.kept` would give, for a page that shows it."""
    tag = _state(session, board, question)[1]
    answer = partial(_answer, board, question, make)
    return service.answers.get((board.id, *question), tag, answer, session.close).body


def _state(
    session: Session, board: Board, question: tuple[object, ...]
) -> tuple[BoardRow | None, str]:
    """The board's row, and the tag of the answer to a question about it."""
    row, lapsed = queries.board_row(session, board.id), beyond(session, board.id, None, now())
    return row, tag_of(board, row, lapsed, *question)


def _answer(
    board: Board,
    question: tuple[object, ...],
    make: Callable[[Session, BoardRow | None], str],
    session: Session,
) -> Answer:
    row, tag = _state(session, board, question)
    return Answer(make(session, row).encode(), tag)


def private(request: Request, body: bytes) -> Response:
    """What only this reader is given; nothing between keeps it, and neither do we."""
    return _once(request, body, _JSON, PRIVATE)


def made(request: Request, body: bytes, media: str) -> Response:
    """What everybody is given and is made each time; 304 to who has it."""
    return _once(request, body, media, "no-cache")


def drawn(
    request: Request, said: str, draw: Callable[[], bytes], media: str, control: str
) -> Response:
    """What is drawn of ``said`` alone, unless the reader has it."""
    return _tagged(request, quoted(said.encode()), draw, media, control)


def insists(request: Request) -> bool:
    """Whether the reader takes nothing but what holds now."""
    return "no-cache" in request.headers.get("cache-control", "")


def tag_of(board: Board, row: BoardRow | None, *question: object) -> str:
    """A tag of everything that the answer to a question about a board depends on."""
    stamp = (row.revision, row.protocol, row.changed_at) if row else None
    return quoted(repr((__version__, board.id, stamp, question)).encode())


def quoted(content: bytes) -> str:
    """The tag of this content."""
    return f'"{hashlib.sha256(content).hexdigest()[:32]}"'


def _once(request: Request, body: bytes, media: str, control: str) -> Response:
    return _tagged(request, quoted(body), lambda: body, media, control)


def _tagged(
    request: Request, tag: str, make: Callable[[], bytes], media: str, control: str
) -> Response:
    headers = {"ETag": tag, "Cache-Control": control}
    if tag in _known(request):
        return Response(status_code=304, headers=headers)
    return Response(make(), headers=headers, media_type=media)


def _headers(tag: str) -> dict[str, str]:
    return {"ETag": tag, "Cache-Control": "no-cache"}


def _known(request: Request) -> set[str]:
    """The tags of If-None-Match, weak ones as their strong twins."""
    header = request.headers.get("if-none-match", "")
    return {tag.strip().removeprefix("W/") for tag in header.split(",")}
