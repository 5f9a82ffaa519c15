"""``grb study expressive``: its runs, its numbers, its files, and that it goes on."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from grbcore.cli import expressive
from grbcore.cli.main import app
from grbcore.graphlevel import training
from grbcore.graphlevel.attacks import AdjPGD
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.models import MODELS
from grbcore.graphlevel.study import running, weights
from grbcore.graphlevel.study.plan import CLEAN, IMPLEMENTATION, THREATS, Key, Study
from grbcore.graphlevel.study.results import Results
from grbcore.graphlevel.study.running import carry_out
from grbcore.graphlevel.study.store import Kept, Run, Store
from grbcore.graphlevel.study.weights import trained
from grbcore.graphlevel.training import Diverged
from grbcore.violations import Refused
from tests.grbcore.graphlevel import small_mutag
from tests.grbcore.graphlevel.samples import small_dataset

DOCS = Path(__file__).resolve().parents[3] / "docs" / "reproduction-graph-level.md"
STUDY = Study("mutag", ("Bag", "ESAN"), (0,), ("random", "brute-force"), (1, 2), epochs=1)


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_mutag.write(tmp_path_factory.mktemp("data"))


def numbers(store: Store) -> dict[Key, Run]:
    return {one.key: one.run for one in store.runs()}


def test_models_come_first_and_brute_force_at_budget_1_only() -> None:
    runs = STUDY.runs()
    assert len(runs) == len(set(runs)) == 2 + 2 * 2 + 2
    assert [key.attack for key in runs[:2]] == [CLEAN, CLEAN]
    assert {key.budget for key in runs if key.attack == "brute-force"} == {1}


def test_a_stopped_study_goes_on_and_gives_what_one_that_was_not_gives(
    tmp_path: Path, data: Path
) -> None:
    class Stopped(Exception): ...

    def stop(key: Key, seconds: float) -> None:
        if key.attack != CLEAN:
            raise Stopped

    store = Store(tmp_path / "one" / "runs.sqlite")
    with pytest.raises(Stopped):
        carry_out(STUDY, store, data_dir=data, ended=stop)
    before = numbers(store)
    assert len(before) == 3
    told: list[Key] = []
    carry_out(STUDY, store, data_dir=data, ended=lambda key, seconds: told.append(key))
    assert set(told) == set(STUDY.runs()) - set(before)
    whole = Store(tmp_path / "two" / "runs.sqlite")
    carry_out(STUDY, whole, jobs=2, data_dir=data)
    assert numbers(whole) == numbers(store)
    other = Study("mutag", ("Bag",), (0,), (), (1,), epochs=2)
    with pytest.raises(Refused, match=r"recipe of Bag.*or another --out"):
        carry_out(other, store, data_dir=data)


def test_seeds_can_be_named_so_that_work_is_split_and_are_those_of_the_whole(
    tmp_path: Path, data: Path
) -> None:
    def study(folder: Path, seeds: str) -> dict[Key, Run]:
        options = ["--dataset", "mutag", "--models", "Bag", "--attacks", "random"]
        options += ["--budgets", "1", "--epochs", "1", "--no-plot", "--seeds", seeds]
        options += ["--out", str(folder), "--data-dir", str(data)]
        done = CliRunner().invoke(app, ["study", "expressive", *options])
        assert done.exit_code == 0, done.output
        return numbers(Store(folder / "runs.sqlite"))

    whole, part = study(tmp_path / "whole", "3"), study(tmp_path / "part", "1-2")
    assert {key.seed for key in whole} == {0, 1, 2}
    assert part == {key: run for key, run in whole.items() if key.seed > 0}


@pytest.mark.parametrize(("columns", "cell"), [("80", "±0.005"), ("150", "0.885 ± 0.005")])
def test_a_table_of_all_budgets_fits_the_terminal(
    columns: str, cell: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(expressive.console, "width", int(columns))
    places = [("clean", 0), ("brute-force", 1), *(("adjpgd", budget) for budget in range(1, 6))]
    kept = [
        Kept(
            Key("mutag", "DropGINE-adv", seed, *place),
            Run(0.89 - 0.1 * place[1] - 0.01 * seed),
            1.0,
        )
        for seed in range(2)
        for place in places
    ]
    expressive._tell(Results.of(kept, "mutag", ("DropGINE-adv",), ("adjpgd", "brute-force")))
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= int(columns)
    assert "DropGINE-adv" in "".join(lines) and "efficacy" in "".join(lines)
    assert any(cell in line for line in lines)
    assert not any(line.rstrip(" │").endswith("±") or "…" in line for line in lines)


def test_a_model_whose_training_diverges_is_noted_and_the_others_go_on(
    tmp_path: Path, data: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried: list[int] = []

    def training(folder: Path, dataset: Any, name: str, recipe: Any, seed: int) -> Any:
        tried.append(seed)
        if seed == 1:
            raise Diverged("training: found no finite validation output, allowed: a lower rate")
        return trained(folder, dataset, name, recipe, seed)

    monkeypatch.setattr(running, "trained", training)
    options = ["study", "expressive", "--dataset", "mutag", "--models", "Bag", "--seeds", "3"]
    options += ["--attacks", "random", "--budgets", "1", "--epochs", "1", "--no-plot"]
    options += ["--out", str(tmp_path), "--data-dir", str(data)]
    for trainings in ([0, 1, 2, 0, 2], []):  # clean, then attacked; then nothing is missing
        done = CliRunner().invoke(app, options)
        assert done.exit_code == 0, done.output
        assert "Bag, seed 1: training: found no finite validation output" in done.output
        assert tried == trainings
        tried.clear()
    told = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert told["models"][0]["clean"]["score"]["runs"] == 2
    assert [(one["model"], one["seed"]) for one in told["failures"]] == [("Bag", 1)]


def test_weights_are_trained_once_and_of_one_recipe_and_implementation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dataset = small_dataset()
    recipe = STUDY.recipe("ESAN")
    model, how = trained(tmp_path, dataset, "ESAN", recipe, 3)
    again, same = trained(tmp_path, dataset, "ESAN", recipe, 3)
    assert how == same
    kept = again.state_dict()
    assert all(bool((kept[name] == held).all()) for name, held in model.state_dict().items())
    with pytest.raises(Refused, match="recipe"):
        trained(
            tmp_path, dataset, "ESAN", Study("mutag", ("ESAN",), (0,), (), (1,)).recipe("ESAN"), 3
        )
    with monkeypatch.context() as patch, pytest.raises(Refused, match="implementation"):
        patch.setattr(weights, "IMPLEMENTATION", IMPLEMENTATION + 1)
        trained(tmp_path, dataset, "ESAN", recipe, 3)
    (tmp_path / "small-ESAN-3.safetensors").write_bytes(b"no weights")
    with pytest.raises(Refused, match="remove the file to train them again"):
        trained(tmp_path, dataset, "ESAN", recipe, 3)


def test_a_training_that_ended_early_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Killed in epoch 21 of 22, it has those of the checkpoint at 20."""
    dataset, seen = small_dataset(), []
    recipe = replace(STUDY.recipe("ESAN"), epochs=22, patience=22)
    wanted, _ = trained(tmp_path / "at once", dataset, "ESAN", recipe, 3)
    score = training.score

    def killed(*given: Any) -> float:
        seen.append(1)
        if len(seen) == 21:
            raise KeyboardInterrupt
        return score(*given)

    monkeypatch.setattr(training, "score", killed)
    with pytest.raises(KeyboardInterrupt):
        trained(tmp_path, dataset, "ESAN", recipe, 3)
    assert [path.name for path in tmp_path.glob("small*")] == ["small-ESAN-3.checkpoint"]
    found, how = trained(tmp_path, dataset, "ESAN", recipe, 3)
    assert (len(seen), how.epochs) == (23, 22)
    assert [path.name for path in tmp_path.glob("small*")] == ["small-ESAN-3.safetensors"]
    held = wanted.state_dict()
    assert all(torch.equal(weight, held[name]) for name, weight in found.state_dict().items())


