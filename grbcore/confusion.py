"""For which class targets were taken: counts by true and predicted class, and what follows of them.

Accuracy alone is kind to a defense that gives everything the largest class.  Macro-F1 and balanced
accuracy weigh every class alike.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from grbcore.datasets.dataset import Judged
from grbcore.scenario import Difficulty, in_order
from grbcore.scoring import NOT_FINITE, Predictions

#: (R, c, c + 1) int64: targets of repeat r, of true class i (the row), that were taken for class j
#: (the column); the last column counts those whose logits were not finite.
Confusion = NDArray[np.int64]
Floats = NDArray[np.float64]

_LENGTH = 4  # bytes of the little-endian length before the JSON header

#: Counts of one cell; no board has nearly as many.
MOST_COUNTS = 16 * 1024 * 1024


def confusion(
    predictions: Sequence[Predictions], labels: NDArray[np.int64], classes: int
) -> Confusion:
    """Counts of each repeat by true and predicted class, (R, c, c + 1).

    Args:
        predictions: for each repeat (t,) int16, `NOT_FINITE` where logits were not finite.
        labels: (t,) int64, the true classes, 0..c-1.
        classes: c.
    """
    width = classes + 1
    found = np.stack(predictions).astype(np.int64)
    column = np.where(found == NOT_FINITE, classes, found)
    place = (np.arange(len(found))[:, None] * classes + labels) * width + column
    counts = np.bincount(place.ravel(), minlength=len(found) * classes * width)
    return counts.reshape(len(found), classes, width)


def confusions(
    predictions: Mapping[Difficulty, Sequence[Predictions]], dataset: Judged
) -> dict[Difficulty, Confusion]:
    """The counts of a cell at each difficulty, of predictions in the order of the targets."""
    labels = {name: dataset.labels[dataset.targets[name]].astype(np.int64) for name in predictions}
    return {
        name: confusion(predictions[name], labels[name], dataset.classes)
        for name in in_order(predictions)
    }


def balanced_accuracy(found: Confusion) -> Floats:
    """The mean over classes of the share of its targets that are right, (R,) in 0..1.

    A class without targets has no such share and is left out; a target without finite logits is
    wrong.  NaN where there is no target at all.

    Source: Brodersen, Ong, Stephan and Buhmann, "The balanced accuracy and its posterior
    distribution", ICPR 2010, for any number of classes.
    """
    right, targets, _ = _of_classes(found)
    return _mean(right, targets, targets > 0)


def macro_f1(found: Confusion) -> Floats:
    """The mean over classes of F1 = 2·TP / (2·TP + FP + FN), (R,) in 0..1.

    A class without targets is left out of the mean, and what is taken for it is a miss of its own
    class only; a target without finite logits is a miss that is taken for nothing.  NaN where there
    is no target at all.

    Source: Opitz and Burst, "Macro F1 and Macro F1", arXiv:1911.03347, equation 2: the mean of the
    F1 scores, not the F1 of means.
    """
    right, targets, taken = _of_classes(found)
    return _mean(2 * right, targets + taken, targets > 0)


def not_finite(found: Confusion) -> int:
    """The most targets without finite logits in any repeat."""
    return int(found[:, :, -1].sum(axis=1).max(initial=0))


def _of_classes(found: Confusion) -> tuple[Confusion, Confusion, Confusion]:
    """Of each class, (R, c): those that are right, its targets, and those that are taken for it."""
    square = found[:, :, :-1]
    right = np.diagonal(square, axis1=1, axis2=2)
    return right, found.sum(axis=2), square.sum(axis=1)


def _mean(part: Confusion, whole: Confusion, there: NDArray[np.bool_]) -> Floats:
    shares = np.divide(part, whole, out=np.zeros(part.shape), where=there)
    count = there.sum(axis=1)
    found: Floats = np.full(len(part), np.nan)
    np.divide(shares.sum(axis=1, where=there), count, out=found, where=count > 0)
    return found


def agrees(
    found: Mapping[Difficulty, Confusion],
    correct: Mapping[Difficulty, Sequence[int]],
    total: Mapping[Difficulty, int],
) -> bool:
    """Whether these are counts of a cell with so many correct of so many targets."""
    return found.keys() == correct.keys() and all(
        np.trace(counts, axis1=1, axis2=2).tolist() == list(correct[name])
        and (counts.sum(axis=(1, 2)) == total[name]).all()
        for name, counts in found.items()
    )


def pack(found: Mapping[Difficulty, Confusion]) -> bytes:
    """Counts as bytes: a 4-byte little-endian length, a JSON header of that length, then a zlib
    stream of int32, little-endian.

    The header is ``{"classes": c, "repeats": {difficulty: R}}``, in the order of `in_order`.
    """
    ordered = in_order(found)
    repeats = {name: len(found[name]) for name in ordered}
    classes = next((found[name].shape[1] for name in ordered), 0)
    header = json.dumps({"classes": classes, "repeats": repeats}).encode()
    counts = b"".join(found[name].astype("<i4").tobytes() for name in ordered)
    return len(header).to_bytes(_LENGTH, "little") + header + zlib.compress(counts)


def unpack(data: bytes) -> dict[Difficulty, Confusion]:
    """The counts that `pack` wrote.

    Raises:
        ValueError: the bytes are nothing that `pack` writes.
    """
    begin = _LENGTH + int.from_bytes(data[:_LENGTH], "little")
    classes, repeats = _header(data[_LENGTH:begin])
    size = classes * (classes + 1)
    length = 4 * size * sum(repeats.values())
    if length > 4 * MOST_COUNTS:
        raise ValueError(f"confusion: found {length} bytes, allowed: at most {4 * MOST_COUNTS}")
    stream = zlib.decompressobj()
    try:
        counts = stream.decompress(data[begin:], length + 1)
    except zlib.error as error:
        raise ValueError(f"confusion: {error}") from error
    if len(counts) != length or not stream.eof or stream.unused_data:
        raise ValueError(f"confusion: found {len(counts)} bytes, allowed: {length}, no more")
    values = np.frombuffer(counts, "<i4").astype(np.int64)
    if values.min(initial=0) < 0:
        raise ValueError("confusion: found a count below 0, allowed: 0 or more")
    found, at = {}, 0
    for name, count in repeats.items():
        found[name] = values[at : at + count * size].reshape(count, classes, classes + 1)
        at += count * size
    return found


def _header(text: bytes) -> tuple[int, dict[Difficulty, int]]:
    try:
        header = json.loads(text)
        classes, repeats = header["classes"], header["repeats"]
        numbers = [classes, *repeats.values()]
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        raise ValueError("confusion: found another header, allowed: classes, repeats") from error
    whole = all(type(one) is int and 0 <= one <= MOST_COUNTS for one in numbers)
    if not whole or len(in_order(repeats)) != len(repeats):
        raise ValueError(f"confusion: found {header}, allowed: counts of classes and repeats")
    return classes, repeats
