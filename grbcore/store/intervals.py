"""Intervals of scores and ranks: which are due, what they are computed of, what was found.

A board's intervals are due a moment after its last revision.  One worker has the turn to compute
those of a view; what was computed of the same results is taken over.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from grbcore.catalog import Board
from grbcore.intervals import Breaks, EntryInterval, Place
from grbcore.intervals.sampling import GROUPS, SINGLY
from grbcore.leaderboard import Arena
from grbcore.metrics import METRICS
from grbcore.results import CLEAN
from grbcore.scenario import SIDES, Difficulty, Side, choices_of, scenario_of
from grbcore.store.queries import counted, heads
from grbcore.store.tables import BoardRow, CellRow, IntervalRow, IntervalTurn
from grbcore.store.views import VIEWS, View, arena
from grbcore.store.visibility import may_see

#: Raised when the numbers that are computed of the same results change.
VERSION = 1

#: A board whose last revision is so old is not about to get another at once.
SETTLED = timedelta(seconds=5)

#: Nobody else computes the same meanwhile, unless the turn is not renewed; and a failed attempt is
#: not repeated before.
TURN = timedelta(minutes=10)
RESPITE = timedelta(minutes=1)

#: The hits of a view's cells may take so many bytes of memory; of more nothing is computed.
ROOM = 2**30

#: So many draws are made; of more cells than `MANY` fewer.
DRAWS, FEW_DRAWS = 2000, 200
MANY = 6000

_HEAD = 256  # bytes of an array without its content

Pair = tuple[str, str]  # attack or `CLEAN`, and defense


@dataclass(frozen=True, slots=True)
class Plan:
    """What the intervals of a view are computed of: entries, and the blobs of hits between them."""

    revision: int
    protocol: str
    arena: Arena
    hits: Mapping[Pair, str | None]

    @property
    def too_large(self) -> bool:
        """Whether its hits would take more than `ROOM`; then none are read."""
        return memory(self.arena) > ROOM

    @property
    def draws(self) -> int:
        """How many draws are made; 0 of what is too large."""
        if self.too_large:
            return 0
        return DRAWS if len(self.hits) <= MANY else FEW_DRAWS

    def inputs(self, side: Side) -> str:
        """A hash of all that one side's intervals depend on."""
        found = self.arena
        entries = found.defenses if side == "defense" else found.attacks
        others = found.defense_counterparts if side == "defense" else found.attack_counterparts
        used = self.needed(side)
        cells = sorted((*pair, str(digest)) for pair, digest in self.hits.items() if pair in used)
        parts = (VERSION, self.protocol, self.draws, sorted(entries), sorted(others), cells)
        return hashlib.sha256(repr(parts).encode()).hexdigest()

    def needed(self, side: Side) -> set[Pair]:
        """The pairs behind the scores of a side; those of attacks with the ones they break."""
        found = self.arena
        if self.too_large:
            return set()
        if side == "defense":
            attacks, defenses = found.defense_counterparts, found.defenses
        else:
            attacks, defenses = found.attacks, found.attack_counterparts
        return {(attack, defense) for attack in (*attacks, CLEAN) for defense in defenses}


def memory(found: Arena) -> int:
    """The most bytes that the hits of all cells behind the scores of both sides take in memory.

    At each difficulty a cell has a byte for each group of targets and repeat, and an array's head;
    of errors four for each group, or target where these are few.
    """
    rows = (*found.defense_counterparts, CLEAN), (*found.attacks, CLEAN)
    columns = found.defenses, found.attack_counterparts
    cells = sum(len(row) * len(column) for row, column in zip(rows, columns, strict=True))
    both = set(rows[0]) & set(rows[1]), set(columns[0]) & set(columns[1])
    cells -= len(both[0]) * len(both[1])
    each = 4 * max(GROUPS, SINGLY) if found.errors else GROUPS
    return cells * len(found.difficulties) * (found.repeats * each + _HEAD)


def due(session: Session, now: datetime) -> list[tuple[str, View]]:
    """The boards and views whose intervals are older than the board, and may be computed now."""
    query = select(
        IntervalRow.board_id, IntervalRow.view, func.min(IntervalRow.revision), func.count()
    ).group_by(IntervalRow.board_id, IntervalRow.view)
    known = {(row[0], row[1]): (row[2], row[3]) for row in session.execute(query)}
    turns = select(IntervalTurn.board_id, IntervalTurn.view).where(IntervalTurn.until > now)
    taken = {(row[0], row[1]) for row in session.execute(turns)}
    boards = session.scalars(
        select(BoardRow).where(
            BoardRow.protocol.is_not(None),
            BoardRow.changed_at.is_not(None),
            BoardRow.changed_at <= now - SETTLED,
        )
    )
    return [
        (board.id, view)
        for board in boards
        for view in VIEWS
        if known.get((board.id, view)) != (board.revision, _slices(board.id))
        and (board.id, view) not in taken
    ]


