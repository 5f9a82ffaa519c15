"""From predictions to counts and hits, without torch: the one place where labels are compared."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.datasets.dataset import Judged
from grbcore.scenario import Difficulty, in_order

Predictions = NDArray[np.int16]  # (t,) classes, NOT_FINITE where the logits are not finite
Hits = NDArray[np.bool_]  # (repeats, t)
Values = NDArray[np.float32]  # (t,) predicted numbers

#: The largest error that counts, in standard deviations of the labels: that of a prediction which
#: is not finite.
MOST_ERROR = 1000.0

#: The prediction that stands for logits that are not finite; it is never right.
NOT_FINITE = -1

_LENGTH = 4  # bytes of the little-endian length before the JSON header


def score(
    predictions: Mapping[Difficulty, Sequence[Predictions]], dataset: Judged
) -> tuple[dict[Difficulty, tuple[int, ...]], dict[Difficulty, int], bytes]:
    """Correct counts per difficulty and repeat, targets per difficulty, and packed hits.

    ``predictions[difficulty]`` has one array (t,) per repeat, in the order of
    ``dataset.targets[difficulty]``.  The bytes are those of `pack`.

    Raises:
        ValueError: an array is not one prediction for each target.
    """
    hits: dict[Difficulty, Hits] = {}
    for difficulty in in_order(predictions):
        labels = dataset.labels[dataset.targets[difficulty]]
        for repeat, found in enumerate(predictions[difficulty]):
            if found.shape != labels.shape:
                raise ValueError(
                    f"{difficulty}/{repeat}: found predictions of shape {found.shape}, "
                    f"allowed: {labels.shape}"
                )
        hits[difficulty] = np.stack([found == labels for found in predictions[difficulty]])
    correct = {name: tuple(int(count) for count in h.sum(axis=1)) for name, h in hits.items()}
    return correct, {name: h.shape[1] for name, h in hits.items()}, pack(hits)


def score_errors(
    predictions: Mapping[Difficulty, Sequence[Values]], dataset: Judged, *, sigma: float = 1.0
) -> tuple[dict[Difficulty, tuple[float, ...]], dict[Difficulty, int], bytes]:
    """Mean absolute errors per difficulty and repeat, targets per difficulty, and packed errors.

    Errors are divided by ``sigma``; those above `MOST_ERROR` count as that.  The bytes are as those
    of `pack`, float32 little-endian in place of bits.

    Raises:
        ValueError: an array is not one number for each target.
    """
    errors = {}
    for difficulty in in_order(predictions):
        labels = dataset.labels[dataset.targets[difficulty]]
        for repeat, found in enumerate(predictions[difficulty]):
            if found.shape != labels.shape:
                raise ValueError(
                    f"{difficulty}/{repeat}: found predictions of shape {found.shape}, "
                    f"allowed: {labels.shape}"
                )
        wide = np.abs(np.stack(predictions[difficulty]).astype(np.float64) - labels) / sigma
        errors[difficulty] = np.where(np.isfinite(wide), np.minimum(wide, MOST_ERROR), MOST_ERROR)
    means = {name: tuple(found.mean(axis=1).tolist()) for name, found in errors.items()}
    total = {name: found.shape[1] for name, found in errors.items()}
    return means, total, _packed(errors, [one.astype("<f4").tobytes() for one in errors.values()])


def not_finite(
    predictions: Mapping[Difficulty, Sequence[Predictions | Values]],
) -> dict[Difficulty, tuple[int, ...]]:
    """How many targets had logits that are not finite, per difficulty and repeat."""
    return {
        name: tuple(
            int((~np.isfinite(found) if found.dtype.kind == "f" else found == NOT_FINITE).sum())
            for found in repeats
        )
        for name, repeats in predictions.items()
    }


def pack(hits: Mapping[Difficulty, Hits]) -> bytes:
    """Hits as bytes: a 4-byte little-endian length, a JSON header of that length, then the bits.

    The header maps each difficulty to ``[repeats, targets]``, in the order of `in_order`.  The
    bits follow in that order, ``numpy.packbits`` of each repeat's row, so every row begins at a
    byte: ``ceil(targets / 8)`` bytes each.
    """
    ordered = {name: hits[name] for name in in_order(hits)}
    return _packed(ordered, [np.packbits(one, axis=1).tobytes() for one in ordered.values()])


def _packed(shaped: Mapping[Difficulty, NDArray[Any]], rows: Sequence[bytes]) -> bytes:
    header = json.dumps({name: list(found.shape) for name, found in shaped.items()}).encode()
    return len(header).to_bytes(_LENGTH, "little") + header + b"".join(rows)


def unpack(data: bytes) -> dict[Difficulty, Hits]:
    """The hits that `pack` wrote, each (repeats, targets).

    Raises:
        ValueError: the bytes are nothing that `pack` writes.
    """
    found = {}
    for name, targets, rows in _rows(data, "hits", lambda targets: -(-targets // 8)):
        found[name] = np.unpackbits(rows, axis=1, count=targets).astype(bool)
    return found


def unpack_errors(data: bytes) -> dict[Difficulty, Values]:
    """The errors that `score_errors` packed, each (repeats, targets) float32.

    Raises:
        ValueError: the bytes are nothing that it packs.
    """
    rows = _rows(data, "errors", lambda targets: 4 * targets)
    return {name: found.view("<f4") for name, _, found in rows}


def _rows(
    data: bytes, what: str, width_of: Callable[[int], int]
) -> list[tuple[Difficulty, int, NDArray[np.uint8]]]:
    """Each difficulty with its number of targets and the bytes (repeats, width) of its rows."""
    begin = _LENGTH + int.from_bytes(data[:_LENGTH], "little")
    found: list[tuple[Difficulty, int, NDArray[np.uint8]]] = []
    for name, (repeats, targets) in json.loads(data[_LENGTH:begin]).items():
        width = width_of(targets)
        rows = np.frombuffer(data, np.uint8, repeats * width, begin).reshape(repeats, width)
        found.append((name, targets, rows))
        begin += repeats * width
    if begin != len(data):
        raise ValueError(f"{what}: found {len(data)} bytes, allowed: {begin}")
    return found
