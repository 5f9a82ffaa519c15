"""Fetching datasets from a real server on this machine, and what is recorded of them."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog
from grbcore.datasets import DatasetError, load
from grbcore.datasets.checking import differences
from grbcore.datasets.fetch import FetchError, fetch
from grbcore.datasets.reading import FILES, csr
from grbcore.datasets.records import expected, remember
from tests.grbcore.forging import arrays
from tests.grbcore.mirror import ALL, FILES_OF_RING, NODES, Server, contents, entry, fetched
from tests.killed import die, killed

pytestmark = pytest.mark.usefixtures("own_var")


@pytest.mark.usefixtures("published")
def test_the_four_files_arrive_and_nothing_else(server: Server, tmp_path: Path) -> None:
    paths = fetched(server, tmp_path / "data")
    assert contents(tmp_path / "data") == ALL
    assert [path.name for path in paths] == [f"{file}.npz" for file in FILES]


def test_the_catalogs_address_is_asked_where_there_is_no_mirror(
    server: Server, tmp_path: Path, registered
) -> None:
    registered(entry(address=f"{server.address}/ring/{{file}}.npz"))
    fetch("ring", tmp_path)
    assert contents(tmp_path) == ALL


@pytest.mark.usefixtures("published")
def test_files_that_are_here_are_not_fetched_again(server: Server, tmp_path: Path) -> None:
    fetched(server, tmp_path)
    server.asked.clear()
    fetched(server, tmp_path)
    assert server.asked == []


@pytest.mark.usefixtures("published")
def test_progress_ends_with_all_bytes(server: Server, tmp_path: Path) -> None:
    told: dict[str, tuple[int, int | None]] = {}
    fetched(server, tmp_path, progress=lambda file, have, total: told.update({file: (have, total)}))
    assert told == {name: (len(data), len(data)) for name, data in ALL.items()}


@pytest.mark.usefixtures("published")
def test_a_broken_connection_is_taken_up_where_it_broke(server: Server, tmp_path: Path) -> None:
    server.cut["features"] = [100_000, 150_000]
    fetched(server, tmp_path)
    assert server.ranges_of("features") == [None, "bytes=100000-", "bytes=250000-"]
    assert contents(tmp_path) == ALL


@pytest.mark.usefixtures("published")
def test_an_interrupted_fetch_goes_on_in_the_next_one(server: Server, tmp_path: Path) -> None:
    server.cut["features"] = [100_000]
    with pytest.raises(FetchError, match="1 attempts"):
        fetched(server, tmp_path, attempts=1)
    part = tmp_path / "ring" / "features.npz.part"
    assert part.stat().st_size == 100_000
    assert not (tmp_path / "ring" / "features.npz").exists()
    fetched(server, tmp_path)
    assert server.ranges_of("features") == [None, "bytes=100000-"]
    assert contents(tmp_path) == ALL


@pytest.mark.usefixtures("published")
def test_a_server_without_ranges_is_asked_for_all_again(server: Server, tmp_path: Path) -> None:
    server.ranges = False
    server.cut["features"] = [100_000]
    fetched(server, tmp_path)
    assert contents(tmp_path) == ALL


@pytest.mark.usefixtures("published")
def test_a_whole_file_that_was_not_renamed_is_not_fetched_again(
    server: Server, tmp_path: Path
) -> None:
    (tmp_path / "ring").mkdir()
    (tmp_path / "ring" / "labels.npz.part").write_bytes(FILES_OF_RING["labels"])
    fetched(server, tmp_path)
    assert contents(tmp_path) == ALL


@pytest.mark.usefixtures("published")
def test_a_part_that_is_longer_than_the_file_is_thrown_away(server: Server, tmp_path: Path) -> None:
    (tmp_path / "ring").mkdir()
    (tmp_path / "ring" / "labels.npz.part").write_bytes(FILES_OF_RING["labels"] + b"more")
    fetched(server, tmp_path)
    assert contents(tmp_path) == ALL


@pytest.mark.usefixtures("unpublished")
def test_two_versions_of_a_file_are_never_mixed(server: Server, tmp_path: Path) -> None:
    """The file changes between two attempts: its tag says so and it is sent whole."""
    old = server.files["features"]
    server.files["features"] = old[:-1] + b"x"
    server.cut["features"] = [100_000]
    with pytest.raises(FetchError):
        fetched(server, tmp_path, attempts=1)
    server.files["features"] = old
    fetched(server, tmp_path)
    assert contents(tmp_path) == ALL


@pytest.mark.usefixtures("published")
def test_a_busy_server_is_asked_again(server: Server, tmp_path: Path) -> None:
    server.status["adj"] = [503, 429]
    fetched(server, tmp_path)
    assert contents(tmp_path) == ALL


@pytest.mark.usefixtures("published")
def test_attempts_are_bounded(server: Server, tmp_path: Path) -> None:
    server.status["adj"] = [503] * 10
    with pytest.raises(FetchError, match=r"3 attempts, the last one: .*HTTP 503"):
        fetched(server, tmp_path, attempts=3)
    assert len(server.asked) == 3


@pytest.mark.usefixtures("published")
def test_a_file_that_the_server_lacks_is_placed_by_hand(server: Server, tmp_path: Path) -> None:
    del server.files["index"]
    with pytest.raises(FetchError) as caught:
        fetched(server, tmp_path)
    message = str(caught.value)
    assert f"{server.address}/ring/index.npz: found HTTP 404" in message
    assert str(tmp_path / "ring") in message
    for name, data in FILES_OF_RING.items():
        assert f"{name}.npz  SHA-256 {hashlib.sha256(data).hexdigest()}" in message
    assert len(server.ranges_of("index")) == 1


@pytest.mark.usefixtures("published")
def test_no_server_is_told_with_what_to_do_by_hand(tmp_path: Path) -> None:
    with Server() as closed:
        address = closed.address
    with pytest.raises(FetchError) as caught:
        fetch("ring", tmp_path, mirror=address, attempts=2, pause=0.01)
    assert "2 attempts, the last one: ConnectError" in str(caught.value)
    assert "by hand" in str(caught.value)


@pytest.mark.usefixtures("published")
@pytest.mark.parametrize(
    "mirror", ["nonsense", "ftp://127.0.0.1", "http://127.0.0.1:port", "file:///data"]
)
def test_a_mirror_that_is_no_address_is_told_at_once(tmp_path: Path, mirror: str) -> None:
    with pytest.raises(FetchError, match="by hand"):
        fetch("ring", tmp_path, mirror=mirror, pause=60)


@pytest.mark.parametrize(
    "name", [n for n, e in catalog.datasets().items() if not (e.bundled or e.address)]
)
def test_where_there_is_no_address_the_way_by_hand_is_told(name: str, tmp_path: Path) -> None:
    with pytest.raises(FetchError) as caught:
        fetch(name, tmp_path)
    message = str(caught.value)
    assert "no address" in message
    assert str(tmp_path if catalog.dataset(name).graphs else tmp_path / name) in message
    assert "GRB_MIRROR" in message
    assert list(tmp_path.iterdir()) == []


@pytest.mark.usefixtures("published")
def test_another_file_than_published_is_refused_and_not_kept(
    server: Server, tmp_path: Path
) -> None:
    served = FILES_OF_RING["index"]
    server.files["labels"] = served
    with pytest.raises(FetchError) as caught:
        fetched(server, tmp_path)
    wanted = hashlib.sha256(FILES_OF_RING["labels"]).hexdigest()
    assert "labels.npz as served: found SHA-256" in str(caught.value)
    assert f"allowed: {wanted} (published)" in str(caught.value)
    assert not list((tmp_path / "ring").glob("labels*"))
    server.files["labels"] = FILES_OF_RING["labels"]
    fetched(server, tmp_path)
    assert contents(tmp_path) == ALL


@pytest.mark.usefixtures("published")
def test_a_file_on_the_disk_that_is_another_one_is_named(server: Server, tmp_path: Path) -> None:
    paths = fetched(server, tmp_path)
    paths[0].write_bytes(b"another")
    with pytest.raises(FetchError, match=r"adj\.npz: found SHA-256 .* remove the file"):
        fetched(server, tmp_path)


# What is recorded


@pytest.mark.usefixtures("unpublished")
def test_hashes_that_nobody_published_are_recorded_once_the_rest_is_right(
    server: Server, tmp_path: Path, own_var: Path
) -> None:
    fetched(server, tmp_path)
    assert expected("ring") == {}
    assert differences("ring", tmp_path / "ring") == ()
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in FILES_OF_RING.items()}
    assert json.loads((own_var / "data" / "ring" / "recorded.json").read_text()) == hashes
    assert expected("ring") == hashes


@pytest.mark.usefixtures("unpublished")
def test_what_one_that_was_killed_left_of_a_record_is_gone_after_the_next(
    own_var: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", die)
        killed(lambda: remember("ring", {"adj": "0"}))
    remember("ring", {"adj": "1"})
    (path,) = (own_var / "data" / "ring").iterdir()
    assert json.loads(path.read_text()) == {"adj": "1"}


@pytest.mark.usefixtures("unpublished")
def test_a_file_other_than_recorded_is_refused(
    server: Server, tmp_path: Path, own_var: Path
) -> None:
    (path, *_) = fetched(server, tmp_path)
    differences("ring", tmp_path / "ring")
    ids = np.arange(NODES)
    indptr, indices = csr(np.stack([ids, (ids + 3) % NODES]), NODES)
    path.write_bytes(arrays(indptr=indptr, indices=indices, shape=np.array([NODES, NODES])))
    (difference,) = differences("ring", tmp_path / "ring")
    assert difference.place == "adj.npz"
    assert f"recorded in {own_var / 'data' / 'ring' / 'recorded.json'}" in difference.allowed
    with pytest.raises(DatasetError, match="found SHA-256"):
        load("ring", data_dir=tmp_path)


def test_files_with_other_statistics_are_not_recorded(
    server: Server, tmp_path: Path, registered
) -> None:
    registered(entry(published=False, edges=NODES + 1, classes=3))
    fetched(server, tmp_path)
    found = {(d.place, d.found, d.allowed) for d in differences("ring", tmp_path / "ring")}
    assert found == {("undirected edges", "40", "41"), ("classes", "2", "3")}
    assert expected("ring") == {}


@pytest.mark.usefixtures("published")
def test_what_is_published_is_never_replaced_by_a_record() -> None:
    before = expected("ring")
    remember("ring", dict.fromkeys(FILES, "0" * 64))
    assert expected("ring") == before
