"""What is told of attacks that an earlier version found valid, which did not tell it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import and_, or_, select

from grbcore.scenario import GRAPH_SCENARIOS, scenario_of
from grbcore.store.blobs import BlobError, Blobs
from grbcore.store.locks import lock_board
from grbcore.store.session import Sessions
from grbcore.store.tables import Submission

#: Of a file: ``spent``, ``shift`` and ``sketch``, as the validator answers them.
Describe = Callable[[Path], Mapping[str, Any]]


def fill(
    sessions: Sessions,
    blobs: Blobs,
    board_id: str,
    describe: Describe,
    *,
    cache: Path,
    now: Callable[[], datetime],
) -> tuple[int, int]:
    """Describe the attacks of a board of which something is not known; what is known stays.

    How many were described, and how many could not be, since their files can't be read.

    Raises:
        BlobsAway: the blob store does not answer.
    """
    with sessions.reading() as session:
        found = session.execute(
            select(Submission.id, Submission.sha256).where(_lacking(board_id))
        ).all()
    done = 0
    for submission_id, sha256 in found:
        try:
            told = describe(blobs.local(sha256, cache))
        except BlobError:
            continue
        with sessions.writing() as session:
            board = lock_board(session, board_id)
            row = session.get_one(Submission, submission_id, populate_existing=True)
            if row.deleted_at is not None:
                continue
            for name in ("spent", "shift", "sketch"):
                if getattr(row, name) is None:
                    setattr(row, name, told[name])
            board.revision += 1
            board.changed_at = now()
        done += 1
    return done, len(found) - done


def _lacking(board_id: str) -> Any:
    told: tuple[Any, ...] = (Submission.spent, Submission.shift, Submission.sketch)
    if scenario_of(board_id) in GRAPH_SCENARIOS:
        told = (Submission.spent, Submission.sketch)  # a shift is told of one graph only
    return and_(
        Submission.board_id == board_id,
        Submission.side == "attack",
        Submission.validated_at.is_not(None),
        Submission.state.not_in(("received", "validating", "rejected")),
        Submission.deleted_at.is_(None),
        Submission.file_removed_at.is_(None),
        or_(*(column.is_(None) for column in told)),
    )
