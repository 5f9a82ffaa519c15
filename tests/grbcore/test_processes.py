"""Processes that work side by side."""

from __future__ import annotations

import os
import signal

import pytest

from grbcore.processes import Workers


def die(given: int, job: int) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_process_that_is_killed_is_told_in_words() -> None:
    with (
        Workers(die, 0, 1) as workers,
        pytest.raises(ChildProcessError, match=r"--jobs: found a process that was killed.*fewer"),
    ):
        list(workers.each([1]))
