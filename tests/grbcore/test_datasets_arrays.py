"""Datasets of one's own, from arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse

from grbcore.datasets import Dataset, DatasetError, split
from grbcore.graph import Graph
from grbcore.models import build
from grbcore.training import fit
from tests.grbcore.engine import TOY, small

NODES = 30
RING = np.stack([np.arange(NODES), (np.arange(NODES) + 1) % NODES])
FEATURES = np.random.default_rng(0).standard_normal((NODES, 4)).astype(np.float32)
LABELS = np.arange(NODES) % 3


def made(**changed: Any) -> Dataset:
    given = {"adjacency": RING, "features": FEATURES, "labels": LABELS} | changed
    return Dataset.from_arrays("mine", **given)


def matrix(pairs: np.ndarray = RING, weight: float = 1, *, both: bool = True) -> Any:
    rows, columns = np.concatenate([pairs, pairs[::-1]], axis=1) if both else pairs
    return sparse.coo_matrix((np.full(len(rows), weight), (rows, columns)), (NODES, NODES))


def test_a_ring_is_held_in_both_directions() -> None:
    dataset = made()
    assert (dataset.nodes, dataset.edges, dataset.classes) == (NODES, NODES, 3)
    assert dataset.indices[:4].tolist() == [1, 29, 0, 2]
    assert (dataset.degrees == 2).all()


@pytest.mark.parametrize(
    "adjacency",
    [
        RING[::-1],
        np.concatenate([RING, RING[::-1]], axis=1),
        RING.astype(np.int32).tolist(),
        matrix(),
        matrix().tocsc(),
        sparse.csr_array(matrix()).astype(bool),
    ],
    ids=["reversed", "both", "list", "coo", "csc", "array"],
)
def test_the_same_graph_in_another_form_is_the_same_dataset(adjacency: Any) -> None:
    assert made(adjacency=adjacency).digest == made().digest


def test_without_a_split_it_is_grbs() -> None:
    dataset, expected = made(seed=3), split(np.full(NODES, 2), 3)
    np.testing.assert_array_equal(dataset.train, expected.train)
    np.testing.assert_array_equal(dataset.val, expected.val)
    for band, ids in expected.targets.items():
        np.testing.assert_array_equal(dataset.targets[band], ids)


@given(st.integers(10, 60), st.integers(0, 100), st.integers(0, 3))
def test_any_graph_gets_a_split_of_all_its_nodes(nodes: int, edges: int, seed: int) -> None:
    ends = np.random.default_rng(edges).integers(0, nodes, (2, edges))
    ends = np.unique(np.sort(ends[:, ends[0] != ends[1]], axis=0), axis=1)
    features = np.random.default_rng(0).standard_normal((nodes, 2))
    dataset = Dataset.from_arrays("any", ends, features, np.arange(nodes) % 2, seed=seed)
    parts = np.concatenate([dataset.train, dataset.val, dataset.targets["full"]])
    np.testing.assert_array_equal(np.sort(parts), np.arange(nodes))


def test_test_nodes_are_cut_by_degree_into_thirds() -> None:
    """A path of nine test nodes behind a hub: its ends first, the hub last."""
    star = np.stack([np.full(8, 20), np.arange(21, 29)])
    path = np.stack([np.arange(21, 24), np.arange(22, 25)])
    dataset = made(
        adjacency=np.concatenate([star, path], axis=1),
        train=np.arange(10), val=np.arange(10, 20), test=np.arange(20, 29),
    )  # fmt: skip
    assert dataset.targets["easy"].tolist() == [25, 26, 27]  # degree 1
    assert dataset.targets["medium"].tolist() == [21, 24, 28]  # 2, 2 and 1
    assert dataset.targets["hard"].tolist() == [20, 22, 23]  # 8, 3 and 3
    assert dataset.targets["full"].tolist() == list(range(20, 29))


def test_masks_and_ids_in_any_order_say_the_same() -> None:
    ids = {"train": [4, 2, 0, 1], "val": [6, 5], "test": [9, 8, 7]}
    masks = {name: np.isin(np.arange(NODES), part) for name, part in ids.items()}
    assert made(**ids).digest == made(**masks).digest


def test_difficulties_may_be_given() -> None:
    dataset = made(
        train=[0, 1], val=[2], test={"easy": [5], "medium": [4, 9], "hard": [3]}
    )  # fmt: skip
    assert dataset.targets["medium"].tolist() == [4, 9]
    assert dataset.targets["full"].tolist() == [3, 4, 5, 9]


def test_features_are_normalised_by_grbs_formula() -> None:
    scaled = (FEATURES - FEATURES.mean()) / FEATURES.std()
    np.testing.assert_allclose(made().features, 2 / np.pi * np.arctan(scaled), atol=1e-6)


def test_sparse_counts_are_features_too() -> None:
    counts = np.random.default_rng(1).integers(0, 3, (NODES, 5))
    dense, thin = made(features=counts), made(features=sparse.csr_matrix(counts))
    assert dense.features.dtype == np.float32
    assert dense.digest == thin.digest


def test_the_digest_depends_on_everything_but_the_name() -> None:
    changed = [
        made(seed=1),
        made(features=FEATURES + 1),
        made(labels=LABELS[::-1]),
        made(adjacency=RING[:, 1:]),
    ]
    assert len({dataset.digest for dataset in [made(), *changed]}) == 5
    assert Dataset.from_arrays("other", RING, FEATURES, LABELS).digest == made().digest


def test_the_arrays_given_are_left_as_they_were() -> None:
    given = RING.copy(), FEATURES.copy(), LABELS.copy()
    Dataset.from_arrays("mine", *given)
    for found, expected in zip(given, (RING, FEATURES, LABELS), strict=True):
        np.testing.assert_array_equal(found, expected)


def test_a_model_trains_on_it() -> None:
    rows = np.repeat(np.arange(TOY.nodes), TOY.degrees)
    edges = np.stack([rows, TOY.indices])
    dataset = Dataset.from_arrays("toy", edges, TOY.features, TOY.labels)
    model = build("GCN", small("GCN"), features=8, classes=dataset.classes)
    assert fit(model, dataset, seed=0, epochs=2).epochs == 2
    assert Graph.from_dataset(dataset).pattern.entries == TOY.indices.shape[0]


MASK = np.arange(NODES) < 10
ALL = {"train": np.arange(10), "val": np.arange(10, 20), "test": np.arange(20, 30)}
WRONG: list[tuple[dict[str, Any], str]] = [
    (
        {"adjacency": matrix(both=False)},
        r"adjacency: found \(0, 1\) without \(1, 0\), allowed: a s",
    ),
    ({"adjacency": matrix(weight=2.0)}, r"adjacency: found weight 2.0, allowed: 1"),
    ({"adjacency": matrix(weight=np.nan)}, r"adjacency: found weight nan"),
    ({"adjacency": matrix(weight=0)}, r"adjacency: found weight 0"),
    ({"adjacency": matrix(weight=1j)}, r"adjacency: found weights of complex128"),
    ({"adjacency": matrix() + sparse.eye(NODES)}, r"adjacency: found 30 self-loops, as at node 0"),
    ({"adjacency": matrix().tocsr()[:29, :29]}, r"found shape \(29, 29\), allowed: \(30, 30\)"),
    ({"adjacency": np.array([[0, 3], [1, 3]])}, r"adjacency: found 1 self-loops, as at node 3"),
    ({"adjacency": RING[:, [0, 1, 0]]}, r"adjacency: found edge \(0, 1\) twice"),
    ({"adjacency": np.array([[0], [30]])}, r"adjacency: found node 30, allowed: 0..29"),
    ({"adjacency": np.array([[-1], [3]])}, r"adjacency: found node -1"),
    ({"adjacency": RING.T}, r"adjacency: found int64 of shape \(30, 2\), allowed: a sparse matrix"),
    ({"adjacency": RING.astype(float)}, r"adjacency: found float64 of shape \(2, 30\)"),
    ({"features": FEATURES[0]}, r"features: found float32 of shape \(4,\)"),
    ({"features": FEATURES[:, :0]}, r"features: found float32 of shape \(30, 0\)"),
    ({"features": FEATURES.astype(complex)}, r"features: found complex64|complex128"),
    ({"features": np.full((NODES, 2), "a")}, r"features: found <U1"),
    (
        {"features": np.where(FEATURES[2, 1] == FEATURES, np.nan, FEATURES)},
        r"found nan at \[2, 1\]",
    ),
    ({"features": np.ones((NODES, 2))}, r"features: found the same value everywhere"),
    ({"labels": LABELS[:-1]}, r"labels: found int64 of shape \(29,\), allowed: one whole number"),
    ({"labels": LABELS.astype(float)}, r"labels: found float64"),
    ({"labels": np.where(LABELS == 1, np.nan, 0)}, r"labels: found 10 nodes without one"),
    ({"labels": LABELS - 1}, r"labels: found 10 nodes without one \(below 0\)"),
    ({"labels": LABELS + 40_000}, r"labels: found 40002, allowed: 0..32767"),
    ({"labels": np.zeros(NODES, int)}, r"labels: found one class only, allowed: two or more"),
    ({**ALL, "labels": (np.arange(NODES) > 9) * 1}, r"labels: found one class only in train"),
    ({"train": MASK}, r"split: found no val and no test, allowed: all three or none"),
    ({**ALL, "val": np.arange(9, 20)}, r"split: found node 9 in two parts"),
    ({**ALL, "val": np.array([10, 10])}, r"val: found ids from 10 to 10, 1 of them repeated"),
    ({**ALL, "test": np.array([30])}, r"test: found ids from 30 to 30"),
    ({**ALL, "val": np.zeros(NODES, bool)}, r"val: found int64 of shape \(0,\)"),
    ({**ALL, "train": MASK[:9]}, r"train: found bool of shape \(9,\)"),
    ({**ALL, "test": {"easy": [21]}}, r"test: found easy, allowed: easy, medium, hard"),
]


@pytest.mark.parametrize(("changed", "message"), WRONG, ids=[message for _, message in WRONG])
def test_what_is_wrong_is_named(changed: dict[str, Any], message: str) -> None:
    with pytest.raises(DatasetError, match=message):
        made(**changed)


def test_every_fault_is_named_at_once() -> None:
    with pytest.raises(DatasetError) as refused:
        made(adjacency=matrix(weight=2.0), labels=LABELS[:3], train=MASK)
    for word in ("adjacency: ", "labels: ", "split: "):
        assert word in str(refused.value)


def test_fewer_than_ten_nodes_have_no_split_of_grbs() -> None:
    with pytest.raises(DatasetError, match="found 9 nodes, allowed: 10 or more"):
        Dataset.from_arrays("mine", RING[:, :8], FEATURES[:9], LABELS[:9])
