"""Robustness over splits: what a score's spread is made of, and a board on splits of its own."""

from __future__ import annotations

import csv
import itertools
import json
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

from grbcore import datasets
from grbcore.catalog import AttackRecipe, Board, DefenseRecipe, Surrogate
from grbcore.cli import robustness
from grbcore.cli.main import app
from grbcore.datasets import Dataset, DatasetError
from grbcore.pitfalls.robustness import Measured, Robustness, ranks, resplit, winners
from grbcore.pitfalls.robustness_report import document
from grbcore.pitfalls.splitting import by_degree, verify_by_degree
from grbcore.pitfalls.variance import ESTIMATOR, Components, components
from grbcore.reproduction import Failure, Plan, make_all, plan
from grbcore.reproduction.measuring import Cells
from grbcore.results import CLEAN, Cell
from grbcore.violations import Refused
from tests.grbcore.test_reproduce import Notes

GCN = DefenseRecipe(name="GCN", architecture="GCN", parameters={"hidden": [4]}, epochs=2)
GIN = GCN.model_copy(update={"name": "GIN", "architecture": "GIN"})
RANDOM = AttackRecipe(name="RND", method="RND")
FGSM = AttackRecipe(
    name="FGSM",
    method="FGSM",
    arguments={"steps": 1, "step_size": 0.01},
    surrogate=Surrogate(architecture="GCN", parameters={"hidden": [4]}, seed=9),
)


@pytest.fixture
def study(board: Board) -> Robustness:
    """Two defenses, two attacks, 2 splits × 2 trainings × 2 repeats."""
    small = board.model_copy(update={"defenses": (GCN, GIN), "attacks": (RANDOM, FGSM)})
    return Robustness(small, 2, 2, 2, "full", 7)


def signs(a: float, b: float, c: float, e: float) -> np.ndarray:
    """y_isr = ±a ± b ± c ± e, whose effects add up to 0 wherever they must."""
    i, s, r = np.meshgrid([-1, 1], [-1, 1], [-1, 1], indexing="ij")
    return 50 + a * i + b * s * i + c * r + e * s * r


def test_components_are_as_worked_out_by_hand() -> None:
    """Effects ±10, ±3, ±2, ±1 over 2 × 2 × 2.

    Mean squares: splits 4·(2·100)/1 = 800, trainings 2·(4·9)/2 = 36, repeats 2·(4·4)/2 = 16, rest
    8·1/2 = 4.  Split (800 - 36 - 16 + 4)/4 = 188, training (36 - 4)/2, repeat (16 - 4)/2.
    """
    found = components(signs(10, 3, 2, 1))
    assert found == Components(split=188.0, training=16.0, repeat=6.0, rest=4.0)
    assert found.total == 214.0


def test_an_estimate_below_zero_is_zero() -> None:
    """Splits (0 - 36 - 16 + 4)/4 and repeats (0 - 4)/2 are below 0."""
    assert components(signs(0, 3, 2, 1)).split == 0
    assert components(signs(10, 3, 0, 1)).repeat == 0


def test_with_one_repeat_training_holds_the_rest() -> None:
    """Splits 2·(2·100)/1 = 400, trainings (4·9)/2 = 18; split (400 - 18)/2."""
    found = components(signs(10, 3, 0, 0)[:, :, :1])
    assert found == Components(split=191.0, training=18.0, repeat=None, rest=None)
    assert found.total == 209.0


def test_with_one_repeat_the_split_holds_it() -> None:
    """A repeat of each split that moves all of its trainings by ±2: 2·(2·4)/1 = 16, of which 16/2
    is the split's and nothing the training's."""
    values = np.broadcast_to(np.array([48.0, 52.0])[:, None, None], (2, 2, 1))
    assert components(values) == Components(split=8.0, training=0.0, repeat=None, rest=None)
    assert "With one repeat its share is part of the split's" in ESTIMATOR


def test_components_of_random_draws_are_those_that_they_were_drawn_with() -> None:
    rng = np.random.default_rng(0)
    known = {"split": 4.0, "training": 2.0, "repeat": 1.0, "rest": 0.5}
    splits, seeds, repeats = 20_000, 3, 3
    values = (
        rng.normal(0, known["split"] ** 0.5, (splits, 1, 1))
        + rng.normal(0, known["training"] ** 0.5, (splits, seeds, 1))
        + rng.normal(0, known["repeat"] ** 0.5, (splits, 1, repeats))
        + rng.normal(0, known["rest"] ** 0.5, (splits, seeds, repeats))
    )
    found = components(values)
    for name, variance in known.items():
        assert getattr(found, name) == pytest.approx(variance, rel=0.05)


