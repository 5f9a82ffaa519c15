"""A modification board from the attack to the cell, as a researcher and as the service do it."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from grbcore import baselines, catalog, datasets
from grbcore.catalog import AttackRecipe
from grbcore.cli.main import main
from grbcore.datasets import Dataset
from grbcore.evaluate import evaluate
from grbcore.models import build, load
from grbcore.perturbation import Modification
from grbcore.scenario import DIFFICULTIES
from grbcore.scoring import score
from grbcore.submission import check_content, read_attack, write_attack
from grbcore.violations import Refused
from tests.grbcore.engine import small
from tests.grbcore.test_evaluator import defense, read, run

BOARD = catalog.board("digits/modification@1")


@pytest.fixture(scope="module")
def digits() -> Dataset:
    return datasets.load("digits")


def test_an_attack_from_its_recipe_is_a_valid_submission_that_spends_its_budget(
    digits: Dataset, tmp_path: Path
) -> None:
    """0.05 * 3884 = 194.2 flips at each difficulty and repeat."""
    path = tmp_path / "rnd.npz"
    baselines.run(AttackRecipe(name="RND", method="RND"), BOARD, digits, None, path)
    assert not check_content(path, side="attack", board=BOARD, dataset=digits)
    with path.open("rb") as file:
        found = read_attack(file, BOARD)
    sizes = {p.flips.shape[1] for repeats in found.values() for p in repeats}  # type: ignore[union-attr]
    assert (tuple(found), sizes) == (DIFFICULTIES, {194})
    digests = {p.digest() for repeats in found.values() for p in repeats}
    assert len(digests) == 4 * BOARD.repeats


def test_a_cell_counts_every_target_on_the_modified_graph(digits: Dataset) -> None:
    model = build("GCN", small("GCN"), features=64, classes=10)
    untouched = {"full": [Modification.empty()]}
    clean = evaluate(BOARD, digits, model=model)
    cell = evaluate(BOARD, digits, model=model, attack=untouched)
    assert cell.total["full"] == digits.targets["full"].shape[0]
    assert cell.correct["full"] == clean.correct["full"]


def test_a_flip_away_from_the_targets_is_refused(digits: Dataset, tmp_path: Path) -> None:
    others = np.setdiff1d(np.arange(digits.nodes), digits.targets["full"])[:2]
    attack = {"full": [Modification(others[:, None].astype(np.int64))]}
    write_attack(tmp_path / "far.npz", attack)
    found = check_content(tmp_path / "far.npz", side="attack", board=BOARD, dataset=digits)
    assert [violation.code for violation in found] == ["flip-target"]
    with pytest.raises(Refused, match=re.escape("full/0/flips[0]")):
        evaluate(
            BOARD, digits, model=build("GCN", small("GCN"), features=64, classes=10), attack=attack
        )


def command(monkeypatch: pytest.MonkeyPatch, *words: str) -> int:
    monkeypatch.setattr("sys.argv", ["grb", *words])
    with pytest.raises(SystemExit) as ended:
        main()
    return int(ended.value.code or 0)


def test_grb_attack_runs_a_black_box_attack_without_a_surrogate(
    digits: Dataset, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "flip.npz"
    words = ("attack", BOARD.id, "--method", "FLIP", "--repeats", "1", "--out", str(out))
    assert command(monkeypatch, *words) == 0
    assert not check_content(out, side="attack", board=BOARD, dataset=digits)


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("--method", "FLIP", "--steps", "3"), "FLIP takes centrality, order"),
        (("--method", "TDGIA"), "found TDGIA; allowed: RND, DICE, FGA"),
        ((), "--surrogate: found nothing"),
    ],
)
def test_grb_attack_says_what_a_modification_attack_takes(
    words: tuple[str, ...],
    answer: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    out = str(tmp_path / "attack.npz")
    assert command(monkeypatch, "attack", BOARD.id, "--out", out, *words) == 1
    assert answer in capsys.readouterr().err


def test_the_services_evaluator_counts_what_evaluation_by_hand_counts(
    digits: Dataset, tmp_path: Path
) -> None:
    path = tmp_path / "dice.npz"
    surrogate = build("GCN", small("GCN"), features=64, classes=10, seed=1)
    baselines.run(AttackRecipe(name="DICE", method="DICE"), BOARD, digits, surrogate, path)
    weights = defense(tmp_path, "GIN")
    pair = {"cell": "c", "attack": str(path), "defense": str(weights)}
    _, out = run(tmp_path, [pair], board=BOARD.id)
    with path.open("rb") as file:
        attack = read_attack(file, BOARD)
    model, _ = load(weights, features=64, classes=10)
    correct, _, _ = score(read(out / "c.npz"), digits)
    assert correct == evaluate(BOARD, digits, model=model, attack=attack).correct
