"""Datasets and graphs for PyTorch Geometric, and back."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest
import torch
from torch_geometric.data import Data
from torch_geometric.nn import GCNConv

from grbcore import pyg
from grbcore.datasets import Dataset, DatasetError, split
from grbcore.scenario import DIFFICULTIES
from tests.grbcore.engine import TOY, TOY_GRAPH

Pairs = set[tuple[int, int]]


def pairs(edge_index: torch.Tensor) -> Pairs:
    return {(int(row), int(col)) for row, col in edge_index.T}


def test_pyg_finds_the_dataset_valid_and_undirected(digits: Dataset) -> None:
    found = pyg.data(digits)
    assert found.validate()
    assert (found.num_nodes, found.num_features) == (1797, 64)
    assert found.num_edges == 2 * digits.edges
    assert found.is_undirected()
    assert not found.has_self_loops()
    assert found.is_coalesced()


def test_features_and_labels_are_those_of_the_dataset(digits: Dataset) -> None:
    found = pyg.data(digits)
    assert (found.x.dtype, found.y.dtype) == (torch.float32, torch.int64)
    np.testing.assert_array_equal(found.x, digits.features)
    np.testing.assert_array_equal(found.y, digits.labels)


def test_masks_are_the_split(digits: Dataset) -> None:
    found = pyg.data(digits)
    named = {"train": digits.train, "val": digits.val, "test": digits.targets["full"]}
    named |= {f"test_{name}": digits.targets[name] for name in DIFFICULTIES}
    for name, ids in named.items():
        np.testing.assert_array_equal(found[f"{name}_mask"].nonzero()[:, 0], ids, err_msg=name)


def test_a_subgraph_of_pyg_takes_every_mask_along(digits: Dataset) -> None:
    found = pyg.data(digits)
    part = found.subgraph(found.train_mask)
    assert part.num_nodes == digits.train.shape[0] == int(part.train_mask.sum())
    assert part.test_full_mask.shape == (part.num_nodes,)


def test_the_dataset_is_not_changed_through_its_tensors() -> None:
    before = TOY.features.copy(), TOY.labels.copy()
    found = pyg.data(TOY)
    found.x.zero_()
    found.y.zero_()
    np.testing.assert_array_equal(TOY.features, before[0])
    np.testing.assert_array_equal(TOY.labels, before[1])


def test_a_graph_comes_back_as_it_was() -> None:
    found = pyg.graph(pyg.data(TOY))
    assert torch.equal(found.rowptr, TOY_GRAPH.rowptr)
    assert torch.equal(found.col, TOY_GRAPH.col)
    assert torch.equal(found.features, TOY_GRAPH.features)


def test_a_directed_graph_with_loops_and_repeats_becomes_one_of_the_boards() -> None:
    edges = torch.tensor([[0, 0, 1, 2], [1, 1, 1, 0]])
    found = pyg.graph(Data(x=torch.ones(4, 2, dtype=torch.float64), edge_index=edges))
    rows = torch.repeat_interleave(torch.arange(4), found.pattern.degrees)
    assert pairs(torch.stack([rows, found.col])) == {(0, 1), (1, 0), (0, 2), (2, 0)}
    assert found.features.dtype == torch.float32


@pytest.mark.parametrize("node", [-1, 4])
def test_an_edge_to_no_node_is_refused(node: int) -> None:
    outside = Data(x=torch.ones(4, 2), edge_index=torch.tensor([[0], [node]]))
    with pytest.raises(ValueError, match=rf"found node {node}, allowed: 0\.\.3"):
        pyg.graph(outside)


def test_a_graph_without_features_is_refused() -> None:
    with pytest.raises(ValueError, match="found no x"):
        pyg.graph(Data(edge_index=torch.tensor([[0], [1]])))


def test_a_model_of_pyg_trains_on_a_boards_dataset() -> None:
    """Full-batch gradient descent on the training nodes lowers the loss."""
    found = pyg.data(TOY)
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(0)
        model = GCNConv(8, TOY.classes)
    optimiser = torch.optim.Adam(model.parameters(), lr=0.1)
    losses = []
    for _ in range(20):
        optimiser.zero_grad()
        logits = model(found.x, found.edge_index)[found.train_mask]
        loss = torch.nn.functional.cross_entropy(logits, found.y[found.train_mask])
        loss.backward()
        optimiser.step()
        losses.append(loss.item())
    assert losses[-1] < losses[0]


def test_pyg_is_imported_only_when_it_is_used() -> None:
    code = "import sys, grbcore.pyg; sys.exit('torch_geometric' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_dataset_of_ones_own_comes_from_pyg_as_it_was() -> None:
    found = pyg.dataset(pyg.data(TOY), "toy")
    np.testing.assert_array_equal(found.indptr, TOY.indptr)
    np.testing.assert_array_equal(found.indices, TOY.indices)
    np.testing.assert_array_equal(found.labels, TOY.labels)
    np.testing.assert_array_equal(found.train, TOY.train)
    np.testing.assert_array_equal(found.val, TOY.val)
    for difficulty in DIFFICULTIES:
        np.testing.assert_array_equal(found.targets[difficulty], TOY.targets[difficulty])


def test_pygs_own_masks_are_the_split_and_its_test_nodes_are_cut_in_three() -> None:
    plain = pyg.data(TOY)
    for difficulty in DIFFICULTIES:
        del plain[f"test_{difficulty}_mask"]
    found = pyg.dataset(plain)
    np.testing.assert_array_equal(found.targets["full"], TOY.targets["full"])
    degrees = [int(TOY.degrees[found.targets[band]].sum()) for band in DIFFICULTIES[:3]]
    assert degrees == sorted(degrees)


def test_without_masks_the_split_is_grbs() -> None:
    plain = pyg.data(TOY)
    bare = Data(x=plain.x, edge_index=plain.edge_index, y=plain.y)
    np.testing.assert_array_equal(pyg.dataset(bare, seed=2).train, split(TOY.degrees, 2).train)


def test_a_directed_graph_with_loops_and_repeats_becomes_a_dataset() -> None:
    edges = torch.tensor([[0, 0, 1, 2], [1, 1, 1, 0]])
    features, labels = torch.arange(20.0).view(10, 2), torch.arange(10) % 2
    found = pyg.dataset(Data(x=features, edge_index=edges, y=labels))
    assert (found.edges, found.degrees[:3].tolist()) == (2, [2, 1, 1])


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        ({"y": None}, "data: found no y, allowed: x, edge_index and y"),
        ({"edge_weight": torch.tensor([0.5])}, "edge_weight: found weights other than 1"),
        ({"edge_index": torch.tensor([[0], [60]])}, r"adjacency: found node 60, allowed: 0\.\.59"),
        ({"train_mask": torch.ones(60, 2).bool()}, r"train: found bool of shape \(60, 2\)"),
        ({"y": torch.full((60,), -1)}, "labels: found 60 nodes without one"),
    ],
)
def test_what_is_wrong_with_pygs_data_is_named(changed: dict[str, object], message: str) -> None:
    found = pyg.data(TOY)
    for name, value in changed.items():
        found[name] = value
    with pytest.raises(DatasetError, match=message):
        pyg.dataset(found)
