"""Ctrl-C in commands that take long: exit code 130, one line of what is kept, nothing half-made."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

BOARD = "digits/injection@1"
LONG = ("--epochs", "1000000", "--patience", "1000000")


def interrupted(folder: Path, sign: Path, *words: str) -> str:
    """What a command says on its error stream when Ctrl-C comes once ``sign`` is there."""
    process = subprocess.Popen(
        [sys.executable, "-m", "grbcore.cli", *words],
        cwd=folder,
        env={**os.environ, "GRB_VAR_DIR": str(folder / "var"), "COLUMNS": "300"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # a test run in the background ignores Ctrl-C, and its children would too
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    try:
        until = time.monotonic() + 120
        while not sign.exists() and process.poll() is None and time.monotonic() < until:
            time.sleep(0.05)
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does: to the children too
        told = process.communicate(timeout=60)[1]
    finally:
        process.kill()
    assert process.returncode == 130, told
    return told


def test_an_interrupted_training_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    words = ("train", BOARD, "--hidden", "4", *LONG, "--checkpoint", "run.pt", "--save-every", "1")
    told = interrupted(tmp_path, tmp_path / "run.pt", *words)
    assert told == "grb: interrupted: run.pt keeps the run; the same command goes on from it\n"
    assert {path.name for path in tmp_path.iterdir()} - {"run.pt.part"} == {"run.pt"}


def test_an_interrupted_search_goes_on_with_its_study(tmp_path: Path) -> None:
    words = ("tune", BOARD, "--architecture", "MLP", *LONG, "--study", "study.db")
    told = interrupted(tmp_path, tmp_path / "study.db", *words)
    line = "study.db keeps the trials that are over; the same command goes on"
    assert told == f"grb: interrupted: {line}\n"
    assert not (tmp_path / "defense.safetensors").exists()


def test_an_interrupted_reproduction_goes_on_with_its_files(tmp_path: Path) -> None:
    """With processes of its own, which end with it."""
    chosen = ("--defenses", "GCN,GIN", "--attacks", "RND", "--seeds", "0")
    words = ("reproduce", BOARD, *chosen, "--jobs", "2", "--out", "made")
    told = interrupted(tmp_path, tmp_path / "made" / "models", *words)
    line = r"grb: interrupted: .*made keeps \d of \d files; the same command goes on\n"
    assert re.fullmatch(line, told)
    assert not list(tmp_path.rglob("*.part"))
