"""The data of a member, counted and summed while it is unpacked."""

from __future__ import annotations

import zlib
from collections.abc import Iterator
from typing import BinaryIO

from grbcore.archive.directory import STORED, damaged
from grbcore.archive.layout import Placed
from grbcore.violations import Refused

_CHUNK = 64 * 1024


def unpacked(file: BinaryIO, placed: Placed) -> Iterator[bytes]:
    """The data of a member, piece by piece: no byte more than is declared.

    Raises:
        Refused: the data is damaged, or more or less than declared; told after the last piece.
    """
    member = placed.member
    at = member.place.removesuffix(".npy")
    crc = count = 0
    for piece in _stored(file, placed) if member.method == STORED else _inflated(file, placed):
        count += len(piece)
        if count > member.size:
            break
        crc = zlib.crc32(piece, crc)
        yield piece
    if count != member.size:
        more = " or more" if count > member.size else ""
        allowed = f"{member.size} bytes, as the directory says"
        raise Refused([damaged(at, f"{count} bytes{more}", allowed)])
    if crc != member.crc:
        raise Refused([damaged(at, "data with another checksum")])


def _stored(file: BinaryIO, placed: Placed) -> Iterator[bytes]:
    at, left = placed.data, placed.member.packed
    while left > 0:
        file.seek(at)
        piece = file.read(min(left, _CHUNK))
        if not piece:
            return
        at, left = at + len(piece), left - len(piece)
        yield piece


def _inflated(file: BinaryIO, placed: Placed) -> Iterator[bytes]:
    """At most one byte more than declared, of a stream that fills the member's bytes."""
    member, at, left = placed.member, placed.data, placed.member.packed
    stream = zlib.decompressobj(-zlib.MAX_WBITS)
    room, waiting, fed = member.size + 1, b"", True
    while fed and not stream.eof and room > 0:
        if not waiting and left > 0:
            file.seek(at)
            waiting = file.read(min(left, _CHUNK))
            at, left = at + len(waiting), left - len(waiting)
        fed = bool(waiting)
        try:
            piece = stream.decompress(waiting, min(room, _CHUNK))
        except zlib.error as error:
            found = f"data that can't be unpacked ({error})"
            raise Refused([damaged(member.place.removesuffix(".npy"), found)]) from None
        waiting = stream.unconsumed_tail
        room -= len(piece)
        if piece:
            fed = True
            yield piece
    if room > 0 and (not stream.eof or left > 0 or stream.unused_data):
        found = "a compressed stream " + ("that ends early" if stream.eof else "without an end")
        allowed = "one as long as the directory says"
        raise Refused([damaged(member.place.removesuffix(".npy"), found, allowed)])
