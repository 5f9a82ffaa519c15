"""What is killed in mid-work is not lost."""

from __future__ import annotations

from pathlib import Path

import psutil

from tests.e2e.stack import BOARD, Stack, wait_for


def test_sigkill_of_the_worker_in_mid_evaluation_loses_nothing(
    production_stack: Stack, tmp_path: Path
) -> None:
    """Ranked within 90 s after a worker is back."""
    stack = production_stack
    path = tmp_path / "wide.safetensors"
    stack.grb(
        *("train", BOARD, "--architecture", "GAT", "--hidden", "64,64,64", "--heads", "8"),
        *("--epochs", "3", "--out", str(path)),
    )
    submission = stack.submit(path, side="defense", name="Killed")
    wait_for("a running cell", lambda: running(stack, submission), 60)
    worker = psutil.Process(stack.processes["worker"].pid)
    children = worker.children(recursive=True)
    stack.stop("worker", kill=True)
    try:
        assert stack.get(f"/submissions/{submission}")["state"] == "evaluating"
        stack.start_worker()
        assert stack.settled(submission, 90)["state"] == "ranked"
        assert stack.get(f"/submissions/{submission}")["cells"]["failed"] == 0
    finally:
        _, alive = psutil.wait_procs(children, timeout=30)
    assert not alive, "a child of the killed worker lives on"


def running(stack: Stack, submission: str) -> bool:
    return bool(stack.get(f"/submissions/{submission}")["cells"]["running"])


def test_worker_stopped_gently_gives_its_work_back(production_stack: Stack, tmp_path: Path) -> None:
    stack = production_stack
    path = tmp_path / "stopped.safetensors"
    stack.grb(
        *("train", BOARD, "--architecture", "GAT", "--hidden", "64,64,64", "--heads", "8"),
        *("--epochs", "2", "--seed", "9", "--out", str(path)),
    )
    submission = stack.submit(path, side="defense", name="Stopped")
    wait_for("a running cell", lambda: running(stack, submission), 60)
    stack.stop("worker")
    assert not running(stack, submission)
    stack.start_worker()
    assert stack.settled(submission, 90)["state"] == "ranked"
