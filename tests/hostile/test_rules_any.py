"""Any small attack as a file: both stages find exactly the faults that a slow reading finds."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from grbcore import catalog, datasets
from grbcore.catalog.definitions import InjectionAllowance
from grbcore.scenario import DIFFICULTIES
from grbcore.submission import check_content
from tests.grbcore.samples import D, N
from tests.hostile.cases import MODIFICATION, attack, packed

NODES, EDGES = 3, 2  # the budget: so many nodes, so many edges of each
TIGHT = catalog.board("digits/injection@1").model_copy(
    update={
        "injection": dict.fromkeys(
            DIFFICULTIES, InjectionAllowance(nodes=NODES, edges_per_node=EDGES)
        )
    }
)
LOW, HIGH = TIGHT.feature_range

ends = st.sampled_from([0, 1, 2, N - 1, N, N + 1, N + 2, N + 3, -1, 1 << 62, -(1 << 63)])
values = st.sampled_from([0.0, LOW, HIGH, HIGH + 0.1, LOW - 1, np.nan, np.inf, 1e-45, 3e38])


def codes(path: Path, data: bytes, **board: object) -> set[str]:
    path.write_bytes(data)
    dataset = datasets.load("digits")
    found = check_content(path, side="attack", dataset=dataset, **board)  # type: ignore[arg-type]
    return {violation.code for violation in found}


def injection_faults(pairs: list[tuple[int, int]], features: np.ndarray) -> set[str]:
    """One pair and one number at a time; what the headers tell hides the rest."""
    count = len(features)
    at_the_door = {"budget-nodes"} if count > NODES else set()
    if len(pairs) > NODES * EDGES:
        at_the_door.add("budget-degree")
    if at_the_door:
        return at_the_door
    found, seen = set(), set()
    degree: dict[int, int] = {}
    for a, b in pairs:
        if not (0 <= a < N + count and 0 <= b < N + count):
            found.add("node-range")
        elif a < N and b < N:
            found.add("edge-original")
        if a == b:
            found.add("edge-self")
        if frozenset((a, b)) in seen:
            found.add("edge-duplicate")
        seen.add(frozenset((a, b)))
        for end in (a, b):
            if N <= end < N + count:
                degree[end] = degree.get(end, 0) + 1
    if any(edges > EDGES for edges in degree.values()):
        found.add("budget-degree")
    for value in features.ravel().tolist():
        if not np.isfinite(value):
            found.add("finite")
        elif not LOW - 1e-5 <= value <= HIGH + 1e-5:
            found.add("feature-range")
    return found


@given(st.lists(st.tuples(ends, ends), max_size=7), st.lists(values, max_size=4))
def test_an_injection_has_the_faults_that_a_slow_reading_finds(
    tmp_path: Path, pairs: list[tuple[int, int]], firsts: list[float]
) -> None:
    features = np.zeros((len(firsts), D), np.float32)
    features[:, 7] = firsts
    edges = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
    found = codes(tmp_path / "file", packed(attack(edges, features)), board=TIGHT)
    assert found == injection_faults(pairs, features)


TARGETS = frozenset(datasets.load("digits").targets["full"].tolist())
flip_ends = st.sampled_from([*sorted(TARGETS)[:3], *sorted(set(range(N)) - TARGETS)[:3], -1, N])


def flip_faults(pairs: list[tuple[int, int]]) -> set[str]:
    found, seen = set(), set()
    for a, b in pairs:
        if not (0 <= a < N and 0 <= b < N):
            found.add("node-range")
        elif a not in TARGETS and b not in TARGETS:
            found.add("flip-target")
        if a == b:
            found.add("edge-self")
        if frozenset((a, b)) in seen:
            found.add("edge-duplicate")
        seen.add(frozenset((a, b)))
    return found


@given(st.lists(st.tuples(flip_ends, flip_ends), max_size=6))
def test_flips_have_the_faults_that_a_slow_reading_finds(
    tmp_path: Path, pairs: list[tuple[int, int]]
) -> None:
    flips = np.array(pairs, np.int64).reshape(-1, 2).T.copy()
    data = packed({"full/0/flips": flips})
    found = codes(tmp_path / "file", data, board=catalog.board(MODIFICATION))
    assert found == flip_faults(pairs)
