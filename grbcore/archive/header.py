"""The header of a ``.npy``: type, order and shape, read without evaluating anything.

numpy evaluates the header as a Python literal.  What is taken here is the part of that language
that writers of arrays use: a dictionary of the three keys in any order, with plain values.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from grbcore.archive.shapes import PLAUSIBLE, plausible
from grbcore.violations import Refused, Violation

MAX_NPY_HEADER = 10_000

_NPY = b"\x93NUMPY"
_DTYPES = ("<f4", "<f8", "<i4", "<i8", "|u1", "|b1", "|S3", "<i2")
_KEYS = {"descr", "fortran_order", "shape"}

# possessive quantifiers: a header without a match takes no longer than one with a match
_NUMBER = r"-?(?:0|[1-9][0-9]{0,24}+)"
_TUPLE = rf"\( *+\)|\( *+{_NUMBER} *+,(?: *+{_NUMBER} *+,)*+(?: *+{_NUMBER})? *+\)"
_ITEM = re.compile(
    rf" *+'(\w{{1,20}}+)' *+: *+(?:'([^'\\\n]{{0,100}}+)'|(True|False)|({_TUPLE})) *+(,?)",
    re.ASCII,
)
_NUMBERS = re.compile(_NUMBER)


@dataclass(frozen=True, slots=True)
class ArrayHeader:
    """What one member says of its array; ``offset`` counts the bytes before the data."""

    name: str  # without .npy
    dtype: str
    shape: tuple[int, ...]
    offset: int
    size: int  # bytes of data
    fortran: bool = False  # the order of its data


def read_array_header(
    pieces: Iterable[bytes], name: str, size: int, *, fortran: bool = False
) -> ArrayHeader:
    """The header at the start of these bytes, which are ``size`` in all.

    ``fortran``: whether the array may lie in Fortran order.

    Raises:
        Refused: there is none, or one of an array that can't be read.
    """
    start = _Start(pieces)
    first = start.upto(12)
    if len(first) < 10 or first[:6] != _NPY or first[6] not in (1, 2, 3) or first[7] != 0:
        raise Refused([Violation("header", name, "no numpy header", "an array in .npy format")])
    wide = first[6] > 1
    length = int.from_bytes(first[8:12] if wide else first[8:10], "little")
    before = 12 if wide else 10
    if length > MAX_NPY_HEADER:
        found, allowed = f"a header of {length} bytes", f"at most {MAX_NPY_HEADER}"
        raise Refused([Violation("header", name, found, allowed)])
    text = start.upto(before + length)[before:]
    if len(text) < length:
        raise Refused([_wrong(text, name)])
    dtype, shape, by_column = _fields(text, name)
    faults = []
    if dtype not in _DTYPES:
        faults.append(Violation("dtype", name, f"type {dtype[:40]!r}", ", ".join(_DTYPES[:6])))
    if by_column and not fortran and len(shape) > 1:
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
    return ArrayHeader(name, dtype, shape, before + length, data, by_column)


class _Start:
    """The first bytes of what comes in pieces."""

    def __init__(self, pieces: Iterable[bytes]) -> None:
        self._pieces = iter(pieces)
        self._read = b""

    def upto(self, count: int) -> bytes:
        """The first ``count`` bytes, fewer where there are no more."""
        while len(self._read) < count and (piece := next(self._pieces, b"")):
            self._read += piece
        return self._read[:count]


def _wrong(text: bytes, name: str) -> Violation:
    shown = repr(text[:80])[2:-1]
    return Violation("header", name, shown or "nothing", "descr, fortran_order and shape")


def _fields(text: bytes, name: str) -> tuple[str, tuple[int, ...], bool]:
    wrong = Refused([_wrong(text, name)])
    inner = text.decode("latin1").rstrip(" \n").lstrip(" ")
    if not (inner.startswith("{") and inner.endswith("}")):
        raise wrong
    found: dict[str, tuple[str | None, str | None, str | None]] = {}
    at, more = 1, ","
    while more and (item := _ITEM.match(inner, at, len(inner) - 1)):
        key, *values, more = item.groups()
        if key in found:
            raise wrong
        found[key] = (values[0], values[1], values[2])
        at = item.end()
    if found.keys() != _KEYS or inner[at:-1].strip(" "):
        raise wrong
    dtype, fortran, shape = found["descr"][0], found["fortran_order"][1], found["shape"][2]
    if dtype is None or fortran is None or shape is None:
        raise wrong
    return dtype, tuple(map(int, _NUMBERS.findall(shape))), fortran == "True"
