"""The directory of a zip archive: what it says of each member, and what it may not say.

Source: PKWARE's APPNOTE 6.3.10, sections 4.3.12, 4.3.16 and 4.5.
"""

from __future__ import annotations

import stat
import struct
from dataclasses import dataclass
from typing import BinaryIO

from grbcore.violations import Refused, Violation

MAX_MEMBERS = 1_000
MAX_DIRECTORY = 1024 * 1024

STORED, DEFLATED = 0, 8

#: Bit 3 of the flags: checksum and sizes follow the data.
DESCRIBED = 0x0008
_ENCRYPTED, _UTF8 = 0x0001, 0x0800
_FLAGS = 0x0006 | DESCRIBED | _UTF8  # and how hard the packer tried

#: What stands for a size that a zip64 field gives, and the kind of that field.
WIDE, ZIP64 = 0xFFFFFFFF, 0x0001

#: Ten times the newest version of zip that Python's reader takes.
NEWEST = 63

#: Extra fields that change nothing of a member: times and owners, as zip and NTFS write them.
_HARMLESS = frozenset({0x000A, 0x5455, 0x5855, 0x7855, 0x7875})

_ENTRY = struct.Struct("<4s6H3I5H2I")
_END = struct.Struct("<4s4H2IH")
_ENTRY_MAGIC, _END_MAGIC, _LOCATOR_MAGIC = b"PK\x01\x02", b"PK\x05\x06", b"PK\x06\x07"


@dataclass(frozen=True, slots=True)
class Member:
    """One file of an archive, as its directory describes it."""

    name: str
    raw_name: bytes
    flags: int
    method: int
    crc: int
    packed: int  # bytes in the archive
    size: int  # bytes when unpacked
    start: int  # of its own header
    needed: int  # ten times the version of zip that unpacks it
    system: int  # that made it: 3 is Unix
    attributes: int
    extra: bytes
    comment: bytes

    @property
    def place(self) -> str:
        """Its name as an error message shows it."""
        return repr(self.name)[1:-1][:100]


def read_directory(file: BinaryIO) -> tuple[list[Member], int]:
    """The entries of the directory at the end of ``file``, and where it begins.

    Raises:
        Refused: there is none that can be read, or one that would take long to.
    """
    size = file.seek(0, 2)
    file.seek(max(0, size - 42))
    tail = file.read(42)
    end = tail[-_END.size :]
    if len(end) < _END.size or not end.startswith(_END_MAGIC) or end[-2:] != b"\0\0":
        found = "a zip archive without a directory at its end (cut short, or followed by more)"
        raise Refused([damaged("file", found)])
    if tail[: -_END.size].startswith(_LOCATOR_MAGIC):
        raise Refused([zip64("file")])
    _, disk, first_disk, here, count, length, start, _ = _END.unpack(end)
    if count > MAX_MEMBERS:
        allowed = f"at most {MAX_MEMBERS}"
        raise Refused([Violation("size", "file", f"{count} members", allowed)])
    if length > MAX_DIRECTORY:
        found, allowed = f"a directory of {length} bytes", f"at most {MAX_DIRECTORY} bytes"
        raise Refused([Violation("size", "file", found, allowed)])
    if (disk, first_disk, here) != (0, 0, count):
        raise Refused([damaged("file", "a part of an archive in several files")])
    if start + length + _END.size != size:
        found = f"a directory at bytes {start} to {start + length} of {size}"
        raise Refused([damaged("file", found, "a directory right before the end record")])
    file.seek(start)
    return _entries(file.read(length), count), start


def _entries(text: bytes, count: int) -> list[Member]:
    members: list[Member] = []
    at = 0
    for _ in range(count):
        if len(text) - at < _ENTRY.size or not text.startswith(_ENTRY_MAGIC, at):
            break
        _, made, needed, flags, method, _, _, crc, packed, size, *rest = _ENTRY.unpack_from(
            text, at
        )
        name, extra, comment, disk, _, attributes, start = rest
        at += _ENTRY.size
        if at + name + extra + comment > len(text) or disk != 0:
            break
        raw = text[at : at + name]
        members.append(
            Member(
                name=raw.decode("utf-8" if flags & _UTF8 else "cp437", "backslashreplace"),
                raw_name=raw,
                flags=flags,
                method=method,
                crc=crc,
                packed=packed,
                size=size,
                start=start,
                needed=needed,
                system=made >> 8,
                attributes=attributes,
                extra=text[at + name : at + name + extra],
                comment=text[at + name + extra : at + name + extra + comment],
            )
        )
        at += name + extra + comment
    if len(members) != count or at != len(text):
        found = f"a directory of {len(members)} entries in {at} bytes"
        raise Refused([damaged("file", found, f"{count} in {len(text)}, as the end record says")])
    return members


def entry_violations(member: Member) -> list[Violation]:
    """What is wrong with an entry in itself."""
    place, name, faults = member.place, member.name, []
    mode = stat.S_IFMT(member.attributes >> 16)
    special = member.system == 3 and mode not in (0, stat.S_IFREG)
    if (
        special
        or not {"\\", "\0"}.isdisjoint(name)
        or not {"", ".", ".."}.isdisjoint(name.split("/"))
    ):
        faults.append(Violation("member-name", place, "a path or folder", "plain members"))
    if member.flags & _ENCRYPTED:
        faults.append(Violation("member-encrypted", place, "encrypted", "not encrypted"))
    elif member.flags & ~_FLAGS:
        faults.append(damaged(place, f"unusual flags {member.flags:#06x}"))
    if member.method not in (STORED, DEFLATED):
        found = f"compression method {member.method}"
        faults.append(Violation("format", place, found, "stored or deflated"))
    wide = WIDE in (member.packed, member.size, member.start)
    if member.method == STORED and member.packed != member.size and not wide:
        found = f"{member.packed} bytes that are {member.size} when unpacked"
        faults.append(damaged(place, found, "as many, where nothing is compressed"))
    faults += version_violations(member.needed, place)
    if member.comment:
        faults.append(Violation("format", place, "a comment", "members without a comment"))
    if wide:
        faults.append(zip64(place))
    else:
        faults += extra_violations(member.extra, place, wide=False)
    return faults


def version_violations(needed: int, place: str) -> list[Violation]:
    """What is wrong with the version of zip that a member is said to need."""
    if needed <= NEWEST:
        return []
    found = f"version {needed / 10:g} of zip"
    return [Violation("format", place, found, f"up to {NEWEST / 10:g}")]


def extra_violations(extra: bytes, place: str, *, wide: bool) -> list[Violation]:
    """What is wrong with the extra fields of a member; ``wide``: whether one may be zip64's."""
    at = 0
    while at < len(extra):
        whole = len(extra) - at >= 4
        kind, length = struct.unpack_from("<HH", extra, at) if whole else (0, 0)
        at += 4 + length
        if at > len(extra):
            return [damaged(place, "an extra field that is cut short")]
        if kind == ZIP64 and not (wide and length == 16):
            return [zip64(place)]
        if kind != ZIP64 and kind not in _HARMLESS:
            found = f"an extra field of kind {kind:#06x}"
            return [Violation("format", place, found, "times and owners alone")]
    return []


def damaged(place: str, found: str, allowed: str = "an undamaged archive") -> Violation:
    """An archive that contradicts itself."""
    return Violation("damaged", place, found, allowed)


def zip64(place: str) -> Violation:
    """The layout for members beyond 4 GiB."""
    found = "a zip64 archive (torch.save writes such)"
    return Violation("format", place, found, "a plain .npz archive")
