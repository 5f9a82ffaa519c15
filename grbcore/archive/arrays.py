"""The arrays of an archive whose directory and headers have been checked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from grbcore.archive.directory import Member, entry_violations, read_directory
from grbcore.archive.header import ArrayHeader, read_array_header
from grbcore.archive.kinds import sniff
from grbcore.archive.layout import Placed, place
from grbcore.archive.unpacking import unpacked
from grbcore.violations import MOST, Refused, Violation

_MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ArchiveLimits:
    """Bounds of an archive: unpacked bytes in total, the ratio of members above 1 MiB, and whether
    arrays may lie in Fortran order."""

    total: int
    ratio: int = 200
    fortran: bool = False


class ArrayArchive:
    """The arrays of an ``.npz`` whose directory and headers have been checked.

    Args:
        file: a seekable binary file; it must stay open while arrays are read.
        limits: what the archive may unpack to.

    Raises:
        Refused: with every violation of the directory and the headers.
    """

    def __init__(self, file: BinaryIO, limits: ArchiveLimits) -> None:
        kind = sniff(file)
        if not kind.startswith(("a zip", "an empty zip")):
            raise Refused([Violation("format", "file", kind, "a .npz archive")])
        members, end = read_directory(file)
        faults = _directory_violations(members, limits)
        if faults:
            raise Refused(faults)
        self._file = file
        self._fortran = limits.fortran
        self._places: Mapping[str, Placed] = place(file, members, end)
        self.arrays: Mapping[str, ArrayHeader] = self._headers(members)

    def _headers(self, members: Sequence[Member]) -> dict[str, ArrayHeader]:
        faults: list[Violation] = []
        found = {}
        for member in members:
            name = member.name.removesuffix(".npy")
            try:
                pieces = unpacked(self._file, self._places[member.name])
                found[name] = read_array_header(pieces, name, member.size, fortran=self._fortran)
            except Refused as refused:
                faults += refused.violations
            if len(faults) >= MOST:
                break
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
        data = bytearray()
        for piece in unpacked(self._file, self._places[f"{name}.npy"]):
            data += piece
        array = np.frombuffer(data, np.dtype(header.dtype), offset=header.offset)
        array.flags.writeable = False
        return array.reshape(header.shape, order="F" if header.fortran else "C")


def _directory_violations(members: Sequence[Member], limits: ArchiveLimits) -> list[Violation]:
    faults: list[Violation] = []
    seen: set[str] = set()
    for member in members:
        own = entry_violations(member)
        if not member.name.endswith(".npy") and not any(v.code == "member-name" for v in own):
            found = "a member that is no array"
            own.append(Violation("member-name", member.place, found, "members ending in .npy"))
        if member.name in seen:
            own.append(
                Violation("member-duplicate", member.place, "a second time", "each name once")
            )
        seen.add(member.name)
        ratio = member.size / max(member.packed, 1)
        if member.size > _MIB and ratio > limits.ratio:
            found = f"compressed {ratio:.0f} times"
            allowed = f"at most {limits.ratio} times"
            own.append(Violation("ratio", member.place, found, allowed))
        faults += own
    total = sum(member.size for member in members)
    if total > limits.total:
        found, allowed = f"{total} bytes when unpacked", f"at most {limits.total} bytes"
        faults.append(Violation("size", "file", found, allowed))
    return faults[:MOST]
