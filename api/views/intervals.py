"""How sure scores and ranks are, as a worker has computed it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from sqlalchemy.orm import Session

from api.ranking_schemas import BreaksOut, IntervalOut, IntervalsOut, WorstOut
from api.views.parts import clean_head, shown_name
from grbcore.catalog import Board
from grbcore.intervals import RANK_DRAWS, EntryInterval
from grbcore.leaderboard import Row
from grbcore.metrics import METRICS, Metric
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side
from grbcore.store import charting
from grbcore.store import intervals as kept
from grbcore.store.tables import BoardRow
from grbcore.store.views import View
from grbcore.store.visibility import Viewer


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of one side at one difficulty; ``about`` is None where that is nothing."""

    about: IntervalsOut | None
    found: Mapping[str, EntryInterval]
    groups: Mapping[Metric, Counter[int | None]]

    def interval(self, entry: str, metric: Metric) -> IntervalOut | None:
        """That of an entry by this metric."""
        one = self.found.get(entry)
        if one is None:
            return None
        place = one.places[metric]
        return IntervalOut(
            low=place.low,
            high=place.high,
            ranks=place.ranks,
            first=place.first,
            tie_group=place.group,
            tied=None if place.group is None else self.groups[metric][place.group] - 1,
            repeated=one.repeated,
        )

    def breaks(self, entry: str) -> BreaksOut | None:
        """How many defenses an attack breaks."""
        one = self.found.get(entry)
        if one is None or one.breaks is None:
            return None
        return BreaksOut(broken=one.breaks.broken, of=one.breaks.of)


def known(
    session: Session,
    board: Board,
    row: BoardRow | None,
    *,
    view: View,
    side: Side,
    difficulty: Difficulty,
    viewer: Viewer,
) -> Known:
    """What was computed last; nothing for a ``viewer``, who has another ranking than everybody."""
    stored = kept.stored(session, board.id, view, side, difficulty) if viewer is None else None
    large = stored is not None and not stored.draws
    if stored is None or row is None or not (stored.found or large):
        return Known(None, {}, {})
    found = kept.unpacked(stored)
    groups = {
        metric: Counter(one.places[metric].group for one in found.values()) for metric in METRICS
    }
    about = IntervalsOut(
        revision=stored.revision,
        draws=stored.draws,
        rank_draws=min(stored.draws, RANK_DRAWS),
        too_large=large,
        computed_at=stored.computed_at,
        stale=stored.revision != row.revision,
    )
    return Known(about, found, groups)


def worst_heads(
    session: Session, rows: Iterable[Row], difficulty: Difficulty
) -> dict[str, WorstOut]:
    """Of each of these entries the counterpart that is worst for it."""
    worst = {row.id: row.worst[difficulty] for row in rows if difficulty in row.worst}
    cards = charting.cards(session, set(worst.values()) - {CLEAN})
    names = {one: shown_name(card) for one, card in cards.items()} | {CLEAN: clean_head().name}
    return {entry: WorstOut(id=one, name=names[one]) for entry, one in worst.items()}
