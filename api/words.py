"""How difficulties and budgets are called where people read them, in pages and in tables."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypedDict

from grbcore import catalog
from grbcore.measure import MEASURES, Measure
from grbcore.scenario import (
    BUDGETS,
    DIFFICULTIES,
    MEAN,
    Difficulty,
    Scenario,
    choices_of,
    difficulties_of,
    scenario_of,
)

#: What counts as one change of a graph, on boards whose budgets are changes.
CHANGES: Mapping[Scenario, str] = {
    "adjacency": "A change is an edge added or removed; the features of added edges are free.",
    "attributes": "A change is an edge added or removed, or a new value of one feature of a node "
    "or of an edge; the features of added edges are free.",
}


class Scale(TypedDict):
    """What a page needs to know of the difficulties of its board."""

    difficulties: tuple[Difficulty, ...]  # what attacks carry
    choices: tuple[Difficulty, ...]  # what rankings may be ordered by
    scale: str  # what a choice between these is of
    groups: str  # by what targets are told apart that are not alike
    measure: Measure  # what its results are, and how they are written
    table_name: str  # how the table over all of a choice is called


def scale_of(board_id: str, metric: str | None = None) -> Scale:
    """The difficulties of a board, whether the catalog has it or not.

    ``metric`` is what its results are, where that is known.
    """
    scenario = scenario_of(board_id)
    difficulties = difficulties_of(scenario)
    of_graphs = difficulties == BUDGETS  # of which GRB's paper has no table
    return Scale(
        difficulties=difficulties,
        choices=choices_of(scenario),
        scale="Budget" if of_graphs else "Difficulty",
        groups="Nodes" if of_graphs else "Degree",
        measure=catalog.measure_of(board_id) if metric is None else MEASURES[metric],
        table_name="All results as a table" if of_graphs else "The paper's table",
    )


def title(difficulty: Difficulty) -> str:
    """As the head of a row, or a choice: ``Full``, ``Budget 1``, ``Mean``."""
    return f"Budget {difficulty}" if difficulty in BUDGETS else difficulty.capitalize()


def spelt(difficulty: Difficulty) -> str:
    """In a sentence: at ``difficulty full``, at ``budget 1``, at ``the mean over budgets``."""
    if difficulty in DIFFICULTIES:
        return f"difficulty {difficulty}"
    return "the mean over budgets" if difficulty == MEAN else title(difficulty).lower()


def counted(mean: float) -> str:
    """A mean of counts, with as many decimals as it has, at most two."""
    return f"{mean:.2f}".rstrip("0").rstrip(".")


def values(sizes: Sequence[int]) -> str:
    """Which values each of some features may have: ``one feature of value 0 to 6``."""
    if len(sizes) == 1:
        return f"one feature of value {_upto(sizes[0])}"
    return f"{len(sizes)} features of values {', '.join(map(_upto, sizes))}"


def _upto(size: int) -> str:
    return "0" if size == 1 else f"0 to {size - 1}"


def letter(difficulty: Difficulty) -> str:
    """In the narrow column of a paper's table: ``F``, ``1``, ``Mean``."""
    return difficulty[0].upper() if difficulty in DIFFICULTIES else difficulty.capitalize()
