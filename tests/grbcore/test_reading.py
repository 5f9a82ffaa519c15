"""Reading a dataset's four files without trusting them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from grbcore.datasets import DatasetError
from grbcore.datasets.reading import digest, hashes, read, read_raw, write
from tests.grbcore.four_files import NODES, Files, ring, written


def test_the_four_files_are_read(tmp_path: Path) -> None:
    found = read("ring", written(tmp_path, ring()))
    assert (found.nodes, found.edges, found.classes) == (NODES, NODES, 2)
    assert found.indices[:2].tolist() == [1, 19]
    assert found.features.dtype == np.float32
    assert found.digest == digest(hashes(tmp_path))


def test_a_directed_graph_is_symmetrised_without_loops_weights_or_repeats(tmp_path: Path) -> None:
    files = ring()
    files["adj"] |= {
        "indptr": np.array([0, 4] + [4] * (NODES - 1)),
        "indices": np.array([0, 2, 1, 2]),
        "data": np.array([5.0, 1e10, -1.0, 0.0]),
    }
    found = read("few", written(tmp_path, files))
    assert found.edges == 2
    assert found.indptr[:4].tolist() == [0, 2, 3, 4]
    assert found.indices.tolist() == [1, 2, 0, 0]


def put(file: str, member: str, value: np.ndarray) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        files[file][member] = value

    return apply


def without(file: str, member: str) -> Callable[[Files], None]:
    def apply(files: Files) -> None:
        del files[file][member]

    return apply


def at(array: np.ndarray, index: int, value: int) -> np.ndarray:
    changed = array.copy()
    changed[index] = value
    return changed


RING = ring()
POINTERS, COLUMNS = RING["adj"]["indptr"], RING["adj"]["indices"]
#: Never less than before as far as wrapped differences tell.
WRAPPED = at(at(POINTERS.astype(np.int64), 1, 2**63 - 1), 2, -2)
INDEX, TRAIN = RING["index"], RING["index"]["index_train"]


@pytest.mark.parametrize(
    ("wrong", "place", "found", "allowed"),
    [
        (put("adj", "indices", at(COLUMNS, 3, NODES)), "adj", "column 20", "0..19"),
        (put("adj", "indices", at(COLUMNS, 3, -1)), "adj", "column -1", "0..19"),
        (put("adj", "indices", at(COLUMNS, 0, 1 << 30)), "adj", "column 1073741824", "0..19"),
        (put("adj", "indptr", at(POINTERS, 3, 0)), "adj", "row pointers", "CSR"),
        (put("adj", "indptr", at(POINTERS, -1, 10**6)), "adj", "row pointers", "CSR"),
        (put("adj", "indptr", at(POINTERS, 0, 1)), "adj", "row pointers", "CSR"),
        (put("adj", "indptr", WRAPPED), "adj", "row pointers", "CSR"),
        (put("adj", "indptr", POINTERS[:-1]), "adj", "with 20 row pointers", "with 21"),
        (put("adj", "shape", np.array([NODES, 21])), "adj", "shape [20, 21]", "[20, 20]"),
        (put("adj", "shape", np.array(NODES)), "adj", "shape: int64 ()", "one row"),
        (put("adj", "indices", COLUMNS + 0.5), "adj", "indices: float64", "whole"),
        (put("adj", "indptr", POINTERS.astype(float)), "adj", "indptr: float64", "whole"),
        (put("adj", "indices", COLUMNS[:, None]), "adj", "(40, 1)", "one row"),
        (without("adj", "indptr"), "adj", "no member indptr", "indptr, indices, shape"),
        (put("features", "data", np.zeros(NODES)), "features", "float64 (20,)", "(n, d)"),
        (put("features", "data", np.zeros((NODES, 2), int)), "features", "int64 (20, 2)", "f"),
        (put("features", "data", np.full((NODES, 2), np.nan)), "features", "nan at", "finite"),
        (put("features", "data", np.ones((NODES, 2))), "features", "the same value", "spread"),
        (put("features", "data", np.zeros((5, 2))), "labels", "(20,)", "each of 5 nodes"),
        (put("labels", "data", np.zeros(19, int)), "labels", "int64 (19,)", "each of 20"),
        (put("labels", "data", np.zeros(NODES)), "labels", "float64", "whole"),
        (put("labels", "data", np.full(NODES, -1)), "labels", "from -1 to -1", "0..32767"),
        (put("labels", "data", np.full(NODES, 1 << 40)), "labels", "to 1099511627776", "0.."),
        (put("index", "index_train", at(TRAIN, 0, 20)), "index", "to 20", "0..19"),
        (put("index", "index_val", at(INDEX["index_val"], 0, -5)), "index", "from -5", "0..19"),
        (put("index", "index_val", TRAIN[:2]), "index", "two parts", "apart"),
        (put("index", "index_val", np.array([3, 3])), "index", "index_val from 3 to 3", "once"),
        (put("index", "index_val", np.array([0.0])), "index", "float64", "node ids"),
        (put("index", "index_test", INDEX["index_test"][1:]), "index", "another", "union"),
        (without("index", "index_test_easy"), "index", "no member index_test_easy", "index_train"),
    ],
)  # fmt: skip
def test_files_that_do_not_agree_are_refused_with_place_found_and_allowed(
    tmp_path: Path, wrong: Callable[[Files], None], place: str, found: str, allowed: str
) -> None:
    files = ring()
    wrong(files)
    with pytest.raises(DatasetError) as caught:
        read("ring", written(tmp_path, files))
    message = str(caught.value)
    assert message.startswith(str(tmp_path / f"{place}.npz"))
    assert found in message.split("allowed: ")[0]
    assert allowed in message.split("allowed: ")[1]


@pytest.mark.parametrize("name", ["adj", "features", "index", "labels"])
def test_a_missing_file_is_named(tmp_path: Path, name: str) -> None:
    written(tmp_path, ring())
    (tmp_path / f"{name}.npz").unlink()
    with pytest.raises(DatasetError, match=rf"{name}\.npz: found no such file"):
        read_raw(tmp_path)


@pytest.mark.parametrize("name", ["adj", "features", "index", "labels"])
def test_a_damaged_file_is_named(tmp_path: Path, name: str) -> None:
    path = written(tmp_path, ring()) / f"{name}.npz"
    path.write_bytes(path.read_bytes()[:-30])
    with pytest.raises(DatasetError, match=rf"{name}\.npz: .*damaged"):
        read_raw(tmp_path)


def test_a_folder_in_place_of_a_file_is_named(tmp_path: Path) -> None:
    path = written(tmp_path, ring()) / "labels.npz"
    path.unlink()
    path.mkdir()
    with pytest.raises(DatasetError, match=r"labels\.npz: found"):
        read_raw(tmp_path)


def test_an_array_of_objects_is_not_unpickled(tmp_path: Path) -> None:
    files = ring()
    files["labels"]["data"] = np.array([{}] * NODES, object)
    with pytest.raises(DatasetError, match=r"labels\.npz: data: found type '\|O'"):
        read_raw(written(tmp_path, files))


@given(st.data())
def test_whatever_the_files_hold_nothing_but_a_dataset_error_is_raised(
    tmp_path: Path, draw: st.DataObject
) -> None:
    written(tmp_path, ring())
    path = tmp_path / f"{draw.draw(st.sampled_from(list(RING)))}.npz"
    data = bytearray(path.read_bytes())
    for _ in range(draw.draw(st.integers(1, 4))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    path.write_bytes(data)
    try:
        read("ring", tmp_path)
    except DatasetError as error:
        assert str(path) in str(error) or "npz" in str(error)


def test_the_digest_depends_on_every_file(tmp_path: Path) -> None:
    seen = {digest(hashes(written(tmp_path, ring())))}
    for name in RING:
        files = ring()
        files[name]["more"] = np.zeros(1)
        seen.add(digest(hashes(written(tmp_path, files))))
    assert len(seen) == 5


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    raw = read_raw(written(tmp_path, ring()))
    again = tmp_path / "again"
    write(again, raw)
    found = read_raw(again)
    assert np.array_equal(found.indices, raw.indices)
    assert np.array_equal(found.features, raw.features)
    assert np.array_equal(found.split.train, raw.split.train)
