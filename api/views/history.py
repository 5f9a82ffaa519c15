"""What a board's results were before, for everybody."""

from __future__ import annotations

from typing import Literal, cast

from sqlalchemy.orm import Session

from api import history_schemas, schemas
from api.views.parts import accuracies
from grbcore.store import history
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, Reevaluation


def board_history(
    session: Session, board_id: str, row: BoardRow | None, *, before: str | None, limit: int
) -> history_schemas.HistoryOut:
    """The re-evaluations that changed a board, and the one that newcomers wait for.

    Of their cells, those count that everybody sees, or saw when they were applied.
    """
    found = history.applied(session, board_id, before=before, limit=limit + 1)
    rows = found[:limit]
    coming = None if row is None else history.coming(session, row)
    return history_schemas.HistoryOut(
        board=board_id,
        coming=None if coming is None else _coming(session, coming),
        applied=[_applied(job) for job in rows],
        next=rows[-1].id if len(found) > limit else None,
    )


def _applied(job: Reevaluation) -> history_schemas.AppliedOut:
    assert job.decided_at is not None and job.outcome is not None
    public = job.outcome.get("public", {})  # there were only public ones before
    return history_schemas.AppliedOut(
        id=job.id,
        at=job.decided_at,
        reason=job.reason,
        protocol=job.protocol,
        cells=public.get("cells", job.cells),
        changed=public.get("changed", job.outcome["changed"]),
        ranks=job.outcome["ranks"],
    )


def _coming(session: Session, job: Reevaluation) -> history_schemas.ComingOut:
    cells, finished = history.reached(session, job, now())
    return history_schemas.ComingOut(
        id=job.id,
        state=cast(Literal["proposed", "running", "ready"], job.state),
        reason=job.reason,
        protocol=job.protocol,
        cells=cells,
        finished=finished,
        since=job.created_at,
    )


def earlier(found: tuple[history.Earlier, ...]) -> list[schemas.EarlierResult]:
    """What a pair's results were, newest first."""
    return [
        schemas.EarlierResult(
            id=one.cell.id,
            state=cast(schemas.CellState, one.cell.state),
            protocol=one.cell.protocol,
            evaluator_version=one.cell.evaluator_version,
            finished_at=one.cell.finished_at,
            replaced_at=one.until,
            accuracy=accuracies([one.cell])[0],
        )
        for one in found
    ]
