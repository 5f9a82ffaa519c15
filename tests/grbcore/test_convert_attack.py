"""Published attacks as submissions: GRB's layout of an adjacency block and features."""

from __future__ import annotations

import os
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from typer.testing import CliRunner

from grbcore import convert
from grbcore.catalog import Board
from grbcore.cli.main import app
from grbcore.datasets import Dataset
from grbcore.submission import check_content
from grbcore.violations import Refused, Violation
from tests.grbcore.samples import D, N
from tests.grbcore.test_errors_page import ROWS

K = 5  # injected nodes
ORIGINAL = [(0, 7), (0, 11), (1, 7), (4, 1796)]  # row, column of the left block
AMONG = [(0, 1), (3, 4)]  # undirected


def block(*, original: Any = ORIGINAL, among: Any = AMONG, weight: float = 1.0) -> sp.csr_matrix:
    """The (k, n+k) block of an attack, its right part symmetric."""
    both = [pair for row, column in among for pair in ((row, column), (column, row))]
    entries = [*original, *((row, N + column) for row, column in both)]
    rows, columns = np.array(entries).T
    return sp.csr_matrix((np.full(len(entries), weight), (rows, columns)), shape=(K, N + K))


def features(high: float = 0.5) -> np.ndarray:
    return np.linspace(-0.4, high, K * D).reshape(K, D)


def published(folder: Path, adjacency: Any, values: np.ndarray, *, name: str = "adj.pkl") -> Path:
    """A folder as GRB publishes an attack."""
    folder.mkdir(exist_ok=True)
    if name.endswith(".pkl"):
        (folder / name).write_bytes(pickle.dumps(adjacency))
    else:
        sp.save_npz(folder / name, adjacency)
    np.save(folder / "features.npy", values)
    return folder


def faults(folder: Path, board: Board, digits: Dataset) -> list[Violation]:
    with pytest.raises(Refused) as refused:
        convert.attack(folder, board, digits)
    return list(refused.value.violations)


@pytest.mark.parametrize("name", ["adj.pkl", "adj_attack.pkl", "adj.npz", "adj_attack.npz"])
def test_each_edge_is_taken_once_from_the_new_node_on(
    board: Board, digits: Dataset, tmp_path: Path, name: str
) -> None:
    found = convert.attack(published(tmp_path / "a", block(), features(), name=name), board, digits)
    expected = {(N + row, column) for row, column in ORIGINAL}
    expected |= {(N + row, N + column) for row, column in AMONG}
    assert {tuple(edge) for edge in found.edges.T.tolist()} == expected
    assert found.edges.shape == (2, len(expected))


def test_features_are_float32_as_they_were(board: Board, digits: Dataset, tmp_path: Path) -> None:
    found = convert.attack(published(tmp_path / "a", block(), features()), board, digits)
    assert found.features.dtype == np.float32
    np.testing.assert_array_equal(found.features, features().astype(np.float32))


@pytest.mark.parametrize("kind", [sp.csr_matrix, sp.csr_array])
def test_both_of_scipys_classes_are_read(
    board: Board, digits: Dataset, tmp_path: Path, kind: Any
) -> None:
    found = convert.attack(published(tmp_path / "a", kind(block()), features()), board, digits)
    assert found.nodes == K


