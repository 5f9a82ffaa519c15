"""The evaluator's numbers, held still: they may change only with `EVALUATOR_VERSION`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import torch

from grbcore import catalog, datasets
from grbcore.evaluate import attacked, predictions
from grbcore.graph import Graph
from grbcore.results import EVALUATOR_VERSION
from grbcore.scoring import score
from tests.golden.made import CASES, MARGIN, attack, margin, model

GOLDEN = json.loads((Path(__file__).parent / "evaluator.json").read_text())


def test_recorded_numbers_are_of_this_version() -> None:
    """Who raises the version writes new numbers: python -m tests.golden.made"""
    assert GOLDEN["evaluator_version"] == EVALUATOR_VERSION


@pytest.mark.parametrize("case", CASES, ids=str)
def test_evaluator_gives_the_recorded_counts_and_hits(case: tuple[str, bool, str]) -> None:
    """Weights and attack are drawn from a fixed stream; nothing is trained here."""
    name, norm, features = case
    dataset = datasets.load(catalog.board(GOLDEN["board"]).dataset)
    graph = Graph.from_dataset(dataset, raw=features == "raw")
    defense = model(name, norm, dataset)
    built = {
        difficulty: [attacked(dataset, graph, p, features=features) for p in repeats]
        for difficulty, repeats in attack(dataset).items()
    }
    for row, graphs in (("clean", None), ("attacked", built)):
        correct, total, hits = score(predictions(dataset, graph, defense, graphs), dataset)
        recorded = GOLDEN["cells"][f"{name}{'+LN' if norm else ''}, {features}"][row]
        assert {d: list(c) for d, c in correct.items()} == recorded["correct"]
        assert total == recorded["total"]
        assert hits.hex() == recorded["hits"]


@pytest.mark.parametrize("case", CASES, ids=str)
def test_no_recorded_prediction_hangs_on_rounding(case: tuple[str, bool, str]) -> None:
    """Two best logits always differ by more than another kernel's rounding, so a change of the
    numbers is a change of the arithmetic."""
    name, norm, features = case
    dataset = datasets.load("digits")
    graph = Graph.from_dataset(dataset, raw=features == "raw")
    with torch.no_grad():
        assert margin(model(name, norm, dataset), dataset, graph, features) > MARGIN
