"""Files of small graphs: written, read, fetched from a mirror or from TUDataset's text."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from threading import Thread

import numpy as np
import pytest
from typer.testing import CliRunner

from grbcore import catalog, datasets
from grbcore.catalog import DatasetEntry, FileEntry
from grbcore.cli.datasets import app
from grbcore.datasets import DatasetError
from grbcore.datasets.fetch import FetchError, fetch
from grbcore.graphlevel import AttributedGraph, files, tu
from grbcore.graphlevel.models import Shape
from tests.conftest import data_folder
from tests.grbcore.graphlevel.samples import random_graphs
from tests.grbcore.mirror import Server
from tests.killed import die, killed

pytestmark = pytest.mark.usefixtures("own_var")

GRAPHS = tuple(random_graphs(20, 0, Shape((7,), (4,), 1)))
LABELS = np.arange(20) % 2
ENTRY = catalog.dataset("mutag")


def archive(
    graphs: tuple[AttributedGraph, ...], labels: np.ndarray, name: str = "MUTAG", **other: str
) -> bytes:
    """TUDataset's text of these graphs; labels 1 and -1, bonds from 1, edges shuffled."""
    starts = np.cumsum([0, *(graph.n for graph in graphs)])
    rng = np.random.default_rng(0)
    lines, kinds = [], []
    for start, graph in zip(starts, graphs, strict=False):
        pairs = np.concatenate([graph.edges, graph.edges[::-1]], axis=1) + start + 1
        values = np.tile(graph.values[:, 0], 2) + 1
        order = rng.permutation(len(values))
        lines += [f"{u}, {v}" for u, v in pairs.T[order]]
        kinds += [str(value) for value in values[order]]
    texts = {
        "A": lines,
        "graph_indicator": [str(g + 1) for g, graph in enumerate(graphs) for _ in range(graph.n)],
        "graph_labels": [str(1 if label else -1) for label in labels],
        "node_labels": [str(value) for graph in graphs for value in graph.nodes[:, 0]],
        "edge_labels": kinds,
    }
    whole = {f"{name}/{name}_{what}.txt": "\n".join(held) + "\n" for what, held in texts.items()}
    whole |= {f"{name}/{name}_{what}.txt": text for what, text in other.items()}
    found = io.BytesIO()
    with zipfile.ZipFile(found, "w", zipfile.ZIP_DEFLATED) as held:
        for path, text in whole.items():
            if text:
                held.writestr(path, text)
    return found.getvalue()


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
    """MUTAG as the 20 small graphs, at the server in place of TUDataset's."""
    known = FileEntry(sha256=files.digest_of(GRAPHS, LABELS))
    changed = {"files": {"tu-mutag": known}, "address": f"{server.address}/MUTAG.zip"}
    made = ENTRY.model_copy(update=changed)
    registered(made)
    return made


def last_column(table: str) -> str:
    """What stands there, without spaces: words are folded as they fall."""
    rows = (line.split("│") for line in table.splitlines() if "│" in line)
    return "".join(row[-2] for row in rows).replace(" ", "")


def same(one: tuple[AttributedGraph, ...], other: tuple[AttributedGraph, ...]) -> bool:
    return len(one) == len(other) and all(a.same(b) for a, b in zip(one, other, strict=True))


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "graphs" / "x" / "graphs.npz"
    files.write(path, GRAPHS, LABELS)
    found, labels = files.read(path)
    assert same(found, GRAPHS)
    assert labels.tolist() == LABELS.tolist()
    assert [other.name for other in path.parent.iterdir()] == ["graphs.npz"]


def test_the_hash_is_of_what_a_file_holds_not_of_how_it_is_packed(tmp_path: Path) -> None:
    path, plain = tmp_path / "a.npz", tmp_path / "plain.npz"
    files.write(path, GRAPHS, LABELS)
    with np.load(path) as held:
        arrays = {name: held[name] for name in held.files}
    # every graph's edges the other way round
    order = np.concatenate([np.arange(a, b)[::-1] for a, b in pairwise(arrays["edge_ptr"])])
    arrays["edge_index"] = arrays["edge_index"][:, order].astype(np.int64)
    arrays["edge_attr"] = arrays["edge_attr"][order]
    np.savez(plain, **arrays)
    assert plain.read_bytes() != path.read_bytes()
    assert files.digest_of(*files.read(plain)) == files.digest_of(*files.read(path))


