"""Graph-level datasets: files, splits, PyG's and OGB's sources."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
import pytest
import torch
from sklearn.model_selection import StratifiedKFold
from torch_geometric.data import Data
from typer.testing import CliRunner

from grbcore import datasets
from grbcore.cli.datasets import app
from grbcore.datasets import DatasetError
from grbcore.graphlevel import from_pyg, load, load_ogb, thesis_split
from grbcore.graphlevel.dataset import from_pairs
from grbcore.graphlevel.models import Shape, build
from tests.conftest import data_folder
from tests.grbcore.graphlevel import small_mutag
from tests.grbcore.graphlevel.samples import small_dataset


@pytest.mark.parametrize("graphs", [188, 1000, 1500])
def test_the_split_is_what_stratified_folds_make_of_labels_that_are_all_zero(graphs: int) -> None:
    rest, test = next(
        StratifiedKFold(10, shuffle=True, random_state=0).split(np.zeros(graphs), np.zeros(graphs))
    )
    nothing = np.zeros(len(rest))
    train, val = next(StratifiedKFold(9, shuffle=True, random_state=0).split(nothing, nothing))
    found = thesis_split(graphs)
    np.testing.assert_array_equal(found.test, test)
    np.testing.assert_array_equal(found.val, rest[val])
    np.testing.assert_array_equal(found.train, rest[train])


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["mutag", "imdb-binary", "imdb-multi", "zinc-small"])
def test_the_datasets_are_those_of_the_thesis(name: str) -> None:
    done = CliRunner().invoke(app, ["check", name, "--data-dir", str(data_folder())])
    assert done.exit_code == 0, done.output
    assert f"{name} is as recorded" in done.output


def test_check_lists_every_difference_of_small_graphs_and_fails(tmp_path: Path) -> None:
    folder = small_mutag.write(tmp_path)
    done = CliRunner().invoke(app, ["check", "mutag", "--data-dir", str(folder)])
    assert done.exit_code == 1
    for line in ("training graphs: found 16; allowed: 150", "validation graphs: found 2; allowed:",
                 "mean nodes: found", "split: found SHA-256"):  # fmt: skip
        assert line in done.output
    assert "mutag differs from what is recorded" in done.output


def test_a_dataset_of_small_graphs_that_is_not_here_is_told(tmp_path: Path) -> None:
    with pytest.raises(DatasetError, match="imdb-multi: found no file"):
        CliRunner().invoke(
            app, ["check", "imdb-multi", "--data-dir", str(tmp_path)], catch_exceptions=False
        )


@pytest.mark.real_data
def test_imdbs_nodes_have_no_features_but_rows_of_degrees_up_to_25() -> None:
    dataset = load("imdb-multi", data_dir=data_folder())
    graph = max(dataset.graphs, key=lambda graph: graph.n)
    assert not graph.nodes.any()
    degrees = torch.from_numpy(graph.adjacency().sum(1))
    assert degrees.max() > 25
    batch = build("GIN", Shape.of(dataset), {"hidden": 4}, seed=0).batch([graph])
    table = torch.arange(26.0)[:, None]
    assert batch.nodes_by(table)[:, 0].tolist() == degrees.clamp(max=25).tolist()


@pytest.mark.real_data
def test_zincs_test_labels_have_the_thesis_deviation() -> None:
    assert load("zinc-small", data_dir=data_folder()).sigma == pytest.approx(2.017, abs=5e-4)


def test_a_dataset_whose_files_are_not_here_says_where_they_were_looked_for(tmp_path: Path) -> None:
    assert not datasets.present("zinc", data_dir=tmp_path)
    with pytest.raises(DatasetError, match="zinc12k-train"):
        load("zinc", data_dir=tmp_path)


def test_an_unknown_name_is_refused_with_those_there_are() -> None:
    with pytest.raises(KeyError, match="mutag, imdb-binary"):
        load("proteins")


def test_a_file_that_is_no_archive_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "graphs" / "tu-mutag"
    folder.mkdir(parents=True)
    (folder / "graphs.npz").write_bytes(b"nothing")
    with pytest.raises(DatasetError, match=r"graphs\.npz: found"):
        load("mutag", data_dir=tmp_path)


@pytest.mark.parametrize(
    ("pairs", "words"),
    [([[0], [1]], "one direction only"), ([[0, 1, 1], [1, 0, 1]], "self-loop")],
)
def test_edges_that_are_not_undirected_are_refused(pairs: list[list[int]], words: str) -> None:
    array = np.array(pairs)
    with pytest.raises(ValueError, match=words):
        from_pairs(np.array([0, 2]), np.array([0, array.shape[1]]), array, np.zeros((2, 1)), None)


def test_pygs_graphs_become_a_dataset() -> None:
    edges = torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])
    bonds = torch.eye(4)[[1, 1, 3, 3]]
    data = [
        Data(x=torch.eye(7)[[0, 2, 6]], edge_index=edges, edge_attr=bonds, y=torch.tensor([k % 2]))
        for k in range(20)
    ]
    dataset = from_pyg("mutag", [data])
    assert dataset.graphs[0].nodes.tolist() == [[0], [2], [6]]
    assert dataset.graphs[0].values.tolist() == [[1], [3]]
    assert dataset.labels.tolist() == [0, 1] * 10
    for features in (None, torch.eye(3)):  # such as a transform of PyG's makes of degrees
        bare = [
            Data(x=features, edge_index=edges, num_nodes=3, y=torch.tensor([k % 2]))
            for k in range(20)
        ]
        imdb = from_pyg("imdb-binary", [bare])
        assert (imdb.graphs[0].nodes.tolist(), imdb.degrees) == ([[0], [0], [0]], 26)


def write(path: Path, rows: np.ndarray) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(path, "wt") as file:
        np.savetxt(file, rows, fmt="%d", delimiter=",")


def test_ogbs_molecules_load_through_its_own_loader(tmp_path: Path) -> None:
    """A folder of OGB's layout with three molecules; OGB adds the other direction of edges."""
    folder = tmp_path / "ogbg_molhiv"
    write(folder / "raw" / "edge.csv.gz", np.array([[0, 1], [1, 2], [0, 1], [0, 2]]))
    write(folder / "raw" / "num-node-list.csv.gz", np.array([3, 2, 3]))
    write(folder / "raw" / "num-edge-list.csv.gz", np.array([2, 1, 1]))
    write(folder / "raw" / "node-feat.csv.gz", np.tile([5, 0, 4, 5, 3, 0, 2, 0, 1], (8, 1)))
    write(
        folder / "raw" / "edge-feat.csv.gz", np.array([[0, 0, 0], [3, 0, 1], [1, 0, 0], [2, 5, 1]])
    )
    write(folder / "raw" / "graph-label.csv.gz", np.array([0, 1, 0]))
    for k, part in enumerate(("train", "valid", "test")):
        write(folder / "split" / "scaffold" / f"{part}.csv.gz", np.array([k]))
    (folder / "processed").mkdir()
    (folder / "RELEASE_v1.txt").touch()
    dataset = load_ogb(root=tmp_path)
    assert sum(dataset.node_sizes) == 174
    assert sum(dataset.edge_sizes) == 13
    assert dataset.graphs[0].edges.tolist() == [[0, 1], [1, 2]]
    assert dataset.graphs[0].values.tolist() == [[0, 0, 0], [3, 0, 1]]
    assert [dataset.ids(part).tolist() for part in ("train", "val", "test")] == [[0], [1], [2]]
    assert load_ogb(root=tmp_path).labels.tolist() == [0, 1, 0]


def test_the_digest_of_a_split_depends_on_every_part() -> None:
    split = small_dataset().split
    moved = type(split)(split.train[:-1], split.val, split.test)
    assert len({split.digest(), moved.digest(), thesis_split(24).digest()}) == 3
