"""Files of small graphs that are damaged, hostile or changing: told in a sentence, never kept."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from threading import Barrier, Thread

import numpy as np
import pytest
from numpy.typing import NDArray

from grbcore import catalog
from grbcore.catalog import DatasetEntry, FileEntry
from grbcore.datasets import DatasetError
from grbcore.datasets.fetch import FetchError, fetch
from grbcore.graphlevel import AttributedGraph, files, tu
from grbcore.graphlevel.models import Shape
from grbcore.graphlevel.registered import opened
from tests.api.graph_stage import small_data
from tests.grbcore.forging import arrays, header, npy, npy_saying, npz
from tests.grbcore.graphlevel.samples import random_graphs
from tests.grbcore.graphlevel.test_graph_files import archive, same
from tests.grbcore.mirror import Server

pytestmark = pytest.mark.usefixtures("own_var")

GRAPHS = tuple(random_graphs(4, 0, Shape((7,), (4,), 1)))
LABELS = np.arange(4) % 2


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as made:
        thread = Thread(target=made.serve_forever, args=(0.01,))
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.fixture
def entry(server: Server, registered: Callable[[DatasetEntry], None]) -> DatasetEntry:
    """MUTAG as the few graphs, at the server in place of TUDataset's."""
    known = FileEntry(sha256=files.digest_of(GRAPHS, LABELS))
    told = {"files": {"tu-mutag": known}, "address": f"{server.address}/MUTAG.zip"}
    made = catalog.dataset("mutag").model_copy(update=told)
    registered(made)
    return made


def packed(folder: Path, graphs: tuple[AttributedGraph, ...] = GRAPHS) -> bytes:
    path = folder / "whole.npz"
    files.write(path, graphs, LABELS[: len(graphs)])
    return path.read_bytes()


def members(folder: Path) -> dict[str, NDArray[np.generic]]:
    with np.load(io.BytesIO(packed(folder))) as held:
        return {name: held[name] for name in held.files}


def damaged(whole: bytes, at: range) -> Iterator[bytes]:
    """The file with one byte changed, or cut there."""
    for place in at:
        yield whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :]
        yield whole[:place]


def test_a_damaged_file_is_refused_wherever_it_is_damaged(tmp_path: Path) -> None:
    """Or the byte says nothing of the graphs, such as the time at which a member was made."""
    whole, path, refused = packed(tmp_path), tmp_path / "damaged.npz", 0
    for content in damaged(whole, range(0, len(whole), 7)):
        path.write_bytes(content)
        try:
            assert same(files.read(path)[0], GRAPHS)
        except DatasetError as error:
            assert str(path) in str(error)
            refused += 1
    assert refused > 0.8 * 2 * len(whole) / 7


def test_a_damaged_archive_of_tudataset_is_refused_or_is_other_graphs(tmp_path: Path) -> None:
    """Such as those without labels of nodes, where the name of their file is damaged."""
    whole, path, refused = archive(GRAPHS, LABELS), tmp_path / "MUTAG.zip", 0
    for content in damaged(whole, range(0, len(whole), 7)):
        path.write_bytes(content)
        try:
            assert len(tu.read(path)[0]) == len(GRAPHS)
        except DatasetError as error:
            assert str(path) in str(error)
            refused += 1
    assert refused > 0.8 * 2 * len(whole) / 7


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"node_ptr": np.zeros(0, np.int64)}, "node_ptr: found .* allowed: 5 that grow from 0"),
        ({"edge_ptr": np.array([0, 9, 3, 9, 9])}, "edge_ptr: found .* allowed: 5 that grow"),
        ({"edge_ptr": np.zeros(5, np.int64)}, "edge_ptr: found 0 edges"),
        ({"node_ptr": np.array([0, 1, 2, 3, 1 << 60]), "x": None}, "allowed: at most 16777216"),
        ({"node_ptr": np.array([0, 1, 2, 3, 4])}, "x: found .* allowed: 4 rows"),
        ({"edge_index": np.zeros(4, np.int64)}, r"edge_index: found \(4,\), allowed: \(2, E\)"),
        ({"edge_attr": np.zeros((1, 1), np.int64)}, "edge_attr: found"),
        ({"x": np.float64(1).reshape(1)}, "x: found float64, allowed: whole numbers"),
        ({"y": np.zeros((2, 2))}, "y: found float64"),
        ({"y": np.array([0, 1, 0, np.nan])}, "allowed: finite numbers"),
        ({"y": np.array([b"a"] * 4, "|S3")}, r"y: found \|S3, allowed: numbers"),
        ({"y": None}, "found no y, allowed: members node_ptr, edge_ptr, edge_index, y"),
    ],
)  # fmt: skip
def test_members_that_do_not_fit_are_named(
    changed: dict[str, NDArray[np.generic] | None], words: str, tmp_path: Path
) -> None:
    held = {**members(tmp_path), **changed}
    path = tmp_path / "other.npz"
    path.write_bytes(arrays(**{name: one for name, one in held.items() if one is not None}))
    with pytest.raises(DatasetError, match=words):
        files.read(path)


def test_pairs_that_lie_by_columns_are_read_as_they_are(tmp_path: Path) -> None:
    """As numpy writes an array that was transposed: MUTAG's file at hand is one."""
    held = members(tmp_path)
    held["edge_index"] = np.asfortranarray(held["edge_index"])
    path = tmp_path / "columns.npz"
    path.write_bytes(arrays(**held))
    assert b"'fortran_order': True" in npy(held["edge_index"])
    assert same(files.read(path)[0], GRAPHS)


