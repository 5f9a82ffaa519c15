"""The validator and the evaluator child on a board on whole graphs: they see no test label."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grbcore import catalog, datasets
from grbcore.datasets import DatasetError, load_blind, prepare_blind
from grbcore.evaluate import evaluate
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.kept import HIDDEN, keep, opened
from grbcore.graphlevel.models import Shape, build
from grbcore.graphlevel.models.weights import save
from grbcore.graphlevel.shape import together
from grbcore.perturbation import GraphChanges
from grbcore.scenario import BUDGETS, Difficulty
from grbcore.scoring import score
from grbcore.sketch import sketch
from grbcore.submission import write_attack
from tests.conftest import data_folder
from tests.grbcore.graphlevel.boards import DATASET, numbers
from tests.grbcore.graphlevel.test_graph_boards import random_flips

NAME = "mutag/adjacency@1"


@pytest.fixture(scope="module")
def mutag() -> GraphDataset:
    return datasets.load("mutag", GraphDataset, data_dir=data_folder())


@pytest.fixture(scope="module")
def attack(mutag: GraphDataset) -> dict[Difficulty, tuple[GraphChanges, ...]]:
    rng = np.random.default_rng(0)
    return {
        name: tuple(
            together([random_flips(rng, graph.n, int(name)) for graph in mutag.part("test")])
            for _ in range(3)
        )
        for name in BUDGETS
    }


def blind(tmp_path: Path) -> Path:
    where = {"cache": tmp_path / "prepared", "into": tmp_path / "blind"}
    return prepare_blind("mutag", data_dir=data_folder(), **where)


def ask(module: str, request: dict[str, Any]) -> list[dict[str, Any]]:
    done = subprocess.run(
        [sys.executable, "-m", module],
        input=json.dumps(request) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=120,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
    )
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("whole", [DATASET, numbers()], ids=["classes", "numbers"])
def test_what_is_kept_lacks_the_test_labels_and_nothing_else(
    tmp_path: Path, whole: GraphDataset
) -> None:
    keep(whole, tmp_path)
    found = opened("small", tmp_path)
    hidden = found.labels_of("test")
    assert np.isnan(hidden).all() if whole.task == "regression" else (hidden == HIDDEN).all()
    for part in ("train", "val"):
        np.testing.assert_array_equal(found.labels_of(part), whole.labels_of(part))
    assert all(a.same(b) for a, b in zip(found.graphs, whole.graphs, strict=True))
    assert (found.digest, found.sigma, found.classes) == (whole.digest, whole.sigma, whole.classes)
    assert found.split.digest() == whole.split.digest()
    with pytest.raises(DatasetError, match="allowed: other"):
        opened("other", tmp_path)
    (tmp_path / "about.json").write_text("{}")
    with pytest.raises(DatasetError, match="allowed: a prepared dataset"):
        opened("small", tmp_path)


def _cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-100])


def _flipped(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def _emptied(path: Path) -> None:
    path.write_bytes(b"")


def _with_fewer_pointers(path: Path) -> None:
    with np.load(path) as archive:
        members = {name: archive[name] for name in archive.files}
    np.savez(path, **(members | {"edge_ptr": members["edge_ptr"][:3]}))


@pytest.mark.parametrize("damage", [_cut, _flipped, _emptied, _with_fewer_pointers])
def test_kept_data_that_is_damaged_is_named(tmp_path: Path, damage: Callable[[Path], None]) -> None:
    keep(DATASET, tmp_path)
    damage(tmp_path / "graphs.npz")
    with pytest.raises(DatasetError, match="allowed: a prepared dataset"):
        opened("small", tmp_path)


@pytest.mark.real_data
def test_a_blind_dataset_is_made_once(tmp_path: Path, mutag: GraphDataset) -> None:
    folder = blind(tmp_path)
    made = (folder / "graphs.npz").stat().st_ino
    assert (blind(tmp_path) / "graphs.npz").stat().st_ino == made
    assert load_blind("mutag", folder).digest == mutag.digest
    assert [*(tmp_path / "blind").iterdir()] == [folder]


@pytest.mark.real_data
def test_the_evaluator_answers_with_the_numbers_of_evaluate(
    tmp_path: Path, mutag: GraphDataset, attack: dict[Difficulty, tuple[GraphChanges, ...]]
) -> None:
    board = catalog.board(NAME)
    write_attack(tmp_path / "a.npz", attack)
    models = {
        "GINE": build("GINE", Shape.of(mutag), {"hidden": 8, "layers": 2}, seed=1),
        "DropGINE": build(
            "DropGINE", Shape.of(mutag), {"hidden": 8, "layers": 1, "runs": 4}, seed=1
        ),
    }
    pairs = []
    for name, model in models.items():
        save(tmp_path / f"{name}.safetensors", model)
        for kind, file in (("clean", None), ("attacked", str(tmp_path / "a.npz"))):
            path = str(tmp_path / f"{name}.safetensors")
            cell = f"{kind}-{name}"
            pairs.append({"cell": cell, "attack": file, "defense": path, "seed": 5})
    out = tmp_path / "out"
    out.mkdir()
    lines = ask(
        "grbcore.evaluator",
        {"board": NAME, "dataset": str(blind(tmp_path)), "out": str(out), "pairs": pairs},
    )
    assert [line.get("error") for line in lines[1:-1]] == [None] * 4
    for name, model in models.items():
        for kind, perturbations in (("clean", None), ("attacked", attack)):
            cell = evaluate(board, mutag, model=model, attack=perturbations, seed=5)
            with np.load(out / f"{kind}-{name}.npz") as archive:
                repeats = 1 if kind == "clean" else 3
                said = {b: [archive[f"{b}/{r}"] for r in range(repeats)] for b in BUDGETS}
            assert score(said, mutag)[0] == cell.correct
    with np.load(out / "clean-GINE.margins.npz") as archive:
        assert archive["margins"].shape == (19,)


@pytest.mark.real_data
def test_the_evaluator_blames_the_side_whose_file_breaks_the_rules(
    tmp_path: Path, mutag: GraphDataset, attack: dict[Difficulty, tuple[GraphChanges, ...]]
) -> None:
    write_attack(tmp_path / "a.npz", attack | {"1": attack["5"]})
    save(
        tmp_path / "d.safetensors",
        build("GIN", Shape.of(mutag), {"hidden": 4, "layers": 1}, seed=0),
    )
    pair = {
        "cell": "c",
        "attack": str(tmp_path / "a.npz"),
        "defense": str(tmp_path / "d.safetensors"),
    }
    request = {"board": NAME, "dataset": str(blind(tmp_path)), "out": str(tmp_path)}
    _, answer, _ = ask("grbcore.evaluator", {**request, "pairs": [pair]})
    assert {key: answer["error"][key] for key in ("family", "side", "code")} == {
        "family": "submission",
        "side": "attack",
        "code": "budget-changes",
    }


@pytest.mark.real_data
def test_the_validator_names_violations_and_the_canonical_hash(
    tmp_path: Path, attack: dict[Difficulty, tuple[GraphChanges, ...]]
) -> None:
    write_attack(tmp_path / "good.npz", attack)
    write_attack(tmp_path / "bad.npz", attack | {"1": attack["2"]})
    request = {"side": "attack", "board": NAME, "dataset": str(blind(tmp_path))}
    (good,), (bad,) = (
        ask("grbcore.validator", {**request, "path": str(tmp_path / name)})
        for name in ("good.npz", "bad.npz")
    )
    assert good["violations"] == []
    assert len(good["canonical"]) == 64
    assert (good["shift"], good["sketch"]) == (None, sketch(attack["5"]))
    for name, repeats in attack.items():
        counts = good["spent"][name]
        both = np.add(counts["added"], counts["removed"])
        assert both.tolist() == [changes.flips.shape[1] for changes in repeats]
        assert counts["values"] == [0, 0, 0]
    assert {fault["code"] for fault in bad["violations"]} == {"budget-changes"}
    assert bad["canonical"] is None