def _slices(board_id: str) -> int:
    """How many rows the intervals of a view are."""
    return len(SIDES) * len(choices_of(scenario_of(board_id)))


def take_turn(session: Session, board_id: str, view: View, owner: str, now: datetime) -> bool:
    """Have the turn; False where somebody else has it."""
    query = (
        select(IntervalTurn)
        .where(IntervalTurn.board_id == board_id, IntervalTurn.view == view)
        .with_for_update()
    )
    row = session.scalar(query)
    if row is None:
        session.add(IntervalTurn(board_id=board_id, view=view, owner=owner, until=now + TURN))
        session.flush()  # an IntegrityError if another was quicker
        return True
    if row.until > now:
        return False
    row.owner, row.until = owner, now + TURN
    return True


def renew_turn(session: Session, board_id: str, view: View, owner: str, now: datetime) -> bool:
    """Have the turn for longer; False where it is somebody else's by now."""
    row = session.get(IntervalTurn, (board_id, view), with_for_update=True)
    if row is None or row.owner != owner:
        return False
    row.until = now + TURN
    return True


def end_turn(session: Session, board_id: str, view: View, owner: str, until: datetime) -> None:
    """Let others have the turn from then on."""
    row = session.get(IntervalTurn, (board_id, view))
    if row is not None and row.owner == owner:
        row.until = until


def plan(session: Session, board: Board, view: View, now: datetime) -> Plan | None:
    """What there is to compute of, as everybody sees it; None where there is no data."""
    row = session.get(BoardRow, board.id)
    if row is None or row.protocol is None:
        return None
    seen = [entry for entry in heads(session, board.id) if may_see(entry, None, now)]
    found = arena(seen, board, view=view)
    drawn = Plan(row.revision, row.protocol, found, {})
    if drawn.too_large:
        return drawn
    query = select(CellRow.attack_id, CellRow.defense_id, CellRow.hits_sha256).where(
        counted(board.id, row.protocol)
    )
    wanted = drawn.needed("attack") | drawn.needed("defense")
    hits = {
        pair: digest
        for attack, defense, digest in session.execute(query)
        if (pair := (attack or CLEAN, defense)) in wanted
    }
    return Plan(row.revision, row.protocol, found, hits)


def unchanged(
    session: Session, board_id: str, view: View, side: Side, plan: Plan
) -> Sequence[Difficulty]:
    """The difficulties whose intervals were computed of the same; they hold for the plan too."""
    query = select(IntervalRow).where(
        IntervalRow.board_id == board_id,
        IntervalRow.view == view,
        IntervalRow.side == side,
        IntervalRow.inputs == plan.inputs(side),
    )
    rows = session.scalars(query).all()
    for row in rows:
        row.revision = max(row.revision, plan.revision)
    return [row.difficulty for row in rows]  # type: ignore[misc]


def save(
    session: Session,
    board_id: str,
    view: View,
    side: Side,
    difficulty: Difficulty,
    plan: Plan,
    found: Mapping[str, EntryInterval],
    now: datetime,
) -> None:
    """Keep what was found in place of what there was."""
    row = session.get(IntervalRow, (board_id, view, side, difficulty))
    if row is None:
        row = IntervalRow(board_id=board_id, view=view, side=side, difficulty=difficulty)
        session.add(row)
    row.revision, row.inputs, row.draws = plan.revision, plan.inputs(side), plan.draws
    row.computed_at = now
    row.found = {entry: _packed(one) for entry, one in found.items()}


def stored(
    session: Session, board_id: str, view: View, side: Side, difficulty: Difficulty
) -> IntervalRow | None:
    """What is known of one side at one difficulty."""
    return session.get(IntervalRow, (board_id, view, side, difficulty))


def stamp(session: Session, board_id: str) -> tuple[object, ...]:
    """Changes whenever any interval of a board does."""
    query = select(func.count(), func.sum(IntervalRow.revision), func.max(IntervalRow.computed_at))
    return tuple(session.execute(query.where(IntervalRow.board_id == board_id)).one())


def unpacked(row: IntervalRow) -> dict[str, EntryInterval]:
    """What was found, by entry."""
    found = {}
    for entry, one in row.found.items():
        places = {
            metric: Place(low, high, None if best is None else (best, last), first, group)
            for metric in METRICS
            for low, high, best, last, first, group in (one["places"][metric],)
        }
        broken = one["breaks"]
        found[entry] = EntryInterval(
            places, one["repeated"], None if broken is None else Breaks(*broken)
        )
    return found


def _packed(one: EntryInterval) -> dict[str, object]:
    places = {
        metric: [
            place.low,
            place.high,
            *(place.ranks or (None, None)),
            place.first,
            place.group,
        ]
        for metric, place in one.places.items()
    }
    broken = one.breaks
    return {
        "places": places,
        "repeated": one.repeated,
        "breaks": None if broken is None else [broken.broken, broken.of],
    }
