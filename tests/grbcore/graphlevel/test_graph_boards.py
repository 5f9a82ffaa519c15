"""The boards on whole graphs of the catalog, and `grb check` and `grb evaluate` on them."""

from __future__ import annotations

import json
import re
from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog, datasets
from grbcore.catalog import Board
from grbcore.cli.main import main
from grbcore.datasets import Dataset
from grbcore.graphlevel import Changes
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.loading import SOURCES
from grbcore.graphlevel.models import Shape, build
from grbcore.graphlevel.models.weights import save
from grbcore.graphlevel.shape import together
from grbcore.scenario import BUDGETS, MEAN
from grbcore.submission import write_attack
from grbcore.submission.scale import scale_of
from tests.conftest import data_folder

HERE = {
    "mutag/adjacency@1",
    "mutag/attributes@1",
    "imdb-binary/adjacency@1",
    "imdb-multi/adjacency@1",
}


def test_the_boards_are_those_of_the_thesis() -> None:
    found = {name: board for name, board in catalog.boards().items() if board.required == BUDGETS}
    assert set(found) == {*HERE, "zinc/adjacency@1"}
    assert list(catalog.boards())[-len(found) :] == list(found)
    for board in found.values():
        assert (board.repeats, board.difficulties, board.required) == (3, BUDGETS, BUDGETS)
        assert (board.main, board.ranked) == ("5", MEAN)
        assert (board.metric == "error") == (board.dataset == "zinc")
        budgets = [board.changes(name) for name in BUDGETS]
        assert [budget.changes for budget in budgets] == [1, 2, 3, 4, 5]
        assert {budget.attributes for budget in budgets} == {board.scenario == "attributes"}


@pytest.mark.real_data
@pytest.mark.parametrize("name", ["mutag", "imdb-binary", "imdb-multi"])
def test_data_is_as_the_catalog_says(name: str) -> None:
    entry = catalog.dataset(name)
    dataset = datasets.load(name, GraphDataset, data_dir=data_folder())
    scale = scale_of(dataset)
    for field in ("nodes", "edges", "features", "classes", "edge_features", "graphs", "pairs"):
        assert getattr(scale, field) == getattr(entry, field), field


def test_the_catalog_has_the_values_of_each_feature() -> None:
    entries = [entry for entry in catalog.datasets().values() if entry.graphs]
    assert {entry.name for entry in entries} == {*SOURCES} - {"zinc-small"}
    for entry in entries:
        sizes = SOURCES[entry.name].node_sizes, SOURCES[entry.name].edge_sizes
        assert (tuple(entry.node_values), tuple(entry.edge_values)) == sizes


@pytest.mark.parametrize(
    ("name", "kind", "told"),
    [
        ("mutag", Dataset, "mutag: found whole graphs, allowed: the nodes of one graph"),
        ("digits", GraphDataset, "digits: found the nodes of one graph, allowed: whole graphs"),
    ],
)
def test_who_needs_the_other_kind_is_told_what_a_dataset_is(
    name: str, kind: type[Dataset] | type[GraphDataset], told: str
) -> None:
    with pytest.raises(datasets.DatasetError, match=told):
        datasets.load(name, kind)


def test_data_that_is_not_here_is_named(tmp_path: Path) -> None:
    with pytest.raises(datasets.DatasetError, match=r"zinc: data not present.*zinc12k-train"):
        datasets.load("zinc", data_dir=tmp_path)


@pytest.mark.real_data
def test_files_that_are_others_are_refused(tmp_path: Path) -> None:
    folder = tmp_path / "graphs" / "tu-mutag"
    folder.mkdir(parents=True)
    whole = (data_folder() / "graphs" / "imdb-multi" / "graphs.npz").read_bytes()
    (folder / "graphs.npz").write_bytes(whole)
    with pytest.raises(
        datasets.DatasetError, match=r"found graphs of SHA-256 44dc339a.*allowed: ddcec499"
    ):
        datasets.load("mutag", data_dir=tmp_path)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    """A defense and random attack for mutag/adjacency@1."""
    dataset = datasets.load("mutag", GraphDataset, data_dir=data_folder())
    told = {"hidden": 16, "layers": 2}
    model = build("GINE", Shape.of(dataset), told, seed=0)  # type: ignore[arg-type]
    save(tmp_path / "gine.safetensors", model)
    board = catalog.board("mutag/adjacency@1")
    clean = dataset.part("test")
    rng = np.random.default_rng(0)
    found = {
        name: tuple(
            together([random_flips(rng, graph.n, board.changes(name).changes) for graph in clean])
            for _ in range(board.repeats)
        )
        for name in BUDGETS
    }
    write_attack(tmp_path / "random.npz", found)
    return tmp_path / "gine.safetensors", tmp_path / "random.npz"


