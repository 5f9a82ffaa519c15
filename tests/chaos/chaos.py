"""Misfortunes, one after another, while entries are handed in."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

import psutil
from sqlalchemy import select

from grbcore.store.queue import MAX_VALIDATIONS
from grbcore.store.recovery import requeue, revalidate
from grbcore.store.session import now
from grbcore.store.tables import CellRow, Submission
from tests.chaos.entries import Entries
from tests.chaos.fleet import Fleet

#: A worker that was killed is started again after at most so many seconds.
AWAY = 3.0


@dataclass(slots=True)
class Chaos:
    """Draws misfortunes from ``seed`` and undoes those that need it after a while.

    A worker is frozen for ``frozen_seconds``, longer than its lease and the reaper's pause.
    """

    entries: Entries
    fleet: Fleet
    frozen_seconds: float
    seed: int
    happened: Counter[str] = field(default_factory=Counter)
    _rng: random.Random = field(init=False)
    _due: list[tuple[float, Callable[[], None]]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._rng = random.Random(self.seed)

    def run(self, misfortunes: dict[Callable[[], None], int], pause: float) -> None:
        """Let each happen so often, in a random order, about ``pause`` seconds apart."""
        order = [one for one, count in misfortunes.items() for _ in range(count)]
        self._rng.shuffle(order)
        for left, misfortune in zip(range(len(order), 0, -1), order, strict=True):
            self.entries.hand_in(-(-len(self.entries.waiting) // left))
            self._rest(self._rng.uniform(0.3, 2 * pause))
            misfortune()
            self.happened[misfortune.__name__] += 1
        while self._due:
            self._rest(0.2)

    def kill_worker(self) -> None:
        number = self._worker_at_work()
        self.fleet.kill(number)
        self._later(self._rng.uniform(0, AWAY), lambda: self.fleet.start(number))

    def kill_evaluator(self) -> None:
        """Of a cell that has ended none so far: after the second it would be put aside."""
        number = self._worker_at_work(spare=True)
        children = self.fleet.children(number)
        if children:
            try:
                self._rng.choice(children).kill()
            except psutil.NoSuchProcess:
                return

    def freeze_worker(self) -> None:
        number = self._worker_at_work()
        self.fleet.freeze(number)
        self._later(self.frozen_seconds, lambda: self.fleet.thaw(number))

    def settle(self, seconds: float) -> int:
        """Wait until everything is ranked, requeueing as an operator does; how much that was."""
        until, helped = time.monotonic() + seconds, 0
        while not self.entries.all_ranked():
            found = f"found {dict(self.entries.states())} after {seconds:g} s"
            assert time.monotonic() < until, found
            helped += self._help()
            self._rest(0.3)
        return helped

    def _help(self) -> int:
        """Give back the attempts of what was put aside by too many misfortunes."""
        with self.entries.sessions.writing() as session:
            dead = session.scalars(select(CellRow.id).where(CellRow.state == "dead")).all()
            stopped = session.scalars(
                select(Submission.id).where(
                    Submission.state == "received", Submission.attempts >= MAX_VALIDATIONS
                )
            ).all()
            done = [requeue(session, cell, now()) for cell in dead]
            done += [revalidate(session, submission) for submission in stopped]
            return sum(done)

    def _worker_at_work(self, *, spare: bool = False) -> int:
        """A worker that computes a cell now; any, where none does for a while."""
        until = time.monotonic() + 5
        while time.monotonic() < until:
            pids = {str(pid): number for number, pid in self.fleet.able().items()}
            with self.entries.sessions.reading() as session:
                begun = select(CellRow.lease_owner).where(
                    CellRow.state == "running", CellRow.started_at.is_not(None)
                )
                if spare:
                    begun = begun.where(CellRow.infra_failures == 0)
                owners = {str(owner).split("/")[1] for owner in session.scalars(begun)}
            if found := sorted(pids[pid] for pid in owners & pids.keys()):
                return self._rng.choice(found)
            self._rest(0.05)
        while not self.fleet.able():
            self._rest(0.1)
        return self._rng.choice(sorted(self.fleet.able()))

    def _later(self, seconds: float, act: Callable[[], None]) -> None:
        self._due.append((time.monotonic() + seconds, act))

    def _rest(self, seconds: float) -> None:
        """Wait, and undo meanwhile what is due."""
        until = time.monotonic() + seconds
        while True:
            moment = time.monotonic()
            for item in [item for item in self._due if item[0] <= moment]:
                self._due.remove(item)
                item[1]()
            if moment >= until:
                return
            time.sleep(0.05)
