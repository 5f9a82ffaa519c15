"""``grb up``: the whole service with one command."""

from __future__ import annotations

import json
import signal
import socket
from pathlib import Path

import httpx
import psutil
import pytest

from tests.api.stage import defense_file
from tests.e2e.stack import BOARD, Stack, embedded, up, wait_for


def test_first_start_prepares_the_digits_board_and_ctrl_c_ends_everything(
    tmp_path: Path,
    baseline_cache: Path,
    embedded_stack: Stack,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Baselines are taken from the session's cache: their making is tested elsewhere."""
    monkeypatch.delenv("GRB_DATA_DIR", raising=False)  # digits alone
    cached = embedded_stack.folder / "var" / "baselines"
    (tmp_path / "var").mkdir()
    (tmp_path / "var" / "baselines").symlink_to(cached)
    with embedded(tmp_path) as stack:
        assert stack.token.startswith("grb_")
        board = f"/boards/{BOARD}"
        wait_for("progress on the page", lambda: stack.get(board)["preparation"], 30)
        wait_for("a ranked board", lambda: stack.get(board)["state"] == "ready", 180)
        assert stack.get(board)["defenses"] == 6
        assert stack.get(board)["attacks"] >= 3
        process = psutil.Process(stack.processes["up"].pid)
        family = process.children(recursive=True)
        stack.processes["up"].send_signal(signal.SIGINT)
        assert stack.processes["up"].wait(30) == 0
        _, alive = psutil.wait_procs(family, timeout=10)
        assert not alive
        assert "Traceback" not in stack.log("up")

        up(stack)  # the second start knows everything already
        assert stack.get(board)["state"] == "ready"
        assert "shown this once" not in stack.log("up")
        preparing = [line for line in stack.log("up").splitlines() if "Preparing" in line]
        assert not any(BOARD in line for line in preparing)


def test_ctrl_c_ends_a_service_whose_submissions_are_watched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No worker runs after the start, so the submission waits and its stream stays open."""
    monkeypatch.setenv("GRB_LOG_FORMAT", "json")
    with embedded(tmp_path, "--no-prepare") as stack:
        path = defense_file(tmp_path)
        worker = next(
            child
            for child in psutil.Process(stack.processes["up"].pid).children()
            if child.cmdline()[-1] == "worker"
        )
        worker.suspend()
        try:
            submission = stack.submit(path, side="defense")
            events = f"{stack.address}/api/v1/submissions/{submission}/events"
            with httpx.stream("GET", events, timeout=60) as answer:
                lines = answer.iter_lines()
                assert "event: progress" in lines
                stack.processes["up"].send_signal(signal.SIGINT)
                assert "event: end" not in lines  # the stream ends without an end of the submission
        finally:
            worker.resume()
        assert stack.processes["up"].wait(30) == 0
        log = (tmp_path / "var" / "log" / "api.log").read_text()
        assert "timeout graceful shutdown exceeded" not in log
        assert all(json.loads(line)["level"] for line in log.splitlines())


def test_a_taken_port_is_passed_over(tmp_path: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        stack = Stack(tmp_path, {"GRB_PORT": str(taken.getsockname()[1])})
        try:
            up(stack, "--no-prepare")
            port = taken.getsockname()[1]
            used = stack.address.rpartition(":")[2]
            assert int(used) != port
            assert f"Port {port} is taken: using {used}." in stack.log("up")
            assert httpx.get(f"{stack.address}/api/v1/health").is_success
        finally:
            stack.close()


def test_a_damaged_dataset_takes_its_own_board_away_and_no_other(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "data" / "grb-cora").mkdir(parents=True)
    for name in ("adj", "features", "index", "labels"):
        (tmp_path / "data" / "grb-cora" / f"{name}.npz").write_text("spoilt")
    monkeypatch.setenv("GRB_DATA_DIR", str(tmp_path / "data"))
    with embedded(tmp_path, "--no-prepare") as stack:
        assert stack.get(f"/boards/{BOARD}")["state"] == "ready"
        cora = stack.get("/boards/grb-cora/injection@1")
        assert cora["state"] == "no-data"
        assert str(tmp_path / "data" / "grb-cora") in cora["hint"]


def test_an_api_that_dies_is_started_again(tmp_path: Path) -> None:
    with embedded(tmp_path, "--no-prepare") as stack:
        children = psutil.Process(stack.processes["up"].pid).children(recursive=True)
        api = next(child for child in children if child.cmdline()[1:3] == ["-m", "api"])
        api.kill()
        wait_for("the API again", lambda: "started again" in stack.log("up"), 20)

        def healthy() -> bool:
            try:
                return httpx.get(f"{stack.address}/api/v1/health", timeout=2).is_success
            except httpx.HTTPError:
                return False

        wait_for("an answer", healthy, 30)
