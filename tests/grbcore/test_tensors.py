"""Weights that nobody has vouched for: the ``.safetensors`` layout."""

from __future__ import annotations

import io
import json
import pickle
import struct
import time
import tracemalloc
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import array_shapes, arrays

from grbcore.archive import MIB
from grbcore.tensors import TensorFile, read_header, read_tensors, write_tensors
from grbcore.violations import Refused, Violation
from tests.grbcore.forging import entry, npy, only, safetensors


def read(data: bytes) -> TensorFile:
    return read_header(io.BytesIO(data))


def refusal(data: bytes) -> Violation:
    with pytest.raises(Refused) as caught:
        read(data)
    return only(caught.value)


ONE = {"a": entry([2, 3], 0, 24)}


def test_an_honest_header_is_read() -> None:
    found = read(safetensors({"__metadata__": {"format": "1"}, **ONE}, bytes(24)))
    assert found.metadata == {"format": "1"}
    assert (found.tensors["a"].shape, found.tensors["a"].begin) == ((2, 3), 0)


def test_a_padded_header_is_read() -> None:
    assert read(safetensors(json.dumps(ONE) + "   ", bytes(24))).tensors.keys() == {"a"}


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (pickle.dumps({"convs.0.weight": 1}), "a pickle"),
        (npy(np.zeros(3)), "a single numpy array (.npy)"),
        (b"PK\x03\x04 of torch.save", "a zip archive (.npz, or a checkpoint of torch.save)"),
        (b"\x89HDF\r\n\x1a\n and more", "an HDF5 file"),
    ],
)
def test_another_format_is_refused_by_its_name(data: bytes, found: str) -> None:
    violation = refusal(data)
    assert (violation.code, violation.place, violation.found) == ("format", "file", found)


@pytest.mark.parametrize("length", [0, 1, MIB + 1, 1 << 40, (1 << 64) - 1])
def test_a_header_of_an_impossible_length_is_refused_unread(length: int) -> None:
    file = io.BytesIO(safetensors("{" + " " * 8 * MIB, length=length))
    tracemalloc.start()
    with pytest.raises(Refused) as caught:
        read_header(file)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert only(caught.value) == Violation(
        "header", "file", f"a header of {length} bytes", f"2 to {MIB} bytes"
    )
    assert peak < MIB


def test_a_file_shorter_than_its_header_is_damaged() -> None:
    violation = refusal(safetensors(ONE, length=1000))
    assert (violation.code, violation.allowed) == (
        "damaged",
        "at least 1008, as the header says",
    )


@pytest.mark.parametrize(
    "text",
    [
        "{ ",
        "{]",
        "{'a': 1}",
        b'{"\xff": 1}',
        '{"a": 1} {"b": 2}',
        '{"a": ' * 100_000 + "1" + "}" * 100_000,
        '{"a": ' + "9" * 5000 + "}",
        "{\0}\0",
        '{"a": NaN}',
        '{"a": -Infinity}',
    ],
)
def test_a_header_that_is_no_json_is_refused(text: str | bytes) -> None:
    assert refusal(safetensors(text, b"  ")) == Violation(
        "header", "file", "a header that is no JSON", "JSON in UTF-8"
    )


def test_a_name_given_twice_is_refused() -> None:
    one = json.dumps(entry([1], 0, 4))
    violation = refusal(safetensors(f'{{"a": {one}, "a": {one}}}', bytes(4)))
    assert violation == Violation("member-duplicate", "a", "a second time", "each name once")


def test_a_hundred_thousand_names_take_no_time() -> None:
    header = "{" + ",".join(f'"{i}":0' for i in range(90_000)) + ',"0":0}'
    start = time.perf_counter()
    violation = refusal(safetensors(header))
    assert violation.code == "member-duplicate"
    assert time.perf_counter() - start < 2


@pytest.mark.parametrize("metadata", [1, "text", [], {"a": 1}, {"a": None}, {"a": {"b": "c"}}])
def test_metadata_that_is_no_text_is_refused(metadata: Any) -> None:
    violation = refusal(safetensors({"__metadata__": metadata}))
    assert (violation.code, violation.place) == ("metadata", "__metadata__")


