"""Whatever an archive holds: it is read or refused, and nothing else."""

from __future__ import annotations

import zipfile

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes
from hypothesis.extra.numpy import arrays as any_array

from grbcore.violations import Refused
from tests.grbcore.forging import arrays, npy, npy_saying, npz
from tests.grbcore.test_archive import EDGES, member, opened

VALID = npz(
    [("a.npy", npy(EDGES)), ("x/b.npy", npy(np.ones((3, 4), np.float32)))],
    method=zipfile.ZIP_STORED,
)
PACKED = npz([("a.npy", npy(EDGES)), ("x/b.npy", npy(np.ones((300, 4), np.float32)))])


def read_all(data: bytes) -> None:
    """Open and read everything; a refusal is an answer, any other error is a fault."""
    try:
        archive = opened(data)
        for name in archive.arrays:
            archive.read(name)
    except Refused as refused:
        assert refused.violations


@given(st.sampled_from([VALID, PACKED]), st.data())
def test_flipped_bytes_are_read_or_refused(valid: bytes, draw: st.DataObject) -> None:
    data = bytearray(valid)
    for _ in range(draw.draw(st.integers(1, 6))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    read_all(bytes(data))


@given(st.sampled_from([VALID, PACKED]), st.data())
def test_removed_and_repeated_pieces_are_read_or_refused(valid: bytes, draw: st.DataObject) -> None:
    first = draw.draw(st.integers(0, len(valid)))
    second = draw.draw(st.integers(0, len(valid)))
    read_all(valid[:first] + valid[second:])


def test_every_single_byte_of_the_directory_may_be_wrong() -> None:
    start = PACKED.index(b"PK\x01\x02")
    for at in range(start, len(PACKED)):
        for value in (0x00, 0x7F, 0x80, 0xFF):
            data = bytearray(PACKED)
            data[at] = value
            read_all(bytes(data))


@given(st.text(max_size=200), st.binary(max_size=64), st.sampled_from([1, 2, 3]))
def test_any_text_as_a_header_is_read_or_refused(text: str, data: bytes, version: int) -> None:
    encoded = text.encode("utf-8").decode("latin1")
    read_all(member(npy_saying(encoded, data, version=version)))


literals = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.lists(inner, max_size=3).map(tuple)),
    max_leaves=5,
)


@given(literals, literals, literals)
def test_any_values_in_a_header_are_read_or_refused(
    descr: object, order: object, shape: object
) -> None:
    text = repr({"descr": descr, "fortran_order": order, "shape": shape})
    read_all(member(npy_saying(text.encode("utf-8").decode("latin1"), bytes(8))))


@given(
    any_array(
        st.sampled_from([np.float32, np.float64, np.int32, np.int64, np.uint8, np.bool_]),
        array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=5),
    )
)
def test_what_is_written_is_read_back(array: np.ndarray) -> None:
    found = opened(arrays(a=array)).read("a")
    assert (found.dtype, found.shape) == (array.dtype, array.shape)
    assert found.tobytes() == array.tobytes()
