"""``grb datasets``: list, fetch, check and split."""

from __future__ import annotations

from pathlib import Path

import httpx
import numpy as np
import pytest
from typer.testing import CliRunner

from grbcore import catalog
from grbcore.cli.datasets import app
from grbcore.datasets import DatasetError, split
from grbcore.datasets.checking import differences
from grbcore.datasets.reading import csr, read_raw
from tests.grbcore.forging import arrays
from tests.grbcore.mirror import ALL, FILES_OF_RING, NODES, Server, contents, entry, fetched

pytestmark = pytest.mark.usefixtures("own_var")


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
        rows = [line.split("│") for line in result.output.splitlines() if "│" in line]
        (line,) = ["│".join(row) for row in rows if row[1].strip() == name]
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
