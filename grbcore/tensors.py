"""The ``.safetensors`` layout: headers checked by hand, tensors read and written with numpy."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from grbcore import strict_json
from grbcore.archive import PLAUSIBLE, plausible, sniff
from grbcore.violations import MOST, Refused, Violation

_TYPES: dict[str, np.dtype[Any]] = {"F32": np.dtype("<f4"), "I64": np.dtype("<i8")}
_NAMES = {dtype: name for name, dtype in _TYPES.items()}
_FIELDS = {"dtype", "shape", "data_offsets"}


@dataclass(frozen=True, slots=True)
class TensorHeader:
    """Type, shape and place of one tensor; offsets count from the end of the header."""

    dtype: str
    shape: tuple[int, ...]
    begin: int
    end: int


@dataclass(frozen=True, slots=True)
class TensorFile:
    """The header of a ``.safetensors`` file whose every offset has been checked."""

    tensors: Mapping[str, TensorHeader]
    metadata: Mapping[str, str]
    start: int  # where the data begins


def read_header(file: BinaryIO, *, header_bytes: int = 1 << 20) -> TensorFile:
    """The checked header: no name twice, sizes as declared, the data covered exactly once.

    Raises:
        Refused: with every violation.
    """
    file.seek(0, 2)
    size = file.tell()
    file.seek(0)
    length = int.from_bytes(file.read(8), "little")
    first = file.read(1)
    if size < 10 or first != b"{":
        allowed = "one .safetensors file (grb convert makes one from a state dict)"
        raise Refused([Violation("format", "file", sniff(file), allowed)])
    if not 2 <= length <= header_bytes:
        found, allowed = f"a header of {length} bytes", f"2 to {header_bytes} bytes"
        raise Refused([Violation("header", "file", found, allowed)])
    if 8 + length > size:
        found = f"{size} bytes"
        allowed = f"at least {8 + length}, as the header says"
        raise Refused([Violation("damaged", "file", found, allowed)])
    fields = _parse(first + file.read(length - 1))
    metadata = _metadata(fields.pop("__metadata__", {}))
    faults: list[Violation] = []
    tensors = {}
    for name, entry in fields.items():
        try:
            tensors[name] = _tensor(name, entry)
        except Refused as refused:
            faults += refused.violations
        if len(faults) >= MOST:
            break
    faults += _coverage(tensors, size - 8 - length) if not faults else []
    if faults:
        raise Refused(faults[:MOST])
    return TensorFile(tensors, metadata, 8 + length)


def _parse(text: bytes) -> dict[str, Any]:
    try:
        fields = strict_json.parse(text)
    except strict_json.Repeated as repeated:
        raise Refused(
            Violation("member-duplicate", name[:100], "a second time", "each name once")
            for name in repeated.names[:MOST]
        ) from None
    except ValueError:
        allowed = "JSON in UTF-8"
        raise Refused([Violation("header", "file", "a header that is no JSON", allowed)]) from None
    if not isinstance(fields, dict):
        raise Refused([Violation("header", "file", "no JSON object", "a JSON object")])
    return fields


def _metadata(found: Any) -> dict[str, str]:
    if not isinstance(found, dict) or not all(isinstance(v, str) for v in found.values()):
        at, allowed = "__metadata__", "text for each key"
        raise Refused([Violation("metadata", at, "values that are no text", allowed)])
    garbled = [key for key, text in found.items() if not strict_json.is_text(key + text)]
    if garbled:
        allowed = "characters of Unicode"
        raise Refused(
            Violation("metadata", f"metadata/{key}"[:100], "half of a surrogate pair", allowed)
            for key in garbled[:MOST]
        )
    return found


def _tensor(name: str, entry: Any) -> TensorHeader:
    place = name[:100]
    if not strict_json.is_text(name):
        allowed = "characters of Unicode"
        raise Refused([Violation("header", place, "half of a surrogate pair", allowed)])
    if not isinstance(entry, dict) or set(entry) != _FIELDS:
        found = "other fields" if isinstance(entry, dict) else type(entry).__name__
        raise Refused([Violation("header", place, found, "dtype, shape and data_offsets")])
    dtype, shape, offsets = entry["dtype"], entry["shape"], entry["data_offsets"]
    if not isinstance(dtype, str) or dtype not in _TYPES:
        allowed = "F32 (I64 for counters)"
        raise Refused([Violation("dtype", place, f"type {str(dtype)[:20]}", allowed)])
    if not _whole(shape) or not plausible(shape):
        raise Refused([Violation("shape", place, f"shape {str(shape)[:80]}", PLAUSIBLE)])
    if not _whole(offsets) or len(offsets) != 2:
        allowed = "a begin and an end"
        raise Refused([Violation("header", place, f"offsets {str(offsets)[:80]}", allowed)])
    begin, end = offsets
    need = math.prod(shape) * _TYPES[dtype].itemsize
    if end - begin != need:
        found = f"{end - begin} bytes"
        raise Refused([Violation("damaged", place, found, f"{need} bytes for shape {shape}")])
    return TensorHeader(dtype, tuple(shape), begin, end)


def _whole(values: Any) -> bool:
    return isinstance(values, list) and all(type(value) is int and value >= 0 for value in values)


def _coverage(tensors: Mapping[str, TensorHeader], size: int) -> list[Violation]:
    """Every byte of the data belongs to exactly one tensor."""
    at = 0
    for name, tensor in sorted(tensors.items(), key=lambda item: (item[1].begin, item[1].end)):
        if tensor.begin != at:
            found, allowed = f"data from byte {tensor.begin}", f"data from byte {at}"
            return [Violation("damaged", name[:100], found, allowed)]
        at = tensor.end
    if at != size:
        return [Violation("damaged", "file", f"{size} bytes of data", f"{at} bytes")]
    return []


def read_tensors(path: Path, *, header_bytes: int = 1 << 20) -> dict[str, NDArray[Any]]:
    """Every tensor of the file, float32 or int64.

    Raises:
        Refused: the header is not what it should be.
    """
    with path.open("rb") as file:
        header = read_header(file, header_bytes=header_bytes)
        file.seek(header.start)
        data = file.read()
    return {
        name: np.frombuffer(data[t.begin : t.end], _TYPES[t.dtype]).reshape(t.shape)
        for name, t in header.tensors.items()
    }


def write_tensors(
    path: Path, tensors: Mapping[str, NDArray[Any]], metadata: Mapping[str, str]
) -> None:
    """Write tensors, names sorted, so that the same content gives the same bytes.

    Raises:
        ValueError: a tensor is neither float32 nor int64.
    """
    header: dict[str, Any] = {"__metadata__": dict(sorted(metadata.items()))}
    blocks = []
    at = 0
    for name in sorted(tensors):
        array = np.ascontiguousarray(tensors[name])
        if array.dtype not in _NAMES:
            raise ValueError(f"{name}: found {array.dtype}, allowed: float32, int64")
        block = array.tobytes()
        header[name] = {
            "dtype": _NAMES[array.dtype],
            "shape": list(tensors[name].shape),
            "data_offsets": [at, at + len(block)],
        }
        blocks.append(block)
        at += len(block)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(blocks))
