"""Cells of boards on whole graphs: hits of classes, errors of numbers, and what they rank."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from grbcore import catalog, datasets
from grbcore.architectures.graphlevel import AT_ONCE
from grbcore.evaluate import evaluate
from grbcore.graphlevel import Changes
from grbcore.graphlevel.evaluation import outputs
from grbcore.graphlevel.metrics import errors, hits
from grbcore.graphlevel.models import GraphLevelModel, Shape, build, predict
from grbcore.graphlevel.models.weights import save
from grbcore.graphlevel.shape import apart
from grbcore.leaderboard import Arena, rank
from grbcore.matrix import evaluate_matrix
from grbcore.perturbation import GraphChanges
from grbcore.results import CLEAN
from grbcore.scenario import BUDGETS, MEAN
from grbcore.scoring import MOST_ERROR, score_errors, unpack
from grbcore.violations import Refused
from tests.grbcore.graphlevel.boards import DATASET, attack, board, numbers, within
from tests.grbcore.graphlevel.samples import SHAPE

BOARD = board()
TESTS = DATASET.part("test")


def model(name: str = "GINE", seed: int = 0, **told: int) -> GraphLevelModel:
    return build(name, SHAPE, {"hidden": 8, "layers": 2, **told}, seed=seed).eval()


def attacked(changes: GraphChanges):
    return [one.apply(graph) for one, graph in zip(apart(changes), TESTS, strict=True)]


def test_counts_are_of_the_test_graphs_as_the_model_sees_them() -> None:
    one, found = model(), attack()
    cell = evaluate(BOARD, DATASET, model=one, attack=found)
    assert tuple(cell.correct) == BUDGETS
    assert cell.total == dict.fromkeys(BUDGETS, len(TESTS))
    labels = DATASET.labels_of("test")
    for name in BUDGETS:
        expected = []
        for changes in found[name]:
            outputs = predict(one, attacked(changes), rng=torch.Generator())
            expected.append(int(hits(outputs.numpy(), labels, "binary").sum()))
        assert cell.correct[name] == tuple(expected)
        assert cell.confusion[name].sum() == 3 * len(TESTS)


def test_the_clean_row_is_the_same_at_every_budget() -> None:
    cell = evaluate(BOARD, DATASET, model=model())
    assert len({cell.correct[name] for name in BUDGETS}) == 1
    nothing = {name: (GraphChanges.empty(len(TESTS)),) for name in BUDGETS}
    assert evaluate(BOARD, DATASET, model=model(), attack=nothing).correct == cell.correct


def test_a_model_that_draws_says_the_same_for_the_same_seed() -> None:
    one = build("DropGINE", SHAPE, {"hidden": 8, "layers": 1, "runs": 3}, seed=0)
    cells = [evaluate(BOARD, DATASET, model=one, attack=attack(), seed=seed) for seed in (1, 1, 2)]
    hashes = [cell.provenance["hits_sha256"] for cell in cells]
    assert hashes[0] == hashes[1]
    assert cells[0].correct == cells[1].correct


def test_few_graphs_are_predicted_together(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as the work is counted with: a PPGN pads all of them to the largest."""
    one = build("PPGN", SHAPE, {"hidden": 8, "blocks": 1}, seed=0)
    graphs = [*DATASET.graphs, *DATASET.graphs]
    seen: list[int] = []
    expected = predict(one, graphs, rng=torch.Generator(), at_once=1)
    batch = one.batch
    monkeypatch.setattr(one, "batch", lambda part: seen.append(len(part)) or batch(part))
    torch.testing.assert_close(outputs(one, graphs, 0), expected)
    assert seen == [AT_ONCE] * (48 // AT_ONCE)


def test_logits_that_are_not_finite_are_misses() -> None:
    broken = model()
    with torch.no_grad():
        broken.heads[0].bias.fill_(torch.nan)
    cell = evaluate(BOARD, DATASET, model=broken)
    assert cell.correct["1"] == (0,)
    assert cell.provenance["not_finite"] == dict.fromkeys(BUDGETS, (len(TESTS),))


def test_three_classes_are_told_apart() -> None:
    labels = np.arange(len(DATASET.graphs)) % 3
    three = replace(DATASET, task="multiclass", labels=labels)
    one = build("GIN", Shape.of(three), {"hidden": 8, "layers": 1}, seed=0).eval()
    cell = evaluate(BOARD, three, model=one)
    outputs = predict(one, TESTS, rng=torch.Generator()).numpy()
    assert cell.correct["5"] == (int(hits(outputs, labels[three.split.test], "multiclass").sum()),)


def test_errors_are_of_the_predicted_numbers_in_deviations_of_the_labels() -> None:
    data = numbers()
    cell = evaluate(BOARD, data, model=model(), attack=attack())
    assert cell.correct == {}
    assert cell.carried == BUDGETS
    outputs = predict(model(), attacked(attack()["2"][1]), rng=torch.Generator()).numpy()
    expected = errors(outputs, data.labels_of("test"), sigma=data.sigma).mean()
    assert np.isclose(cell.accuracy("2")[1], expected, rtol=1e-6)


def test_errors_are_kept_as_float32_of_each_graph_and_none_is_endless() -> None:
    data = numbers()
    said = data.labels_of("test").astype(np.float32)
    said[0] += 2 * data.sigma
    said[1] = np.inf
    means, total, packed = score_errors({"1": (said,)}, data, sigma=data.sigma)
    length = int.from_bytes(packed[:4], "little")
    kept = np.frombuffer(packed[4 + length :], "<f4")
    assert packed[4 : 4 + length] == b'{"1": [1, 6]}'
    np.testing.assert_allclose(kept[:3], [2, MOST_ERROR, 0], atol=1e-5)
    assert np.isclose(means["1"][0], (2 + MOST_ERROR) / 6, atol=1e-5)
    assert total == {"1": 6}
    with pytest.raises(ValueError, match="1/0: found predictions of shape"):
        score_errors({"1": (said[:2],)}, data)


def test_cells_rank_by_the_mean_over_budgets() -> None:
    names = ("a", "b")
    models = {f"d{seed}": model(seed=seed) for seed in range(3)}
    attacks = {None: CLEAN, **dict(enumerate(names))}
    cells = [
        evaluate(
            BOARD,
            DATASET,
            model=one,
            attack=None if key is None else attack(key),
            attack_id=attack_id,
            defense_id=defense,
        )
        for defense, one in models.items()
        for key, attack_id in attacks.items()
    ]
    arena = Arena(3, names, tuple(models), tuple(models), names, BOARD.difficulties)
    found = rank(arena, cells, "defense", BOARD.ranked)
    scores = [row.metrics[MEAN].weighted.mean for row in found.rows]
    assert scores == sorted(scores, reverse=True)
    first = found.rows[0].metrics
    mean = np.mean([first[name].weighted.mean for name in BUDGETS])
    assert np.isclose(first[MEAN].weighted.mean, mean)
    assert first[MEAN].n == 3


def test_a_matrix_of_whole_graphs_is_computed_on_the_cpu_and_says_so(tmp_path: Path) -> None:
    path = tmp_path / "gine.safetensors"
    save(path, model())
    found = evaluate_matrix({"here": model(), "file": path}, {}, BOARD, DATASET, device="meta")
    assert {cell.provenance["device"] for cell in found.cells} == {"cpu"}
    here, file = found.cells
    assert here.correct == file.correct


def test_what_breaks_the_budget_is_refused() -> None:
    with pytest.raises(Refused) as refused:
        evaluate(BOARD, DATASET, model=model(), attack={"1": (within(4, 3),)})
    assert {fault.place for fault in refused.value.violations} == {"1/0"}
    with pytest.raises(Refused, match="difficulty full"):
        evaluate(BOARD, DATASET, model=model(), attack={"full": (within(1, 3),)})


def test_models_and_boards_of_other_kinds_are_refused() -> None:
    other = build("GINE", Shape((2,), (4,), 1), {"hidden": 4, "layers": 1}, seed=0)
    with pytest.raises(ValueError, match="allowed: a graph-level model"):
        evaluate(BOARD, DATASET, model=other)
    digits = datasets.load("digits")
    with pytest.raises(ValueError, match="allowed: one of nodes"):
        evaluate(catalog.board("digits/injection@1"), digits, model=model())


def test_protocols_differ_where_what_is_allowed_differs() -> None:
    found = {board(kind).protocol(DATASET.digest) for kind in ("adjacency", "attributes")}
    assert len(found) == 2
    assert Changes.empty().cost(TESTS[0]) == (0, 0)


def test_packed_hits_are_those_of_the_cell() -> None:
    from grbcore.graphlevel.evaluation import attacked_predictions
    from grbcore.scoring import score

    found = attacked_predictions(DATASET, model(), attack(), 0)
    correct, _, packed = score(found, DATASET)  # type: ignore[arg-type]
    kept = unpack(packed)
    assert {name: tuple(kept[name].sum(axis=1)) for name in BUDGETS} == correct
