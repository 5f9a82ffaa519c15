"""Reading ``.npz`` files that nobody has vouched for: every header is checked before any data.

numpy's own reader believes what a header says: 178 bytes can make it ask for gigabytes, and of two
members of one name it takes the last.  Here the zip directory and each array's header are read
first, within limits; data is read only where the declared size equals the real one.
"""

from __future__ import annotations

import ast
import math
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from grbcore.violations import MOST, Refused, Violation

MIB = 1024 * 1024
MAX_NPY_HEADER = 10_000
MAX_MEMBERS = 1_000
MAX_DIRECTORY = MIB
MAX_DIMENSIONS = 8
MAX_ELEMENTS = 1 << 40

_NPY = b"\x93NUMPY"
_ZIP = b"PK\x03\x04"
_ZIP_END = b"PK\x05\x06"
_ZIP64_LOCATOR = b"PK\x06\x07"
_ENCRYPTED = 0x1

#: What Python's zip reader raises on bytes that it did not expect.
_ZIP_ERRORS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    RuntimeError,  # encrypted members and unknown features
    ValueError,
)
_DTYPES = ("<f4", "<f8", "<i4", "<i8", "|u1", "|b1", "|S3")

#: What the first bytes of a file say about it.
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (_ZIP, "a zip archive (.npz, or a checkpoint of torch.save)"),
    (_ZIP_END, "an empty zip archive"),
    (_NPY, "a single numpy array (.npy)"),
    (b"\x80\x02", "a pickle"),
    (b"\x80\x03", "a pickle"),
    (b"\x80\x04", "a pickle"),
    (b"\x80\x05", "a pickle"),
    (b"\x89HDF", "an HDF5 file"),
    (b"\x1f\x8b", "a gzip file"),
)


def sniff(file: BinaryIO) -> str:
    """What the first bytes of ``file`` look like, in words for an error message."""
    file.seek(0)
    start = file.read(16)
    if not start:
        return "an empty file"
    for magic, kind in _MAGIC:
        if start.startswith(magic):
            return kind
    if len(start) > 8 and start[8:9] == b"{" and int.from_bytes(start[:8], "little") < 1 << 32:
        return "a .safetensors file"
    return f"a file that starts with {start[:8]!r}"


#: The sentence that goes with `plausible`.
PLAUSIBLE = f"at most {MAX_DIMENSIONS} sizes of 0 or more, no more than {MAX_ELEMENTS} elements"


def plausible(shape: Sequence[int]) -> bool:
    """Whether an array could have this shape at all; an empty dimension hides no huge one."""
    if len(shape) > MAX_DIMENSIONS or any(size < 0 for size in shape):
        return False
    return math.prod(max(size, 1) for size in shape) <= MAX_ELEMENTS


