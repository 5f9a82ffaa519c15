"""Fuzzing by coverage: half a minute over all targets here, ten minutes in ``make test-long``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile import seeds

ROOT = Path(__file__).resolve().parents[2]
TARGETS = ("archive", "layout", "array", "weights", "metadata")

QUICK, LONG = 3, 120  # seconds of each target


def fuzz(target: str, folder: Path, seconds: int) -> subprocess.CompletedProcess[str]:
    seeds.write(target, folder)
    command = [sys.executable, "-m", "tests.hostile.fuzz", target, str(folder)]
    # by way of a small process: what a program begins in counts as memory that it has used
    command = ["sh", "-c", '"$@"; exit $?', "sh", *command]
    return subprocess.run(
        [*command, f"-max_total_time={seconds}"],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=seconds + 120,
        check=False,
    )


def without_a_finding(target: str, folder: Path, seconds: int) -> None:
    done = fuzz(target, folder, seconds)
    assert done.returncode == 0, done.stderr[-4000:]
    runs = int(re.findall(r"number_of_executed_units:\s*(\d+)", done.stderr)[-1])
    peak = int(re.findall(r"peak_rss_mb:\s*(\d+)", done.stderr)[-1])
    assert runs > 100 * seconds
    assert peak < 400  # MB, the instrumentation and numpy included


@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_found_in_seconds(target: str, tmp_path: Path) -> None:
    without_a_finding(target, tmp_path, QUICK)


@pytest.mark.long
@pytest.mark.parametrize("target", TARGETS)
def test_nothing_is_found_in_minutes(target: str, tmp_path: Path) -> None:
    without_a_finding(target, tmp_path, LONG)


def test_a_planted_fault_is_found(tmp_path: Path) -> None:
    """A target that fails where an array of booleans is read; no seed is one."""
    done = fuzz("planted", tmp_path, 60)
    assert done.returncode != 0
    assert "planted" in done.stderr
