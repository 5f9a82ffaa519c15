"""Entries side by side as files: CSV with every number, LaTeX of one difficulty."""

from __future__ import annotations

from collections.abc import Iterator

from api import table_schemas
from api.printing import ATTACK, DEFENSE, name_of
from api.sheets import Cell
from grbcore import latex
from grbcore.scenario import Difficulty

HEAD = (
    *("what", "counterpart_id", "counterpart", "difficulty", "entry_id", "entry", "cell_id"),
    *("mean", "std", "difference", "difference_std", "best"),
)


def rows(found: table_schemas.ComparisonOut) -> Iterator[list[Cell]]:
    """One row for each number, as fractions: accuracies by counterpart, then scores."""
    names = {entry.id: name_of(entry) for entry in found.counterparts}
    for row in found.rows:
        who: list[Cell] = [row.counterpart, names[row.counterpart], row.difficulty]
        for entry, cell, value in zip(found.entries, row.cells, row.values, strict=True):
            if value is not None:
                yield ["accuracy", *who, entry.id, entry.name, cell, *_numbers(value, found)]
    metrics = DEFENSE if found.side == "defense" else ATTACK
    for line in found.metrics:
        for entry, value in zip(found.entries, line.values, strict=True):
            if value is not None:
                whose: list[Cell] = [metrics[line.metric], None, None, line.difficulty]
                yield [*whose, entry.id, entry.name, None, *_numbers(value, found)]


def _numbers(value: table_schemas.ValueOut, found: table_schemas.ComparisonOut) -> list[Cell]:
    distance = value.difference
    best = value.best_defense if found.side == "defense" else value.best_attack
    difference = [None, None] if distance is None else [distance.mean, distance.std]
    return [value.mean, value.std, *difference, best]


def latex_of(found: table_schemas.ComparisonOut, difficulty: Difficulty) -> str:
    """Counterparts and scores at one difficulty; after each entry its distance from the first."""
    names = {entry.id: latex.escape(name_of(entry)) for entry in found.counterparts}
    accuracies = [
        [names[row.counterpart], *_shown(row.values, found)]
        for row in found.rows
        if row.difficulty == difficulty
    ]
    metrics = DEFENSE if found.side == "defense" else ATTACK
    scores = [
        [metrics[line.metric], *_shown(line.values, found)]
        for line in found.metrics
        if line.difficulty == difficulty
    ]
    head = [""]
    for place, entry in enumerate(found.entries):
        head += [latex.escape(entry.name), *([r"$\Delta$"] if place else [])]
    about = f"{found.board}, revision {found.revision}, {difficulty}, {found.view}: percent, mean "
    about += f"and population std over {found.repeats} repeats; Delta: distance from the first; "
    about += "bold: best of these"
    return latex.tabular("l" + "r" * (len(head) - 1), head, [accuracies, scores], about)


def _shown(
    values: list[table_schemas.ValueOut | None], found: table_schemas.ComparisonOut
) -> list[str]:
    shown = []
    for place, value in enumerate(values):
        number = latex.number(None) if value is None else latex.number(value.mean, value.std)
        best = value is not None and (
            value.best_defense if found.side == "defense" else value.best_attack
        )
        shown.append(rf"\textbf{{{number}}}" if best else number)
        if place:
            distance = value.difference if value is not None else None
            shown.append(
                latex.number(None)
                if distance is None
                else latex.number(distance.mean, distance.std, sign=True)
            )
    return shown
