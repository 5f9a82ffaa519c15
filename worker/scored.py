"""What an evaluator's files say of a cell, scored: where half of the targets is hidden, each half
alone, so that nothing of the hidden one gets into what is shown."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, TypedDict

from grbcore import confusion
from grbcore import margins as margins_of
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.datasets.dataset import Judged
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.ladder import Mask, half
from grbcore.scenario import Difficulty
from grbcore.scoring import not_finite, score, score_errors
from grbcore.store.queue import LeasedCell
from grbcore.store.results import CellResult
from worker.predictions import (
    Predictions,
    expected,
    read,
    read_margins,
    read_numbers,
    read_probe,
)


class About(TypedDict):
    """How a cell was measured."""

    device: str
    seconds: float
    versions: Mapping[str, str]


def scored(
    folder: Path,
    cell: LeasedCell,
    answer: Mapping[str, Any],
    dataset: Dataset | GraphDataset,
    board: Board,
    halves: Mapping[Difficulty, Mask] | None,
    about: About,
) -> tuple[CellResult, bytes]:
    """The result of a cell and its packed hits, or errors, from the files in ``folder``, which are
    removed.

    ``halves`` says which targets are public (`grbcore.ladder.halves`); None: all are.

    Raises:
        BadPredictions: a file is not what it must be.
    """
    path = folder / f"{cell.id}.npz"
    if board.errors and isinstance(dataset, GraphDataset):
        assert halves is None  # `hiding.hide` refuses such boards
        return _of_errors(path, cell, dataset, board, about)
    predictions = read(path, dataset, expected(cell.attack, board))
    path.unlink()
    of: Judged = dataset
    shown = predictions
    hidden: dict[str, dict[str, Any]] | None = None
    if halves is not None:
        of, shown = half(dataset, halves), _among(predictions, halves)
        rest = {name: ~mask for name, mask in halves.items()}
        right, count, _ = score(_among(predictions, rest), half(dataset, rest))
        hidden = {"correct": _counts(right), "total": _totals(count)}
    probe = margins = None
    if cell.attack is None:
        among = None if halves is None else halves[board.main]
        beside = path.with_suffix(".probe.npz")
        probe = read_probe(beside, answer, predictions, dataset, board.main, among)
        beside.unlink(missing_ok=True)
        beside = path.with_suffix(".margins.npz")
        margins = read_margins(beside, answer, dataset, board.main)
        beside.unlink(missing_ok=True)
        if margins is not None and among is not None:
            margins = margins[among]
    correct, total, hits = score(shown, of)
    result = CellResult(
        correct=_counts(correct),
        total=_totals(total),
        not_finite=_counts(not_finite(shown)),
        hits_sha256=hashlib.sha256(hits).hexdigest(),
        probe=probe,
        margins=None if margins is None else margins_of.pack(margins),
        confusion=confusion.pack(confusion.confusions(shown, of)),
        hidden=hidden,
        **about,
    )
    return result, hits


def _of_errors(
    path: Path, cell: LeasedCell, dataset: GraphDataset, board: Board, about: About
) -> tuple[CellResult, bytes]:
    """As `scored`, where numbers are predicted: there are neither classes, margins nor probes."""
    numbers = read_numbers(path, dataset, expected(cell.attack, board))
    path.unlink()
    means, total, errors = score_errors(numbers, dataset, sigma=dataset.sigma)
    result = CellResult(
        correct={},
        total=_totals(total),
        not_finite=_counts(not_finite(numbers)),
        hits_sha256=hashlib.sha256(errors).hexdigest(),
        errors={name: list(found) for name, found in means.items()},
        **about,
    )
    return result, errors


def _among(predictions: Predictions, masks: Mapping[Difficulty, Mask]) -> Predictions:
    return {name: [one[masks[name]] for one in found] for name, found in predictions.items()}


def _counts(found: Mapping[Difficulty, Sequence[int]]) -> dict[str, list[int]]:
    return {name: list(counts) for name, counts in found.items()}


def _totals(found: Mapping[Difficulty, int]) -> dict[str, int]:
    return {str(name): int(count) for name, count in found.items()}
