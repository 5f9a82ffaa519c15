"""``grb submit`` of a large file: over lost connections, restarts and Ctrl-C."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
import typer
from click.testing import Result
from typer.testing import CliRunner

from grbcore.cli import client as commands
from grbcore.cli import sending, unfinished
from grbcore.cli.interruption import INTERRUPTED
from tests.api.flaky import flaky
from tests.api.parts import Sender
from tests.api.stage import BOARD, DEFENSE, Stage, defense_file, serve

app = typer.Typer()
app.command()(commands.submit)
app.command()(unfinished.uploads)

SAID = ("--board", BOARD, "--name", "My GCN", "--authors", "Ann")
PART = 40_000

Submit = Callable[..., Result]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Some 300,000 bytes."""
    return defense_file(tmp_path, hidden=1024)


@pytest.fixture
def submit(server: str, stage: Stage, file: Path, monkeypatch: pytest.MonkeyPatch) -> Submit:
    """Submits the file as ann, in parts of 40,000 bytes, with little patience between tries."""
    monkeypatch.setenv("GRB_TOKEN", stage.tokens["ann"])
    monkeypatch.setattr(commands.console, "width", 200)
    monkeypatch.setattr(commands, "LARGE", PART)
    monkeypatch.setattr(sending, "PART", PART)
    monkeypatch.setattr(sending, "WAITS", (0.05,) * 8)

    def run(*more: object, address: str = server) -> Result:
        words = ["submit", str(file), *SAID, "--server", address, *map(str, more)]
        return CliRunner().invoke(app, words)

    return run


def rows(server: str, stage: Stage) -> list[dict]:
    with httpx.Client(base_url=server, timeout=20) as client:
        return Sender(client, stage).all()


def test_a_large_file_is_sent_in_parts_and_its_address_printed(
    submit: Submit, server: str, stage: Stage, file: Path
) -> None:
    result = submit()
    assert result.exit_code == 0, result.output
    [row] = rows(server, stage)
    assert f"received as {row['submission']}: {server}/submissions/" in result.stdout
    assert stage.blobs.read(row["sha256"]) == file.read_bytes()


def test_the_same_file_again_is_not_sent(
    submit: Submit, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    submit()
    monkeypatch.setattr(httpx.Client, "patch", None)
    result = submit()
    assert (result.exit_code, "submitted before" in result.stdout) == (0, True)
    assert stage.submissions() == 1


def test_a_line_that_breaks_is_told_and_gone_on_with(
    submit: Submit, server: str, stage: Stage, file: Path
) -> None:
    rng = random.Random(3)
    with flaky(server, lambda: rng.randrange(3000, 90_000)) as address:
        result = submit(address=address)
    assert result.exit_code == 0, result.output
    assert "trying again in" in result.stderr
    assert stage.submissions() == 1


def test_a_line_that_stays_broken_is_given_up_and_told_what_is_kept(
    submit: Submit, server: str, stage: Stage
) -> None:
    lives = iter([150_000])
    with flaky(server, lambda: next(lives, 0)) as address:
        result = submit(address=address)
        assert result.exit_code == 1
        assert "the same command goes on from there" in result.stderr
        assert "can't be reached" in result.stderr
    [row] = rows(server, stage)
    assert row["arrived"] > 0
    result = submit()
    assert (result.exit_code, "going on after" in result.stderr) == (0, True)
    assert stage.submissions() == 1


def test_ctrl_c_is_told_and_the_same_command_goes_on(
    submit: Submit, server: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        bring = sending._Sending._bring

        def interrupted(self: sending._Sending) -> httpx.Response:
            if self._offset == 3 * PART:
                raise KeyboardInterrupt
            return bring(self)

        patched.setattr(sending._Sending, "_bring", interrupted)
        result = submit()
    assert result.exit_code == INTERRUPTED
    assert "the server keeps 120.0 kB of" in result.stderr
    assert [row["arrived"] for row in rows(server, stage)] == [3 * PART]
    result = submit()
    assert "going on after 120.0 kB of" in result.stderr
    assert (result.exit_code, stage.submissions()) == (0, 1)


def test_a_service_that_is_restarted_meanwhile_is_waited_for(
    submit: Submit, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sending, "WAITS", (0.3,) * 100)
    with serve(stage.settings) as first:
        port = int(first.rpartition(":")[2])
        held = threading.Event()
        bring = sending._Sending._bring

        def slowly(self: sending._Sending) -> httpx.Response:
            if self._offset >= 2 * PART:
                held.set()
            time.sleep(0.1)
            return bring(self)

        monkeypatch.setattr(sending._Sending, "_bring", slowly)
        found: list[Result] = []
        thread = threading.Thread(target=lambda: found.append(submit(address=first)))
        thread.start()
        assert held.wait(20)
    with serve(stage.settings, port):
        thread.join(30)
    assert found[0].exit_code == 0, found[0].output
    assert stage.submissions() == 1


def test_a_fault_of_a_field_is_told_before_anything_is_sent(submit: Submit, stage: Stage) -> None:
    result = submit("--paper-url", "nowhere")
    assert result.exit_code == 1
    assert "body/paper_url" in result.stderr


def test_a_wrong_token_is_told(submit: Submit) -> None:
    result = submit("--token", "grb_x")
    assert (result.exit_code, "set GRB_TOKEN" in result.stderr) == (1, True)


def test_a_file_that_changes_meanwhile_is_refused_with_the_reason(
    submit: Submit, stage: Stage, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask = sending._Sending._begin

    def changed(self: sending._Sending, said: dict) -> httpx.Response:
        answer = ask(self, said)
        with file.open("r+b") as opened:
            opened.seek(-4, 2)
            opened.write(b"\0\0\x80\x3f")
        return answer

    monkeypatch.setattr(sending._Sending, "_begin", changed)
    result = submit()
    assert result.exit_code == 1
    assert "as announced [damaged]" in result.stderr
    assert stage.submissions() == 0


def test_too_many_unfinished_uploads_are_told(submit: Submit, server: str, stage: Stage) -> None:
    with httpx.Client(base_url=server, timeout=20) as client:
        for _ in range(stage.settings.open_uploads):
            Sender(client, stage).begin(DEFENSE, 10)
    result = submit()
    assert result.exit_code == 1
    assert "unfinished uploads: found 8, allowed: at most 8" in result.stderr


def test_a_small_file_is_sent_by_the_form(
    submit: Submit, server: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(commands, "LARGE", 10**9)
    assert submit().exit_code == 0
    assert rows(server, stage) == [] and stage.submissions() == 1


def test_unfinished_uploads_are_listed_and_given_up(
    submit: Submit, server: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(unfinished.console, "width", 200)

    def grb(*words: str, user: str = "ann") -> Result:
        more = ("--server", server, "--token", stage.tokens[user])
        return CliRunner().invoke(app, ["uploads", *words, *more])

    assert grb().stdout == "no unfinished uploads\n"
    with httpx.Client(base_url=server, timeout=20) as client:
        ann = Sender(client, stage)
        ann.begin({**DEFENSE, "name": "[b]Mine"}, 1_000_000)
        ann.bring(0, bytes(250_000))
    [row] = rows(server, stage)
    assert f"{row['id']}  {BOARD}" in grb().stdout
    assert "[b]Mine  250.0 kB of 1.0 MB" in grb().stdout
    assert "no such upload" in grb("--delete", row["id"], user="bob").stderr
    assert grb("--delete", row["id"]).exit_code == 0
    assert rows(server, stage) == []
