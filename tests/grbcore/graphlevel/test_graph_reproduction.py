"""The whole table of a board on whole graphs, of classes and of numbers."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest

from grbcore.catalog import AttackRecipe, Board, DefenseRecipe, Surrogate
from grbcore.cli.reproduce import carry_out
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.matrix import evaluate_matrix
from grbcore.reproduction import Results, estimate, plan
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, Difficulty
from grbcore.study import surrogate_study
from grbcore.violations import Refused
from tests.grbcore.graphlevel.boards import DATASET, board, numbers

BAG = DefenseRecipe(
    name="Bag", architecture="Bag", parameters={"hidden": 6}, epochs=2, batch=6, dropout=0.0
)
GIN = BAG.model_copy(
    update={"name": "GIN", "architecture": "GIN", "parameters": {"hidden": 6, "layers": 1}}
)
RANDOM = AttackRecipe(name="Random", method="Random")
PGD = AttackRecipe(
    name="AdjPGD",
    method="AdjPGD",
    arguments={"repeats": 1, "steps": 1, "samples": 3},
    surrogate=Surrogate(
        architecture="GIN", parameters={"hidden": 6}, seed=9, training={"epochs": 1, "batch": 6}
    ),
)


def small(metric: str = "accuracy") -> Board:
    recipes = {"defenses": (BAG, GIN), "attacks": (RANDOM, PGD), "metric": metric}
    return board("adjacency").model_copy(update=recipes)


@pytest.fixture(scope="module", params=["accuracy", "error"])
def done(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Board, GraphDataset, Results]:
    about = small(request.param)
    dataset = numbers() if request.param == "error" else DATASET
    folder = tmp_path_factory.mktemp(request.param)
    return about, dataset, carry_out(plan(about, dataset, folder, seeds=(0, 1), repeats=2))


def test_its_cells_are_those_that_an_evaluation_of_the_files_has(
    done: tuple[Board, GraphDataset, Results],
) -> None:
    about, dataset, results = done
    models = {task.recipe.name: task.path for task in results.plan.defenses if task.seed == 1}
    for recipe in about.attacks:
        files = [task for task in results.plan.attacks if task.recipe.name == recipe.name]
        assert [task.difficulty for task in files] == list(BUDGETS)
        for task in files:
            budget = str(task.difficulty)
            two = about.model_copy(update={"repeats": 2})
            matrix = evaluate_matrix(models, {recipe.name: task.path}, two, dataset)
            for name in models:
                cell = results.cells[recipe.name, name, 1]
                expected = matrix.cell(recipe.name, name).accuracy(budget)  # type: ignore[arg-type]
                assert cell.accuracy(budget) == expected  # type: ignore[arg-type]


def test_a_row_has_every_budget_and_is_ranked_by_their_mean(
    done: tuple[Board, GraphDataset, Results],
) -> None:
    about, _, results = done
    assert {cell.carried for cell in results.cells.values()} == {BUDGETS}
    ranking = results.pooled().leaderboard("defense")
    assert ranking.difficulty == "mean"
    scores = [row.metrics["mean"].weighted.mean for row in ranking.rows]
    assert scores == sorted(scores, reverse=about.metric == "accuracy")


def test_tables_of_every_budget_and_the_metric_of_the_board_are_written(
    done: tuple[Board, GraphDataset, Results],
) -> None:
    about, dataset, results = done
    folder = results.plan.folder
    with (folder / "results.csv").open(encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 4 * 5 * (1 + 2 + 2)  # two models of two seeds; clean, two attacks
    graphs = len(dataset.split.test)
    assert {row["total"] for row in rows} == {str(graphs)}
    assert ("error" in rows[0]) == (about.metric == "error")
    for row in rows:
        cell = results.cells[row["attack"], row["defense"], int(row["seed"])]
        at: Difficulty = row["difficulty"]  # type: ignore[assignment]
        value = cell.accuracy(at)[int(row["repeat"])]
        if about.metric == "error":
            assert float(row["error"]) == pytest.approx(value, abs=1e-6)
        else:
            assert int(row["correct"]) / graphs == value
    for name, start in (("results.md", "| attack | Bag | GIN |"), ("results.tex", "% small/")):
        lines = (folder / name).read_text("utf-8").splitlines()
        assert sum(line.startswith(start) for line in lines) == 5


def test_errors_are_pooled_and_averaged_as_counts_are(tmp_path: Path) -> None:
    """Two seeds of two repeats: 1, 3 and 5, 7; their means are 2 and 6."""
    about = small("error")
    made = plan(about, numbers(), tmp_path, defenses=["Bag"], attacks=["Random"], seeds=(0, 1))
    total = dict.fromkeys(BUDGETS, 6)

    def cell(attack: str, *values: float) -> Cell:
        return Cell(attack, "Bag", {}, total, errors=dict.fromkeys(BUDGETS, values))

    cells = {
        (CLEAN, "Bag", 0): cell(CLEAN, 1.0),
        (CLEAN, "Bag", 1): cell(CLEAN, 2.0),
        ("Random", "Bag", 0): cell("Random", 1.0, 3.0, 2.0),
        ("Random", "Bag", 1): cell("Random", 5.0, 7.0, 6.0),
    }
    results = Results(made, cells)
    assert results.by_seed().cell("Random", "Bag").accuracy("3") == (2.0, 6.0)
    assert results.pooled().cell("Random", "Bag").accuracy("3") == (1, 3, 2, 5, 7, 6)
    assert results.pooled().cell(CLEAN, "Bag").accuracy("3") == (1, 1, 1, 2, 2, 2)
    (row,) = [
        one for one in results.summary() if (one["attack"], one["difficulty"]) == ("Random", "1")
    ]
    assert (row["mean"], row["std"]) == (4.0, 2.0)


def test_a_part_of_the_budgets_is_ranked_at_the_last(tmp_path: Path, capsys) -> None:
    made = plan(
        small(), DATASET, tmp_path, defenses=["Bag"], attacks=["Random"], seeds=(0,),
        repeats=1, difficulties=("1", "2"),
    )  # fmt: skip
    carry_out(made)
    told = capsys.readouterr().out
    assert "defenses at 2, percent" in told
    assert "by the mean" not in told


def test_every_missing_file_is_estimated(tmp_path: Path) -> None:
    made = plan(small(), DATASET, tmp_path, seeds=(0,), repeats=1)
    found = estimate(made)
    assert len(found) == 3 + 2 * 5  # a surrogate, two defenses, two attacks at five budgets
    assert all(math.isfinite(seconds) and seconds >= 0 for seconds in found.values())


def test_published_folders_are_none_of_whole_graphs(tmp_path: Path) -> None:
    (tmp_path / "there").mkdir()
    with pytest.raises(Refused, match="none on this board"):
        plan(small(), DATASET, tmp_path, published=[tmp_path / "there"])


def test_surrogates_of_a_study_are_trained_as_the_defenses() -> None:
    about = surrogate_study(small(), "AdjPGD")
    assert [recipe.name for recipe in about.attacks] == ["AdjPGD from Bag", "AdjPGD from GIN"]
    for recipe, model in zip(about.attacks, (BAG, GIN), strict=True):
        assert recipe.surrogate is not None
        assert recipe.surrogate.architecture == model.architecture
        assert recipe.surrogate.training["epochs"] == 2
    assert np.unique([recipe.surrogate.seed for recipe in about.attacks]).tolist() == [1000]  # type: ignore[union-attr]