@pytest.mark.parametrize("part", ["nodes", "edges", "values", "label", "order"])
def test_the_hash_changes_with_every_part(part: str) -> None:
    graph, labels, rest = GRAPHS[0], LABELS.copy(), GRAPHS[1:]
    if part == "label":
        labels[0] = 1 - labels[0]
    elif part == "order":
        graph, rest = rest[0], (graph, *rest[1:])
    elif part == "edges":
        graph = AttributedGraph(graph.nodes, graph.edges[:, 1:], graph.values[1:])
    else:
        other = getattr(graph, part).copy()
        other[0, 0] = (other[0, 0] + 1) % 4
        graph = replace(graph, **{part: other})
    assert files.digest_of((graph, *rest), labels) != files.digest_of(GRAPHS, LABELS)


def test_tudatasets_text_becomes_the_same_graphs(tmp_path: Path) -> None:
    path = tmp_path / "MUTAG.zip"
    path.write_bytes(archive(GRAPHS, LABELS))
    found, labels = tu.read(path)
    assert same(found, GRAPHS)
    assert labels.tolist() == LABELS.tolist()


def test_text_without_labels_of_nodes_and_edges_has_one_value_of_each(tmp_path: Path) -> None:
    path = tmp_path / "IMDB.zip"
    path.write_bytes(archive(GRAPHS, LABELS, "IMDB", node_labels="", edge_labels=""))
    found, _ = tu.read(path)
    assert [graph.edges.tolist() for graph in found] == [graph.edges.tolist() for graph in GRAPHS]
    assert {graph.nodes.sum() + graph.values.sum() for graph in found} == {0}


@pytest.mark.parametrize(
    ("other", "words"),
    [
        ({"A": ""}, "found 0 files _A.txt, allowed: one"),
        ({"graph_labels": ""}, "found no file _graph_labels.txt"),
        ({"graph_labels": "1\n-1\n"}, "found 2 labels of 20 graphs"),
        ({"graph_indicator": "2\n1\n"}, "found graphs out of order"),
        ({"A": "1, 900\n900, 1\n"}, "found node 900"),
        ({"A": "1, 99\n99, 1\n", "edge_labels": ""}, "between two graphs"),
        ({"A": "1, 2\n", "edge_labels": ""}, "one direction only"),
        ({"edge_labels": "1\n"}, "edge_labels: found 1, allowed:"),
        ({"A": "1, two\n"}, "allowed: an archive of TUDataset"),
    ],
)
def test_text_that_does_not_fit_is_refused(
    other: dict[str, str], words: str, tmp_path: Path
) -> None:
    path = tmp_path / "MUTAG.zip"
    path.write_bytes(archive(GRAPHS, LABELS, **other))
    with pytest.raises(DatasetError, match=words):
        tu.read(path)


def test_a_text_that_unpacks_to_too_much_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "MUTAG.zip"
    path.write_bytes(archive(GRAPHS, LABELS))
    monkeypatch.setattr(tu, "MAX_TEXT", 50)
    with pytest.raises(DatasetError, match=r"MUTAG_A\.txt: found .* bytes, allowed: at most 50"):
        tu.read(path)


def test_fetch_converts_tudatasets_archive(
    server: Server, entry: DatasetEntry, tmp_path: Path
) -> None:
    server.files["/MUTAG.zip"] = archive(GRAPHS, LABELS)
    server.cut["/MUTAG.zip"] = [500]  # the connection breaks once
    (path,) = fetch("mutag", tmp_path, pause=0.01)
    assert path == tmp_path / "graphs" / "tu-mutag" / "graphs.npz"
    assert [other.name for other in path.parent.iterdir()] == ["graphs.npz"]
    assert same(files.read(path)[0], GRAPHS)
    assert datasets.present("mutag", data_dir=tmp_path)
    server.asked.clear()
    fetch("mutag", tmp_path)
    assert server.asked == []


