"""How far ahead of the next class a prediction on the clean graph is, without torch.

The margin of a target is the softmax probability of the class that a defense predicts on the clean
graph, less that of the runner-up: near 0 the defense hesitates, near 1 it is sure.  It needs no
label, so the evaluator, which has none, can answer it.  It is kept in whole percents.
"""

from __future__ import annotations

import zlib

import numpy as np
from numpy.typing import NDArray

#: (t,) uint8: percents, rounded down, of the targets of full; `UNKNOWN` without finite logits.
Margins = NDArray[np.uint8]

#: The margin of a target whose logits are not finite.
UNKNOWN = 255

#: Groups of margins, in percents: from one to below the next, the last up to 100.  They are the
#: same for all defenses, so that groups can be compared; narrower at both ends, where most are.
EDGES = (0, 10, 25, 50, 75, 90, 101)


def percents(ahead: NDArray[np.float32]) -> Margins:
    """Margins as they are kept: (t,) of 0..1, NaN where logits were not finite."""
    known = np.isfinite(ahead)
    whole = np.floor(np.clip(np.where(known, ahead, 0), 0, 1) * 100)
    return np.where(known, whole, UNKNOWN).astype(np.uint8)


def pack(margins: Margins) -> bytes:
    """Margins as bytes: a zlib stream of one byte for each target."""
    return zlib.compress(np.ascontiguousarray(margins, np.uint8).tobytes(), 9)


def unpack(data: bytes, targets: int) -> Margins:
    """The margins that `pack` wrote, of so many targets.

    Raises:
        ValueError: the bytes are nothing that `pack` writes of as many targets.
    """
    stream = zlib.decompressobj()
    try:
        found = np.frombuffer(stream.decompress(data, targets + 1), np.uint8)
    except zlib.error as error:
        raise ValueError(f"margins: {error}") from None
    if not stream.eof or stream.unused_data or len(found) != targets:
        raise ValueError(f"margins: found {len(found)} or more, allowed: {targets}")
    if ((found > 100) & (found != UNKNOWN)).any():
        raise ValueError(f"margins: found {found.max()}, allowed: 0..100 and {UNKNOWN}")
    return found
