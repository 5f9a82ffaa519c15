"""Memory of every model and attack: O(nodes x features + edges), never nodes x nodes."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from grbcore.attacks import ATTACKS
from grbcore.scenario import SCENARIOS
from tests.conftest import ROOT
from tests.grbcore.engine import NAMES
from tests.grbcore.peak import NODES

#: A byte for each pair of nodes; a matrix of float32 would take four times as much.
LIMIT = NODES * NODES

ASKED = [f"model {name}" for name in NAMES] + [
    f"{scenario} {name}" for scenario in SCENARIOS for name in ATTACKS[scenario]
]


@pytest.fixture(scope="module")
def peaks() -> dict[str, int]:
    """Bytes that the process held at most, beyond what it began with, by what it had done."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.grbcore.peak"],
        cwd=ROOT,
        env={**os.environ, "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    lines = (line.split("\t") for line in done.stdout.splitlines())
    return {name: 1024 * int(kib) for name, kib in lines}


@pytest.mark.parametrize("name", ASKED)
def test_forward_and_backward_or_an_attack_hold_far_less_than_all_pairs_of_nodes(
    name: str, peaks: dict[str, int]
) -> None:
    assert peaks[name] < LIMIT
