"""How long the steps of a re-evaluation of a whole board take: a million cells computed once more.

    python tests/services.py python benchmarks/large_reevaluation.py [--entries 1000] [--sqlite]
        [--kept DATABASE]

Of a board with 1,000 entries on a side every cell is queued in the shadow, finished by one
statement as if workers had done it (every tenth with another result), previewed and applied.  For
each step the time of the clock, the processor's in this process, and the most memory so far.
``--kept`` is the name of a Postgres database that was filled before; it is copied first.
"""

from __future__ import annotations

import argparse
import contextlib
import resource
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import create_engine, text

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.service_load import database
from benchmarks.workloads.board import BOARD, fill
from grbcore import catalog
from grbcore.store import application, previews, reevaluation
from grbcore.store.migrate import upgrade
from grbcore.store.selection import Selection
from grbcore.store.session import Sessions, connect, now
from grbcore.store.tables import BoardRow, Reevaluation
from tests.store.databases import SERVER

#: Shadow cells get the results of the cells that they were made of; some get those of another.
FINISH = """
UPDATE cells SET state = 'done', finished_at = :now, correct = old.correct, total = old.total,
    counts = old.counts, not_finite = old.not_finite, hits_sha256 = old.hits_sha256,
    evaluator_version = old.evaluator_version, device = old.device, seconds = old.seconds,
    versions = old.versions
FROM (SELECT * FROM cells WHERE place = 'current') AS old
WHERE cells.place = 'shadow' AND cells.defense_id = old.defense_id
    AND coalesce(cells.attack_id, '') = coalesce(old.attack_id, '')
"""
OTHERS = """
UPDATE cells SET correct = :correct, total = :total, counts = :counts
WHERE place = 'shadow' AND attack_id IN (SELECT id FROM submissions WHERE name LIKE '%7')
"""


@contextlib.contextmanager
def step(what: str) -> Iterator[None]:
    begun, busy = time.perf_counter(), time.process_time()
    yield
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024**2
    print(
        f"  {what:<22}{time.perf_counter() - begun:8.2f} s {time.process_time() - busy:8.2f} CPU-s"
        f" {most:8.2f} GiB",
        flush=True,
    )


@contextlib.contextmanager
def copied(name: str) -> Iterator[str]:
    """A copy of a Postgres database, which is dropped at the end."""
    server = create_engine(SERVER, isolation_level="AUTOCOMMIT")
    copy = f"{name}_copy"
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE IF EXISTS {copy} WITH (FORCE)"))
        connection.execute(text(f"CREATE DATABASE {copy} TEMPLATE {name}"))
    try:
        yield SERVER.rpartition("/")[0] + f"/{copy}"
    finally:
        with server.connect() as connection:
            connection.execute(text(f"DROP DATABASE {copy} WITH (FORCE)"))
        server.dispose()


def finish(sessions: Sessions) -> None:
    """Every shadow cell done."""
    with sessions.writing() as session:
        like = text("SELECT correct, total, counts FROM cells WHERE attack_id IS NOT NULL LIMIT 1")
        row = session.execute(like).one()
        session.execute(text(FINISH), {"now": now().replace(tzinfo=None)})
        other = {"counts": row.counts}
        if session.get_bind().dialect.name == "sqlite":
            other |= {"correct": row.correct, "total": row.total}
            session.execute(text(OTHERS), other)
        else:
            import json

            other |= {"correct": json.dumps(row.correct), "total": json.dumps(row.total)}
            casts = OTHERS.replace(":correct", "CAST(:correct AS json)")
            session.execute(text(casts.replace(":total", "CAST(:total AS json)")), other)
        session.execute(
            text(
                "UPDATE reevaluations SET state = 'ready', ready_at = queued_at.at FROM "
                "(SELECT created_at AS at FROM reevaluations) AS queued_at"
            )
        )
    with sessions.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        connection.execute(text("ANALYZE"))


def run(url: str) -> None:
    upgrade(url)
    sessions = Sessions(connect(url))
    board, everything = catalog.board(BOARD), Selection()
    with step("plan"), sessions.reading() as session:
        planned = reevaluation.plan(session, BOARD, everything, now())
    with step(f"queue {planned.cells}"), sessions.writing() as session:
        job = reevaluation.create(
            session, BOARD, everything, reason="x", author_id=None, via="cli", now=now()
        ).id
    finish(sessions)
    for view in ("reference", "all"):
        with step(f"preview, {view}"), sessions.reading() as session:
            row = session.get_one(Reevaluation, job)
            found = previews.preview(session, board, row, view=view, difficulty="full")
    with step("apply"), sessions.writing() as session:
        revision = session.get_one(BoardRow, BOARD).revision
        application.apply(
            session, board, job, revision=revision, user_id=None, via="cli", now=now()
        )
    print(f"  {found.changed} results and {found.moved} ranks changed")
    sessions.engine.dispose()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--entries", type=int, default=1000)
    parser.add_argument("--sqlite", action="store_true")
    parser.add_argument("--kept")
    asked = parser.parse_args()
    if asked.kept:
        with copied(asked.kept) as url:
            run(url)
        return
    with tempfile.TemporaryDirectory() as folder, database(Path(folder), asked.sqlite) as url:
        fill(url, asked.entries, asked.entries)
        run(url)


if __name__ == "__main__":
    main()
