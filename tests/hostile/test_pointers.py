"""Pointers whose differences wrap around are refused before anything is repeated by them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from grbcore.changes_budget import PARTS, ChangesBudget
from grbcore.graphlevel.shape import apart, shape_of_tests
from grbcore.perturbation import GraphChanges
from grbcore.scenario import BUDGETS
from grbcore.submission import check_content, write_attack
from tests.grbcore.graphlevel.boards import DATASET, board

GRAPHS = len(DATASET.part("test"))
WRAPS = [0, 2**63 - 1, -2]


def forged(pointer: str) -> GraphChanges:
    """No changes, but a pointer that climbs to the largest number and wraps."""
    wrapped = np.array(WRAPS + [0] * (GRAPHS + 1 - len(WRAPS)), np.int64)
    return replace(GraphChanges.empty(GRAPHS), **{pointer: wrapped})


@pytest.mark.parametrize("pointer", [pointer for pointer, _ in PARTS.values()])
def test_an_attack_is_refused(pointer: str, tmp_path: Path) -> None:
    honest = GraphChanges.empty(GRAPHS)
    path = tmp_path / "attack.npz"
    write_attack(path, {name: (honest,) for name in BUDGETS} | {"3": (forged(pointer),)})
    (fault,) = check_content(path, side="attack", board=board(), dataset=DATASET)
    assert (fault.code, fault.place) == ("pointer", f"3/0/{pointer}")
    assert fault.found == "0 to 0, less at 2"


@pytest.mark.parametrize("pointer", [pointer for pointer, _ in PARTS.values()])
def test_changes_are_neither_judged_nor_taken_apart(pointer: str) -> None:
    (fault,) = ChangesBudget(5).violations(forged(pointer), shape_of_tests(DATASET))
    assert fault.code == "pointer"
    with pytest.raises(ValueError, match=f"{pointer}: found pointers that don't fit"):
        apart(forged(pointer))
