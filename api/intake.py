"""A file that has arrived whole becomes a submission, by whatever route it came."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy.orm import Session

from api import quotas
from api.deps import Service
from api.errors import ApiError, invalid_file
from api.forms import read
from grbcore.catalog import Board
from grbcore.store import queries
from grbcore.store.intake import receive
from grbcore.store.quotas import Limits
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, Submission, User
from grbcore.submission import Scale, check_header


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of a file."""

    submission_id: str
    created: bool  # False: the same bytes were submitted before
    need: str  # which workers are to be woken for it


def store(
    service: Service,
    *,
    fields: Mapping[str, str],
    file: Path,
    sha256: str,
    size: int,
    user: User,
    beside: Callable[[Session, Submission], None] | None = None,
) -> Stored:
    """Check the fields and the file's header, then store both in one transaction.

    ``beside`` writes more in that transaction.

    Raises:
        ApiError: 404, 409 or 422.
        QuotaExceeded: nothing is left of what the user may upload.
    """
    board, side, said = read(fields)
    scale, need = open_board(service, board)
    with file.open("rb") as opened:
        header = check_header(opened, side=side, board=board, scale=scale)
    if header.violations:
        codes = [violation.code for violation in header.violations]
        quotas.refuse(service, user, board.id, codes, size)
        raise invalid_file(header.violations)
    try:
        with service.sessions.writing() as session:
            entry, created = receive(
                session,
                service.blobs,
                board=board,
                side=side,
                fields=said,
                file=file,
                sha256=sha256,
                size=size,
                header=header,
                user=user,
                limits=Limits.of(service.settings),
                now=now(),
            )
            if beside is not None:
                beside(session, entry)
            return Stored(entry.id, created, need)
    except NotPossible as error:
        raise ApiError(409, error.code, str(error)) from None


def open_board(service: Service, board: Board) -> tuple[Scale, str]:
    """How large a board's data is, and which workers it needs; 409 where it has none."""
    with service.sessions.reading() as session:
        row: BoardRow | None = queries.board_row(session, board.id)
    if row is None or row.state == "no-data" or row.facts is None:
        message = f"{board.id}: its data is not present here (grb datasets fetch {board.dataset})"
        raise ApiError(409, "no-data", f"{message}; it takes no submissions")
    return Scale.of(row.facts), row.need
