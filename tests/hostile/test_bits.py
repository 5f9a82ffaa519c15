"""One bit turned anywhere: refused, or read as numpy and safetensors read it."""

from __future__ import annotations

import io
from collections.abc import Iterator

import pytest

from grbcore.archive import ArrayArchive
from grbcore.submission import check_header
from tests.grbcore.samples import defense
from tests.hostile import agreement
from tests.hostile.cases import ABSENT, EDGES_NPY, attack, deflated, honest, packed, sums, two

PIPED = two(flags=8, local=ABSENT, after=sums()).end()


def turned(data: bytes, stop: int) -> Iterator[bytes]:
    """The file with each of its first bits turned, one at a time."""
    for at in range(stop):
        for bit in range(8):
            changed = bytearray(data)
            changed[at] ^= 1 << bit
            yield bytes(changed)


def arrays(data: bytes) -> dict[str, bytes]:
    archive = ArrayArchive(io.BytesIO(data), agreement.LIMITS)
    return {name: archive.read(name).tobytes() for name in archive.arrays}


@pytest.mark.parametrize(
    "data",
    [
        honest(),
        packed(attack()),
        PIPED,
        two(raw=deflated(EDGES_NPY), method=8).end(),
    ],
    ids=["stored", "deflated", "piped", "half"],
)
def test_a_bit_of_an_archive_changes_nothing_or_is_refused(data: bytes) -> None:
    """Checksums stand for the contents: whatever is taken holds the arrays that were sent."""
    expected = sorted(arrays(data).values())
    taken = 0
    for changed in turned(data, len(data)):
        if agreement.archive(changed):
            taken += 1
            found = arrays(changed)
            assert sorted(found.values()) == expected
            header = check_header(
                io.BytesIO(changed), side="attack", board=agreement.BOARD, scale=agreement.SCALE
            )
            assert header.violations or found == arrays(data)
    # times, versions and attributes, in both headers of two members
    assert 50 < taken < 700


def test_a_bit_of_the_header_of_weights_is_refused_or_read_alike() -> None:
    data = defense()
    length = 8 + int.from_bytes(data[:8], "little")
    taken = sum(agreement.weights(changed) for changed in turned(data, length))
    checked = sum(
        not check_header(
            io.BytesIO(changed), side="defense", board=agreement.BOARD, scale=agreement.SCALE
        ).violations
        for changed in turned(data, length)
    )
    assert taken > 100  # a letter of a name or of the metadata
    assert checked < 10  # none of which the architecture has