def test_a_checkpoint_of_another_training_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "small-ESAN-3.checkpoint"
    path.write_bytes(b"nothing of the kind")
    with pytest.raises(Refused, match="remove the file to begin again"):
        trained(tmp_path, small_dataset(), "ESAN", STUDY.recipe("ESAN"), 3)
    assert path.read_bytes() == b"nothing of the kind"


def test_robustness_and_efficacy_are_of_each_seed_and_from_the_baselines_mean() -> None:
    """Baseline 0.5.  Steps of 1 from 1, 0.75, 0.25: 100·(0.5 + 0.25 + 0)/3; brute force gains 0.5,
    the attack 0.25 of it at budget 1."""
    found = {
        ("Bag", 0, CLEAN, 0): 0.4, ("Bag", 1, CLEAN, 0): 0.6, ("GIN", 0, CLEAN, 0): 1.0,
        ("GIN", 0, "adjpgd", 1): 0.75, ("GIN", 0, "adjpgd", 2): 0.25,
        ("GIN", 0, "brute-force", 1): 0.5, ("GIN", 1, CLEAN, 0): 0.9,
    }  # fmt: skip
    kept = [Kept(Key("mutag", *key), Run(score), 1.0) for key, score in found.items()]
    results = Results.of(kept, "mutag", ("Bag", "GIN"), ("adjpgd", "brute-force"))
    assert results.baseline()[0] == 0.5
    robust, share = results.robustness("GIN", "adjpgd"), results.efficacy("GIN", "adjpgd")
    assert robust is not None and (robust.runs, robust.mean) == (1, pytest.approx(25.0))
    assert share is not None and share.mean == pytest.approx(0.5)
    assert results.robustness("Bag", "adjpgd") is None


