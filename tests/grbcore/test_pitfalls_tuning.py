"""The paper's search: its grid, an equal number of weights, and the best by validation."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grbcore.cli.main import app
from grbcore.pitfalls.configurations import CONFIGURATIONS, meant, named
from grbcore.pitfalls.engine import Run
from grbcore.pitfalls.running import Study
from grbcore.pitfalls.store import Kept, Key
from grbcore.pitfalls.tuning import GRID, LIMIT, candidates, ordered, weights
from grbcore.violations import Refused
from tests.grbcore import small_node


@pytest.mark.parametrize("model", GRID)
def test_what_the_paper_chose_is_in_its_grid(model: str) -> None:
    assert model in candidates(model)


def test_grids_are_as_large_as_appendix_c_says() -> None:
    """4 · 5 · 7 · 7 of hidden sizes, rates, dropouts, L2; GAT 7 times that; LogReg 6 rates · 7."""
    assert len(candidates("GCN")) == 980 == len(set(candidates("GCN")))
    assert len(candidates("GAT")) == 6860
    assert len(candidates("LogReg")) == 42


def test_no_candidate_has_more_weights_than_any_of_table_4() -> None:
    assert round(LIMIT / 1000) == 94  # GS-maxpool
    found = candidates("GS-mean")
    assert len(found) == 735  # 64 and its skip weights would be 184K
    assert max(weights(*meant(name)) for name in found) <= LIMIT
    assert {meant(name)[1].hidden for name in found} == {8, 16, 32}


@pytest.mark.parametrize("model", CONFIGURATIONS)
def test_a_name_says_the_whole_configuration(model: str) -> None:
    assert meant(model) == (model, CONFIGURATIONS[model])
    other = CONFIGURATIONS[model].model_copy(update={"l2": 5e-05, "hidden": 16})
    assert named(model, other) == f"{model} hidden=16 l2=5e-05"
    assert meant(named(model, other)) == (model, other)


@pytest.mark.parametrize("name", ["GIN", "GCN hidden=-1", "GCN depth=2", "hidden=2"])
def test_a_name_without_meaning_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="found"):
        meant(name)
    with pytest.raises(Refused, match="--models"):
        Study(("cora-ml",), (name,), 1, 1)


def test_draws_are_of_the_grid_and_the_seeds_own() -> None:
    every = candidates("GCN")
    drawn = [candidates("GCN", draws=20, seed=seed) for seed in (0, 0, 1)]
    assert drawn[0] == drawn[1] != drawn[2]
    assert len(set(drawn[0])) == 20 and set(drawn[0]) < set(every)


def test_what_can_not_be_searched_is_refused() -> None:
    for wanted, allowed in (
        ({"model": "LabelProp"}, "LabelProp NL"),
        ({"model": "GCN", "draws": 0}, "1 or more"),
        ({"model": "GCN", "limit": 100}, "11535 or more"),  # (1433 + 7) · 8 + 8 + 7
    ):
        with pytest.raises(Refused, match=allowed):
            candidates(**wanted)  # type: ignore[arg-type]


def test_datasets_weigh_the_same_and_only_validation_decides() -> None:
    """A: (50 + 90)/2 = 70, though 4 of its 5 runs have 50; B: (75 + 75)/2 = 75, of test less."""

    def runs(model: str, dataset: str, val: float, test: float, times: int) -> list[Kept]:
        run = Run(test, val, 1.0, 9, 5)
        return [Kept(Key(dataset, model, 0, init), run, 1.0) for init in range(times)]

    kept = [
        *runs("GCN", "cora", 0.5, 0.9, 4),
        *runs("GCN", "citeseer", 0.9, 0.9, 1),
        *runs("GCN hidden=8", "cora", 0.75, 0.6, 1),
        *runs("GCN hidden=8", "citeseer", 0.75, 0.7, 1),
        *runs("GCN hidden=16", "cora", 0.75, 0.9, 1),
        *runs("MLP", "cora", 0.99, 0.99, 1),
    ]
    found = ordered(kept, ["GCN", "GCN hidden=16", "GCN hidden=8", "GCN hidden=32"])
    assert [one.name for one in found] == ["GCN hidden=8", "GCN hidden=16", "GCN"]
    assert [one.val_accuracy for one in found] == pytest.approx([0.75, 0.75, 0.7])
    assert found[0].accuracy == pytest.approx(0.65)
    assert [one.runs for one in found] == [2, 1, 5]


def test_a_search_goes_on_and_shares_the_runs_of_a_study(tmp_path: Path) -> None:
    data = small_node.write(tmp_path / "data")

    def run(*options: str) -> str:
        arguments = ["study", "splits", "--dataset", "cora-ml", "--data-dir", str(data)]
        arguments += ["--out", str(tmp_path / "out"), "--inits", "1", "--splits", "2", *options]
        done = CliRunner().invoke(app, arguments)
        assert done.exit_code == 0, done.output
        return done.output

    run("--models", "LabelProp NL", "--no-plot")
    found = run("--models", "LabelProp NL", "--tune")
    assert "14 runs, 2 of them there" in found  # 7 candidates, of which one is Table 4's
    run("--models", "LabelProp NL,LogReg", "--tune", "--draws", "4")
    told = json.loads((tmp_path / "out" / "tuned.json").read_text("utf-8"))
    assert {model: len(tried) for model, tried in told["models"].items()} == {
        "LabelProp NL": 4,
        "LogReg": 4,
    }
    for tried in told["models"].values():
        reached = [one["val_accuracy"] for one in tried]
        assert reached == sorted(reached, reverse=True)
    assert "16 runs, 16 of them there" in run(
        "--models", "LabelProp NL,LogReg", "--tune", "--draws", "4"
    )


def test_draws_and_weights_need_a_search(tmp_path: Path) -> None:
    arguments = ["study", "splits", "--dataset", "cora-ml", "--draws", "2"]
    done = CliRunner().invoke(app, [*arguments, "--out", str(tmp_path)])
    assert done.exit_code != 0
    assert "only with --tune" in str(done.exception)
