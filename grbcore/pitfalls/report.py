"""A study as files: every run as CSV, everything as JSON, the table for LaTeX, box plots as SVG."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grbcore import latex, sheets
from grbcore.pitfalls.configurations import meant
from grbcore.pitfalls.paper import PUBLISHED
from grbcore.pitfalls.results import (
    Results,
    average_rank,
    cell,
    flip,
    paired,
    relative_accuracy,
    winners,
)
from grbcore.pitfalls.running import Study
from grbcore.pitfalls.store import Kept

RUNS, TABLE, LATEX, BOXES = "runs.csv", "results.json", "table.tex", "boxes.svg"


def document(study: Study, results: Results) -> dict[str, Any]:
    """Every number of a study, as JSON has it: accuracies 0..1, null where there is none."""
    relative, ranks = relative_accuracy(results.accuracy), average_rank(results.accuracy)
    models = []
    for place, name in enumerate(results.models):
        cells = {}
        for dataset in results.datasets:
            found = cell(results, name, dataset)
            published = PUBLISHED.get(dataset, {}).get(name)
            cells[dataset] = {
                **(asdict(found) if found else {"runs": 0}),
                "published": None if published is None else [n / 100 for n in published],
            }
        models.append(
            {
                "model": name,
                "configuration": meant(name)[1].model_dump(),
                "relative_accuracy": _number(relative[place]),
                "average_rank": _number(ranks[place]),
                "datasets": cells,
            }
        )
    return {
        "kind": "splits",
        "study": asdict(study),
        "models": models,
        "pairs": [asdict(pair) for pair in paired(results)],
        "winners": {dataset: winners(results, dataset) for dataset in results.datasets},
        "flips": [
            asdict(flipped)
            for dataset in results.datasets
            if (flipped := flip(results, dataset)) is not None
        ],
    }


def write(folder: Path, study: Study, kept: Sequence[Kept], *, plot: bool = True) -> list[Path]:
    """Write a study's files into ``folder``.

    Raises:
        MissingExtra: ``plot`` without matplotlib.
    """
    results = Results.of(kept, study.models, study.datasets)
    texts = {
        RUNS: "".join(sheets.lines(_rows(kept))),
        TABLE: json.dumps(document(study, results), indent=1) + "\n",
        LATEX: _latex(study, results),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, "utf-8", newline="")
    written = [folder / name for name in texts]
    if plot:
        from grbcore.visualise import split_boxes

        split_boxes(results).savefig(folder / BOXES, format="svg")
        written.append(folder / BOXES)
    return written


def _rows(kept: Sequence[Kept]) -> list[list[sheets.Cell]]:
    head: list[sheets.Cell] = [
        "dataset", "model", "split", "init", "accuracy", "val_accuracy", "val_loss", "epochs",
        "best", "seconds",
    ]  # fmt: skip
    rows: list[list[sheets.Cell]] = [head]
    for one in kept:
        run = asdict(one.run)
        loss = run["val_loss"]
        run["val_loss"] = loss if loss == loss else None
        rows.append([*asdict(one.key).values(), *run.values(), one.seconds])
    return rows


def _latex(study: Study, results: Results) -> str:
    relative, ranks = relative_accuracy(results.accuracy), average_rank(results.accuracy)
    rows = []
    for place, name in enumerate(results.models):
        row = [latex.escape(name)]
        for dataset in results.datasets:
            found = cell(results, name, dataset)
            row.append(latex.number(*((found.mean, found.std) if found else (None,))))
        rank = _number(ranks[place])
        rows.append(
            [*row, latex.number(_number(relative[place])), "--" if rank is None else f"{rank:.1f}"]
        )
    head = ["Model", *map(latex.escape, results.datasets), "Rel.\\ acc.", "Avg.\\ rank"]
    about = (
        f"test accuracy in percent, mean and standard deviation over {study.splits} splits "
        f"({study.scheme}) and {study.inits} initialisations, seed {study.seed}"
    )
    return latex.tabular("l" + "r" * (len(head) - 1), head, [rows], about)


def _number(value: float) -> float | None:
    return float(value) if value == value else None
