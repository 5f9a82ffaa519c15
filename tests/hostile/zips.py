"""Archives that lie: bombs, overlaps, hidden bytes, and headers that contradict each other."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from tests.grbcore.forging import npy, npz
from tests.hostile.cases import (
    ABSENT,
    EDGES_NPY,
    FEATURES_NPY,
    Case,
    Recipes,
    Zip,
    deflated,
    honest,
    sums,
    two,
    zeros,
)

WIDE = struct.pack("<HHQQ", 1, 16, len(EDGES_NPY), len(EDGES_NPY))
UNICODE_PATH = struct.pack("<HHBI", 0x7075, 5 + 16, 1, zlib.crc32(b"full/0/edges.npy"))
TIMES = struct.pack("<HHBI", 0x5455, 5, 1, 0)
NTFS = struct.pack("<HHIHHQQQ", 0x000A, 32, 0, 1, 24, 0, 0, 0)


def layout() -> list[Case]:
    """What lies where: gaps, overlaps, several directories."""
    recipes = Recipes("layout", "attack")
    add = recipes.add
    add("honest, stored", honest)
    add("honest, deflated", lambda: honest(8))
    add("members in another order than the directory", _turned)
    add("bytes before the first member", lambda: b"PK\x03\x04" + bytes(60) + two().end(), "damaged")
    add("a program before the first member", lambda: b"\x7fELF" + two().end(), "format")
    add("bytes after the end", lambda: two().end() + b"\0", "damaged")
    add("an archive after an archive", lambda: two().end() + two().end(), "damaged")
    add("a comment", lambda: two().end(comment=b"hello"), "damaged")
    add(
        "a second end record in the comment",
        lambda: two().end(comment=two().end()[-22:]),
        "damaged",
    )
    add("bytes between two members", lambda: two(after=b"hidden").end(), "damaged")
    add("bytes before the directory", lambda: two().end(gap=b"hidden"), "damaged")
    add(
        "bytes before the directory that the record counts",
        lambda: two().end(gap=b"hidden", start=len(two().body) + 6),
        "damaged",
    )
    add("a member that the directory leaves out", lambda: two(listed=False).end(), "damaged")
    add("two members that share their bytes", _same_bytes, "damaged")
    add("a hundred members that share a bomb", _overlapping_bomb, "damaged")
    add("a member quoted by another, as Fifield's bomb", _quoted, "damaged")
    add("a member that reaches into the next", lambda: _longer(10), "damaged")
    add("a member that reaches past the directory", lambda: _longer(1 << 20), "damaged")
    add("a member of nothing but its directory entry", lambda: _moved(1 << 30), "damaged")
    add("a member inside the directory", lambda: _moved(len(two().body)), "damaged")
    add("a member at an odd place", lambda: _moved(1), "damaged")
    add("fewer members than the directory has", lambda: two().end(count=1, here=1), "damaged")
    add("more members than the directory has", lambda: two().end(count=3, here=3), "damaged")
    add("no members but a directory", lambda: two().end(count=0, here=0), "damaged")
    add("a directory shorter than said", lambda: two().end(length=10), "damaged")
    add("a directory longer than the file", lambda: two().end(length=1 << 19), "damaged")
    add("a directory of gigabytes", lambda: two().end(length=0xFFFFFFF0), "size")
    add("a directory elsewhere", lambda: two().end(start=0), "damaged")
    add("several disks", lambda: two().end(disk=1), "damaged")
    add("a directory on another disk", lambda: two().end(first=1), "damaged")
    add("some entries on another disk", lambda: two().end(here=1), "damaged")
    add("a member on another disk", lambda: two(central={"disk": 1}).end(), "damaged")
    add("65,535 members", lambda: two().end(count=65535, here=65535), "size")
    add("1,001 members", lambda: npz((f"{i}.npy", b"") for i in range(1001)), "size")
    add("a zip64 end record", _zip64_end, "format")
    add("a zip64 size in the directory", lambda: two(central={"size": 0xFFFFFFFF}).end(),
        "format", "ratio", "size")  # fmt: skip
    add("a zip64 field in the directory", lambda: two(central={"extra": WIDE}).end(), "format")
    add("an empty archive", lambda: Zip().end(), "member-missing")
    add("an end record alone, twice", lambda: Zip().end() * 2, "damaged")
    return recipes.cases


def _turned() -> bytes:
    archive = two()
    at = archive.directory.index(b"PK\x01\x02", 4)
    archive.directory = archive.directory[at:] + archive.directory[:at]
    return archive.end()


def _same_bytes() -> bytes:
    name = "full/0/features.npy"
    return (
        Zip()
        .add("full/0/edges.npy", EDGES_NPY)
        .add(name, FEATURES_NPY, central={"start": 0, "crc": 0, "packed": 0, "size": 0})
        .end()
    )


def _overlapping_bomb() -> bytes:
    raw = zeros(2)
    name = "full/0/edges.npy"
    archive = Zip().add(name, b"", raw=raw, method=8, size=150 * len(raw), crc=0)
    entry = archive.directory
    for number in range(99):
        other = f"full/0/edg{number:02}.npy".encode()
        archive.directory += entry.replace(name.encode(), other)
        archive.count += 1
    return archive.end()


def _quoted() -> bytes:
    """The first member's stream stores the second one's header as data and goes on."""
    inner = Zip().add("full/0/features.npy", FEATURES_NPY)
    archive = Zip().add("full/0/edges.npy", inner.body)
    start = len(archive.body) - len(inner.body)
    archive.directory += (
        inner.directory[: -4 - 19] + struct.pack("<I", start) + b"full/0/features.npy"
    )
    archive.count += 1
    return archive.end()


def _longer(more: int) -> bytes:
    return two(packed=len(EDGES_NPY) + more, size=len(EDGES_NPY) + more).end()


def _moved(start: int) -> bytes:
    return two(central={"start": start}).end()


def _zip64_end() -> bytes:
    data = two().end()
    return data[:-22] + struct.pack("<4sIQI", b"PK\x06\x07", 0, len(data), 1) + data[-22:]


def contradictions() -> list[Case]:
    """A member's own header against the directory."""
    recipes = Recipes("contradiction", "attack")
    add = recipes.add
    for field, value in (
        ("name", b"full/0/other.npy"), ("name", b"full/0/edges.npy\0"), ("name", b""),
        ("flags", 2), ("flags", 0x800), ("method", 8), ("crc", 1), ("packed", 1), ("size", 1),
        ("packed", 1 << 30), ("size", 0xFFFFFFFF),
    ):  # fmt: skip
        add(f"its own {field} is {value!r}", two(local={field: value}).end(), "damaged")
    add("another version and time", two(local={"version": 45, "time": 99}).end())
    add("its own zip64 field, as numpy writes", two(
        local={"extra": WIDE, "packed": 0xFFFFFFFF, "size": 0xFFFFFFFF}).end())  # fmt: skip
    add("its own zip64 field with other sizes", two(local={
        "extra": struct.pack("<HHQQ", 1, 16, 1, 1), "packed": 0xFFFFFFFF, "size": 0xFFFFFFFF,
    }).end(), "damaged")  # fmt: skip
    add("a zip64 field of another length", two(local={"extra": b"\1\0\x08\0" + bytes(8)}).end(),
        "format")  # fmt: skip
    add("an extra field that is cut short", two(local={"extra": b"\x55\x54\x09\0x"}).end(),
        "damaged")  # fmt: skip
    add("an extra field of three bytes", two(central={"extra": b"abc"}).end(), "damaged")
    add("another name in an extra field",
        two(extra=UNICODE_PATH + b"full/0/other.npy").end(), "format")  # fmt: skip
    add("an unknown extra field", two(extra=b"\xfe\xca\0\0").end(), "format")
    add("times", two(extra=TIMES).end())
    add("times of Windows", two(extra=NTFS).end())
    add("a comment of a member", two(central={"comment": b"x"}).end(), "format")
    add("a checksum that is wrong in both", two(crc=1).end(), "damaged", late=True)
    add("sums after the data", two(flags=8, local=ABSENT, after=sums()).end())
    add("sums after the data and before it", two(flags=8, after=sums()).end())
    add("sums after the data, wide, as numpy writes to a pipe", two(flags=8, local={
        **ABSENT, "extra": struct.pack("<HHQQ", 1, 16, 0, 0), "packed": 0xFFFFFFFF,
        "size": 0xFFFFFFFF}, after=sums(wide=True)).end())  # fmt: skip
    add("other sums after the data", two(flags=8, local=ABSENT, after=sums(1)).end(), "damaged")
    add("no sums after the data", two(flags=8, local=ABSENT).end(), "damaged")
    add("sums without their sign", two(flags=8, local=ABSENT, after=sums(sign=b"")).end(),
        "damaged")  # fmt: skip
    add("sums that nobody announced", two(after=sums()).end(), "damaged")
    for flag, name in ((1, "encrypted"), (0x41, "strongly encrypted"), (0x2001, "masked")):
        add(name, two(flags=flag).end(), "member-encrypted")
    for flag in (0x10, 0x20, 0x40, 0x2000, 0x8000):
        add(f"flag {flag:#x}", two(flags=flag).end(), "damaged")
    for version in (64, 112, 63 << 8 | 20, 65535):
        add(f"version {version} of zip", two(version=version).end(), "format")
        add(f"its own version is {version}", two(local={"version": version}).end(), "format")
    for method in (1, 6, 9, 12, 14, 93, 95, 97, 99):
        add(f"compression method {method}", two(method=method).end(), "format")
    return recipes.cases