def test_what_a_fetch_that_was_killed_left_is_gone_after_the_next(
    server: Server, entry: DatasetEntry, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    server.files["/MUTAG.zip"] = archive(GRAPHS, LABELS)
    with monkeypatch.context() as patch:
        patch.setattr(Path, "replace", die)  # converted, but not in its place
        killed(lambda: fetch("mutag", tmp_path))
    assert len(list((tmp_path / "graphs" / "tu-mutag").iterdir())) == 2
    (path,) = fetch("mutag", tmp_path)
    assert list(path.parent.iterdir()) == [path]


def test_an_archive_of_other_graphs_is_refused_and_not_kept(
    server: Server, entry: DatasetEntry, tmp_path: Path
) -> None:
    server.files["/MUTAG.zip"] = archive(GRAPHS[:19], LABELS[:19])
    with pytest.raises(FetchError, match=r"mutag: http.*found graphs of SHA-256 .*allowed:"):
        fetch("mutag", tmp_path, pause=0.01)
    assert list((tmp_path / "graphs" / "tu-mutag").iterdir()) == []


def test_a_mirror_serves_the_file_itself(
    server: Server, entry: DatasetEntry, tmp_path: Path
) -> None:
    files.write(tmp_path / "there.npz", GRAPHS, LABELS)
    server.files["/mutag/tu-mutag"] = (tmp_path / "there.npz").read_bytes()
    (path,) = fetch("mutag", tmp_path, mirror=server.address, pause=0.01)
    assert path.read_bytes() == (tmp_path / "there.npz").read_bytes()


def test_a_mirrors_other_graphs_are_refused_and_not_kept(
    server: Server, entry: DatasetEntry, tmp_path: Path
) -> None:
    files.write(tmp_path / "there.npz", GRAPHS[:19], LABELS[:19])
    server.files["/mutag/tu-mutag"] = (tmp_path / "there.npz").read_bytes()
    with pytest.raises(FetchError, match=r"as served: .*found graphs of SHA-256"):
        fetch("mutag", tmp_path, mirror=server.address, pause=0.01)
    assert list((tmp_path / "graphs" / "tu-mutag").iterdir()) == []


def test_other_graphs_on_the_disk_are_named(
    server: Server, entry: DatasetEntry, tmp_path: Path
) -> None:
    files.write(tmp_path / "graphs" / "tu-mutag" / "graphs.npz", GRAPHS[:19], LABELS[:19])
    with pytest.raises(FetchError, match=r"tu-mutag/graphs\.npz: found graphs .*remove the file"):
        fetch("mutag", tmp_path, pause=0.01)


@pytest.mark.real_data
def test_the_command_fetches_the_whole_of_mutag_from_text(
    server: Server, registered: Callable[[DatasetEntry], None], tmp_path: Path
) -> None:
    """The hash is the catalog's; the text is written from the real graphs, its edges shuffled."""
    found, labels = files.read(data_folder() / "graphs" / "tu-mutag" / "graphs.npz")
    server.files["/MUTAG.zip"] = archive(found, labels)
    registered(ENTRY.model_copy(update={"address": f"{server.address}/MUTAG.zip"}))
    done = CliRunner().invoke(app, ["fetch", "mutag"], env={"GRB_DATA_DIR": str(tmp_path)})
    assert done.exit_code == 0, done.output
    assert "mutag is as recorded: 188 graphs, 150 for training" in done.output
    listed = CliRunner().invoke(app, ["list"], env={"GRB_DATA_DIR": str(tmp_path)})
    assert f"presentin{tmp_path / 'graphs' / 'tu-mutag'}" in last_column(listed.output)


def test_a_dataset_that_lacks_a_part_says_which(tmp_path: Path) -> None:
    part = tmp_path / "graphs" / "zinc12k-val"
    files.write(part / "graphs.npz", GRAPHS, LABELS)
    listed = CliRunner().invoke(app, ["list"], env={"GRB_DATA_DIR": str(tmp_path)})
    words = "grbdatasetsfetchzinc(lacking:zinc12k-train,zinc12k-test)"
    assert words in last_column(listed.output)
