"""How the members of a board's file lie in it: a tar of the plainest kind.

A zip keeps its directory at the end, which must be held in memory to be read: gigabytes where a
board has a million results.  Here each member follows its own header, so a file of any size is
written and read in one pass.  Only what `write_member` writes is read: a header that differs from
the one that belongs to its name and size in any byte is refused, and with it links, folders, paths,
owners, extensions and sparse files.
"""

from __future__ import annotations

import hashlib
import os
import re
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import IO

BLOCK = 512
CHUNK = 1024 * 1024

#: The largest member that a header can tell of.
LARGEST = 8**11 - 1

#: What is told of a fault, in characters.
LONGEST_TEXT = 600

MANIFEST, SEAL = "manifest.json", "manifest.sha256"
SUBMISSIONS, CELLS = "submissions.jsonl", "cells.jsonl"
_BLOB = re.compile("blobs/([0-9a-f]{64})")
_END = bytes(2 * BLOCK)
_SIZE = slice(124, 135)


class Damaged(ValueError):
    """A file that is not what an export writes; the text says where, what and what is allowed."""

    def __init__(self, text: str) -> None:
        plain = "".join(c if c.isprintable() else repr(c)[1:-1] for c in text)
        super().__init__(plain if len(plain) <= LONGEST_TEXT else plain[:LONGEST_TEXT] + "…")


@dataclass(frozen=True, slots=True)
class Member:
    """A name, and the bytes of the file that belong to it."""

    name: str
    offset: int
    size: int

    @property
    def sha256(self) -> str | None:
        """The hash that a blob's name tells, or None where it is no blob."""
        found = _BLOB.fullmatch(self.name)
        return found[1] if found else None


def blob_name(sha256: str) -> str:
    """The member that holds the blob of this hash."""
    return f"blobs/{sha256}"


def sealed(manifest: bytes) -> bytes:
    """The second member: the hash of the first, as ``sha256sum`` writes and checks it."""
    return f"{hashlib.sha256(manifest).hexdigest()}  {MANIFEST}\n".encode()


def write_member(file: IO[bytes], name: str, size: int, chunks: Iterable[bytes]) -> None:
    """Append a member of exactly ``size`` bytes.

    Raises:
        ValueError: the chunks are more or fewer bytes, or more than a member can have.
    """
    file.write(_header(name, size))
    written = 0
    for chunk in chunks:
        file.write(chunk)
        written += len(chunk)
    if written != size:
        raise ValueError(f"{name}: found {written} bytes, allowed: the {size} that it should have")
    file.write(bytes(-size % BLOCK))


def write_end(file: IO[bytes]) -> None:
    """Append what tells a whole file from one that was cut short."""
    file.write(_END)


def members(file: IO[bytes]) -> Iterator[Member]:
    """Every member in its order; nothing of their content is read.

    Raises:
        Damaged: the file was cut short, or holds what no export writes.
    """
    end = file.seek(0, os.SEEK_END)
    at = 0
    while True:
        file.seek(at)
        block = file.read(BLOCK)
        if block == bytes(BLOCK):
            if file.read() != bytes(BLOCK):
                raise Damaged(f"byte {at}: found more after the end, allowed: nothing")
            return
        member = _read_header(block, at)
        at = member.offset + member.size + -member.size % BLOCK
        if at > end - len(_END):
            raise Damaged(
                f"{member.name}: found a file that ends at byte {end}, cut short, "
                f"allowed: {member.size} bytes from byte {member.offset} and an end"
            )
        yield member


def chunks(file: IO[bytes], member: Member) -> Iterator[bytes]:
    """The bytes of a member, a piece at a time."""
    at, left = member.offset, member.size
    while left:
        file.seek(at)  # somebody else may have read in between
        chunk = file.read(min(CHUNK, left))
        if not chunk:
            raise Damaged(f"{member.name}: found a file that became shorter, allowed: a whole one")
        at, left = at + len(chunk), left - len(chunk)
        yield chunk


def lines(file: IO[bytes], member: Member, longest: int) -> Iterator[bytes]:
    """The lines of a member without their ends, none longer than ``longest`` bytes."""
    rest = b""
    for chunk in chunks(file, member):
        *whole, rest = (rest + chunk).split(b"\n")
        yield from _short(whole, member, longest)
        _short([rest], member, longest)
    if rest:
        raise Damaged(f"{member.name}: found a last line without an end, allowed: whole lines")


def _short(found: list[bytes], member: Member, longest: int) -> list[bytes]:
    for line in found:
        if len(line) > longest:
            raise Damaged(
                f"{member.name}: found a line of more than {longest} bytes, allowed: shorter ones"
            )
    return found


def _header(name: str, size: int) -> bytes:
    if size > LARGEST:
        raise ValueError(f"{name}: found {size} bytes, allowed: at most {LARGEST}")
    made = tarfile.TarInfo(name)
    made.size = size
    return made.tobuf(tarfile.USTAR_FORMAT, "ascii", "strict")


def _read_header(block: bytes, at: int) -> Member:
    name = block[:100].rstrip(b"\0").decode("ascii", "replace")
    known = name in (MANIFEST, SEAL, SUBMISSIONS, CELLS) or _BLOB.fullmatch(name)
    digits = block[_SIZE]
    if len(block) == BLOCK and known and re.fullmatch(b"[0-7]{11}", digits):
        size = int(digits, 8)
        if _header(name, size) == block:
            return Member(name, at + BLOCK, size)
    found = f"a header that names {name[:80]!r}" if name.isprintable() and name else "other bytes"
    if len(block) < BLOCK:
        found = "the end of a file that was cut short"
    raise Damaged(f"byte {at}: found {found}, allowed: a member as grb board export writes it")