def names() -> list[Case]:
    """What members may be called."""
    recipes = Recipes("name", "attack")
    for name in (
        "/etc/passwd.npy", "../edges.npy", "full/../../edges.npy", "full/./0/edges.npy",
        "full//0/edges.npy", "full\\0\\edges.npy", "", ".", "..", "full/", "full/0/edges.npy/",
        "full/0/edges.npy\0.txt", "C:\\edges.npy", "full/0/edges.NPY", "full/0/edges", "edges.npy",
        "full/0/edges.npy.npy", "full/0/edges .npy", "Full/0/edges.npy", "full/0/labels.npy",
        "full/0/features.npz", "full/0/x.pkl", "__MACOSX/._edges.npy", ".npy", "x" * 60_000,
        "full/\u0660/edges.npy", "full/0/\u202egdes.npy", "\x1b[2J.npy", "nul.npy", "a\nb.npy",
    ):  # fmt: skip
        flags = 0 if name.isascii() else 0x800
        made = two().add(name, EDGES_NPY, flags=flags).end()
        recipes.add(f"{name[:40]!r} beside honest members", made, "member-name")
    recipes.add("no UTF-8", two().add(b"full/0/\xff.npy", b"", flags=0x800).end(), "member-name")
    for mode, what in ((0o120777, "a link"), (0o040755, "a folder"), (0o020666, "a device")):
        made = two(central={"attributes": mode << 16}).end()
        recipes.add(f"{what} by its attributes", made, "member-name")
    for other in (EDGES_NPY, npy(np.zeros((2, 0), np.int64))):
        made = two().add("full/0/edges.npy", other).end()
        recipes.add(f"one name twice, {len(other)} bytes", made, "member-duplicate")
    return recipes.cases


