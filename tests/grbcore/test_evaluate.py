"""The referee: predictions, budgets, raw features, cells."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from grbcore import catalog, datasets
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.evaluate import attacked, evaluate, predict, predictions
from grbcore.graph import Graph
from grbcore.models import GCN, build
from grbcore.perturbation import Injection, Modification
from grbcore.results import CLEAN
from grbcore.scenario import DIFFICULTIES
from grbcore.violations import Refused
from tests.grbcore.engine import NAMES, TOY, TOY_GRAPH, small, toy_model
from tests.grbcore.samples import injection

FULL = TOY.targets["full"]


def digits_model(name: str, seed: int = 0):
    return build(name, small(name), features=64, classes=10, seed=seed).eval()


def test_clean_cell_counts_correct_predictions_at_all_four_difficulties(
    board: Board, digits: Dataset
) -> None:
    model = digits_model("GCN")
    with torch.no_grad():
        found = model(Graph.from_dataset(digits)).argmax(dim=1).numpy()
    cell = evaluate(board, digits, attack=None, model=model, defense_id="d")
    assert (cell.attack, cell.defense) == (CLEAN, "d")
    assert tuple(cell.correct) == DIFFICULTIES
    for name in DIFFICULTIES:
        targets = digits.targets[name]
        assert cell.correct[name] == (int((found == digits.labels)[targets].sum()),)
        assert cell.total[name] == targets.shape[0]


@pytest.mark.parametrize("name", NAMES)
def test_attacked_cell_counts_predictions_on_each_attacked_graph(
    board: Board, digits: Dataset, name: str
) -> None:
    """Whole passes over whole attacked graphs are the oracle for what the evaluator shares."""
    model = digits_model(name)
    attack = {"easy": [injection(digits, seed=s) for s in range(3)], "full": [injection(digits)]}
    cell = evaluate(board, digits, attack=attack, model=model, attack_id="a", defense_id="d")
    graph = Graph.from_dataset(digits)
    for difficulty, repeats in attack.items():
        targets = digits.targets[difficulty]
        expected = []
        for perturbation in repeats:
            with torch.no_grad():
                logits = model(graph.apply(perturbation))
            hits = logits.argmax(dim=1).numpy()[targets] == digits.labels[targets]
            expected.append(int(hits.sum()))
        assert cell.correct[difficulty] == tuple(expected)
    assert cell.correct.keys() == attack.keys()


def test_attack_over_budget_is_refused_with_its_place(board: Board, digits: Dataset) -> None:
    bad = injection(digits)
    loud = Injection(bad.features * 100, bad.edges)
    with pytest.raises(Refused) as refused:
        evaluate(
            board, digits, attack={"hard": [bad, loud]}, model=digits_model("GCN"), defense_id="d"
        )
    places = {fault.place.partition("/features")[0] for fault in refused.value.violations}
    assert places == {"hard/1"}


def test_logits_that_are_not_finite_are_marked(digits: Dataset, board: Board) -> None:
    model = digits_model("GCN")
    assert isinstance(model, GCN)
    model.convs[0].bias.data[:] = torch.inf
    found = predict(model, Graph.from_dataset(digits), None, digits.targets["easy"])
    assert found.dtype == np.int16
    assert (found == -1).all()
    cell = evaluate(board, digits, attack=None, model=model, defense_id="d")
    assert cell.correct["full"] == (0,)
    assert cell.provenance["not_finite"]["full"] == (cell.total["full"],)


def test_the_model_is_moved_to_the_device_that_computes(board: Board, digits: Dataset) -> None:
    """A device that only has shapes shows it: its logits can't be compared with labels."""
    model = digits_model("GCN")
    with pytest.raises(RuntimeError, match="meta"):
        evaluate(board, digits, attack=None, model=model, defense_id="d", device="meta")
    assert {tensor.device.type for tensor in model.state_dict().values()} == {"meta"}


