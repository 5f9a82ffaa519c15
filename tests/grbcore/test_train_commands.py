"""``grb train`` and ``grb tune``: what they write, what they refuse, where they go on."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from grbcore import catalog, datasets
from grbcore.cli.main import app
from grbcore.submission import check_content
from grbcore.violations import Refused

BOARD = "digits/injection@1"
QUICK = ("--hidden", "4", "--epochs", "3")


def grb(*words: str | Path) -> str:
    """What a command says; whatever it raises is raised."""
    result = CliRunner().invoke(app, [str(word) for word in words], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def trained(folder: Path, *words: str | Path) -> bytes:
    out = folder / "defense.safetensors"
    grb("train", BOARD, *QUICK, "--out", out, *words)
    assert check_content(
        out, side="defense", board=catalog.board(BOARD), dataset=datasets.load("digits")
    ) == ()  # fmt: skip
    return out.read_bytes()


@pytest.mark.parametrize(
    "words",
    [
        ("--adversarial", "FGSM", "--warm-up", "1", "--attack-steps", "1"),
        ("--adversarial", "RND", "--warm-up", "1", "--attack-nodes", "3", "--attack-edges", "2"),
        ("--mode", "transductive"),
        ("--weight-decay", "0.1"),
    ],
)
def test_an_option_makes_another_valid_defense_and_twice_the_same(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    plain, one, other = (trained(tmp_path, *extra) for extra in ((), words, words))
    assert plain != one == other


def test_a_checkpoint_is_gone_when_the_defense_is_written(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.pt"
    plain = trained(tmp_path)
    assert trained(tmp_path, "--checkpoint", checkpoint, "--save-every", "1") == plain
    assert not checkpoint.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--adversarial", "NONE"), "--adversarial: found NONE; allowed: RND, FGSM"),
        (("--adversarial", "FGSM", "--warm-up", "3"), "--epochs: found 3; allowed: more than"),
        (("--mode", "trasductive"), "--mode: found trasductive; allowed: inductive or trans"),
        (("--attack-share", "1.5"), "--attack-share: found 1.5; allowed: a number above 0"),
    ],
)
def test_a_wrong_option_is_refused_before_any_work(
    words: tuple[str, ...], told: str, tmp_path: Path
) -> None:
    with pytest.raises(Refused, match=told):
        trained(tmp_path, *words)
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_checkpoint_is_refused(tmp_path: Path) -> None:
    checkpoint = tmp_path / "run.pt"
    checkpoint.write_bytes(b"mine")
    with pytest.raises(Refused, match=r"--checkpoint: found .*which is none"):
        trained(tmp_path, "--checkpoint", checkpoint)
    assert checkpoint.read_bytes() == b"mine"


def test_tune_writes_a_valid_defense_and_goes_on_with_its_study(tmp_path: Path) -> None:
    out, study = tmp_path / "best.safetensors", tmp_path / "study.db"
    words = ("tune", BOARD, "--architecture", "MLP", "--epochs", "2", "--out", out)
    assert "the best of 1 trials" in grb(*words, "--trials", "1", "--study", study)
    assert "the best of 2 trials" in grb(*words, "--trials", "2", "--study", study)
    board, dataset = catalog.board(BOARD), datasets.load("digits")
    assert check_content(out, side="defense", board=board, dataset=dataset) == ()


def test_tune_names_the_missing_extra_before_any_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "optuna", None)
    result = CliRunner().invoke(app, ["tune", BOARD, "--out", str(tmp_path / "x.safetensors")])
    assert result.exit_code == 1
    assert "-e '.[study]' in a checkout" in result.output
    assert "tuning" not in result.output


def test_without_a_terminal_training_tells_its_epochs_in_lines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("grbcore.cli.training.EVERY", 0.0)
    said = grb("train", BOARD, *QUICK, "--out", tmp_path / "defense.safetensors")
    assert re.search(r"training GCN, validation \d+\.\d\d %, epoch 2$", said, re.MULTILINE)
