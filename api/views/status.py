"""The state of the service."""

from __future__ import annotations

from datetime import datetime
from typing import cast

from sqlalchemy.orm import Session

from api import schemas, status_schemas
from api.views.parts import shown_name
from grbcore import catalog
from grbcore.needs import Need
from grbcore.store import status as store
from grbcore.store import workers
from grbcore.store.tables import WorkerRow
from grbcore.store.visibility import Viewer, may_see
from grbcore.store.waiting import Place


def status(session: Session, now: datetime, viewer: Viewer = None) -> status_schemas.StatusOut:
    """What the service does at the moment; boards in the order of the catalog.

    Entries are named where the viewer sees them.
    """
    found = store.status(session, now)
    paces = {pace.row.id: pace for pace in found.boards}
    return status_schemas.StatusOut(
        at=now,
        alive=found.alive,
        takers=dict(found.takers),
        workers=[_worker(row, found.at_work.get(row.id), now, viewer) for row in found.workers],
        unserved=[
            status_schemas.UnservedOut(
                need=cast(Need, one.need), cells=one.cells, validations=one.validations
            )
            for one in found.unserved
        ],
        validations=_queue(found.validations, now),
        cells=_queue(found.cells, now),
        failures=[
            status_schemas.FailureOut(
                family=kind.family,
                work=kind.work,
                code=kind.code,
                outcome=kind.outcome,
                count=kind.count,
            )
            for kind in found.failures
        ],
        boards=[
            _board(paces[board.id], board.title)
            for board in catalog.boards().values()
            if board.id in paces
        ],
    )


def place(found: Place | None) -> schemas.PlaceOut | None:
    """A place in the queue on the wire."""
    if found is None:
        return None
    return schemas.PlaceOut(
        position=found.position,
        waiting=found.waiting,
        seconds=found.seconds,
        missing=cast(Need | None, found.missing),
    )


def _worker(
    row: WorkerRow, work: store.AtWork | None, now: datetime, viewer: Viewer
) -> status_schemas.WorkerOut:
    host, pid, unique = row.id.split("/")
    return status_schemas.WorkerOut(
        id=unique,
        host=host.partition(":")[0],
        pid=int(pid),
        state=workers.state(row, now),
        device=row.device,
        takes=row.takes,
        versions=row.versions,
        started_at=row.started_at,
        heartbeat_at=row.heartbeat_at,
        stopped_at=row.stopped_at,
        work=None if work is None else _work(work, may_see(work.submission, viewer, now)),
        avoided=row.avoided,
    )


def _work(work: store.AtWork, seen: bool) -> status_schemas.WorkOut:
    return status_schemas.WorkOut(
        kind=work.kind,
        submission=work.submission.id if seen else None,
        name=shown_name(work.submission) if seen else None,
        board=work.submission.board_id,
        cells=work.cells,
    )


def _queue(queue: store.Queue, now: datetime) -> status_schemas.QueueOut:
    # what failed for a moment is queued for a time to come
    age = None if queue.oldest is None else max(0.0, (now - queue.oldest).total_seconds())
    return status_schemas.QueueOut(
        waiting=queue.waiting,
        oldest_seconds=age,
        running=queue.running,
        done=queue.done,
        stopped=queue.stopped,
    )


def _board(pace: store.BoardPace, title: str) -> status_schemas.BoardPaceOut:
    return status_schemas.BoardPaceOut(
        id=pace.row.id,
        title=title,
        state=cast(schemas.BoardState, pace.row.state),
        need=cast(Need, pace.row.need),
        attacks=pace.counterparts["attack"],
        defenses=pace.counterparts["defense"],
        cell_seconds=pace.cell_seconds,
        attack_wait=pace.expected["attack"],
        defense_wait=pace.expected["defense"],
    )
