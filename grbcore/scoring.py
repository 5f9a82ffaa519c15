"""From predictions to counts and hits, without torch: the one place where labels are compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

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
    header = json.dumps({name: list(found.shape) for name, found in errors.items()}).encode()
    packed = b"".join(found.astype("<f4").tobytes() for found in errors.values())
    means = {name: tuple(found.mean(axis=1).tolist()) for name, found in errors.items()}
    total = {name: found.shape[1] for name, found in errors.items()}
    return means, total, len(header).to_bytes(_LENGTH, "little") + header + packed


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
    ordered = in_order(hits)
    header = json.dumps({name: list(hits[name].shape) for name in ordered}).encode()
    rows = [np.packbits(hits[name], axis=1).tobytes() for name in ordered]
    return len(header).to_bytes(_LENGTH, "little") + header + b"".join(rows)


def unpack(data: bytes) -> dict[Difficulty, Hits]:
    """The hits that `pack` wrote, each (repeats, targets).

    Raises:
        ValueError: the bytes are nothing that `pack` writes.
    """
    length = int.from_bytes(data[:_LENGTH], "little")
    begin = _LENGTH + length
    header = json.loads(data[_LENGTH:begin])
    found: dict[Difficulty, Hits] = {}
    for name, (repeats, targets) in header.items():
        width = -(-targets // 8)
        rows = np.frombuffer(data, np.uint8, repeats * width, begin).reshape(repeats, width)
        found[name] = np.unpackbits(rows, axis=1, count=targets).astype(bool)
        begin += repeats * width
    if begin != len(data):
        raise ValueError(f"hits: found {len(data)} bytes, allowed: {begin}")
    return found
