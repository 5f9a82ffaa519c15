"""OGB's node datasets, through OGB's own loader reading a small folder of OGB's shape."""

from __future__ import annotations

import gzip
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from grbcore import ogb
from grbcore.datasets import DatasetError

NODES = 30
EDGES = np.array([[0, 1, 2, 2, 5, 7], [1, 0, 3, 3, 5, 8]])  # a repeat, a loop, both directions
FEATURES = np.round(np.random.default_rng(0).standard_normal((NODES, 4)), 3)
LABELS = np.arange(NODES) % 3


def write(path: Path, rows: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt") as file:
        np.savetxt(file, rows, fmt="%g", delimiter=",")


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """What OGB unpacks of ogbn-arxiv, with 30 nodes in it."""
    folder = tmp_path / "ogbn_arxiv"
    write(folder / "raw" / "edge.csv.gz", EDGES.T)
    write(folder / "raw" / "num-node-list.csv.gz", np.array([NODES]))
    write(folder / "raw" / "num-edge-list.csv.gz", np.array([EDGES.shape[1]]))
    write(folder / "raw" / "node-feat.csv.gz", FEATURES)
    write(folder / "raw" / "node-label.csv.gz", LABELS)
    write(folder / "raw" / "node_year.csv.gz", np.full(NODES, 2015))
    for name, ids in {"train": range(20), "valid": range(20, 24), "test": range(24, 30)}.items():
        write(folder / "split" / "time" / f"{name}.csv.gz", np.array(ids))
    (folder / "processed").mkdir()
    (folder / "RELEASE_v1.txt").touch()
    return tmp_path


def test_edges_become_undirected_and_simple(root: Path) -> None:
    dataset = ogb.load("ogbn-arxiv", root=root)
    rows = np.repeat(np.arange(dataset.nodes), dataset.degrees)
    found = set(zip(rows.tolist(), dataset.indices.tolist(), strict=True))
    assert found == {(0, 1), (1, 0), (2, 3), (3, 2), (7, 8), (8, 7)}


def test_features_are_whole_and_normalised(root: Path) -> None:
    dataset = ogb.load("ogbn-arxiv", root=root)
    scaled = (FEATURES - FEATURES.mean()) / FEATURES.std()
    np.testing.assert_allclose(dataset.features, 2 / np.pi * np.arctan(scaled), atol=1e-5)


def test_the_split_is_ogbs_its_test_nodes_in_thirds(root: Path) -> None:
    dataset = ogb.load("ogbn-arxiv", root=root)
    assert dataset.train.tolist() == list(range(20))
    assert dataset.val.tolist() == list(range(20, 24))
    assert [dataset.targets[band].size for band in ("easy", "medium", "hard")] == [2, 2, 2]
    np.testing.assert_array_equal(dataset.labels, LABELS)


def test_what_ogb_kept_loads_again(root: Path) -> None:
    """OGB keeps a pickle that it can't read again with torch 2.6 or later."""
    first = ogb.load("ogbn-arxiv", root=root)
    assert (root / "ogbn_arxiv" / "processed" / "data_processed").is_file()
    assert ogb.load("ogbn-arxiv", root=root).digest == first.digest


def test_standard_output_is_left_alone(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    ogb.load("ogbn-arxiv", root=root)
    assert capsys.readouterr().out == ""


def test_an_unknown_name_is_named_with_those_there_are(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match=r"(?s)ogbn-cora: .*ogbn-products"):
        ogb.load("ogbn-cora", root=tmp_path)


def test_nodes_without_features_are_refused(root: Path) -> None:
    (root / "ogbn_arxiv" / "raw" / "node-feat.csv.gz").unlink()
    with pytest.raises(DatasetError, match="found no node features"):
        ogb.load("ogbn-arxiv", root=root)


def test_nodes_without_labels_are_refused(root: Path) -> None:
    labels = np.where(LABELS == 2, np.nan, LABELS)
    write(root / "ogbn_arxiv" / "raw" / "node-label.csv.gz", labels)
    with pytest.raises(DatasetError, match="labels: found 10 nodes without one"):
        ogb.load("ogbn-arxiv", root=root)


def test_a_damaged_file_is_refused(root: Path) -> None:
    (root / "ogbn_arxiv" / "raw" / "edge.csv.gz").write_bytes(b"no gzip")
    with pytest.raises(DatasetError, match=r"ogbn-arxiv: found files in .* that can't be read"):
        ogb.load("ogbn-arxiv", root=root)


def test_without_ogb_the_extra_is_named() -> None:
    code = (
        "import sys; sys.modules['ogb'] = None\n"
        "from grbcore import ogb\n"
        "try: ogb.load('ogbn-arxiv')\n"
        "except ImportError as error: sys.stdout.write(str(error))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert (
        done.stdout == "ogb: found none, allowed: pip install 'graph-robustness-leaderboard[ogb]'"
    )
