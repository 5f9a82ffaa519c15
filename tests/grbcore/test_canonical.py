"""The canonical hash: equal for equal content, whatever its order, and for nothing else."""

from __future__ import annotations

import itertools
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore import datasets
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.perturbation import Injection, Modification
from grbcore.submission import canonical_hash, read_defense_metadata
from grbcore.submission.canonical import attack_hash, defense_hash
from grbcore.tensors import read_tensors
from grbcore.validator import answer
from tests.grbcore.samples import METADATA, N, defense, injection, weights
from tests.hostile.cases import attack, packed

NODES = 4  # original nodes of the small graphs here


def turned(given: Injection, nodes: int, rng: random.Random) -> Injection:
    """The same injection: nodes renamed, edges in another order and direction."""
    order = list(range(given.nodes))
    rng.shuffle(order)
    name = {nodes + old: nodes + new for new, old in enumerate(order)}
    pairs = [[name.get(end, end) for end in pair] for pair in given.edges.T.tolist()]
    pairs = [rng.sample(pair, 2) for pair in pairs]
    rng.shuffle(pairs)
    return Injection(given.features[order], np.array(pairs, np.int64).reshape(-1, 2).T)


@st.composite
def small(draw: st.DrawFn) -> Injection:
    """Up to three new nodes, features of few values, any legal edges."""
    count = draw(st.integers(0, 3))
    values = st.sampled_from([0.0, -0.0, 1.0])
    rows = [[draw(values)] for _ in range(count)]
    new = range(NODES, NODES + count)
    possible = [(a, b) for a in new for b in range(a)]
    edges = draw(st.lists(st.sampled_from(possible), unique=True)) if possible else []
    return Injection(
        np.array(rows, np.float32).reshape(count, 1), np.array(edges, np.int64).reshape(-1, 2).T
    )


def forms(given: Injection) -> set[Any]:
    """Every way to write it, by trying all names; two injections are the same where they share."""
    found = set()
    for order in itertools.permutations(range(given.nodes)):
        name = {NODES + old: NODES + new for new, old in enumerate(order)}
        rows = [0.0] * given.nodes
        for old, new in enumerate(order):
            rows[new] = float(given.features[old, 0]) + 0.0
        pairs = [frozenset(name.get(end, end) for end in pair) for pair in given.edges.T.tolist()]
        found.add((tuple(rows), frozenset(pairs)))
    return found


@given(small(), small())
def test_two_injections_have_one_hash_exactly_where_they_are_the_same(
    first: Injection, second: Injection
) -> None:
    same = not forms(first).isdisjoint(forms(second))
    hashes = [attack_hash({"full": [one]}, NODES) for one in (first, second)]
    assert (hashes[0] == hashes[1]) == same


@given(small(), st.randoms(use_true_random=False))
def test_order_direction_and_names_change_nothing(one: Injection, rng: random.Random) -> None:
    assert attack_hash({"full": [one]}, NODES) == attack_hash(
        {"full": [turned(one, NODES, rng)]}, NODES
    )


def test_a_large_injection_in_another_order_is_the_same(digits: Dataset) -> None:
    given = injection(digits, nodes=90)
    other = turned(given, N, random.Random(0))
    assert not np.array_equal(given.features, other.features)
    assert attack_hash({"full": [given]}, N) == attack_hash({"full": [other]}, N)


def test_repeats_have_no_order_and_one_stands_for_as_many(digits: Dataset) -> None:
    a, b, c = (injection(digits, seed=seed) for seed in range(3))
    assert attack_hash({"full": [a, b, c]}, N) == attack_hash({"full": [c, a, b]}, N)
    assert attack_hash({"full": [a]}, N) == attack_hash({"full": [a, a, a]}, N)
    assert attack_hash({"full": [a, a, b]}, N) != attack_hash({"full": [a, b, b]}, N)


