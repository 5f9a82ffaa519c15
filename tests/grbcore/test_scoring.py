"""From predictions to counts and hits."""

from __future__ import annotations

import json
import subprocess
import sys

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore.scenario import BUDGETS, DIFFICULTIES
from grbcore.scoring import not_finite, pack, score
from tests.grbcore.engine import TOY


def right(difficulty: str) -> np.ndarray:
    return TOY.labels[TOY.targets[difficulty]].astype(np.int16)


def unpack(packed: bytes) -> dict[str, np.ndarray]:
    """Packed hits, read as `pack` describes them, bit by bit."""
    length = int.from_bytes(packed[:4], "little")
    shapes, bits = json.loads(packed[4 : 4 + length]), packed[4 + length :]
    hits = {}
    for name, (repeats, targets) in shapes.items():
        width = -(-targets // 8)
        rows = [bits[repeat * width : (repeat + 1) * width] for repeat in range(repeats)]
        bits = bits[repeats * width :]
        hits[name] = np.array(
            [[bool(row[t // 8] & 0x80 >> t % 8) for t in range(targets)] for row in rows]
        )
    assert bits == b""
    return hits


def test_counts_are_of_correct_predictions_per_repeat() -> None:
    """All right; then the first two wrong."""
    wrong = right("full")
    wrong[:2] = (wrong[:2] + 1) % TOY.classes
    targets = TOY.targets["full"].shape[0]
    correct, total, _ = score({"full": [right("full"), wrong]}, TOY)
    assert correct == {"full": (targets, targets - 2)}
    assert total == {"full": targets}


def test_logits_that_are_not_finite_are_misses_and_are_counted() -> None:
    found = right("easy")
    found[0] = -1
    correct, total, _ = score({"easy": [found]}, TOY)
    assert correct["easy"] == (total["easy"] - 1,)
    assert not_finite({"easy": [found, right("easy")]}) == {"easy": (1, 0)}


def test_difficulties_come_in_their_order_whatever_they_came_in() -> None:
    correct, _, _ = score({name: [right(name)] for name in reversed(DIFFICULTIES)}, TOY)
    assert tuple(correct) == DIFFICULTIES


def test_predictions_that_do_not_fit_the_targets_are_refused() -> None:
    with pytest.raises(ValueError, match=r"full/1: found predictions of shape \(3,\)"):
        score({"full": [right("full"), np.zeros(3, np.int16)]}, TOY)


@given(
    st.dictionaries(
        st.sampled_from(DIFFICULTIES + BUDGETS),
        st.tuples(st.integers(1, 4), st.integers(0, 40)),
        min_size=1,
    ),
    st.integers(0, 9),
)
def test_packed_hits_unpack_to_what_they_were(shapes, seed: int) -> None:
    rng = np.random.default_rng(seed)
    hits = {name: rng.random(shape) < 0.5 for name, shape in shapes.items()}
    found = unpack(pack(hits))
    assert found.keys() == hits.keys()
    for name in hits:
        np.testing.assert_array_equal(found[name], hits[name])


def test_packed_hits_are_laid_out_as_described() -> None:
    """Nine hits of which the first and the last are true: bytes 0b10000000, 0b10000000."""
    hits = np.zeros((1, 9), bool)
    hits[0, [0, 8]] = True
    header = b'{"full": [1, 9]}'
    assert pack({"full": hits}) == len(header).to_bytes(4, "little") + header + b"\x80\x80"


def test_scores_hits_are_those_of_the_predictions() -> None:
    found = right("hard")
    found[1] = -1
    hits = unpack(score({"hard": [found]}, TOY)[2])["hard"]
    assert hits.shape == (1, found.shape[0])
    assert np.flatnonzero(~hits[0]).tolist() == [1]


def test_scoring_needs_no_torch() -> None:
    """The supervisor scores, and never imports torch."""
    code = "import sys, grbcore.scoring; sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
