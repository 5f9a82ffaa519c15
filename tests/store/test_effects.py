"""Who waits under a new protocol: as few entries as will do, the worst first."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from grbcore.columns import Columns, pack
from grbcore.results import CLEAN
from grbcore.scenario import DIFFICULTIES
from grbcore.store.effects import lacking

COUNTS = pack({"full": (1,)}, {"full": 2})


def one_by_one(pairs: set[tuple[str, str]], entries: set[str]) -> set[str]:
    """The entry with the most missing pairs goes, of several the last by name, until none is."""
    gone: set[str] = set()
    while left := {pair for pair in pairs if not gone & {*pair}}:
        worst = max(entries - gone, key=lambda name: (sum(name in pair for pair in left), name))
        gone.add(worst)
    return gone


@given(st.integers(0, 10**6), st.integers(0, 6), st.integers(0, 6))
@settings(max_examples=200, deadline=None)
def test_the_worst_goes_until_no_pair_is_missing(seed: int, attacks: int, defenses: int) -> None:
    rng = random.Random(seed)
    rows, columns = [f"a{n}" for n in range(attacks)], [f"d{n}" for n in range(defenses)]
    cells = Columns(rows, columns, 1, DIFFICULTIES)
    missing = set()
    entries = {name for name in (*rows, *columns) if rng.random() < 0.9}
    share = rng.random()
    for attack in (CLEAN, *rows):
        for defense in columns:
            if rng.random() < share:
                cells.add([attack], [defense], COUNTS)
            elif {attack, defense} <= {*entries, CLEAN}:
                missing.add((attack, defense))
    assert lacking(cells, entries) == one_by_one(missing, entries)
