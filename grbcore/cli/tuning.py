"""``grb study splits --tune``: the paper's search for hyper-parameters, told and kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from rich.table import Table

from grbcore import sheets
from grbcore.cli.options import console

if TYPE_CHECKING:
    from grbcore.pitfalls.store import Kept
    from grbcore.pitfalls.tuning import Candidate


RESULTS, ROWS = "tuned.json", "tuned.csv"


def candidates_of(
    models: Sequence[str], weights: int | None, draws: int | None, seed: int
) -> dict[str, list[str]]:
    """What is tried of each model, by name.

    Raises:
        Refused: see `grbcore.pitfalls.tuning.candidates`.
    """
    from grbcore.pitfalls.tuning import LIMIT, candidates

    limit = LIMIT if weights is None else weights
    return {model: candidates(model, limit=limit, draws=draws, seed=seed) for model in models}


def tell(
    folder: Path, kept: Sequence[Kept], searched: Mapping[str, Sequence[str]], weights: int | None
) -> None:
    """Write the search's files and print the best of each model beside the paper's choice."""
    from grbcore.pitfalls.tuning import LIMIT, document, ordered

    tried = {model: ordered(kept, names) for model, names in searched.items()}
    told = document(tried, LIMIT if weights is None else weights)
    (folder / RESULTS).write_text(json.dumps(told, indent=1) + "\n", "utf-8")
    rows: list[list[sheets.Cell]] = [["model", "place", *_FIELDS]]
    for model, found in tried.items():
        rows += [
            [model, place, *(asdict(one)[field] for field in _FIELDS)]
            for place, one in enumerate(found, 1)
        ]
    (folder / ROWS).write_text("".join(sheets.lines(rows)), "utf-8", newline="")
    table = Table(title="Best by validation accuracy, in percent")
    for heading in ("model", "configuration"):
        table.add_column(heading, overflow="fold")
    for heading in ("validation", "test", "of", "paper's place"):
        table.add_column(heading, justify="right")
    for model, found in tried.items():
        table.add_row(model, *_row(model, found))
    console.print(table)
    console.print(f"{RESULTS}, {ROWS} in {folder}", soft_wrap=True)


_FIELDS = ("name", "val_accuracy", "accuracy", "runs", "weights")


def _row(model: str, found: Sequence[Candidate]) -> list[str]:
    best = found[0]
    place = next((place for place, one in enumerate(found, 1) if one.name == model), None)
    return [
        best.name.removeprefix(model).strip() or "as in Table 4",
        f"{100 * best.val_accuracy:.1f}",
        f"{100 * best.accuracy:.1f}",
        f"{len(found)}",
        "not drawn" if place is None else f"{place}",
    ]