def test_features_out_of_range_are_kept_for_the_check_to_refuse(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    folder = published(tmp_path / "a", block(), features(3.0))
    found = convert.attack(folder, board, digits)
    assert found.features.max() == 3.0


def test_clip_brings_features_into_the_boards_range_and_leaves_the_others(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    values = features(3.0)
    found = convert.attack(
        published(tmp_path / "a", block(), values), board, digits, clip=True
    ).features
    low, high = board.feature_range
    inside = values <= high
    assert found[~inside] == pytest.approx(high)
    np.testing.assert_array_equal(found[inside], values[inside].astype(np.float32))
    assert found.min() >= low


def test_an_asymmetric_block_is_refused_with_the_edge_that_has_no_mirror(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    lonely = block(original=[*ORIGINAL, (3, N + 4)], among=[(0, 1)])
    found = faults(published(tmp_path / "a", lonely, features()), board, digits)
    example = next(text for code, _, text in ROWS if code == "symmetry")
    assert [str(fault) for fault in found] == [f"{example} [symmetry]"]


def test_a_self_loop_is_kept_for_the_check_to_refuse(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    looped = block(original=[*ORIGINAL, (2, N + 2)])
    found = convert.attack(published(tmp_path / "a", looped, features()), board, digits)
    faults = board.budget("full").violations(found, digits.shape("full"), "full/0")
    assert [fault.code for fault in faults] == ["edge-self"]


def test_weights_other_than_1_are_refused_with_the_worst(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    heavy = block()
    heavy.data[[0, 3]] = 2, 1e10
    found = faults(published(tmp_path / "a", heavy, features()), board, digits)
    example = next(text for code, _, text in ROWS if code == "edge-weight")
    assert [str(fault) for fault in found] == [f"{example} [edge-weight]"]


def test_every_wrong_shape_and_weight_is_told_at_once(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    wrong = block(weight=3.0)[:, :-1].tocsr()
    found = faults(published(tmp_path / "a", wrong, features()[:, :-1]), board, digits)
    assert [(fault.code, fault.place) for fault in found] == [
        ("shape", "adjacency"),
        ("edge-weight", "adjacency"),
        ("shape", "features"),
    ]


class Hostile:
    """Makes a folder when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


def test_a_hostile_pickle_is_refused_by_what_it_names_and_runs_nothing(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    made = tmp_path / "made"
    found = faults(published(tmp_path / "a", Hostile(made), features()), board, digits)
    assert [(fault.code, fault.found) for fault in found] == [
        ("format", f"a pickle that names {os.mkdir.__module__}.mkdir")
    ]
    assert not made.exists()


def test_a_pickle_of_something_else_is_refused(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    (found,) = faults(published(tmp_path / "a", {"edges": []}, features()), board, digits)
    assert (found.code, found.found) == ("format", "dict")


def test_a_pickle_that_is_cut_short_is_damaged(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    folder = published(tmp_path / "a", block(), features())
    path = folder / "adj.pkl"
    path.write_bytes(path.read_bytes()[:-40])
    (found,) = faults(folder, board, digits)
    assert found.code == "damaged"


@pytest.mark.parametrize(
    ("part", "value"),
    [
        ("indptr", "text"),
        ("indptr", np.zeros((2, 2))),
        ("indptr", np.zeros(0, np.int64)),
        ("indptr", np.array([0, 2**63 - 1, -2, *[8] * (K - 2)])),
        ("indices", [None]),
        ("indices", np.full(8, -1)),
        ("indices", np.full(8, 1 << 40)),
        ("data", 1.0),
        ("data", ["one"] * 8),
        ("_shape", 5),
        ("_shape", ("five", "six")),
        ("_shape", (-1, 3)),
    ],
)
def test_a_pickled_matrix_with_parts_of_another_kind_is_refused(
    board: Board, digits: Dataset, tmp_path: Path, part: str, value: object
) -> None:
    matrix = block()
    matrix.__dict__[part] = value
    found = faults(published(tmp_path / "a", matrix, features()), board, digits)
    assert {fault.code for fault in found} <= {"node-range", "format"}


def test_features_of_objects_are_not_unpickled(
    board: Board, digits: Dataset, tmp_path: Path
) -> None:
    folder = published(tmp_path / "a", block(), features())
    np.save(folder / "features.npy", np.array([Hostile(tmp_path / "made")], object))
    (found,) = faults(folder, board, digits)
    assert found.code == "damaged"
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(("gone", "named"), [("adj.pkl", "adj_attack.npz"), ("features.npy", "")])
def test_a_missing_file_is_named_with_what_is_there(
    board: Board, digits: Dataset, tmp_path: Path, gone: str, named: str
) -> None:
    folder = published(tmp_path / "a", block(), features())
    (folder / gone).unlink()
    (found,) = faults(folder, board, digits)
    assert found.code == "member-missing"
    assert named in found.allowed
    assert gone in found.allowed


def test_the_command_writes_a_valid_attack(board: Board, digits: Dataset, tmp_path: Path) -> None:
    folder = published(tmp_path / "a", block(), features(3.0))
    out = tmp_path / "out.npz"
    arguments = ["convert", str(folder), "--board", board.id, "--clip", "--out", str(out)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert check_content(out, side="attack", board=board, dataset=digits) == ()
