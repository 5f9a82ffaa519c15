"""Files that nobody should send: arrays, archives and weights, byte by byte."""

from __future__ import annotations

import io
import json
import struct
import warnings
import zipfile
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.violations import Refused, Violation


def npy(array: NDArray[Any]) -> bytes:
    """An honest ``.npy``."""
    buffer = io.BytesIO()
    np.lib.format.write_array(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def npy_saying(
    header: str, data: bytes = b"", *, version: int = 1, length: int | None = None
) -> bytes:
    """A ``.npy`` whose header is this text, and is said to have this length."""
    text = header.encode("latin1")
    kind = "<H" if version == 1 else "<I"
    size = struct.pack(kind, len(text) if length is None else length)
    return b"\x93NUMPY" + bytes([version, 0]) + size + text + data


def header(shape: object, dtype: str = "<i8", order: bool = False) -> str:
    """The text of a numpy header."""
    return f"{{'descr': {dtype!r}, 'fortran_order': {order}, 'shape': {shape}, }}"


def npz(members: Iterable[tuple[str, bytes]], *, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip archive with these members in this order; a name may come twice."""
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", method) as archive:
        warnings.simplefilter("ignore")  # two of one name
        for name, data in members:
            archive.writestr(name, data)
    return buffer.getvalue()


def arrays(**named: NDArray[Any]) -> bytes:
    """An honest ``.npz``, names as given."""
    return npz((f"{name}.npy", npy(array)) for name, array in named.items())


def patched(archive: bytes, *, local: dict[int, bytes], central: dict[int, bytes]) -> bytes:
    """The archive with bytes of its first local header and first directory entry replaced."""
    data = bytearray(archive)
    entry = data.index(b"PK\x01\x02")
    for start, places in ((0, local), (entry, central)):
        for offset, replacement in places.items():
            data[start + offset : start + offset + len(replacement)] = replacement
    return bytes(data)


def safetensors(
    header: dict[str, Any] | str | bytes, data: bytes = b"", *, length: int | None = None
) -> bytes:
    """A ``.safetensors`` file with this header, which is said to have this length."""
    text = json.dumps(header) if isinstance(header, dict) else header
    raw = text.encode("utf-8") if isinstance(text, str) else text
    return struct.pack("<Q", len(raw) if length is None else length) + raw + data


def entry(shape: Sequence[int], begin: int, end: int, dtype: str = "F32") -> dict[str, Any]:
    """What a ``.safetensors`` header says of one tensor."""
    return {"dtype": dtype, "shape": list(shape), "data_offsets": [begin, end]}


def only(refused: Refused | Sequence[Violation]) -> Violation:
    """The one violation that there is."""
    found = refused.violations if isinstance(refused, Refused) else refused
    (violation,) = found
    return violation