@pytest.mark.parametrize("shape", [(1, 2, 2), (2, 1, 2), (2, 2, 0), (2, 2)])
def test_what_can_not_be_taken_apart_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="allowed: 2 or more splits, 2 or more seeds"):
        components(np.zeros(shape))
    with pytest.raises(ValueError, match="no number"):
        components(np.full((2, 2, 2), np.nan))


def test_a_split_by_degree_is_held_to_the_scheme(digits: Dataset) -> None:
    made = by_degree(digits.degrees, 3)
    assert len(made.train) == 1078 and {len(made.targets[n]) for n in ("easy", "hard")} == {179}
    swapped = {**made.targets, "easy": made.targets["hard"], "hard": made.targets["easy"]}
    with pytest.raises(DatasetError, match="bands by degree"):
        verify_by_degree(datasets.Split(made.train, made.val, swapped), digits.degrees)
    with pytest.raises(DatasetError, match="in train and bands"):
        verify_by_degree(datasets.Split(made.train[1:], made.val, made.targets), digits.degrees)
    with pytest.raises(DatasetError, match="twice or left out"):
        verify_by_degree(datasets.Split(made.train, made.val[1:], made.targets), digits.degrees)
    other = {**made.targets, "full": made.targets["full"][1:]}
    with pytest.raises(DatasetError, match="full"):
        verify_by_degree(datasets.Split(made.train, made.val, other), digits.degrees)


def test_another_split_is_of_the_same_graph_under_another_digest(digits: Dataset) -> None:
    one, other = resplit(digits, 1), resplit(digits, 2)
    assert one.indices is digits.indices and one.features is digits.features
    assert len({digits.digest, one.digest, other.digest, resplit(digits, 1).digest}) == 3
    assert not np.array_equal(one.targets["full"], other.targets["full"])


def test_the_boards_split_is_as_the_board_has_it_and_others_draw_anew(
    study: Robustness, digits: Dataset, tmp_path: Path
) -> None:
    own, *others = study.plans(digits, tmp_path)
    assert own.dataset is digits and own.seeds == (0, 1) and own.stream == 0
    official = plan(study.board, digits, tmp_path, seeds=(0,), difficulties=("full",))
    assert {task.path for task in official.models} < {task.path for task in own.models}
    seeds = [seed for one in others for seed in one.seeds]
    surrogates = [recipe.surrogate for one in (own, *others) for recipe in one.board.attacks[1:]]
    assert len({*seeds, *own.seeds}) == 6
    assert len({one.seed for one in surrogates if one is not None}) == 3
    assert len({one.stream for one in (own, *others)}) == 3
    files = [task.path for one in (own, *others) for task in (*one.models, *one.attacks)]
    assert len(files) == len(set(files)) == 3 * (1 + 4 + 2)


def test_more_splits_and_seeds_keep_the_files_that_are_there(
    study: Robustness, digits: Dataset, tmp_path: Path
) -> None:
    more = Robustness(study.board, 3, 3, 2, "full", 7)
    files = [
        {task.path for one in each.plans(digits, tmp_path) for task in (*one.models, *one.attacks)}
        for each in (study, more)
    ]
    assert files[0] < files[1]


def test_a_stream_draws_other_attacks(study: Robustness, digits: Dataset, tmp_path: Path) -> None:
    found = []
    for stream in (0, 5):
        made = plan(
            study.board,
            digits,
            tmp_path / str(stream),
            defenses=["GCN"],
            attacks=["RND"],
            seeds=(0,),
            repeats=1,
            difficulties=("full",),
            stream=stream,
        )
        assert make_all(made, Notes()) == []
        found.append(made.attacks[0].path.read_bytes())
    assert found[0] != found[1]


def by_hand(study: Robustness, digits: Dataset, folder: Path) -> tuple[list[Plan], list[Cells]]:
    """GCN 90, 60, 30 %, GIN 80, 70, 60 % (clean, RND, FGSM), one more % on each further split."""
    plans = study.plans(digits, folder)
    cells: list[Cells] = []
    for number, one in enumerate(plans):
        found: Cells = {}
        for defense, counts in (("GCN", (90, 60, 30)), ("GIN", (80, 70, 60))):
            for attack, count in zip((CLEAN, "RND", "FGSM"), counts, strict=True):
                for seed in one.seeds:
                    draws = 1 if attack == CLEAN else 2
                    correct = (count + number,) * draws
                    cell = Cell(attack, defense, {"full": correct}, {"full": 100})
                    found[attack, defense, seed] = cell
        cells.append(found)
    return plans, cells


