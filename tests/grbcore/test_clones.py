"""Near-duplicates as pure functions: who is one, who is none, and what an admin decides."""

from __future__ import annotations

import numpy as np
import pytest

from grbcore.clones import Cluster, Decision, Told, clusters, decided, disagreement, labels
from grbcore.perturbation import GraphChanges, Injection, Modification
from grbcore.sketch import LENGTHS, MADE_ALIKE, resemblance, sketch
from grbcore.submission.canonical import attack_hash

RNG = np.random.default_rng(5)
NODES = 500


def told(*names: str, canonical: str | None = None) -> list[Told]:
    return [Told(name, canonical and f"{canonical}", None) for name in names]


def apart(pairs: dict[tuple[int, int], float], count: int) -> np.ndarray:
    """Everything else is far apart."""
    found = np.full((count, count), 0.5)
    for (one, two), distance in pairs.items():
        found[one, two] = found[two, one] = distance
    np.fill_diagonal(found, 0)
    return found


def injection(seed: int, *, ends: np.ndarray | None = None, moved: float = 0.0) -> Injection:
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, NODES, 200) if ends is None else ends
    edges = np.stack([NODES + np.arange(len(ends)) // 20, ends])
    features = rng.standard_normal((10, 16)) + moved
    return Injection(features.astype(np.float32), edges)


def test_the_share_of_targets_on_which_two_differ() -> None:
    """Against the first reference they differ on 1 of 4 targets, against the second on 1 of 2."""
    first = np.array([[1, 1, 0, 0], [1, 1, 0, 1]], np.bool_)
    second = np.array([[1, 1], [1, 0]], np.bool_)
    both = np.array([0, 2])
    found = disagreement([(both, first), (both, second)], 3)
    assert found[0, 2] == pytest.approx(2 / 6) and found[0, 0] == 0
    assert np.isnan(found[0, 1]) and np.isnan(found[1, 1])


def test_below_one_per_cent_two_are_near_and_at_one_per_cent_they_are_not() -> None:
    found = clusters(told("A", "B", "C"), apart({(0, 1): 0.009, (1, 2): 0.01}, 3))
    assert found == [Cluster(("A", "B"), "near", 0.009)]


def test_equal_content_is_exact_whatever_was_measured() -> None:
    unknown = np.full((2, 2), np.nan)
    assert clusters(told("A", "B", canonical="f"), unknown) == [Cluster(("A", "B"), "exact", None)]


def test_a_chain_of_neighbours_is_no_cluster_of_its_ends() -> None:
    """0 and 2 are 0.04 apart; 1 joins the nearer: (0.009 + 0.04) / 2 is above one per cent."""
    found = clusters(told("A", "B", "C"), apart({(0, 1): 0.004, (1, 2): 0.009, (0, 2): 0.04}, 3))
    assert [one.members for one in found] == [("A", "B")]


def test_defenses_that_nothing_moves_are_one_cluster() -> None:
    found = clusters(told("A", "B", "C"), apart({}, 3), unmoved=frozenset({"A", "C"}))
    assert found == [Cluster(("A", "C"), "unmoved", 0.5)]


def test_two_weak_attacks_that_are_made_otherwise_are_no_clones() -> None:
    """What achieves nothing behaves alike."""
    entries = [Told(str(n), None, sketch([injection(n)], NODES)) for n in (1, 2)]
    assert clusters(entries, apart({(0, 1): 0.0}, 2)) == []
    again = [entries[0], Told("copy", None, entries[0].sketch)]
    assert [one.members for one in clusters(again, apart({(0, 1): 0.0}, 2))] == [("1", "copy")]
    unknown = [Told(name, None, "") for name in "ab"]
    assert clusters(unknown, apart({(0, 1): 0.0}, 2)) == []


def test_an_admin_splits_and_merges_and_the_last_word_holds() -> None:
    found = [Cluster(("A", "B", "C"), "near", 0.001)]
    split = decided(found, [Decision("split", ("B",))])
    assert split == [Cluster(("A", "C"), "near", 0.001)]
    merged = decided(found, [Decision("split", ("B",)), Decision("merge", ("B", "D"))])
    assert merged == [Cluster(("A", "C"), "near", 0.001), Cluster(("B", "D"), "decided", None)]
    assert decided(found, [Decision("split", ("A", "B"))]) == []


def test_labels_are_shared_by_members_and_by_nobody_else() -> None:
    found = labels(["A", "B", "C", "D"], [Cluster(("B", "D"), "near", 0.0)])
    assert found[1] == found[3] and len({*found.tolist()}) == 3


def test_a_sketch_does_not_depend_on_the_order_of_nodes_edges_and_repeats() -> None:
    one = injection(1)
    order = RNG.permutation(10)
    names = np.empty(10, np.int64)
    names[order] = np.arange(10)
    edges = np.stack([NODES + names[one.edges[0] - NODES], one.edges[1]])[:, RNG.permutation(200)]
    turned = Injection(one.features[order], edges)
    other = injection(2)
    assert sketch([one, other], NODES) == sketch([other, turned], NODES)
    assert len(sketch([one], NODES)) == LENGTHS[1]


def test_resemblance_estimates_the_share_of_common_edges() -> None:
    """150 of 200 ends are kept: 150 / 250 of the union at most; the error of 128 hashes is 0.04."""
    one = injection(1, ends=np.arange(200))
    other = injection(1, ends=np.arange(50, 250))
    assert resemblance(sketch([one], NODES), sketch([other], NODES)) == pytest.approx(0.6, abs=0.13)
    assert resemblance(sketch([one], NODES), sketch([one], NODES)) == 1


def test_the_same_edges_with_other_features_are_made_otherwise() -> None:
    one = injection(1, ends=np.arange(200), moved=1.0)
    other = Injection(-one.features, one.edges)
    assert resemblance(sketch([one], NODES), sketch([other], NODES)) < MADE_ALIKE


def test_features_changed_in_their_last_digits_are_made_alike() -> None:
    """The canonical hash is another, so likeness has to find such a copy."""
    one = injection(1, ends=np.arange(200), moved=1.0)
    other = Injection(one.features * np.float32(1 + 1e-6), one.edges)
    assert attack_hash({"full": [one]}, NODES) != attack_hash({"full": [other]}, NODES)
    assert resemblance(sketch([one], NODES), sketch([other], NODES)) > 0.99


def test_flips_are_compared_as_pairs() -> None:
    flips = RNG.integers(0, NODES, (2, 100))
    one, turned = Modification(flips), Modification(flips[::-1])
    assert resemblance(sketch([one], NODES), sketch([turned], NODES)) == 1
    assert len(sketch([one], NODES)) == LENGTHS[0]
    other = Modification(RNG.integers(0, NODES, (2, 100)))
    assert resemblance(sketch([one], NODES), sketch([other], NODES)) < 0.1
    assert resemblance(sketch([Modification.empty()], NODES), "") == 0


def changes(flips: list[tuple[int, int, int]], nodes: list[tuple[int, ...]] = []) -> GraphChanges:  # noqa: B006
    """Flips (graph, u, v) and changed values (graph, node, feature, value) of 19 graphs."""
    pointers, parts = [], []
    for rows, found in ((2, flips), (3, nodes)):
        ordered = np.array(sorted(found), np.int64).reshape(-1, rows + 1)
        sizes = np.bincount(ordered[:, 0], minlength=19)
        pointers.append(np.concatenate([[0], np.cumsum(sizes)]))
        parts.append(ordered[:, 1:].T)
    none = np.zeros(20, np.int64)
    return GraphChanges(*pointers, none, *parts, np.zeros((4, 0), np.int64))


def test_a_sketch_of_whole_graphs_is_of_the_changes_of_each() -> None:
    """The same pair of another graph is another change, and so is another value of a node."""
    flips = [(graph, 0, end) for graph in range(19) for end in range(1, 5)]
    one = changes(flips)
    assert len(sketch([one])) == LENGTHS[0]
    assert resemblance(sketch([one]), sketch([changes(flips[::-1])])) == 1
    moved = changes([((graph + 1) % 19, 1, end + 1) for graph, _, end in flips])
    assert resemblance(sketch([one]), sketch([moved])) < 0.1
    # 57 of 76 + 19 changes are the same: 0.6
    other = changes([(g, 0, end if end < 4 else 9) for g, _, end in flips])
    assert resemblance(sketch([one]), sketch([other])) == pytest.approx(0.6, abs=0.13)
    values = [sketch([changes([], [(g, 0, 0, value) for g in range(19)])]) for value in (1, 2)]
    assert resemblance(*values) < 0.1
    assert sketch([one, moved]) == sketch([moved, one])
