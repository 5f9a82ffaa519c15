"""Official scores: nothing that anybody submits, copies or withdraws moves them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from hypothesis import given
from hypothesis import strategies as st

from grbcore import catalog
from grbcore.leaderboard import rank
from grbcore.results import CLEAN, Cell
from grbcore.scenario import SIDES, Side
from grbcore.store.tables import Submission
from grbcore.store.views import arena

MOMENT = datetime(2026, 1, 1, tzinfo=UTC)
TARGETS = 20
ONCE = catalog.board("digits/injection").model_copy(update={"repeats": 1})


@dataclass(frozen=True)
class Act:
    """What somebody does: a submission of random strength, a copy of an entry, or a withdrawal."""

    kind: str
    side: Side
    which: int
    counts: tuple[int, ...]  # of its cells


ACTS = st.builds(
    Act,
    st.sampled_from(["add", "copy", "withdraw"]),
    st.sampled_from(SIDES),
    st.integers(0, 99),
    st.lists(st.integers(0, TARGETS), min_size=40, max_size=40).map(tuple),
)


def entry(name: str, side: Side, *, reference: bool) -> Submission:
    return Submission(id=name, side=side, is_reference=reference, registered_at=MOMENT)


class Board:
    """Entries and their cells, without a database."""

    def __init__(self, counts: list[int]) -> None:
        given = iter(counts)
        self.entries = [
            entry(f"{side}{n}", side, reference=n < 3) for side in SIDES for n in range(4)
        ]
        self.cells: dict[tuple[str, str], int] = {}
        for defense in self._of("defense"):
            for attack in (CLEAN, *self._of("attack")):
                self.cells[attack, defense] = next(given)

    def _of(self, side: Side) -> list[str]:
        return [one.id for one in self.entries if one.side == side]

    def official(self) -> dict[str, list[tuple[str, float]]]:
        """The order and the scores of each side, in the reference view."""
        found = arena(self.entries, ONCE, view="reference")
        cells = [
            Cell(attack, defense, {"full": (count,)}, {"full": TARGETS})
            for (attack, defense), count in self.cells.items()
        ]
        return {
            side: [
                (row.id, row.metrics["full"].weighted.mean)
                for row in rank(found, cells, side).rows
                if row.id != CLEAN
            ]
            for side in SIDES
        }

    def do(self, act: Act) -> None:
        mine = [one for one in self.entries if one.side == act.side]
        chosen = mine[act.which % len(mine)]
        if act.kind == "withdraw":
            if not chosen.is_reference:  # the database refuses to have a reference withdrawn
                chosen.withdrawn_at = MOMENT
            return
        name = f"{act.side} {act.kind} {len(self.entries)}"
        others = self._of("attack" if act.side == "defense" else "defense")
        others += [CLEAN] if act.side == "defense" else []
        self.entries.append(entry(name, act.side, reference=False))
        for place, other in enumerate(others):
            pair, of = ((other, name), (other, chosen.id)) if act.side == "defense" else (
                (name, other), (chosen.id, other)
            )  # fmt: skip
            self.cells[pair] = self.cells[of] if act.kind == "copy" else act.counts[place % 40]


@given(st.lists(st.integers(0, TARGETS), min_size=20, max_size=20), st.lists(ACTS, max_size=12))
def test_no_submission_copy_or_withdrawal_moves_anybody_else_s_official_score(
    counts: list[int], acts: list[Act]
) -> None:
    """Who is there before and after keeps the score, and so the order among themselves."""
    board = Board(counts)
    before = board.official()
    for act in acts:
        board.do(act)
    after = board.official()
    for side in SIDES:
        there = {name for name, _ in before[side]} & {name for name, _ in after[side]}
        old, new = ([one for one in found[side] if one[0] in there] for found in (before, after))
        assert old == new


def test_a_new_reference_would_move_them() -> None:
    """Else the test above would hold whatever counts."""
    board = Board([10] * 20)
    before = board.official()["defense"]
    board.do(replace(Act("add", "attack", 0, (0,) * 40)))
    board.entries[-1].is_reference = True
    assert board.official()["defense"] != before