def test_scores_are_the_boards_in_each_draw(
    study: Robustness, digits: Dataset, tmp_path: Path
) -> None:
    """Weighted: ranks weigh 36/49, 9/49, 4/49.  GCN (36·30 + 9·60 + 4·90)/49 = 1980/49 percent,
    GIN (36·60 + 9·70 + 4·80)/49 = 3110/49; attacks over two defenses, 4/5 and 1/5 from the
    highest: RND (4·70 + 60)/5 = 68, FGSM (4·60 + 30)/5 = 54; each one more on each split."""
    plans, cells = by_hand(study, digits, tmp_path)
    told = document(Measured.of(study, plans, cells))
    by_name = {entry["name"]: entry for side in told["sides"].values() for entry in side["entries"]}
    expected = {"GCN": 1980 / 49, "GIN": 3110 / 49, "RND": 68.0, "FGSM": 54.0}
    for name, score in expected.items():
        entry = by_name[name]
        assert 100 * entry["official"] == pytest.approx(score)
        assert [100 * one for one in entry["by_split"]] == pytest.approx([score + 1, score + 2])
        assert 100**2 * entry["variance"]["split"] == pytest.approx(0.5)  # of s and s + 1
        assert entry["variance"]["training"] == pytest.approx(0)
    assert [by_name[name]["official_rank"] for name in ("GIN", "GCN", "FGSM", "RND")] == [
        1,
        2,
        1,
        2,
    ]
    assert told["sides"]["defense"]["winners"] == {"GIN": 2}
    json.dumps(told, allow_nan=False)


def test_what_is_not_whole_on_every_split_is_left_out(
    study: Robustness, digits: Dataset, tmp_path: Path
) -> None:
    plans, cells = by_hand(study, digits, tmp_path)
    for attack in (CLEAN, "RND", "FGSM"):
        del cells[1][attack, "GIN", plans[1].seeds[0]]
    measured = Measured.of(study, plans, cells)
    assert (measured.defenses, measured.attacks) == (("GCN",), ("RND", "FGSM"))
    del cells[2]["RND", "GCN", plans[2].seeds[1]]
    assert Measured.of(study, plans, cells).attacks == ("FGSM",)
    del cells[0]["FGSM", "GCN", 0]
    with pytest.raises(Refused, match="no defense and attack that were made on every split"):
        Measured.of(study, plans, cells)


def test_equal_ones_share_a_rank_and_a_win() -> None:
    scores = np.array([[0.5, 0.1], [0.5, 0.3], [0.2, 0.2]])
    placed = ranks(scores, "defense")
    assert placed.T.tolist() == [[1, 1, 3], [3, 1, 2]]
    assert winners(("a", "b", "c"), placed) == {"b": 2, "a": 1}
    assert ranks(scores, "attack").T.tolist() == [[2, 2, 1], [1, 3, 2]]


def test_what_is_no_study_is_refused_all_at_once(study: Robustness) -> None:
    with pytest.raises(Refused) as refused:
        Robustness(study.board, 1, 1, 0, "full", 0)
    assert len(refused.value.violations) == 3


def test_the_command_makes_each_file_once_and_writes_every_form(tmp_path: Path) -> None:
    arguments = ["study", "robustness", "digits/injection@1", "--defenses", "GCN"]
    arguments += ["--attacks", "RND", "--repeats", "2", "--seeds", "2", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, [*arguments, "--splits", "2", "--no-plot"])
    assert done.exit_code == 0, done.output
    assert "9 files, 0 of them there" in done.output
    assert "splits won: GCN 2" in done.output
    again = CliRunner().invoke(app, [*arguments, "--splits", "3"])
    assert again.exit_code == 0, again.output
    assert "12 files, 9 of them there" in again.output
    told = json.loads((tmp_path / "results.json").read_text("utf-8"))
    assert told["kind"] == "robustness" and told["study"]["splits"] == 3
    with (tmp_path / "draws.csv").open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    drawn = {(row["attack"], row["split"], row["training"], row["repeat"]) for row in rows}
    places = itertools.product("0123", "01", "01")
    assert drawn == {
        *(("RND", *place) for place in places),
        *(("clean", split, training, "0") for split in "0123" for training in "01"),
    }
    assert "\\toprule" in (tmp_path / "table.tex").read_text("utf-8")
    assert "<svg" in (tmp_path / "scores.svg").read_text("utf-8")


def test_why_nothing_is_whole_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(plans: list[Plan], jobs: int) -> tuple[list[Cells], list[Failure]]:
        return [{} for _ in plans], [Failure("GCN, seed 0", "no memory is left")]

    monkeypatch.setattr(robustness, "_carry_out", fail)
    arguments = ["study", "robustness", "digits/injection@1", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, arguments)
    assert isinstance(done.exception, Refused)
    assert "GCN, seed 0: no memory is left" in done.output