def random_flips(rng: np.random.Generator, nodes: int, count: int) -> Changes:
    pairs = np.stack(np.triu_indices(nodes, 1))
    some = rng.choice(pairs.shape[1], count, replace=False)
    return Changes(pairs[:, some].astype(np.int64), *(np.zeros((k, 0), np.int64) for k in (3, 4)))


def run(monkeypatch: pytest.MonkeyPatch, *words: str | Path) -> int:
    """The exit code of the command."""
    monkeypatch.setattr("sys.argv", ["grb", *map(str, words)])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


@pytest.mark.real_data
def test_files_are_checked_and_evaluated_at_home(
    files: tuple[Path, Path],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    defense, attack = files
    where = ("--data-dir", data_folder())
    assert run(monkeypatch, "check", defense, attack, "--board", "mutag/adjacency@1", *where) == 0
    assert capsys.readouterr().out.count("valid for mutag/adjacency@1") == 2
    of = ("evaluate", "mutag/adjacency@1", "--defense", defense, "--attack", attack, *where)
    assert run(monkeypatch, *of, "--json") == 0
    clean, attacked = json.loads(capsys.readouterr().out)
    assert clean["total"] == dict.fromkeys(BUDGETS, 19)
    assert {name: len(counts) for name, counts in attacked["correct"].items()} == dict.fromkeys(
        BUDGETS, 3
    )
    for measure, key in (("accuracy", "correct"), ("macro-f1", "macro_f1")):
        assert run(monkeypatch, *of, "--measure", measure) == 0
        said = capsys.readouterr().out
        assert re.search(r"1\W+2\W+3\W+4\W+5\W+mean", said), "the mean ranks"
        shown = [float(number) for number in re.findall(r"\d+\.\d\d", said)]
        whole = 19 if key == "correct" else 1
        for numbers, cell in zip(np.array(shown).reshape(2, 6), (clean, attacked), strict=True):
            means = [100 * np.mean(cell[key][name]) / whole for name in BUDGETS]
            np.testing.assert_allclose(numbers, [*means, np.mean(means)], atol=0.0051)


@pytest.mark.real_data
def test_an_attack_of_features_is_refused_where_only_edges_may_change(
    files: tuple[Path, Path],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    _, attack = files
    with np.load(attack) as archive:
        members = {name: archive[name] for name in archive.files}
    members["1/0/node_changes"] = np.array([[0], [0], [6]])
    members["1/0/node_ptr"] = np.minimum(np.arange(20), 1)
    members["1/0/flips"] = members["1/0/flips"][:, 1:]
    members["1/0/graph_ptr"] = np.maximum(members["1/0/graph_ptr"] - 1, 0)
    np.savez(tmp_path / "changed.npz", **members)
    where = ("--data-dir", data_folder())
    told = []
    for board in ("mutag/adjacency@1", "mutag/attributes@1"):
        told.append(run(monkeypatch, "check", tmp_path / "changed.npz", "--board", board, *where))
        said = capsys.readouterr().out
        assert ("1/0/node_changes[0]: found a new value in graph 0" in said) == (told[-1] == 1)
    assert told == [1, 0]


def test_a_board_says_what_a_budget_is() -> None:
    board: Board = catalog.board("mutag/attributes")
    assert board.at_budget(2).changes("3").changes == 6


@pytest.mark.real_data
def test_the_list_of_boards_says_whose_data_is_here(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("GRB_DATA_DIR", str(data_folder()))
    monkeypatch.setenv("COLUMNS", "200")
    assert run(monkeypatch, "board", "list") == 0
    lines = {line.split()[1]: line for line in capsys.readouterr().out.splitlines() if "@" in line}
    assert lines["mutag/adjacency@1"].split()[-2] == "present"
    assert "not present: grb datasets fetch zinc" in lines["zinc/adjacency@1"]