def test_metadata_with_half_of_a_surrogate_pair_is_refused() -> None:
    """Python takes it for text, the official library and databases do not."""
    violation = refusal(safetensors({"__metadata__": {"a": "\ud800"}}))
    assert (violation.code, violation.place) == ("metadata", "metadata/a")


@pytest.mark.parametrize(
    ("value", "code"),
    [
        (1, "header"),
        (None, "header"),
        ([], "header"),
        ({}, "header"),
        ({"dtype": "F32", "shape": [1]}, "header"),
        ({**entry([1], 0, 4), "more": 1}, "header"),
        ({**entry([1], 0, 4), "dtype": "F16"}, "dtype"),
        ({**entry([1], 0, 4), "dtype": "BF16"}, "dtype"),
        ({**entry([1], 0, 4), "dtype": []}, "dtype"),
        ({**entry([1], 0, 4), "dtype": None}, "dtype"),
        ({**entry([1], 0, 4), "shape": [-1]}, "shape"),
        ({**entry([1], 0, 4), "shape": [1.0]}, "shape"),
        ({**entry([1], 0, 4), "shape": [True]}, "shape"),
        ({**entry([1], 0, 4), "shape": "1"}, "shape"),
        ({**entry([1], 0, 4), "shape": {"0": 1}}, "shape"),
        (entry([1 << 64], 0, 4), "shape"),
        (entry([0, 1 << 40, 1 << 40], 0, 0), "shape"),
        (entry([1] * 9, 0, 4), "shape"),
        ({**entry([1], 0, 4), "data_offsets": [0]}, "header"),
        ({**entry([1], 0, 4), "data_offsets": [0, 4, 8]}, "header"),
        ({**entry([1], 0, 4), "data_offsets": [-4, 0]}, "header"),
        ({**entry([1], 0, 4), "data_offsets": [0.0, 4.0]}, "header"),
        ({**entry([1], 0, 4), "data_offsets": None}, "header"),
        (entry([1], 4, 0), "damaged"),
        (entry([1], 0, 8), "damaged"),
        (entry([1 << 30], 0, 4), "damaged"),
    ],
)
def test_a_tensor_that_can_not_be_is_refused_by_name(value: Any, code: str) -> None:
    violation = refusal(safetensors({"a": value}, bytes(4)))
    assert (violation.code, violation.place) == (code, "a")


@pytest.mark.parametrize(
    ("first", "second", "size"),
    [
        ((0, 8), (4, 12), 12),  # overlap
        ((0, 8), (0, 8), 8),  # the same bytes twice
        ((0, 8), (12, 20), 20),  # a gap
        ((4, 12), (12, 20), 20),  # a gap at the start
        ((0, 8), (8, 16), 20),  # more at the end
        ((0, 8), (8, 16), 12),  # cut short
    ],
)
def test_data_is_covered_exactly_once(
    first: tuple[int, int], second: tuple[int, int], size: int
) -> None:
    header = {"a": entry([2], *first), "b": entry([2], *second)}
    assert refusal(safetensors(header, bytes(size))).code == "damaged"


def test_every_faulty_tensor_is_named_at_once() -> None:
    header = {"a": entry([1], 0, 8), "b": entry([-1], 0, 4), "c": entry([1], 0, 4, "F64")}
    with pytest.raises(Refused) as caught:
        read(safetensors(header, bytes(8)))
    found = {(violation.place, violation.code) for violation in caught.value.violations}
    assert found == {("a", "damaged"), ("b", "shape"), ("c", "dtype")}


def test_a_name_that_no_database_takes_is_escaped() -> None:
    violation = refusal(safetensors('{"\\ud800\\u0000": 1}'))
    assert violation.place == "\\ud800\\x00"
    violation.place.encode("utf-8")


NAMES = st.text(st.characters(codec="utf-8"), min_size=1, max_size=20).filter(
    lambda name: name != "__metadata__"
)
TENSORS = st.dictionaries(
    NAMES,
    arrays(
        st.sampled_from([np.float32, np.int64]),
        array_shapes(min_dims=0, max_dims=3, min_side=0, max_side=4),
    ),
    max_size=4,
)


