"""Relative accuracy, average rank, tests and flips, on tensors that are worked out by hand."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from grbcore.pitfalls.engine import Run
from grbcore.pitfalls.report import document, write
from grbcore.pitfalls.results import (
    Results,
    average_rank,
    cell,
    flip,
    paired,
    relative_accuracy,
    winners,
)
from grbcore.pitfalls.running import Study
from grbcore.pitfalls.store import Kept, Key
from grbcore.visualise import split_boxes

NAN = np.nan

#: [model, dataset, split, init]: three models, two datasets, two splits, two initialisations.
#: Means over initialisations of the first dataset: A .8 .6, B .4 .6, C .6 .3; of the second:
#: A .5 .5, B .5 .25, C nothing.
TOY = np.array(
    [
        [[[0.7, 0.9], [0.6, 0.6]], [[0.5, 0.5], [0.4, 0.6]]],
        [[[0.4, 0.4], [0.5, 0.7]], [[0.5, 0.5], [0.2, 0.3]]],
        [[[0.6, 0.6], [0.2, 0.4]], [[NAN, NAN], [NAN, NAN]]],
    ]
)


def test_relative_accuracy_of_the_toy() -> None:
    """A: 1, 1, 1, 1.  B: 1/2, 1, 1, 1/2.  C: 3/4 and 1/2, and nothing on the second dataset."""
    assert relative_accuracy(TOY) == pytest.approx([1, 0.75, 0.625])


def test_average_rank_of_the_toy() -> None:
    """A: 1, 1.5, 1.5, 1.  B: 3, 1.5, 1.5, 2.  C: 2 and 3; the second dataset ranks two models."""
    assert average_rank(TOY) == pytest.approx([1.25, 2, 2.5])


def test_initialisations_are_averaged_before_they_are_compared() -> None:
    """B has the best run but the worse mean."""
    accuracy = np.array([[[[0.6, 0.6]]], [[[0.9, 0.1]]]])
    assert average_rank(accuracy).tolist() == [1, 2]
    assert relative_accuracy(accuracy) == pytest.approx([1, 0.5 / 0.6])


def test_a_model_without_any_run_has_no_numbers() -> None:
    accuracy = np.array([[[[0.6]]], [[[NAN]]]])
    assert average_rank(accuracy)[0] == 1 and np.isnan(average_rank(accuracy)[1])
    assert relative_accuracy(accuracy)[0] == 1 and np.isnan(relative_accuracy(accuracy)[1])


def results(accuracy: np.ndarray) -> Results:
    models = tuple("ABCDEFGH"[: len(accuracy)])
    datasets = tuple(f"d{place}" for place in range(accuracy.shape[1]))
    return Results(models, datasets, accuracy, np.zeros(accuracy.shape, bool))


def test_a_cell_of_the_toy() -> None:
    """.7 .9 .6 .6: mean .7, squares of .0 .2 .1 .1 off it: std root(.06 / 4)."""
    found = cell(results(TOY), "A", "d0")
    assert found is not None
    assert (found.runs, found.failures) == (4, 0)
    assert found.mean == pytest.approx(0.7) and found.std == pytest.approx((0.06 / 4) ** 0.5)
    assert (found.low, found.median, found.high) == pytest.approx((0.6, 0.65, 0.75))
    assert cell(results(TOY), "C", "d1") is None


def test_failures_are_runs_far_below_the_median_or_diverged() -> None:
    accuracy = np.array([[[[0.9, 0.8, 0.39, 0.9, 0.41]]]])
    found = results(accuracy)
    assert cell(found, "A", "d0").failures == 1  # type: ignore[union-attr]  # .39 < .8 / 2
    found.diverged[0, 0, 0, 3] = True
    assert cell(found, "A", "d0").failures == 2  # type: ignore[union-attr]


def test_pairs_are_tested_on_splits_and_corrected_for_their_number() -> None:
    """A beats B on all of 8 splits by distinct amounts, C equals B.

    Signed ranks 1..8, all positive: sum 36, mean 18, variance 8 · 9 · 17 / 24 = 51, z = 2.5205,
    two-sided p = 0.01172.  The differences to C are the same; B and C differ nowhere: p = 1.
    Holm: 3 · 0.01172 for both smallest, then 1.
    """
    one = np.linspace(0.81, 0.88, 8)
    other = np.full(8, 0.8)
    found = paired(results(np.stack([one, other, other])[:, None, :, None]))
    assert [(pair.first, pair.second, pair.wins) for pair in found] == [
        ("A", "B", 8), ("A", "C", 8), ("B", "C", 0),
    ]  # fmt: skip
    assert found[0].difference == pytest.approx(0.045)
    assert [pair.p_value for pair in found] == pytest.approx([0.03516, 0.03516, 1], rel=2e-3)


def test_a_flip_is_the_clearest_pair_of_splits_with_different_winners() -> None:
    """Split 0: A by 10 points; 1: B by 2; 2: B by 6; 3: A by 4."""
    one = np.array([0.9, 0.7, 0.7, 0.8])
    other = np.array([0.8, 0.72, 0.76, 0.76])
    found = flip(results(np.stack([one, other])[:, None, :, None]), "d0")
    assert found is not None
    assert (found.splits, found.winners) == ((0, 2), ("A", "B"))
    assert found.leads == pytest.approx((0.1, 0.06))
    assert found.accuracies[1] == pytest.approx({"A": 0.7, "B": 0.76})
    assert winners(results(np.stack([one, other])[:, None, :, None]), "d0") == {"A": 2, "B": 2}


def test_where_one_model_wins_everywhere_nothing_flips() -> None:
    accuracy = np.array([[[[0.9], [0.8]]], [[[0.7], [0.8]]]])
    assert flip(results(accuracy), "d0") is None


def kept() -> list[Kept]:
    return [
        Kept(Key("citeseer", model, split, init), Run(accuracy, 0.5, loss, 9, 4), 0.25)
        for model, split, init, accuracy, loss in (
            ("GCN", 0, 0, 0.7, 1.5), ("GCN", 0, 1, 0.8, 1.5), ("GCN", 1, 0, 0.6, float("nan")),
            ("GCN", 1, 1, 0.6, 1.5), ("LabelProp", 0, 0, 0.5, 1.5), ("LabelProp", 1, 0, 0.7, 1.5),
        )
    ]  # fmt: skip


STUDY = Study(("citeseer",), ("GCN", "LabelProp"), 2, 2)


def test_files_hold_the_same_numbers(tmp_path: Path) -> None:
    names = [path.name for path in write(tmp_path, STUDY, kept())]
    assert names == ["runs.csv", "results.json", "table.tex", "boxes.svg"]
    lines = (tmp_path / "runs.csv").read_text("utf-8").splitlines()
    assert lines[3] == '"citeseer","GCN",1,0,0.6,0.5,"",9,4,0.25'
    told = json.loads((tmp_path / "results.json").read_text("utf-8"))
    gcn = told["models"][0]["datasets"]["citeseer"]
    assert gcn["mean"] == pytest.approx(0.675) and gcn["published"] == pytest.approx([0.719, 0.019])
    assert gcn["failures"] == 1
    assert told["winners"] == {"citeseer": {"GCN": 1, "LabelProp": 1}}
    assert told["flips"][0]["winners"] == ["GCN", "LabelProp"]
    assert told["models"][1]["average_rank"] == 1.5
    table = (tmp_path / "table.tex").read_text("utf-8")
    assert r"GCN & 67.50{\scriptsize$\pm$8.29} & 92.86 & 1.5 \\" in table  # (1 + 6/7) / 2
    assert "<svg" in (tmp_path / "boxes.svg").read_text("utf-8")


def test_numbers_that_are_not_there_are_null() -> None:
    alone = [one for one in kept() if one.key.model == "GCN"]
    told = document(STUDY, Results.of(alone, STUDY.models, STUDY.datasets))
    missing = told["models"][1]
    assert missing["datasets"]["citeseer"]["runs"] == 0
    assert missing["relative_accuracy"] is missing["average_rank"] is None
    json.dumps(told, allow_nan=False)


def test_boxes_are_of_every_model_that_has_runs() -> None:
    found = split_boxes(Results.of(kept(), ("GCN", "MLP", "LabelProp"), ("citeseer",)))
    (axes,) = found.axes
    assert [label.get_text() for label in axes.get_xticklabels()] == ["GCN", "LabelProp"]
    middles = [line.get_ydata()[0] for line in axes.lines if line.get_color() == "#d55e00"]
    assert middles == pytest.approx([65, 60])
    with pytest.raises(ValueError, match="found no run, allowed: one or more"):
        split_boxes(Results.of([], ("GCN",), ("citeseer",)))