def test_the_documented_command_runs_in_little(tmp_path: Path, data: Path) -> None:
    """The command of the document, with fewer models, seeds, epochs and graphs."""
    (line,) = re.findall(r"^grb (study expressive .*)$", DOCS.read_text("utf-8"), re.MULTILINE)
    options = line.split()
    for option, value in (("--models", "Bag,ESAN"), ("--seeds", "1"), ("--budgets", "1-2")):
        options[options.index(option) + 1] = value
    options[options.index("--jobs") + 1] = "1"
    options += ["--epochs", "2", "--out", str(tmp_path / "out"), "--data-dir", str(data)]
    done = CliRunner().invoke(app, options, env={"COLUMNS": "120"})
    assert done.exit_code == 0, done.output
    assert "CRR is above" in done.output
    assert "100 % of the work, done: ESAN, seed 0, random at budget 2" in done.output
    told = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert [model["model"] for model in told["models"]] == ["Bag", "ESAN"]
    assert told["models"][0]["clean"]["published"] == [0.484, 0.146]
    for attack in ("brute-force", "adjpgd", "attrpgd", "random"):
        cell = told["models"][1]["attacks"][attack]
        assert cell["budgets"]["1"]["score"]["runs"] == 1
        assert np.isfinite(cell["crr"]["mean"])
        picture = (tmp_path / "out" / f"{attack}.svg").read_text("utf-8")
        assert "<svg" in picture
    assert "ESAN" in (tmp_path / "out" / "table.tex").read_text("utf-8")
    again = CliRunner().invoke(app, options, env={"COLUMNS": "120"})
    assert "16 runs, 16 of them there" in again.output


def test_the_help_names_every_architecture_and_attack() -> None:
    told = CliRunner().invoke(app, ["study", "expressive", "--help"], env={"COLUMNS": "300"}).output
    for option, names in (("--models", MODELS), ("--attacks", THREATS)):
        (line,) = [line for line in told.splitlines() if f" {option} " in line]
        assert not set(names) - set(re.findall(r"[\w-]+", line))


def test_what_is_no_study_is_refused_all_at_once() -> None:
    with pytest.raises(Refused) as refused:
        Study("mutag", ("GCN",), (), ("nettack",), (0,))
    assert len(refused.value.violations) == 4
    with pytest.raises(Refused, match="--dataset"):
        Study("cora", ("GIN",), (0,), (), (1,))
    with pytest.raises(Refused, match="GINE-adv"):
        Study("imdb-binary", ("GINE-adv",), (0,), (), (1,))
    with pytest.raises(Refused, match="attrpgd") as refused:  # there are no features to change
        Study("imdb-binary", ("GINE",), (0,), ("adjpgd", "attrpgd"), (1,))
    (fault,) = refused.value.violations
    assert "adjpgd" in fault.allowed and "attrpgd" not in fault.allowed
    for option, value, told in (
        ("--budgets", "5-", "numbers such as 1,3 or 1-5"),
        ("--seeds", "three", "numbers such as 1,3 or 1-5"),
        ("--seeds", "0", "a count of 1 or more"),
        ("--workers", "slurm", "local, celery"),
    ):
        done = CliRunner().invoke(app, ["study", "expressive", "--dataset", "mutag", option, value])
        assert done.exit_code != 0
        assert told in str(done.exception)


@pytest.mark.parametrize(("name", "times"), [("imdb-binary", 1), ("mutag", 3)])
def test_gradient_attacks_begin_as_often_as_in_the_thesis(
    name: str, times: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is drawn for edges of IMDB, so once is enough there."""
    begun = []

    def counted(attack: AdjPGD, case: Any, rng: Any) -> Any:
        begun.append(attack.repeats)
        return [Changes.empty() for _ in case.graphs]

    monkeypatch.setattr(AdjPGD, "__call__", lambda attack, case, *, rng: counted(attack, case, rng))
    dataset = replace(small_dataset(), name=name)
    place = running.Place(
        Study(name, ("Bag",), (0,), ("adjpgd",), (1,), epochs=1), dataset, tmp_path
    )
    running.run(place, Key(name, "Bag", 0, "adjpgd", 1))
    assert begun == [times]
