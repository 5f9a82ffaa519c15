"""Metrics of graph-level tasks, against the thesis' numbers, scikit-learn and arithmetic."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from grbcore.graphlevel import metrics

CURVES = json.loads(
    (Path(__file__).parents[2] / "oracles" / "expressive_gnn_random_zinc.json").read_text()
)
#: Table 5.6, ZINC, adjacency changes, absolute budgets.
PRINTED = {
    "meanGINE": 0.959,
    "GIN": 0.703,
    "GINE": 1.050,
    "SignNet": 0.969,
    "DropGINE": 0.971,
    "ESAN": 1.102,
    "PPGN": 1.288,
}


@pytest.mark.parametrize("model", PRINTED)
def test_the_robustness_score_is_the_printed_one(model: str) -> None:
    """b = 0.343, the clean error of the bag of nodes; everything in percent."""
    budgets, values = CURVES[model]
    found = metrics.crr(
        budgets, [100 * value for value in values], baseline=34.3, higher_is_better=False
    )
    assert found / 100 == pytest.approx(PRINTED[model], abs=0.003)


def test_the_robustness_score_of_a_curve_by_hand() -> None:
    """Steps 1, 1, 3 of gains 0.2, 0.1, 0 over a length of 5: 100·0.3/5."""
    found = metrics.crr([0, 1, 4], [0.9, 0.8, 0.5], baseline=0.7, higher_is_better=True)
    assert found == pytest.approx(6.0)


def test_roc_auc_is_scikit_learns_with_ties() -> None:
    rng = np.random.default_rng(0)
    scores, labels = rng.integers(0, 8, 200) / 8, rng.integers(0, 2, 200)
    assert metrics.roc_auc(scores, labels) == pytest.approx(roc_auc_score(labels, scores))


def test_the_label_difference_of_a_uniform_prediction_over_three_classes_is_four_ninths() -> None:
    found = metrics.label_difference(np.zeros((1, 3)), np.array([1]), "multiclass")
    assert found == pytest.approx([4 / 9])


def test_the_label_difference_of_logits_is_how_far_the_sigmoid_is_off() -> None:
    outputs = np.array([[np.log(3)], [-1000.0]])
    found = metrics.label_difference(outputs, np.array([1, 1]), "binary")
    assert found == pytest.approx([0.25, 1.0])


def test_outputs_that_are_not_finite_are_misses() -> None:
    outputs = np.array([[np.nan], [np.inf], [1.0], [0.0]])
    assert metrics.hits(outputs, np.array([1, 1, 1, 0]), "binary").tolist() == [
        False,
        False,
        True,
        True,
    ]


def test_errors_are_divided_by_the_deviation_and_the_worst_left_out() -> None:
    found = metrics.errors(np.array([[3.0], [0.0]]), np.array([1.0, 0.5]), sigma=2.0)
    assert found.tolist() == [1.0, 0.25]
    kept = metrics.without_worst(np.arange(40.0))
    assert kept.max() == 37.0
    assert len(kept) == 38


def test_efficacy_is_the_share_of_what_brute_force_gains() -> None:
    assert metrics.efficacy(0.9, 0.5, 0.1) == pytest.approx(0.5)
    assert metrics.efficacy(0.9, 0.9, 0.9) == 1.0