def test_repeats_are_the_same_at_every_difficulty(digits: Dataset) -> None:
    a, b = (injection(digits, seed=seed) for seed in range(2))
    straight = attack_hash({"easy": [a, b], "full": [a, b]}, N)
    assert straight == attack_hash({"full": [b, a], "easy": [b, a]}, N)
    assert straight != attack_hash({"easy": [b, a], "full": [a, b]}, N)


def test_what_changes_the_attack_changes_the_hash(digits: Dataset) -> None:
    given = injection(digits)
    features = given.features.copy()
    features[0, 0] = np.nextafter(features[0, 0], np.float32(1))
    edges = given.edges.copy()
    edges[1, 0] = (edges[1, 0] + 1) % N
    variants = [
        {"full": [given]},
        {"easy": [given], "full": [given]},
        {"full": [replace(given, features=features)]},
        {"full": [replace(given, edges=edges)]},
        {"full": [replace(given, edges=given.edges[:, 1:])]},
        {"full": [Modification(given.edges)]},
    ]
    assert len({attack_hash(variant, N) for variant in variants}) == len(variants)


def test_flips_have_no_order_and_no_direction() -> None:
    one = attack_hash({"full": [Modification(np.array([[0, 3], [5, 1]]))]}, N)
    assert one == attack_hash({"full": [Modification(np.array([[1, 5], [3, 0]]))]}, N)
    assert one != attack_hash({"full": [Modification(np.array([[0, 3], [5, 2]]))]}, N)


@pytest.mark.parametrize("method", [0, 8])
def test_packing_and_the_order_of_members_change_nothing(
    tmp_path: Path, board: Board, digits: Dataset, method: int
) -> None:
    first, second = tmp_path / "1.npz", tmp_path / "2.npz"
    first.write_bytes(packed(attack()))
    second.write_bytes(packed(dict(reversed(attack().items())), method))
    assert first.read_bytes() != second.read_bytes()
    one, other = (
        canonical_hash(path, side="attack", board=board, dataset=digits) for path in (first, second)
    )
    assert one == other


def hashed(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    return defense_hash(read_defense_metadata(path), read_tensors(path))


def test_the_order_of_tensors_and_metadata_and_defaults_change_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    given = hashed(path, defense())
    metadata = dict(reversed(METADATA.items()))
    metadata |= {"parameters": '{"layer_norm": false, "hidden": [4]}', "note": "of a rainy day"}
    other = defense(dict(reversed(weights().items())), metadata)
    assert other != defense()
    assert hashed(path, other) == given


def test_counters_and_the_sign_of_zero_change_nothing(tmp_path: Path) -> None:
    tensors = weights()
    tensors["head.0.bias"][:] = 0
    given = hashed(tmp_path / "1", defense(tensors))
    tensors["head.0.bias"] = -tensors["head.0.bias"]
    tensors["convs.0.batch_norm.num_batches_tracked"] = np.array(8, np.int64)
    assert hashed(tmp_path / "2", defense(tensors)) == given


def test_what_changes_a_defense_changes_its_hash(tmp_path: Path) -> None:
    path = tmp_path / "file"
    other = weights()
    other["head.0.bias"][2] = np.nextafter(other["head.0.bias"][2], np.float32(9))
    found = {
        hashed(path, defense()),
        hashed(path, defense(other)),
        hashed(path, defense(None, {**METADATA, "features": "raw"})),
        hashed(path, defense(None, {**METADATA, "architecture": "GCN"})),
    }
    assert len(found) == 4


def test_the_validator_tells_it_of_a_valid_file_alone(tmp_path: Path) -> None:
    blind = datasets.prepare_blind("digits", cache=tmp_path / "cache", into=tmp_path / "blind")
    path = tmp_path / "file"
    path.write_bytes(defense())
    request = {
        "path": str(path),
        "side": "defense",
        "board": "digits/injection@1",
        "dataset": str(blind),
    }
    found = answer(request)
    alone = {"violations": [], "spent": None, "sketch": None, "shift": None}
    assert found == {**alone, "canonical": hashed(path, defense())}
    path.write_bytes(defense()[:-1])
    assert answer(request)["canonical"] is None
