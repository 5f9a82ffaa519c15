"""Fetching and checking datasets from a real server on this machine."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Iterator
from pathlib import Path

import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

from grbcore import catalog
from grbcore.catalog import DatasetEntry, FileEntry
from grbcore.cli.datasets import app
from grbcore.datasets import DatasetError, load, split
from grbcore.datasets.checking import differences
from grbcore.datasets.fetch import FetchError, fetch
from grbcore.datasets.reading import FILES, csr, read_raw
from grbcore.datasets.records import expected, remember
from tests.grbcore.forging import arrays
from tests.grbcore.mirror import FILES_OF_RING, NODES, Server


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


def entry(*, published: bool = True, **changes: object) -> DatasetEntry:
    """The ring as a dataset of the catalog."""
    hashes = {name: hashlib.sha256(data).hexdigest() for name, data in FILES_OF_RING.items()}
    fields = {
        "name": "ring", "title": "Ring", "description": "A ring.", "licence": "none",
        "source": "https://example.org", "nodes": NODES, "edges": NODES, "features": 3000,
        "classes": 2,
        "files": {n: FileEntry(sha256=hashes[n] if published else None) for n in hashes},
    }  # fmt: skip
    return DatasetEntry.model_validate({**fields, **changes})


@pytest.fixture(autouse=True)
def own_var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRB_VAR_DIR", str(tmp_path / "var"))
    monkeypatch.delenv("GRB_DATA_DIR", raising=False)
    monkeypatch.delenv("GRB_MIRROR", raising=False)
    return tmp_path / "var"


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch):
    """Put a dataset into the catalog."""

    def register(dataset: DatasetEntry) -> None:
        known = dict(catalog.datasets())
        monkeypatch.setitem(known, "ring", dataset)
        monkeypatch.setattr("grbcore.catalog.reading.datasets", lambda: known)

    return register


@pytest.fixture
def published(registered) -> None:
    registered(entry())


@pytest.fixture
def unpublished(registered) -> None:
    registered(entry(published=False))


def fetched(server: Server, folder: Path, **options: object) -> tuple[Path, ...]:
    return fetch("ring", folder, mirror=server.address, pause=0.01, **options)  # type: ignore[arg-type]


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in (folder / "ring").iterdir()}


ALL = {f"{name}.npz": data for name, data in FILES_OF_RING.items()}


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


@pytest.mark.parametrize("name", [n for n, e in catalog.datasets().items() if not e.bundled])
def test_the_published_addresses_are_not_asked(name: str, tmp_path: Path) -> None:
    with pytest.raises(FetchError) as caught:
        fetch(name, tmp_path)
    message = str(caught.value)
    assert "no address" in message
    assert str(tmp_path / name) in message
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


# The commands


def run(*arguments: str, **environment: str):
    return CliRunner().invoke(app, list(arguments), env={"COLUMNS": "200", **environment})


@pytest.mark.usefixtures("published")
def test_fetch_fetches_checks_and_tells_the_size(
    server: Server, tmp_path: Path, own_var: Path
) -> None:
    result = run("fetch", "ring", GRB_MIRROR=server.address)
    assert result.exit_code == 0, result.output
    assert "is as the catalog says: 40 nodes, 40 undirected edges" in result.output
    assert contents(own_var / "data") == ALL


@pytest.mark.usefixtures("published")
def test_fetch_puts_files_where_the_environment_says(server: Server, tmp_path: Path) -> None:
    folder = str(tmp_path / "mine")
    result = run("fetch", "ring", "--mirror", server.address, GRB_DATA_DIR=folder)
    assert result.exit_code == 0, result.output
    assert contents(tmp_path / "mine") == ALL


def test_fetch_of_a_bundled_dataset_has_nothing_to_do() -> None:
    result = run("fetch", "digits")
    assert (result.exit_code, "nothing to fetch" in result.output) == (0, True)


def test_check_finds_the_bundled_dataset_right() -> None:
    result = run("check", "digits")
    assert (result.exit_code, "1,797 nodes" in result.output) == (0, True)


def test_check_finds_grb_cora_right(real_data: Path) -> None:
    result = run("check", "grb-cora", "--data-dir", str(real_data))
    assert result.exit_code == 0, result.output
    assert "2,680 nodes, 5,148 undirected edges, 302 features, 7 classes" in result.output


def test_check_lists_every_difference_and_fails(server: Server, tmp_path: Path, registered) -> None:
    fetch_entry = entry()
    registered(fetch_entry)
    fetched(server, tmp_path)
    registered(entry(nodes=NODES + 10, features=7))
    result = run("check", "ring", "--data-dir", str(tmp_path))
    assert result.exit_code == 1
    for line in ("nodes: found 40; allowed: 50", "features: found 3,000; allowed: 7",
                 "easy targets: found 4; allowed: 5", "full targets: found 12; allowed: 15",
                 "training nodes: found 24; allowed: 30"):  # fmt: skip
        assert line in result.output


def test_check_compares_the_range_of_features(real_data: Path, monkeypatch) -> None:
    board = catalog.board("grb-cora/injection@1")
    narrow = board.model_copy(update={"feature_range": (-0.9, 0.9)})
    monkeypatch.setattr("grbcore.catalog.boards", lambda: {board.id: narrow})
    (difference,) = differences("grb-cora", real_data / "grb-cora")
    assert (difference.place, difference.found) == (
        "normalised features",
        "-0.940568 to 0.943005",
    )


def test_check_of_absent_files_says_where_they_go(tmp_path: Path) -> None:
    result = run("check", "grb-flickr", "--data-dir", str(tmp_path))
    assert isinstance(result.exception, DatasetError)
    assert str(tmp_path / "grb-flickr") in str(result.exception)


def test_list_shows_every_dataset_and_how_to_get_it() -> None:
    result = run("list")
    assert result.exit_code == 0
    for name, dataset in catalog.datasets().items():
        (line,) = [
            line for line in result.output.splitlines() if f" {name} " in line and "│" in line
        ]
        assert f"{dataset.nodes:,}" in line
        assert ("bundled" if dataset.bundled else f"grb datasets fetch {name}") in line


def test_split_writes_a_split_of_any_graph(tmp_path: Path) -> None:
    (tmp_path / "adj.npz").write_bytes(FILES_OF_RING["adj"])
    result = run("split", str(tmp_path), "--seed", "3")
    assert result.exit_code == 0, result.output
    assert "train 24, val 4, easy 4, medium 4, hard 4, full 12" in result.output
    for name in ("features", "labels"):
        (tmp_path / f"{name}.npz").write_bytes(FILES_OF_RING[name])
    made = split(np.full(NODES, 2), 3)
    assert np.array_equal(read_raw(tmp_path).split.train, made.train)


def test_split_replaces_a_split_only_if_told_to(tmp_path: Path) -> None:
    for name in ("adj", "index"):
        (tmp_path / f"{name}.npz").write_bytes(FILES_OF_RING[name])
    assert "--force" in str(run("split", str(tmp_path)).exception)
    assert (tmp_path / "index.npz").read_bytes() == FILES_OF_RING["index"]
    assert run("split", str(tmp_path), "--force").exit_code == 0


def test_split_needs_ten_nodes(tmp_path: Path) -> None:
    pairs = np.array([[0], [1]])
    indptr, indices = csr(pairs, 2)
    (tmp_path / "adj.npz").write_bytes(
        arrays(indptr=indptr, indices=indices, shape=np.array([2, 2]))
    )
    assert "found 2 nodes" in str(run("split", str(tmp_path)).exception)


def test_the_test_server_answers_as_a_real_one(server: Server) -> None:
    """The ranges that the tests above rely on."""
    answer = httpx.get(f"{server.address}/ring/adj.npz", headers={"Range": "bytes=10-"})
    assert (answer.status_code, answer.content) == (206, FILES_OF_RING["adj"][10:])