@given(
    TENSORS, st.dictionaries(st.text(st.characters(codec="utf-8")), st.text(max_size=5), max_size=3)
)
def test_what_is_written_is_read_back(
    tmp_path: Path, tensors: dict[str, np.ndarray], metadata: dict[str, str]
) -> None:
    path = tmp_path / "file.safetensors"
    write_tensors(path, tensors, metadata)
    found = read_tensors(path)
    assert found.keys() == tensors.keys()
    for name, tensor in tensors.items():
        assert (found[name].dtype, found[name].shape) == (tensor.dtype, tensor.shape)
        assert found[name].tobytes() == tensor.tobytes()
    with path.open("rb") as file:
        assert read_header(file).metadata == metadata


def test_the_same_content_gives_the_same_bytes_in_any_order(tmp_path: Path) -> None:
    a, b = np.ones(3, np.float32), np.zeros((2, 2), np.float32)
    write_tensors(tmp_path / "1", {"a": a, "b": b}, {"x": "1", "y": "2"})
    write_tensors(tmp_path / "2", {"b": b, "a": a}, {"y": "2", "x": "1"})
    assert (tmp_path / "1").read_bytes() == (tmp_path / "2").read_bytes()


def test_another_type_is_not_written(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="found float64, allowed: float32, int64"):
        write_tensors(tmp_path / "file", {"a": np.zeros(2)}, {})


def test_the_official_library_reads_what_we_write(tmp_path: Path) -> None:
    from safetensors.numpy import load_file

    path = tmp_path / "file.safetensors"
    tensors = {"b": np.arange(6, dtype=np.float32).reshape(2, 3), "a": np.array(7, np.int64)}
    write_tensors(path, tensors, {"format": "1"})
    found = load_file(path)
    assert all(np.array_equal(found[name], tensors[name]) for name in tensors)


def test_we_read_what_the_official_library_writes(tmp_path: Path) -> None:
    from safetensors.numpy import save_file

    path = tmp_path / "file.safetensors"
    tensors = {"b": np.arange(6, dtype=np.float32).reshape(2, 3), "a": np.array([7], np.int64)}
    save_file(tensors, path, {"format": "1"})
    found = read_tensors(path)
    assert all(np.array_equal(found[name], tensors[name]) for name in tensors)


VALID = safetensors(
    {"__metadata__": {"k": "v"}, "a": entry([2, 3], 0, 24), "b": entry([], 24, 32, "I64")},
    bytes(32),
)


def read_any(data: bytes) -> None:
    """Read the header; a refusal is an answer, any other error is a fault."""
    try:
        found = read(data)
    except Refused as refused:
        assert refused.violations
    else:
        ends = [tensor.end for tensor in found.tensors.values()]
        assert found.start + max(ends, default=0) == len(data)


@given(st.data())
def test_flipped_bytes_are_read_or_refused(draw: st.DataObject) -> None:
    data = bytearray(VALID)
    for _ in range(draw.draw(st.integers(1, 4))):
        data[draw.draw(st.integers(0, len(data) - 1))] = draw.draw(st.integers(0, 255))
    read_any(bytes(data))


@given(st.integers(0, len(VALID)), st.integers(0, len(VALID)))
def test_removed_and_repeated_pieces_are_read_or_refused(first: int, second: int) -> None:
    read_any(VALID[:first] + VALID[second:])


def test_every_single_byte_of_the_header_may_be_wrong() -> None:
    for at in range(len(VALID)):
        for value in (0x00, 0x22, 0x39, 0x7B, 0xFF):
            data = bytearray(VALID)
            data[at] = value
            read_any(bytes(data))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@given(
    st.dictionaries(
        st.sampled_from(["__metadata__", "a", "b"]),
        st.one_of(
            json_values,
            st.fixed_dictionaries(
                {
                    "dtype": json_values | st.just("F32"),
                    "shape": json_values,
                    "data_offsets": json_values,
                }
            ),
        ),
    )
)
def test_any_json_as_a_header_is_read_or_refused(header: dict[str, Any]) -> None:
    raw = json.dumps(header).encode()
    read_any(struct.pack("<Q", len(raw)) + raw)