@dataclass(frozen=True, slots=True)
class ArrayHeader:
    """What one member says of its array; ``offset`` counts the bytes before the data."""

    name: str  # without .npy
    dtype: str
    shape: tuple[int, ...]
    offset: int
    size: int  # bytes of data


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Bounds of an archive: unpacked bytes in total, and the ratio of members above 1 MiB."""

    total: int
    ratio: int = 200


class ArrayArchive:
    """The arrays of an ``.npz`` whose directory and headers have been checked.

    Args:
        file: a seekable binary file; it must stay open while arrays are read.
        limits: what the archive may unpack to.

    Raises:
        Refused: with every violation of the directory and the headers.
    """

    def __init__(self, file: BinaryIO, limits: ArchiveLimits) -> None:
        self._zip = _open(file)
        self.arrays: Mapping[str, ArrayHeader] = self._headers(limits)

    def _headers(self, limits: ArchiveLimits) -> dict[str, ArrayHeader]:
        members = self._zip.infolist()
        faults = _directory_violations(members, limits)
        if faults:
            raise Refused(faults)
        _refuse_overlap(members)
        found = {}
        for member in members:
            name = member.filename.removesuffix(".npy")
            try:
                with self._zip.open(member) as stream:
                    found[name] = _npy_header(stream, name, member.file_size)
            except Refused as refused:
                faults += refused.violations
            except _ZIP_ERRORS as error:
                faults.append(_damaged(name, error))
        if faults:
            raise Refused(faults[:MOST])
        return found

    def read(self, name: str) -> NDArray[Any]:
        """The array of member ``name``, read to exactly its declared size.

        Raises:
            KeyError: no such member.
            Refused: the data is damaged or not of the declared size.
        """
        header = self.arrays[name]
        try:
            with self._zip.open(f"{name}.npy") as stream:
                stream.read(header.offset)
                data = stream.read(header.size + 1)
        except _ZIP_ERRORS as error:
            raise Refused([_damaged(name, error)]) from None
        if len(data) != header.size:
            found = f"{len(data)} bytes of data" + (" or more" if len(data) > header.size else "")
            raise Refused([Violation("damaged", name, found, f"{header.size} bytes")])
        return np.frombuffer(data, np.dtype(header.dtype)).reshape(header.shape)


def _open(file: BinaryIO) -> zipfile.ZipFile:
    kind = sniff(file)
    if not kind.startswith(("a zip", "an empty zip")):
        raise Refused([Violation("format", "file", kind, "a .npz archive")])
    _check_directory(file)
    try:
        return zipfile.ZipFile(file)
    except _ZIP_ERRORS as error:
        found = f"a zip archive whose directory can't be read ({error})"
        raise Refused([Violation("damaged", "file", found, "an undamaged archive")]) from None


def _check_directory(file: BinaryIO) -> None:
    """Refuse a directory that would take long to parse, by the record at the end of the file."""
    size = file.seek(0, 2)
    file.seek(max(0, size - 42))
    tail = file.read()
    locator, end = tail[:-22], tail[-22:]
    if end[:4] != _ZIP_END or end[20:] != b"\0\0":
        found = "a zip archive without a directory at its end (cut short, or followed by more)"
        raise Refused([Violation("damaged", "file", found, "an undamaged archive")])
    if locator.startswith(_ZIP64_LOCATOR):
        found = "a zip64 archive (torch.save writes such)"
        raise Refused([Violation("format", "file", found, "a plain .npz archive")])
    members, length = struct.unpack("<H", end[10:12])[0], struct.unpack("<I", end[12:16])[0]
    if members > MAX_MEMBERS:
        found, allowed = f"{members} members", f"at most {MAX_MEMBERS}"
        raise Refused([Violation("size", "file", found, allowed)])
    if length > MAX_DIRECTORY:
        found, allowed = f"a directory of {length} bytes", f"at most {MAX_DIRECTORY} bytes"
        raise Refused([Violation("size", "file", found, allowed)])


def _refuse_overlap(members: list[zipfile.ZipInfo]) -> None:
    """Refuse members that share bytes of the file: a small file could unpack to a large one."""
    at, before = 0, ""
    for member in sorted(members, key=lambda member: member.header_offset):
        if member.header_offset < at:
            found, allowed = f"bytes that belong to {before}", "bytes of its own"
            raise Refused([Violation("damaged", member.filename, found, allowed)])
        # 30 bytes and the name come before the data
        at = member.header_offset + 30 + len(member.orig_filename) + member.compress_size
        before = member.filename


def _directory_violations(members: list[zipfile.ZipInfo], limits: ArchiveLimits) -> list[Violation]:
    faults: list[Violation] = []
    seen: set[str] = set()
    for member in members:
        name = member.filename
        place = repr(name)[1:-1][:100]
        if name.startswith("/") or name.endswith("/") or ".." in name.split("/") or "\\" in name:
            faults.append(Violation("member-name", place, "a path or folder", "plain members"))
        elif not name.endswith(".npy"):
            found = "a member that is no array"
            faults.append(Violation("member-name", place, found, "members ending in .npy"))
        if name in seen:
            faults.append(Violation("member-duplicate", place, "a second time", "each name once"))
        seen.add(name)
        if member.flag_bits & _ENCRYPTED:
            faults.append(Violation("member-encrypted", place, "encrypted", "not encrypted"))
        if member.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            found = f"compression method {member.compress_type}"
            faults.append(Violation("format", place, found, "stored or deflated"))
        ratio = member.file_size / max(member.compress_size, 1)
        if member.file_size > MIB and ratio > limits.ratio:
            found = f"compressed {ratio:.0f} times"
            faults.append(Violation("ratio", place, found, f"at most {limits.ratio} times"))
    total = sum(member.file_size for member in members)
    if total > limits.total:
        found, allowed = f"{total} bytes when unpacked", f"at most {limits.total} bytes"
        faults.append(Violation("size", "file", found, allowed))
    return faults[:MOST]


def _npy_header(stream: Any, name: str, size: int) -> ArrayHeader:
    start = stream.read(12)
    if len(start) < 10 or start[:6] != _NPY or start[6] not in (1, 2, 3):
        raise Refused([Violation("header", name, "no numpy header", "an array in .npy format")])
    wide = start[6] > 1
    length = int.from_bytes(start[8:12] if wide else start[8:10], "little")
    before = 12 if wide else 10
    if length > MAX_NPY_HEADER:
        found, allowed = f"a header of {length} bytes", f"at most {MAX_NPY_HEADER}"
        raise Refused([Violation("header", name, found, allowed)])
    text = start[before:] + stream.read(max(0, length - (len(start) - before)))
    dtype, shape, fortran = _header_fields(text[:length], name)
    faults = []
    if dtype not in _DTYPES:
        faults.append(Violation("dtype", name, f"type {dtype[:40]!r}", ", ".join(_DTYPES[:6])))
    if fortran and len(shape) > 1:
        faults.append(Violation("order", name, "Fortran order", "C order"))
    if not plausible(shape):
        faults.append(Violation("shape", name, f"shape {shape}"[:200], PLAUSIBLE))
    if faults:
        raise Refused(faults)
    data = math.prod(shape) * np.dtype(dtype).itemsize
    if before + length + data != size:
        found = f"{size - before - length} bytes of data"
        allowed = f"{data} bytes for {dtype} of shape {shape}"
        raise Refused([Violation("damaged", name, found, allowed)])
    return ArrayHeader(name, dtype, shape, before + length, data)


def _header_fields(text: bytes, name: str) -> tuple[str, tuple[int, ...], bool]:
    wrong = Violation("header", name, repr(text[:80])[2:-1], "descr, fortran_order and shape")
    try:
        fields = ast.literal_eval(text.decode("latin1").strip())
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        raise Refused([wrong]) from None
    if not isinstance(fields, dict) or set(fields) != {"descr", "fortran_order", "shape"}:
        raise Refused([wrong])
    dtype, shape, fortran = fields["descr"], fields["shape"], fields["fortran_order"]
    whole = isinstance(shape, tuple) and all(type(dimension) is int for dimension in shape)
    if not isinstance(dtype, str) or not whole or not isinstance(fortran, bool):
        raise Refused([wrong])
    return dtype, shape, fortran


def _damaged(name: str, error: Exception) -> Violation:
    found = f"data that can't be unpacked ({error})"
    return Violation("damaged", name, found[:300], "an undamaged member")
