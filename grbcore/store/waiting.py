"""Who waits for which turn, and for how long: pure computation over what the queue holds.

A time is expected from the median of measured seconds per cell of a board.  It supposes that the
work in front is shared evenly among the workers that take it, and that one newcomer's cells are
computed by one worker, one after another; loading and checking come on top.  Work that no worker of
the board takes is not in front.  Where nothing was measured, or no living worker takes the board's
need, nothing is expected.  New work in front of other users counts for as many turns as one's own
takes.  That one's own makes way to who comes later is not counted on, so the time of long work is
rather too short where others wait.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from math import ceil

from grbcore.needs import NEEDS
from grbcore.scenario import Side
from grbcore.store.queue import NEW
from grbcore.store.turns import TURN


@dataclass(frozen=True, slots=True)
class Waiter:
    """A submission that is not through: it waits for its validation, or its cells are open."""

    submission_id: str
    board_id: str
    side: Side
    user_id: str
    served_at: datetime | None  # when this user's turn came last
    since: datetime
    validated: bool
    leased: bool  # a worker is at it
    waiting: int  # queued cells, or those that it will have once it is valid
    running: int = 0  # leased cells
    priority: int = NEW  # lower first

    @property
    def cells(self) -> int:
        return self.waiting + self.running

    def makes_way(self, other: Waiter) -> bool:
        """Whether the other comes first once this one's turn is over: both new, of two users."""
        return self.priority == other.priority == NEW and self.user_id != other.user_id


@dataclass(frozen=True, slots=True)
class Place:
    """Where a submission stands: position 1 is next, None is at work."""

    position: int | None
    waiting: int  # how many stand in the same line
    seconds: float | None  # expected until it is ranked
    missing: str | None = None  # the need that no living worker takes


@dataclass(frozen=True, slots=True)
class Pace:
    """How fast cells are computed, what each living worker takes, and what boards need."""

    cell_seconds: Mapping[str, float]  # board -> median
    takes: Sequence[Collection[str]]  # one for each worker
    needs: Mapping[str, str]  # by board; the smallest where it is not known

    def need(self, board_id: str) -> str:
        """Which workers a board needs."""
        return self.needs.get(board_id, NEEDS[0])

    def workers(self, board_id: str) -> int:
        """How many workers take this board."""
        return sum(self.need(board_id) in taken for taken in self.takes)

    def compete(self, one: str, other: str) -> bool:
        """Whether two boards are in each other's way, as they need the same or one worker both."""
        both = {self.need(one), self.need(other)}
        return len(both) == 1 or any(both <= {*taken} for taken in self.takes)

    def seconds(self, board_id: str, cells: int) -> float | None:
        """What so many cells of a board take on one worker."""
        if cells == 0:
            return 0.0
        median = self.cell_seconds.get(board_id)
        return None if median is None else median * cells

    def expected(self, ahead: Iterable[Waiter], mine: Waiter) -> float | None:
        """Seconds until this one is done that stands behind ``ahead``."""
        board_id = mine.board_id
        own = self.seconds(board_id, mine.cells)
        if own is None or self.workers(board_id) == 0 or board_id not in self.cell_seconds:
            return None
        total, turns = own, max(1, ceil(own / TURN)) + (not mine.validated)
        theirs: dict[str, list[float]] = {}  # of each user who makes way: all, and the longest turn
        for waiter in ahead:
            if self.compete(waiter.board_id, board_id):
                seconds = self.seconds(waiter.board_id, waiter.cells)
                if seconds is None:
                    return None
                workers = self.workers(waiter.board_id)
                if waiter.makes_way(mine):
                    user = theirs.setdefault(waiter.user_id, [0.0, 0.0])
                    user[0] += seconds / workers
                    turn = TURN + self.cell_seconds.get(waiter.board_id, 0.0)
                    user[1] = max(user[1], turn / workers)
                else:
                    total += seconds / workers
        return total + sum(min(whole, turns * longest) for whole, longest in theirs.values())


def cells_of_newcomer(side: Side, counterparts: Mapping[Side, int]) -> int:
    """How many cells a newcomer needs: one per counterpart, and a defense the clean one."""
    if side == "defense":
        return counterparts.get("attack", 0) + 1
    return counterparts.get("defense", 0)


def in_turn(waiters: Iterable[Waiter]) -> list[Waiter]:
    """The order in which the queue is served: urgent first, then users in turns, oldest first.

    The order of users is that of `queue.claim_cells`: never served before served longest ago.
    """
    rounds: dict[tuple[int, str], int] = {}
    keyed = []
    for waiter in sorted(waiters, key=lambda one: (one.since, one.submission_id)):
        mine = (waiter.priority, waiter.user_id)
        rounds[mine] = rounds.get(mine, 0) + 1
        served = (waiter.served_at is not None, waiter.served_at or waiter.since)
        key = (waiter.priority, rounds[mine], *served, waiter.since, waiter.submission_id)
        keyed.append((key, waiter))
    return [waiter for _, waiter in sorted(keyed, key=lambda pair: pair[0])]


def place(submission_id: str, waiters: Sequence[Waiter], pace: Pace) -> Place | None:
    """Where this submission stands; None where it waits for nothing."""
    return places([submission_id], waiters, pace).get(submission_id)


def places(
    submission_ids: Iterable[str], waiters: Sequence[Waiter], pace: Pace
) -> dict[str, Place]:
    """Where each of these submissions stands; one that waits for nothing is left out."""
    known = {one.submission_id: one for one in waiters}
    return {one: _place(known[one], waiters, pace) for one in submission_ids if one in known}


def _place(mine: Waiter, waiters: Sequence[Waiter], pace: Pace) -> Place:
    waiters = [one for one in waiters if pace.compete(one.board_id, mine.board_id)]
    line = in_turn(one for one in waiters if one.validated == mine.validated and not one.leased)
    at_work = [one for one in waiters if one.leased and one != mine]
    missing = None if pace.workers(mine.board_id) else pace.need(mine.board_id)
    if mine.leased:
        seconds = pace.expected([], mine)
        return Place(None, len(line), seconds, missing)
    before = line[: line.index(mine)]
    # before a validation also come the cells of those that are valid already
    valid = [] if mine.validated else [one for one in waiters if one.validated and not one.leased]
    seconds = pace.expected([*at_work, *valid, *before], mine)
    return Place(len(before) + 1, len(line), seconds, missing)
