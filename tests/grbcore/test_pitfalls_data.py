"""Datasets of the Pitfalls protocol: standardised as published, from files or by PyG."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import sparse
from typer.testing import CliRunner

from grbcore.cli.main import app
from grbcore.datasets import DatasetError
from grbcore.pitfalls import sources
from grbcore.pitfalls.paper import SOURCES
from grbcore.pitfalls.splitting import Split, grb, per_class, verify
from grbcore.pitfalls.standard import standardise
from tests.grbcore import small_node

#: 0 -> 1 with weight 2, a loop at 1, 2 -> 1 and back; 3 and 4 apart; 5 alone.
PAIRS = ([0, 1, 2, 1, 3], [1, 1, 1, 2, 4])
TOY = sparse.csr_matrix(([2.0, 1, 1, 1, 1], PAIRS), shape=(6, 6))
WORDS = np.array([[0, 0.3], [5, 0], [0, 0], [1, 1], [1, 1], [1, 1]])


def test_directions_weights_loops_and_small_components_go() -> None:
    found = standardise("toy", TOY, WORDS, np.array([4, 7, 4, 5, 5, 5]))
    assert found.indptr.tolist() == [0, 1, 3, 4]
    assert found.indices.tolist() == [1, 0, 2, 1]
    assert found.feature_indptr.tolist() == [0, 1, 2, 2]
    assert found.feature_indices.tolist() == [1, 0]
    assert found.labels.tolist() == [0, 1, 0]  # classes that are left, numbered anew
    assert (found.edges, found.looped_edges) == (2, 5)
    assert found.density == pytest.approx(5 / (9 / 2))


def test_small_classes_go_until_what_is_left_is_connected_and_large_enough() -> None:
    """A path 0-1-2-3-4: without the one node of class 1 only 3 and 4 hang together with it."""
    path = sparse.csr_matrix((np.ones(4), ([0, 1, 2, 3], [1, 2, 3, 4])), shape=(5, 5))
    found = standardise("toy", path, np.eye(5), np.array([0, 0, 1, 0, 0]), rarest=2)
    assert found.nodes == 2 and found.edges == 1 and found.labels.tolist() == [0, 0]
    with pytest.raises(DatasetError, match="found no class of 9 nodes, allowed: one or more"):
        standardise("toy", path, np.eye(5), np.array([0, 0, 1, 0, 0]), rarest=9)


def test_shapes_and_labels_that_do_not_fit_are_named() -> None:
    with pytest.raises(DatasetError, match=r"labels \(2,\), allowed: \(n, n\), \(n, d\)"):
        standardise("toy", TOY, WORDS, np.array([0, 1]))
    with pytest.raises(DatasetError, match="found labels of float64, allowed: whole numbers"):
        standardise("toy", TOY, WORDS, np.zeros(6))


def test_files_of_a_folder_are_read_and_damaged_ones_told(tmp_path: Path) -> None:
    data = small_node.write(tmp_path)
    found = sources.load("cora-ml", data_dir=data)
    assert found.digest == small_node.small().digest
    assert found.digest != small_node.small(seed=1).digest
    np.savez(data / "node" / "cora-ml" / "adj.npz", data=[1.0], indices=[900], indptr=[0, 1],
             shape=[1, 2])  # fmt: skip
    with pytest.raises(DatasetError, match=r"adj\.npz"):
        sources.load("cora-ml", data_dir=data)
    with pytest.raises(DatasetError, match="found 'karate', allowed: cora, citeseer"):
        sources.load("karate", data_dir=data)


def test_what_is_not_here_comes_from_pyg(tmp_path: Path) -> None:
    """PyG's own reader of Amazon Photo, on a small file where it keeps the real one."""
    raw = tmp_path / "pyg" / "amazon-photo" / "Photo" / "raw"
    raw.mkdir(parents=True)
    adjacency, words, labels = small_node.parts()
    matrices = {"adj": adjacency.astype(np.float32), "attr": words}
    arrays = {
        f"{name}_{part}": getattr(matrix, part)
        for name, matrix in matrices.items()
        for part in ("data", "indices", "indptr", "shape")
    }
    np.savez(raw / "amazon_electronics_photo.npz", **arrays, labels=labels)
    found = sources.load("amazon-photo", data_dir=tmp_path)
    assert found.indices.tolist() == small_node.small().indices.tolist()
    assert found.feature_indices.tolist() == small_node.small().feature_indices.tolist()
    assert "nodes: found 210; allowed: 7,487" in sources.differences(found)


