"""``grb up`` before it starts anything: its port, its host, its folder of datasets."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from grbcore.cli.up import Family, await_ready, listen


def refusal(folder: Path, **variables: str) -> str:
    """What ``grb up`` says before it gives up, having started nothing."""
    command = [sys.executable, "-m", "grbcore.cli", "up"]
    environment = {"GRB_VAR_DIR": str(folder / "var"), **variables}
    found = subprocess.run(
        ["env", *(f"{name}={value}" for name, value in environment.items()), *command],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert found.returncode == 1 and found.stdout == ""
    assert not (folder / "var").exists()
    return found.stderr


def test_two_that_start_at_once_never_get_one_port() -> None:
    """Each listens before the other asks for a free port, as two processes would in any order."""
    with listen("127.0.0.1", 0) as first:
        port = first.getsockname()[1]
        with listen("127.0.0.1", port) as second, listen("127.0.0.1", port) as third:
            ports = [one.getsockname()[1] for one in (first, second, third)]
            assert len(set(ports)) == 3 and ports == sorted(ports)


def test_a_port_that_is_bound_but_not_listened_on_is_taken_too() -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        with listen("127.0.0.1", other.getsockname()[1]) as found:
            assert found.getsockname()[1] > other.getsockname()[1]


def test_twenty_ports_are_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    with listen("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        monkeypatch.setattr("grbcore.cli.up._PORTS_TRIED", 1)
        with pytest.raises(OSError, match=f"GRB_PORT: found {port} to {port} taken"):
            listen("127.0.0.1", port)


def test_an_ipv6_address_is_taken() -> None:
    with listen("::1", 0) as found:
        assert found.getsockname()[0] == "::1"


@pytest.mark.parametrize("host", ["203.0.113.9", "no.such.host.invalid"])
def test_a_host_that_is_not_this_one_is_told_in_one_line(tmp_path: Path, host: str) -> None:
    [line] = refusal(tmp_path, GRB_HOST=host).splitlines()
    assert line.startswith(f"grb: GRB_HOST: found '{host}'")
    assert line.endswith("allowed: an address of this machine, such as 127.0.0.1")


def test_a_folder_of_datasets_that_is_missing_is_told_in_one_line(tmp_path: Path) -> None:
    missing = tmp_path / "nowhere"
    assert refusal(tmp_path, GRB_DATA_DIR=str(missing)) == (
        f"grb: GRB_DATA_DIR: found {missing}, allowed: a folder that exists\n"
    )


def test_an_api_that_lives_but_does_not_answer_in_time_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("grbcore.cli.up._READY_SECONDS", 0.5)
    family = Family(tmp_path / "log", {**os.environ})
    family.start("api", ["sleep", "60"])
    try:
        with listen("127.0.0.1", 0) as silent:
            address = f"http://127.0.0.1:{silent.getsockname()[1]}"
            assert not await_ready(address, family, threading.Event())
    finally:
        family.stop()
    told = capsys.readouterr().err
    assert f"did not answer at {address} within 0.5 seconds" in told
    assert str(tmp_path / "log" / "api.log") in told
