"""Reading what the evaluator child wrote, without trusting it."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from grbcore.archive import ArchiveLimits, ArrayArchive
from grbcore.catalog import Board
from grbcore.datasets.dataset import Judged
from grbcore.margins import UNKNOWN, Margins
from grbcore.probes import CUT_OFF, PASSES, Probe, pass_name, score_probe
from grbcore.scenario import Difficulty
from grbcore.scoring import Predictions as Classes
from grbcore.scoring import Values
from grbcore.store.queue import Entry
from grbcore.violations import Refused

Predictions = Mapping[Difficulty, Sequence[Classes]]
Numbers = Mapping[Difficulty, Sequence[Values]]

_HEADERS = 4096  # bytes that a member's headers may take


class BadPredictions(ValueError):
    """The file is not what the protocol asks for."""


def expected(attack: Entry | None, board: Board) -> dict[Difficulty, int]:
    """How many repeats of each difficulty a cell has; without an attack it has one of all."""
    if attack is None:
        return dict.fromkeys(board.difficulties, 1)
    carried, repeats = attack.contents["difficulties"], attack.contents["repeats"]
    assert isinstance(carried, list)
    assert isinstance(repeats, int)
    return {difficulty: repeats for difficulty in board.difficulties if difficulty in carried}


def read(path: Path, dataset: Judged, repeats: Mapping[Difficulty, int]) -> Predictions:
    """The predictions of one cell: for each difficulty, one (t,) int16 array per repeat.

    The file must be a regular one with exactly the members ``<difficulty>/<repeat>``, each with
    one class, or -1, for every target.

    Raises:
        BadPredictions: it is anything else.
    """
    arrays = _read(path, dataset, _shapes(dataset, repeats))
    return _by_difficulty(arrays, repeats)


def read_numbers(path: Path, dataset: Judged, repeats: Mapping[Difficulty, int]) -> Numbers:
    """As `read`, of boards whose metric is an error: one (t,) float32 array per repeat, whose
    numbers need not be finite.

    Raises:
        BadPredictions: it is anything else.
    """
    shapes = _shapes(dataset, repeats)
    arrays = _arrays(path, shapes, sum(4 * shape[0] + _HEADERS for shape in shapes.values()))
    for name, array in arrays.items():
        if array.dtype != np.float32 or array.shape != shapes[name]:
            found = f"{array.dtype} {array.shape}"
            raise BadPredictions(f"{name}: found {found}, allowed: float32 {shapes[name]}")
    return _by_difficulty(arrays, repeats)


def _shapes(dataset: Judged, repeats: Mapping[Difficulty, int]) -> dict[str, tuple[int, ...]]:
    return {
        f"{difficulty}/{repeat}": dataset.targets[difficulty].shape
        for difficulty, count in repeats.items()
        for repeat in range(count)
    }


def _by_difficulty(
    arrays: Mapping[str, NDArray[Any]], repeats: Mapping[Difficulty, int]
) -> dict[Difficulty, list[NDArray[Any]]]:
    return {
        difficulty: [arrays[f"{difficulty}/{repeat}"] for repeat in range(count)]
        for difficulty, count in repeats.items()
    }


def read_probe(
    path: Path,
    answer: Mapping[str, Any],
    clean: Predictions,
    dataset: Judged,
    main: Difficulty,
    among: NDArray[np.bool_] | None = None,
) -> Probe | None:
    """What a probe beside a clean cell found, scored; None where the child says of none.

    ``among`` says which of the ``main`` difficulty's targets it is scored on, (t,); None: all.

    Raises:
        BadPredictions: the child names an impossible number of passes, or the file is not one
            (t,) int16 array of classes for each of them and one without the targets' edges.
    """
    passes = answer.get("passes")
    if passes is None:
        return None
    if not isinstance(passes, int) or not 0 <= passes <= PASSES:
        raise BadPredictions(f"passes: found {passes!r}, allowed: 0 to {PASSES}")
    names = [CUT_OFF, *(pass_name(number) for number in range(passes))]
    targets = dataset.targets[main]
    arrays = _read(path, dataset, dict.fromkeys(names, targets.shape))
    some = np.ones(targets.shape, np.bool_) if among is None else among
    passed = [arrays[name][some] for name in names[1:]]
    labels = dataset.labels[targets[some]]
    return score_probe(clean[main][0][some], arrays[CUT_OFF][some], passed, labels)


def read_margins(
    path: Path, answer: Mapping[str, Any], dataset: Judged, main: Difficulty
) -> Margins | None:
    """The margins beside a clean cell, of the ``main`` difficulty's targets; None where the child
    says of none.

    Raises:
        BadPredictions: the file is not one (t,) uint8 array of percents.
    """
    if answer.get("margins") is not True:
        return None
    shape = dataset.targets[main].shape
    found = _arrays(path, {"margins": shape}, shape[0] + _HEADERS)["margins"]
    if found.dtype != np.uint8 or found.shape != shape:
        what = f"{found.dtype} {found.shape}"
        raise BadPredictions(f"margins: found {what}, allowed: uint8 {shape}")
    if ((found > 100) & (found != UNKNOWN)).any():
        raise BadPredictions(f"margins: found {found.max()}, allowed: 0..100 and {UNKNOWN}")
    return found


def _read(
    path: Path, dataset: Judged, shapes: Mapping[str, tuple[int, ...]]
) -> dict[str, NDArray[np.int16]]:
    most = sum(2 * shape[0] + _HEADERS for shape in shapes.values())
    arrays = _arrays(path, shapes, most)
    for name, array in arrays.items():
        if array.dtype != np.int16 or array.shape != shapes[name]:
            found = f"{array.dtype} {array.shape}"
            raise BadPredictions(f"{name}: found {found}, allowed: int16 {shapes[name]}")
        if array.size and not (array.min() >= -1 and array.max() < dataset.classes):
            found = f"{array.min()}..{array.max()}"
            raise BadPredictions(f"{name}: found {found}, allowed: -1..{dataset.classes - 1}")
    return arrays


def _arrays(
    path: Path, shapes: Mapping[str, tuple[int, ...]], most: int
) -> dict[str, NDArray[Any]]:
    with _open(path) as file:
        size = os.fstat(file.fileno()).st_size
        if size > most:
            raise BadPredictions(f"file: found {size} bytes, allowed: at most {most}")
        try:
            archive = ArrayArchive(
                file, ArchiveLimits(total=most, ratio=most)
            )  # one class packs well
            names = sorted(archive.arrays)
            if names != sorted(shapes):
                raise BadPredictions(f"members: found {names[:20]}, allowed: {sorted(shapes)}")
            return {name: archive.read(name) for name in shapes}
        except Refused as refused:
            raise BadPredictions(str(refused.violations[0])) from None
        except OSError as error:
            raise BadPredictions(f"file: can't be read: {error}") from None


def _open(path: Path) -> BinaryIO:
    """A regular file, never through a link and never waiting for a pipe."""
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError as error:
        raise BadPredictions(f"file: {error.strerror}") from None
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise BadPredictions("file: found something else, allowed: a regular file")
    return os.fdopen(descriptor, "rb")
