"""The commands of the README do what it says."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.e2e.stack import ROOT, Stack

README = (ROOT / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(sh|python) run\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where a reader runs the commands: the checkout's environment under its usual name."""
    folder = tmp_path_factory.mktemp("reader")
    environment = folder / ".venv" / "bin"
    environment.mkdir(parents=True)
    (environment / "activate").write_text(f'export PATH="{Path(sys.executable).parent}:$PATH"\n')
    return folder


def test_readme_names_the_two_commands() -> None:
    assert re.search(r"^```sh\nmake up\n```$", README, re.MULTILINE)
    assert re.search(r"^```sh\nmake test\n```$", README, re.MULTILINE)


def test_readme_has_the_five_lines_curl_and_python() -> None:
    text = "".join(block for _, block in BLOCKS)
    for command in ("grb train", "grb attack", "grb check", "grb submit", "curl", "evaluate("):
        assert command in text


def test_commands_run_in_order(embedded_stack: Stack, folder: Path) -> None:
    environment = {
        **embedded_stack.environment,
        "GRB_SERVER": embedded_stack.address,
        "GRB_TOKEN": embedded_stack.token,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
    }
    for language, block in BLOCKS:
        command = ["bash", "-euc", block] if language == "sh" else [sys.executable, "-c", block]
        done = subprocess.run(
            command, cwd=folder, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, f"{block}\n{done.stdout}\n{done.stderr}"
    status = embedded_stack.grb("status").stdout
    assert "Small GCN" in status
    ranking = embedded_stack.grb("leaderboard", "digits/injection", "--side", "attack").stdout
    assert "FGSM" in ranking
