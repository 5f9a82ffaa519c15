"""What ``grb`` says of settings and options that are wrong: one line, exit code 1."""

from __future__ import annotations

from pathlib import Path

import pytest

from grbcore.cli import main as command


@pytest.mark.parametrize(
    ("name", "value", "found", "allowed"),
    [
        ("GRB_PORT", "abc", "'abc'", "a whole number from 0 to 65535"),
        ("GRB_PORT", "99999", "'99999'", "a whole number from 0 to 65535"),
        ("GRB_THREADS", "x", "'x'", "a whole number of 1 or more"),
        ("GRB_DATABASE_URL", "mysql://x", "mysql://…", "sqlite://… or postgresql://…"),
        (
            "GRB_BROKER_URL",
            "a-password",
            "something else",
            "filesystem://… or redis://… or rediss://… or memory://…",
        ),
        ("GRB_BLOB_URL", "ftp://x:y/z@h", "ftp://…", "file://… or s3://…"),
    ],
)
def test_a_wrong_setting_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    name: str,
    value: str,
    found: str,
    allowed: str,
) -> None:
    monkeypatch.setenv(name, value)
    assert run(monkeypatch, "board", "list") == 1
    assert capsys.readouterr().err == f"grb: {name}: found {found}, allowed: {allowed}\n"


def test_a_token_is_not_made_where_there_is_no_database(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("GRB_VAR_DIR", "GRB_DATABASE_URL"):
        monkeypatch.delenv(name, raising=False)
    assert run(monkeypatch, "admin", "token") == 1
    assert f"no database at {tmp_path}/var/grb.db: run it in" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_token_needs_a_user(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setenv("GRB_VAR_DIR", str(tmp_path))
    monkeypatch.delenv("GRB_DATABASE_URL", raising=False)
    assert run(monkeypatch, "board", "sync") == 0
    assert run(monkeypatch, "admin", "token", "--user", "") == 1
    assert "--user: name: found 0 characters, allowed: 1 to 80" in capsys.readouterr().err


def test_check_names_a_file_that_is_not_there(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(monkeypatch, "check", "missing.npz", "--board", "digits/injection@1") == 1
    assert capsys.readouterr().err == "grb: missing.npz: no such file\n"


BOARD = "digits/injection@1"
SMALL = ("train", BOARD, "--hidden", "4", "--epochs", "3")
INJECTING = (*SMALL, "--adversarial", "FGSM", "--warm-up", "1", "--attack-steps", "1")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*SMALL, "--learning-rate", "1e38"), "weights: found NaN or infinity in"),
        ((*SMALL, "--weight-decay", "inf"), "weight_decay: found inf"),
        ((*SMALL, "--checkpoint", "none/run.pt"), "--checkpoint: found none/run.pt, whose folder"),
        ((*SMALL, "--checkpoint", "folder"), "--checkpoint: found folder, a folder"),
        ((*SMALL, "--checkpoint", "junk"), "--checkpoint: found checkpoint: found junk, which is"),
        ((*INJECTING, "--attack-nodes", "1000000000"), "budget.nodes: found 1000000000"),
        (("tune", BOARD, "--study", "junk"), "--study: found study: found junk, which is none"),
        (("tune", BOARD, "--study", "none/s.db"), "--study: found study: found none/s.db"),
        (("attack", BOARD, "--surrogate", "folder"), "Is a directory: 'folder'"),
        (("attack", BOARD, "--method", "RND", "--surrogate", "none"), "none: no such file"),
        (("attack", BOARD, "--surrogate", "junk"), "junk"),
        (("evaluate", BOARD, "--defense", "none"), "none: no such file"),
        (("convert", "junk", "--board", BOARD), "junk: found a file that starts with"),
        (("reproduce", BOARD, "--out", "junk/made"), "junk, a file; allowed: a folder"),
        (("study", "surrogates", BOARD, "--out", "junk"), "junk, a file; allowed: a folder"),
        (("reproduce", BOARD, "--seeds", "0,x"), "--seeds: found 0,x"),
        (("train", "digits/injektion@1"), "did you mean digits/injection@1?"),
    ],
)
def test_a_wrong_argument_is_told_without_a_traceback_and_nothing_is_written(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    own_var: Path,
    words: tuple[str, ...],
    told: str,
) -> None:
    own_var.mkdir()
    monkeypatch.chdir(own_var)
    Path("folder").mkdir()
    Path("junk").write_bytes(b"junk")
    assert run(monkeypatch, *words) == 1
    captured = capsys.readouterr().err
    assert told in captured
    assert captured.count("grb: ") == 1
    assert {path.name for path in Path().iterdir()} == {"folder", "junk"}


def test_a_difficulty_named_twice_is_attacked_once(
    monkeypatch: pytest.MonkeyPatch, own_var: Path
) -> None:
    own_var.mkdir()
    monkeypatch.chdir(own_var)
    twice = ("--difficulty", "full", "--difficulty", "full", "--repeats", "1")
    assert run(monkeypatch, "attack", BOARD, "--method", "RND", *twice) == 0
    assert run(monkeypatch, "check", "attack.npz", "--board", BOARD) == 0


def run(monkeypatch: pytest.MonkeyPatch, *arguments: str) -> int:
    """The exit code of the command."""
    monkeypatch.setattr("sys.argv", ["grb", *arguments])
    with pytest.raises(SystemExit) as ended:
        command.main()
    return int(ended.value.code or 0)