def bombs() -> list[Case]:
    """Little that becomes much."""
    recipes = Recipes("bomb", "attack")
    add, name = recipes.add, "full/0/edges.npy"

    def lying(raw: bytes, size: int, **more: object) -> bytes:
        return Zip().add(name, b"", raw=raw, method=8, size=size, crc=0, **more).end()

    add("a gibibyte of zeros", lambda: lying(zeros(1024), 1 << 30), "ratio", "size")
    add("4 GiB less one", lambda: lying(zeros(16), 0xFFFFFFFE), "ratio", "size")
    add("compressed 1,000 times", lambda: lying(zeros(2), 2 << 20), "ratio")
    add("64 MiB that say they are 200 bytes", lambda: lying(zeros(64), 200), "damaged")
    add("64 MiB after an honest array", lambda: lying(
        deflated(EDGES_NPY)[:-2] + zeros(64), len(EDGES_NPY)), "damaged")  # fmt: skip
    add("64 MiB stored as one byte", lambda: two(packed=1, size=64 << 20).end(), "damaged", "ratio")
    add("many members below the ratio", lambda: npz(
        (f"full/{i}/edges.npy", b"\0" * 1_000_000) for i in range(300)), "size")  # fmt: skip
    add("a kilobyte that says it is 200 MiB", lambda: lying(bytes(1024), 200 << 20), "ratio")
    add("a megabyte of empty blocks", lambda: lying(b"\0\0\0\xff\xff" * 200_000, 100), "damaged")
    add("a stream without an end", lambda: two(raw=deflated(EDGES_NPY)[:-4], method=8).end(),
        "damaged", late=True)  # fmt: skip
    add("bytes behind the end of the stream",
        lambda: two(raw=deflated(EDGES_NPY) + b"hidden", method=8).end(),
        "damaged", late=True)  # fmt: skip
    add("a stream that is none", lambda: two(raw=b"\xff" * 50, method=8).end(), "damaged")
    add("more data than declared", lambda: two(
        raw=deflated(EDGES_NPY + b"x"), method=8).end(), "damaged")  # fmt: skip
    return recipes.cases


def cases() -> list[Case]:
    return layout() + contradictions() + names() + bombs()
