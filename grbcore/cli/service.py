"""The state of a service as tables in the terminal."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from rich.table import Table
from rich.text import Text
from sqlalchemy.orm import Session

from grbcore.needs import NEEDS
from grbcore.store import reevaluation
from grbcore.store.status import AtWork, Queue, Status
from grbcore.store.workers import state


def proposals(session: Session) -> list[str]:
    """What an admin is to decide: boards that move to another protocol, each with the commands."""
    waiting = reevaluation.jobs(session, states=("proposed",), limit=100)
    return [
        f"{job.board_id}: its data or rules changed, so newcomers wait: "
        f"grb admin start {job.id}, then grb admin apply {job.id}"
        for job in waiting
    ]


def tables(found: Status) -> Iterator[Table]:
    """Queue, workers, failures and the expected wait; what there is none of is left out."""
    queues = (("validations", found.validations), ("cells", found.cells))
    heads: tuple[str, ...] = (
        "queue",
        "waiting",
        "oldest",
        "running",
        "done in 24 h",
        "for an admin",
    )
    yield _table(heads, [(name, *_queue(queue, found.at)) for name, queue in queues])
    if found.workers:
        heads = ("worker", "state", "works on", "device", "takes", "heard of", "avoids")
        yield _table(
            heads,
            [
                (
                    _name(row.id),
                    state(row, found.at),
                    _work(found.at_work.get(row.id)),
                    row.device,
                    "all" if {*NEEDS} <= {*row.takes} else ", ".join(row.takes),
                    f"{span((found.at - row.heartbeat_at).total_seconds())} ago",
                    "; ".join(f"{board}: {why}" for board, why in row.avoided.items()) or "–",
                )
                for row in found.workers
            ],
        )
    if found.unserved:
        yield _table(
            ("no living worker takes", "waiting validations", "cells"),
            [(one.need, str(one.validations), str(one.cells)) for one in found.unserved],
        )
    if found.failures:
        yield _table(
            ("failures in 24 h: fault of", "work", "code", "outcome", "count"),
            [
                (kind.family, kind.work, kind.code, kind.outcome, str(kind.count))
                for kind in found.failures
            ],
        )
    boards = [board for board in found.boards if board.row.state != "no-data"]
    if boards:
        yield _table(
            ("board", "state", "needs", "median cell", "wait of an attack", "of a defense"),
            [
                (
                    board.row.id,
                    board.row.state,
                    board.row.need,
                    "–" if board.cell_seconds is None else f"{board.cell_seconds:.2f} s",
                    span(board.expected["attack"]),
                    span(board.expected["defense"]),
                )
                for board in boards
            ],
        )


def _table(heads: tuple[str, ...], rows: list[tuple[str, ...]]) -> Table:
    table = Table(box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold", no_wrap=head not in ("takes", "avoids"))
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def _name(owner: str) -> str:
    host, pid, _ = owner.split("/")
    return f"{host.partition(':')[0]} {pid}"


def _queue(queue: Queue, at: datetime) -> tuple[str, ...]:
    age = None if queue.oldest is None else max(0.0, (at - queue.oldest).total_seconds())
    counts = (queue.running, queue.done, queue.stopped)
    return (str(queue.waiting), span(age), *map(str, counts))


def _work(work: AtWork | None) -> str:
    if work is None:
        return "–"
    what = "validation of" if work.kind == "validation" else f"{work.cells} cell(s) of"
    return f"{what} {work.submission.id}"


def span(seconds: float | None) -> str:
    """A time in the largest unit that tells enough."""
    if seconds is None:
        return "–"
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