def test_without_files_and_network_it_is_said_where_they_go(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for proxy in ("HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy"):
        monkeypatch.setenv(proxy, "http://127.0.0.1:9")  # nobody answers there
    with pytest.raises(DatasetError, match=r"cora: found no files in .*node/cora and can't fetch"):
        sources.load("cora", data_dir=tmp_path)


@pytest.mark.real_data
def test_the_check_reproduces_citeseers_row_of_table_3(real_data: Path) -> None:
    arguments = ["datasets", "check", "citeseer", "--data-dir", str(real_data)]
    done = CliRunner().invoke(app, arguments)
    assert done.exit_code == 0, done.output
    assert "2,110 nodes, 3,703 features, 5,778 edges with self-loops" in done.output
    assert "label rate 0.0569, edge density 0.0026" in done.output


def test_the_check_tells_what_differs_from_table_3(tmp_path: Path) -> None:
    small_node.write(tmp_path, "citeseer")
    done = CliRunner().invoke(app, ["datasets", "check", "citeseer", "--data-dir", str(tmp_path)])
    assert done.exit_code == 1
    assert "nodes: found 210; allowed: 2,110" in done.output


def test_table_3_agrees_with_itself() -> None:
    """Label rate and density of Cora as printed: 0.0563 and 0.0024."""
    cora = SOURCES["cora"].expected
    assert cora is not None
    assert round(20 * cora.classes / cora.nodes, 4) == 0.0563
    assert round(2 * cora.edges / cora.nodes**2, 4) == 0.0024


SIZES = st.lists(st.integers(4, 30), min_size=2, max_size=6)


@given(SIZES, st.integers(1, 2), st.integers(1, 2), st.integers(0, 2**40))
def test_splits_have_exact_counts_and_every_node_once(
    sizes: list[int], train: int, val: int, seed: int
) -> None:
    sizes[0] += 1  # so that a node is left to test
    labels = np.random.default_rng(0).permutation(np.repeat(np.arange(len(sizes)), sizes))
    found = per_class(labels, seed, train=train, val=val)
    again = per_class(labels, seed, train=train, val=val)
    for part, count in ((found.train, train), (found.val, val)):
        assert np.bincount(labels[part], minlength=len(sizes)).tolist() == [count] * len(sizes)
    whole = np.concatenate([found.train, found.val, found.test])
    assert np.sort(whole).tolist() == list(range(len(labels)))
    for one, other in ((found.train, again.train), (found.val, again.val)):
        assert one.tolist() == other.tolist() == sorted(one)


def test_another_seed_is_another_split_and_draws_are_uniform() -> None:
    """20 of 100 nodes, 200 times: each is drawn 40 times, give or take 5.7."""
    labels = np.repeat([0, 1], 100)
    drawn = np.zeros(200)
    for seed in range(200):
        drawn[per_class(labels, seed).train] += 1
    assert drawn.sum() == 200 * 40
    assert drawn.min() >= 15 and drawn.max() <= 65


def test_splits_that_cannot_be_are_refused() -> None:
    with pytest.raises(DatasetError, match="found class 1 of 49 nodes, allowed: 50 or more"):
        per_class(np.repeat([0, 1], [60, 49]), 0)
    with pytest.raises(DatasetError, match="found no node left to test"):
        per_class(np.repeat([0, 1], 50), 0)
    twice = Split(np.array([0, 2]), np.array([1, 3]), np.array([0]))
    with pytest.raises(DatasetError, match="a node twice or left out"):
        verify(twice, np.array([0, 0, 1, 1]), train=1, val=1)


def test_grbs_scheme_takes_other_seeds() -> None:
    dataset = small_node.small()
    one, other = grb(dataset, 0), grb(dataset, 1)
    assert len(one.test) == 3 * (dataset.nodes // 10) and len(one.train) == dataset.nodes * 6 // 10
    assert one.test.tolist() != other.test.tolist()
    whole = np.sort(np.concatenate([one.train, one.val, one.test]))
    assert whole.tolist() == list(range(dataset.nodes))