def claiming(size: int) -> bytes:
    """A file that is said to unpack to so many bytes of labels."""
    made = npz([("y.npy", npy_saying(header((size // 8,))) + bytes(1000))])
    data = bytearray(made)
    at = data.index(b"PK\x01\x02") + 24
    data[at : at + 4] = size.to_bytes(4, "little")
    return bytes(data)


@pytest.mark.parametrize("size", [files.MAX_BYTES + 1, 0xFFFFFFFE])
def test_a_file_that_would_unpack_to_gigabytes_is_refused_and_nothing_of_it_is_kept(
    size: int, server: Server, entry: DatasetEntry, tmp_path: Path
) -> None:
    server.files["/mutag/tu-mutag"] = claiming(size)
    with pytest.raises(FetchError, match="bytes when unpacked, allowed: at most 268435456"):
        fetch("mutag", tmp_path, mirror=server.address, pause=0.01)
    assert list((tmp_path / "graphs" / "tu-mutag").iterdir()) == []


def test_a_header_that_claims_more_than_is_there_is_refused(
    server: Server, entry: DatasetEntry, tmp_path: Path
) -> None:
    server.files["/mutag/tu-mutag"] = npz([("y.npy", npy_saying(header((1 << 30,))) + bytes(99))])
    with pytest.raises(FetchError, match=r"as served: .*y: found 99 bytes of data"):
        fetch("mutag", tmp_path, mirror=server.address, pause=0.01)
    assert list((tmp_path / "graphs" / "tu-mutag").iterdir()) == []
    server.files["/mutag/tu-mutag"] = packed(tmp_path)  # mended there, it arrives
    (path,) = fetch("mutag", tmp_path, mirror=server.address, pause=0.01)
    assert same(files.read(path)[0], GRAPHS)


def test_a_mirror_that_never_ends_is_left(
    server: Server, entry: DatasetEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(files, "MAX_BYTES", 50)
    server.files["/mutag/tu-mutag"] = packed(tmp_path)
    with pytest.raises(FetchError, match="found more than 50 bytes"):
        fetch("mutag", tmp_path, mirror=server.address, pause=0.01)
    assert list((tmp_path / "graphs" / "tu-mutag").iterdir()) == []


@pytest.mark.parametrize(
    "served",
    [
        archive(GRAPHS, LABELS, graph_labels="99999999999999999999\n1\n1\n1\n"),
        archive(GRAPHS, LABELS).replace(b"\x00\x00\x00MUTAG/", b"\x00\x00\x00MUTAG\\"),
        archive(GRAPHS, LABELS)[:300] + bytes(300) + archive(GRAPHS, LABELS)[600:],
    ],
    ids=["a label of 20 digits", "a name that differs", "zeros in the middle"],
)
def test_what_is_no_archive_of_tudataset_is_a_fetch_that_failed(
    served: bytes, server: Server, entry: DatasetEntry, tmp_path: Path
) -> None:
    server.files["/MUTAG.zip"] = served
    with pytest.raises(FetchError, match="mutag: "):
        fetch("mutag", tmp_path, pause=0.01)
    assert list((tmp_path / "graphs" / "tu-mutag").iterdir()) == []


def test_text_packed_otherwise_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "MUTAG.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as held:
        held.writestr("MUTAG/MUTAG_A.txt", "1, 2\n2, 1\n")
    with pytest.raises(DatasetError, match="compression method 14, allowed: stored or deflated"):
        tu.read(path)


def test_two_fetches_at_once_both_give_the_whole_file(
    server: Server, entry: DatasetEntry, tmp_path: Path
) -> None:
    server.files["/MUTAG.zip"] = archive(GRAPHS, LABELS)
    start = Barrier(4)

    def fetched(_: int) -> Path:
        start.wait()
        (path,) = fetch("mutag", tmp_path, pause=0.01)
        return path

    with ThreadPoolExecutor(4) as threads:
        paths = set(threads.map(fetched, range(4)))
    assert [same(files.read(path)[0], GRAPHS) for path in paths] == [True]
    assert len(server.asked) == 1
    assert [one.name for one in paths.pop().parent.iterdir()] == ["graphs.npz"]


def test_two_writers_at_once_leave_one_whole_file(tmp_path: Path) -> None:
    path, start = tmp_path / "graphs.npz", Barrier(4)
    others = [tuple(replace(graph) for graph in GRAPHS[n:]) for n in range(4)]

    def write(graphs: tuple[AttributedGraph, ...]) -> None:
        start.wait()
        files.write(path, graphs, LABELS[: len(graphs)])

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, others))
    found, _ = files.read(path)
    assert any(same(found, graphs) for graphs in others)
    assert [one.name for one in tmp_path.iterdir() if one.suffix] == ["graphs.npz"]
    assert path.stat().st_mode & 0o444 == 0o444


def test_who_wants_graphs_at_once_gets_those_that_one_of_them_read(tmp_path: Path) -> None:
    start = Barrier(8)

    def found(_: int) -> object:
        start.wait()
        return opened("mutag", data_dir=tmp_path)

    with small_data(tmp_path), ThreadPoolExecutor(8) as threads:
        (one, *others) = threads.map(found, range(8))
        assert one is not None
        assert all(other is one for other in others)


def test_graphs_that_could_not_be_read_once_are_read_later(tmp_path: Path) -> None:
    with small_data(tmp_path):
        path = tmp_path / "graphs" / "tu-mutag" / "graphs.npz"
        whole, times = path.read_bytes(), path.stat()
        path.write_bytes(whole[:100] + bytes(len(whole) - 100))
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert opened("mutag", data_dir=tmp_path) is None
        path.write_bytes(whole)
        os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
        assert opened("mutag", data_dir=tmp_path) is not None
