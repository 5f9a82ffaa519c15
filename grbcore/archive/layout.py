"""Where the members of a zip archive lie: every byte has one meaning, whoever reads.

Two readers of one archive may see different files: one follows the directory at its end, another
the headers before each member, a third looks for either where there is none.  Here an archive is
taken only where they can't disagree: members, directory and end record follow each other without
a gap, an overlap or a byte before or after, and each member's own header says what the directory
says.

Source: PKWARE's APPNOTE 6.3.10, sections 4.3.7 to 4.3.9 and 4.5.3.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import BinaryIO

from grbcore.archive.directory import (
    DESCRIBED,
    WIDE,
    ZIP64,
    Member,
    damaged,
    extra_violations,
    version_violations,
)
from grbcore.violations import MOST, Refused, Violation

_LOCAL = struct.Struct("<4s5H3I2H")
_LOCAL_MAGIC, _DESCRIPTOR_MAGIC = b"PK\x03\x04", b"PK\x07\x08"


@dataclass(frozen=True, slots=True)
class Placed:
    """A member, and where its data begins and ends."""

    member: Member
    data: int
    after: int  # of the data and the sums that may follow it
    faults: list[Violation]


def place(file: BinaryIO, members: Sequence[Member], end: int) -> dict[str, Placed]:
    """Where each member lies, by name; ``end`` is where the directory begins.

    Raises:
        Refused: members share bytes, or leave some to nobody, or their own headers differ from
            the directory.
    """
    found: dict[str, Placed] = {}
    faults: list[Violation] = []
    at, before = 0, "the start"
    for member in sorted(members, key=lambda member: member.start):
        if member.start != at:
            raise Refused([*faults, _misplaced(member.place, member.start, at, before)])
        found[member.name] = placed = _placed(file, member, end)
        faults += placed.faults
        at, before = placed.after, member.place
    if at != end:
        faults.append(_misplaced("file", end, at, before))
    if faults:
        raise Refused(faults[:MOST])
    return found


def _misplaced(place: str, found: int, expected: int, before: str) -> Violation:
    if found < expected:
        return damaged(place, f"bytes that belong to {before}", "bytes of its own")
    allowed = "no byte that belongs to no member"
    return damaged(place, f"{found - expected} bytes after {before}", allowed)


def _placed(file: BinaryIO, member: Member, end: int) -> Placed:
    file.seek(member.start)
    text = file.read(_LOCAL.size)
    if len(text) < _LOCAL.size or not text.startswith(_LOCAL_MAGIC):
        raise Refused([damaged(member.place, "no header of its own")])
    _, needed, flags, method, _, _, crc, packed, size, name_length, extra_length = _LOCAL.unpack(
        text
    )
    name, extra = file.read(name_length), file.read(extra_length)
    data = member.start + _LOCAL.size + name_length + extra_length
    after = data + member.packed
    faults = version_violations(needed, member.place)
    faults += extra_violations(extra, member.place, wide=True)
    wide = None if faults else _wide_sizes(extra)
    if wide is not None and (packed, size) == (WIDE, WIDE):
        packed, size = wide
    described = bool(member.flags & DESCRIBED)
    sums = {(member.crc, member.packed, member.size), *([(0, 0, 0)] if described else [])}
    same = (name, flags, method) == (member.raw_name, member.flags, member.method)
    if not same or (crc, packed, size) not in sums:
        allowed = "the name, flags, method, checksum and sizes of the directory"
        faults.append(damaged(member.place, "a header of its own that says otherwise", allowed))
    if described:
        follows = _sums(member, wide is not None)
        file.seek(after)
        if file.read(len(follows)) != follows:
            found, allowed = "other sums after its data", "the sums of the directory"
            faults.append(damaged(member.place, found, allowed))
        after += len(follows)
    if after > end:
        faults.append(damaged(member.place, f"{after - end} bytes less than it says"))
        raise Refused(faults)
    return Placed(member, data, after, faults)


def _sums(member: Member, wide: bool) -> bytes:
    """What follows the data of a member that was written to a pipe."""
    layout = "<4sIQQ" if wide else "<4sIII"
    return struct.pack(layout, _DESCRIPTOR_MAGIC, member.crc, member.packed, member.size)


def _wide_sizes(extra: bytes) -> tuple[int, int] | None:
    """Packed and unpacked size of a zip64 field, as numpy writes one before each member."""
    at = 0
    while at < len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == ZIP64:
            size, packed = struct.unpack_from("<QQ", extra, at + 4)
            return packed, size
        at += 4 + length
    return None