@pytest.mark.parametrize("name", NAMES)
def test_prediction_does_not_depend_on_which_targets_are_asked_for(name: str) -> None:
    model = toy_model(name).eval()
    every = predict(model, TOY_GRAPH, None, np.arange(TOY.nodes))
    np.testing.assert_array_equal(predict(model, TOY_GRAPH, None, FULL), every[FULL])


def test_no_targets_give_no_predictions() -> None:
    found = predict(toy_model("GCN").eval(), TOY_GRAPH, None, np.zeros(0, np.int64))
    assert found.shape == (0,)


def test_raw_defense_is_given_raw_features_of_old_and_new_nodes() -> None:
    """A model on raw features is the same model on a dataset whose features are raw as they are."""
    model = toy_model("GCN").eval()
    raw_features = TOY.transform.restore(TOY.features)
    new = np.full((1, 8), 0.5, np.float32)
    edges = np.array([[TOY.nodes] * 3, [0, 1, 2]])
    oracle = Graph.from_dataset(replace(TOY, features=raw_features)).apply(
        Injection(TOY.transform.restore(new), edges)
    )
    clean = Graph.from_dataset(TOY, raw=True)
    built = attacked(TOY, clean, Injection(new, edges), features="raw")
    found = predictions(TOY, clean, model, {"full": [built]})
    np.testing.assert_array_equal(found["full"][0], predict(model, oracle, None, FULL))


def test_modified_graph_is_evaluated_with_its_flips() -> None:
    model = toy_model("GIN").eval()
    flips = Modification(np.array([[0, 1, 2], [10, 11, 12]]))
    built = attacked(TOY, TOY_GRAPH, flips, features="normalised")
    found = predictions(TOY, TOY_GRAPH, model, {"full": [built]})
    expected = predict(model, TOY_GRAPH, flips, FULL)
    np.testing.assert_array_equal(found["full"][0], expected)


@pytest.mark.parametrize("name", NAMES)
def test_logits_are_bit_identical_over_repeats_and_thread_counts(
    digits: Dataset, name: str
) -> None:
    """Digits with 64 hidden units: large enough for torch to share the work among threads."""
    parameters = small(name, hidden=[64, 64])
    model = build(name, parameters, features=64, classes=10).eval()
    graph = Graph.from_dataset(digits)
    before = torch.get_num_threads()
    found = []
    try:
        for threads in (1, 2, 1, 2):
            torch.set_num_threads(threads)
            with torch.no_grad():
                found.append(model(graph))
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(found[0], other) for other in found[1:])


@pytest.mark.parametrize("name", NAMES)
def test_cells_are_bit_identical_over_repeats_and_thread_counts(
    board: Board, digits: Dataset, name: str
) -> None:
    """Graphs are built anew for each cell; the digest is of every target's hit."""
    parameters = small(name, hidden=[64, 64])
    model = build(name, parameters, features=64, classes=10).eval()
    attack = {"full": [injection(digits, seed=s) for s in range(2)]}
    before = torch.get_num_threads()
    found = []
    try:
        for threads in (1, 2, 1, 2):
            torch.set_num_threads(threads)
            cell = evaluate(board, digits, model=model, attack=attack)
            found.append((cell.correct, cell.provenance["hits_sha256"]))
    finally:
        torch.set_num_threads(before)
    assert all(other == found[0] for other in found[1:])


def test_cell_says_what_it_was_made_with(board: Board, digits: Dataset) -> None:
    cell = evaluate(board, digits, attack=None, model=digits_model("GCN"), defense_id="d")
    assert cell.provenance["protocol"] == board.protocol(digits.digest)
    assert cell.provenance["torch"] == torch.__version__


@pytest.mark.real_data
def test_clean_features_of_grb_cora_come_back_raw(real_data: Path) -> None:
    """The inverse is right to 1e-5 in float32; the published file holds the raw features."""
    dataset = datasets.load("grb-cora", data_dir=real_data)
    published = np.load(real_data / "grb-cora" / "features.npz")["data"]
    found = Graph.from_dataset(dataset, raw=True).features.numpy()
    assert np.abs(found - published).max() <= 1e-5
    assert catalog.board("grb-cora/injection@1").dataset == dataset.name
