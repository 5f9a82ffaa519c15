"""``python -m worker.interval_job``: the intervals of one view of a board, in a process of its own.

It is told on standard input what to do, gives way to everything else on the machine, and ends with
the process that started it.
"""

from __future__ import annotations

import json
import logging
import os
import sys
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor

from grbcore import catalog, seeds
from grbcore.intervals import Counts, EntryInterval, sample, standing
from grbcore.intervals.hits import Kept, keep
from grbcore.results import CLEAN
from grbcore.scenario import SIDES, Difficulty, Side, parts_of
from grbcore.store import intervals
from grbcore.store.blobs import BlobError, Blobs, BlobsAway
from grbcore.store.intervals import Pair, Plan
from grbcore.store.session import Sessions, connect, now
from grbcore.store.views import View

log = logging.getLogger(__name__)

#: Others come first, by so much.
NICE = 5

#: At most so many slices are computed side by side.
_THREADS = 2

#: The hits of cells by difficulty.
Loaded = Mapping[Pair, Mapping[Difficulty, Kept]]


class Orphaned(Exception):
    """The process that asked for this is gone."""


def main() -> None:
    """Do what standard input says: ``{"database_url", "blob_url", "board", "view"}``."""
    os.nice(NICE)
    asked = json.load(sys.stdin)
    parent = os.getppid()

    def pause() -> None:
        if os.getppid() != parent:
            raise Orphaned

    engine = connect(asked["database_url"])
    try:
        blobs = Blobs(asked["blob_url"])
        compute(Sessions(engine), blobs, asked["board"], asked["view"], pause=pause)
    finally:
        engine.dispose()


def compute(
    sessions: Sessions,
    blobs: Blobs,
    board_id: str,
    view: View,
    *,
    pause: Callable[[], None] = lambda: None,
) -> None:
    """Compute and keep the intervals of a view that are not those of the board's results yet.

    ``pause`` is called again and again, and may raise.

    Raises:
        BlobsAway: the blob store does not answer.
    """
    board = catalog.board(board_id)
    with sessions.reading() as session:
        plan = intervals.plan(session, board, view, now())
    if plan is None:
        return
    wanted: list[tuple[Side, Difficulty]] = []
    for side in SIDES:
        with sessions.writing() as session:
            known = intervals.unchanged(session, board_id, view, side, plan)
        wanted += [(side, difficulty) for difficulty in board.choices if difficulty not in known]
    needed: set[Pair] = set()
    for side in {side for side, _ in wanted}:
        needed |= plan.needed(side)
    loaded = load(blobs, plan, needed, pause)

    def one(chosen: tuple[Side, Difficulty]) -> None:
        side, difficulty = chosen
        found = measure(plan, loaded, side, difficulty, pause)
        with sessions.writing() as session:
            intervals.save(session, board_id, view, side, difficulty, plan, found, now())

    with ThreadPoolExecutor(min(_THREADS, os.cpu_count() or 1)) as threads:
        list(threads.map(one, wanted))


def load(blobs: Blobs, plan: Plan, needed: set[Pair], pause: Callable[[], None]) -> Loaded:
    """The hits of these cells; those that were not kept, or can't be read, are left out.

    Raises:
        BlobsAway: the blob store does not answer.
    """
    found: dict[Pair, Mapping[Difficulty, Kept]] = {}
    missing = 0
    for pair in needed & plan.hits.keys():
        pause()
        digest = plan.hits[pair]
        try:
            if digest is None:
                raise ValueError("hits: found none")
            found[pair] = keep(blobs.read(digest), errors=plan.arena.errors)
        except BlobsAway:
            raise
        except (BlobError, ValueError):
            missing += 1
    if missing:
        log.warning("the hits of %d cells can't be read, so some intervals are missing", missing)
    return found


def measure(
    plan: Plan,
    loaded: Loaded,
    side: Side,
    difficulty: Difficulty,
    pause: Callable[[], None] = lambda: None,
) -> dict[str, EntryInterval]:
    """The intervals of one side at one difficulty, of the entries that have a score there."""
    arena, parts = plan.arena, parts_of(difficulty)
    at = {
        pair: [hits[part] for part in parts]
        for pair, hits in loaded.items()
        if all(part in hits for part in parts)
    }
    if not at:
        return {}
    targets = next(iter(at.values()))[0].targets
    at = {pair: of for pair, of in at.items() if all(one.targets == targets for one in of)}
    sampling = sample(
        seeds.generator(plan.protocol, "intervals", difficulty),
        targets=targets,
        repeats=arena.repeats,
        draws=plan.draws,
    )
    if side == "defense":
        # an attack has a difficulty in all of its cells or in none
        carrying = {attack for attack, _ in at}
        attacks = [name for name in arena.defense_counterparts if name in carrying]
        pairs = {name: [(one, name) for one in (*attacks, CLEAN)] for name in arena.defenses}
        entries: tuple[str, ...] = arena.defenses
    else:
        defenses = arena.attack_counterparts
        entries = (*arena.attacks, CLEAN)
        pairs = {name: [(name, one) for one in defenses] for name in entries}

    def rows(entry: str) -> list[list[Counts]]:
        found = [at[pair] for pair in pairs[entry] if pair in at]
        if not found or len(found) != len(pairs[entry]):
            return []
        return [[one[part].counts for one in found] for part in range(len(parts))]

    return standing(
        entries,
        rows,
        sampling,
        side,
        clean=rows(CLEAN) if side == "attack" else [],
        errors=arena.errors,
        pause=pause,
    )


if __name__ == "__main__":
    logging.basicConfig(level=logging.WARNING)
    main()
