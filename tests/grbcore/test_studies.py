"""Studies that a service shows: checked, copied, replaced, withdrawn."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from grbcore import studies
from grbcore.cli.main import app
from grbcore.study_results import ExpressiveResults, SplitResults
from grbcore.violations import Refused
from tests import studies as samples

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def publish(source: Path, target: Path, name: str = "one", title: str = "One") -> studies.Published:
    return studies.publish(source, target, name=name, title=title, now=NOW)


def test_a_study_is_copied_with_its_files_and_read_again(tmp_path: Path) -> None:
    source = samples.splits(tmp_path / "out")
    (source / "runs.sqlite").write_bytes(b"not shown")
    made = publish(source, tmp_path / "studies")
    found = studies.find(tmp_path / "studies", "one")
    assert found == made
    assert found.about.files == ["results.json", "runs.csv", "table.tex", "boxes.svg"]
    assert {path.name for path in found.folder.iterdir()} == {*found.about.files, "about.json"}
    results = found.results()
    assert isinstance(results, SplitResults)
    assert results.models[0].datasets["citeseer"].median == 0.701
    assert found.file("runs.sqlite") is None and found.file("../one/runs.csv") is None


def test_curves_of_whole_graphs_are_published_with_a_plot_of_each_attack_that_ran(
    tmp_path: Path,
) -> None:
    publish(samples.expressive(tmp_path / "out"), tmp_path / "studies")
    found = studies.find(tmp_path / "studies", "one")
    assert found is not None and found.about.of == ["mutag"]
    assert found.about.files == ["results.json", "runs.csv", "table.tex", "adjpgd.svg"]
    results = found.results()
    assert isinstance(results, ExpressiveResults)
    assert results.budgets("adjpgd") == [1, 3] and results.budgets("random") == []
    assert results.has_unmoved("adjpgd") and not results.has_unmoved("random")
    curve = results.models[1].attacks["adjpgd"]
    assert [round(score.mean, 9) for score in curve.scores()] == [0.7, 0.3]
    share = curve.unmoved()
    assert share is not None and (share.runs, share.mean) == (2, 0.25)


def test_a_study_of_the_same_name_replaces_the_earlier_one(tmp_path: Path) -> None:
    target = tmp_path / "studies"
    publish(samples.splits(tmp_path / "a"), target)
    publish(samples.robustness(tmp_path / "b"), target, title="Two")
    assert [path.name for path in target.iterdir()] == ["one"]
    assert [one.about.title for one in studies.published(target)] == ["Two"]


def test_names_and_titles_that_no_address_has_are_refused_together(tmp_path: Path) -> None:
    source = samples.splits(tmp_path / "out")
    with pytest.raises(Refused) as refused:
        publish(source, tmp_path / "studies", name="../a", title=" ")
    assert len(refused.value.violations) == 2
    assert not (tmp_path / "studies").exists()


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (None, "No such file"),
        ("{", "results.json"),
        ('{"kind": "tuning"}', "splits"),
        ('{"kind": "splits", "study": {}}', "study.datasets: Field required"),
        ('{"a": 1, "a": 2}', "found a"),
    ],
)
def test_what_are_no_results_is_refused(tmp_path: Path, text: str | None, told: str) -> None:
    source = samples.splits(tmp_path / "out")
    (source / "results.json").unlink()
    if text is not None:
        (source / "results.json").write_text(text)
    with pytest.raises(Refused, match=r"results\.json of grb study") as refused:
        publish(source, tmp_path / "studies")
    assert told in str(refused.value)


def test_numbers_outside_their_range_are_refused(tmp_path: Path) -> None:
    source = samples.splits(tmp_path / "out")
    told = json.loads((source / "results.json").read_text())
    told["models"][0]["datasets"]["citeseer"]["mean"] = 70
    (source / "results.json").write_text(json.dumps(told))
    with pytest.raises(Refused, match="less than or equal to 1"):
        publish(source, tmp_path / "studies")


def _models(told: Any) -> None:
    told["study"]["models"] = ["GCN"]


def _datasets(told: Any) -> None:
    told["study"]["datasets"].append("cora-full")


def _flips(told: Any) -> None:
    del told["flips"][0]["accuracies"][1]["GCN"]


def _pairs(told: Any) -> None:
    told["pairs"][0]["second"] = "GIN"


def _infinite(told: Any) -> None:
    told["models"][0]["relative_accuracy"] = float("inf")


def _half(told: Any) -> None:
    told["flips"][0]["dataset"] = "\ud800"


def _sides(told: Any) -> None:
    del told["sides"]["attack"]


def _entries(told: Any) -> None:
    told["study"]["attacks"].append("FGSM")


def _ranks(told: Any) -> None:
    told["sides"]["defense"]["entries"][0]["ranks"] = []


def _negative(told: Any) -> None:
    told["cells"][0]["variance"]["split"] = -0.1


def _curves(told: Any) -> None:
    told["models"][1]["attacks"]["adjpgd"]["budgets"]["4"] = told["models"][1]["clean"]


def _path(told: Any) -> None:
    told["study"]["attacks"][0] = "../adjpgd"


def _percents(told: Any) -> None:
    told["models"][0]["clean"]["score"]["mean"] = 50


def _recipe(told: Any) -> None:
    told["models"][0]["recipe"]["learning_rate"] = float("inf")


def _share(told: Any) -> None:
    told["models"][0]["attacks"]["adjpgd"]["budgets"]["1"]["unmoved"]["mean"] = 50


def _published(told: Any) -> None:
    told["models"][0]["clean"]["published"] = [48.4, 14.6]


def _budgets(told: Any) -> None:
    told["study"]["budgets"] = list(range(1, 200))


def _twice(told: Any) -> None:
    told["study"]["seeds"].append(0)


def _before(told: Any) -> None:
    del told["kind"]


def _unknown(told: Any) -> None:
    told["failures"][0]["model"] = "GCN"


def _cells(told: Any) -> None:
    told["cells"][0]["attack"] = "FGSM"


@pytest.mark.parametrize(
    ("sample", "change", "told"),
    [
        (samples.splits, _models, "models: found GCN, MLP <b>, allowed: GCN, once"),
        (samples.splits, _datasets, "datasets of GCN: found citeseer, allowed: citeseer, cora-fu"),
        (samples.splits, _flips, "accuracies of a flip: found MLP <b>"),
        (samples.splits, _pairs, "pairs: found GIN, allowed: GCN"),
        (samples.splits, _infinite, "models.0.relative_accuracy: Input should be a finite number"),
        (samples.splits, _half, "results.json"),
        (samples.robustness, _sides, "sides: found defense, allowed: attack, defense"),
        (samples.robustness, _entries, "attacks: found RND, allowed: FGSM, RND"),
        (samples.robustness, _ranks, "ranks: List should have at least 1 item"),
        (samples.robustness, _negative, "variance.split: Input should be greater than or equal"),
        (samples.robustness, _cells, "cells: found FGSM, allowed: RND, clean"),
        (samples.expressive, _curves, "budgets of GINE: found 4, allowed: 1, 2, 3"),
        (samples.expressive, _path, "study.attacks.0: String should match pattern"),
        (samples.expressive, _percents, "accuracies of Bag: found 50.0, allowed: 0 to 1"),
        (samples.expressive, _recipe, "models.0.recipe.learning_rate"),
        (samples.expressive, _share, "unmoved.mean: Input should be less than or equal to 1"),
        (samples.expressive, _published, "accuracies of Bag: found 48.4, allowed: 0 to 1"),
        (samples.expressive, _budgets, "study.budgets: List should have at most 100 items"),
        (samples.expressive, _twice, "seeds: found 0, 1, 2, allowed: 0, 0, 1, 2, once"),
        (samples.expressive, _before, "no kind; a folder from before has one once its command"),
        (samples.expressive, _unknown, "failures: found GCN, allowed: Bag, GINE"),
    ],
)
def test_results_that_no_page_could_show_are_refused(
    tmp_path: Path, sample: Any, change: Any, told: str
) -> None:
    source = sample(tmp_path / "out")
    results = json.loads((source / "results.json").read_text())
    change(results)
    text = json.dumps(results).replace("Infinity", "1e999")
    (source / "results.json").write_text(text)
    with pytest.raises(Refused) as refused:
        publish(source, tmp_path / "studies")
    assert told in str(refused.value)


def test_links_are_not_published(tmp_path: Path) -> None:
    source, outside = samples.splits(tmp_path / "out"), tmp_path / "secret"
    outside.write_text("secret")
    (source / "runs.csv").unlink()
    (source / "runs.csv").symlink_to(outside)
    made = publish(source, tmp_path / "studies")
    assert made.about.files == ["results.json", "table.tex", "boxes.svg"]
    assert not (made.folder / "runs.csv").exists()
    (source / "results.json").rename(outside)
    (source / "results.json").symlink_to(outside)
    with pytest.raises(Refused, match="a link"):
        publish(source, tmp_path / "studies")


def test_a_file_that_is_too_large_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = samples.splits(tmp_path / "out")
    monkeypatch.setattr(studies, "LARGEST", 5000)
    (source / "boxes.svg").write_text("x" * 5001)
    with pytest.raises(Refused, match=r"boxes\.svg.*5,001 bytes"):
        publish(source, tmp_path / "studies")


def test_the_command_publishes_lists_and_withdraws(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GRB_VAR_DIR", str(tmp_path / "var"))
    source = samples.robustness(tmp_path / "out")

    def run(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["admin", "study", *arguments])
        assert done.exit_code == 0, done.output
        return done.output

    assert "shown at /studies/digits" in run("publish", str(source), "--name", "digits")
    assert run("list").split() == ["digits", "robustness", "digits/injection@1"]
    (tmp_path / "var" / "studies" / "digits" / "results.json").write_text("{}")
    assert "not shown: results.json is no study's any more" in run("list")
    run("withdraw", "digits")
    assert run("list") == ""
    done = CliRunner().invoke(app, ["admin", "study", "withdraw", "digits"])
    assert done.exit_code != 0 and "none is published" in str(done.exception)
