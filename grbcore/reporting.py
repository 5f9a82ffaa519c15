"""A matrix as text: JSON, CSV, LaTeX and Markdown."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

from grbcore.measure import ACCURACY, ERROR
from grbcore.results import CLEAN, Cell
from grbcore.scenario import Difficulty

if TYPE_CHECKING:
    from grbcore.matrix import Matrix

#: Raised when the layout of a matrix's JSON changes.
FORMAT = 1

_LATEX = str.maketrans(
    {char: f"\\{char}" for char in "&%$#_{}"}
    | {"~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "\\": r"\textbackslash{}"}
)


def cell_record(cell: Cell) -> dict[str, Any]:
    """A cell as JSON takes it; ``errors`` where the board's metric is one."""
    record = {
        "attack": cell.attack,
        "defense": cell.defense,
        "correct": {name: list(counts) for name, counts in cell.correct.items()},
        "total": dict(cell.total),
        "provenance": dict(cell.provenance),
    }
    if cell.errors:
        record["errors"] = {name: list(means) for name, means in cell.errors.items()}
    return record


def cell_of(record: dict[str, Any]) -> Cell:
    """The cell that `cell_record` wrote."""
    correct = {name: tuple(counts) for name, counts in record["correct"].items()}
    errors = {name: tuple(means) for name, means in record.get("errors", {}).items()}
    return Cell(
        record["attack"],
        record["defense"],
        correct,
        record["total"],
        record["provenance"],
        errors=errors,
    )


def to_json(matrix: Matrix) -> str:
    """See `grbcore.matrix.Matrix.to_json`."""
    record = {
        "format": FORMAT,
        "board": matrix.board,
        "attacks": list(matrix.attacks),
        "defenses": list(matrix.defenses),
        "repeats": matrix.repeats,
        "cells": [cell_record(cell) for cell in matrix.cells],
    }
    return json.dumps(record, indent=1)


def to_csv(matrix: Matrix) -> str:
    """See `grbcore.matrix.Matrix.to_csv`."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    what = "error" if matrix.of_errors else "accuracy"
    writer.writerow(
        ("board", "attack", "defense", "difficulty", "repeat", "correct", "total", what)
    )
    for cell in matrix.cells:
        for difficulty in cell.carried:
            total = cell.total[difficulty]
            counts = cell.correct.get(difficulty, ())
            for repeat, value in enumerate(cell.accuracy(difficulty)):
                key = (matrix.board, cell.attack, cell.defense, difficulty, repeat)
                correct = counts[repeat] if counts else ""
                writer.writerow((*key, correct, total, f"{value:.6f}"))
    return text.getvalue()


def percent(cell: Cell | None, difficulty: Difficulty, join: str = " ± ") -> str:
    """Accuracy in percent: mean and population standard deviation, a dash where there is none.

    Where the board's metric is an error, that as it is.
    """
    if cell is None or difficulty not in cell.carried:
        return "–"
    measure = ERROR if difficulty in cell.errors else ACCURACY
    values = np.array(cell.accuracy(difficulty))
    spread = f"{join}{measure.number(values.std())}" if len(values) > 1 else ""
    return f"{measure.number(values.mean())}{spread}"


def to_latex(matrix: Matrix, difficulty: Difficulty) -> str:
    """See `grbcore.matrix.Matrix.to_latex`."""

    def line(words: list[str]) -> str:
        return " & ".join(words) + r" \\"

    head = ["attack", *(name.translate(_LATEX) for name in matrix.defenses)]
    body = _body(matrix, difficulty, lambda cell: percent(cell, difficulty, r" $\pm$ "))
    rows = [
        line([row[0].translate(_LATEX), *(w.replace("–", "--") for w in row[1:])]) for row in body
    ]
    columns = "l" + "r" * len(matrix.defenses)
    what = "error" if matrix.of_errors else "accuracy in percent"
    parts = [
        f"% {matrix.board}, {difficulty}: {what}, mean and std over repeats",
        rf"\begin{{tabular}}{{{columns}}}",
        r"\hline",
        line(head),
        r"\hline",
        *rows,
        r"\hline",
        r"\end{tabular}",
    ]
    return "\n".join(parts) + "\n"


def to_markdown(matrix: Matrix, difficulty: Difficulty) -> str:
    """See `grbcore.matrix.Matrix.to_markdown`."""
    head = ["attack", *matrix.defenses]
    body = _body(matrix, difficulty, lambda cell: percent(cell, difficulty))
    lines = [head, ["---", *("--:" for _ in matrix.defenses)], *body]
    return (
        "\n".join(f"| {' | '.join(w.replace('|', '/') for w in words)} |" for words in lines) + "\n"
    )


def _body(
    matrix: Matrix, difficulty: Difficulty, show: Callable[[Cell | None], str]
) -> list[list[str]]:
    """A row for each attack, the one without an attack last."""
    found = {(cell.attack, cell.defense): cell for cell in matrix.cells}
    return [
        [attack, *(show(found.get((attack, defense))) for defense in matrix.defenses)]
        for attack in (*matrix.attacks, CLEAN)
        if attack == CLEAN
        or any(difficulty in cell.carried for cell in matrix.cells if cell.attack == attack)
    ]
