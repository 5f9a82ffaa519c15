"""One property of each reader: it refuses, or it finds what another library's loader finds."""

from __future__ import annotations

import io
import json
import struct
import zlib

import numpy as np
import safetensors

from grbcore import catalog
from grbcore.archive import ArchiveLimits, ArrayArchive
from grbcore.archive.header import read_array_header
from grbcore.submission import Scale, check_header
from grbcore.tensors import read_header
from grbcore.violations import CODES, Refused

LIMITS = ArchiveLimits(total=1 << 24)
BOARD = catalog.board("digits/injection@1")
SCALE = Scale(nodes=1797, edges=3884, features=64, classes=10)


def checked(refused: Refused) -> None:
    assert refused.violations
    for violation in refused.violations:
        assert violation.code in CODES
        assert violation.place
        assert violation.found
        assert violation.allowed
        json.dumps(violation.as_dict()).encode("utf-8")


def archive(data: bytes) -> bool:
    """A whole archive: directory, members' own headers, headers of arrays, contents."""
    try:
        opened = ArrayArchive(io.BytesIO(data), LIMITS)
        ours = {name: opened.read(name) for name in opened.arrays}
    except Refused as refused:
        checked(refused)
        return False
    with np.load(io.BytesIO(data), allow_pickle=False) as theirs:
        assert sorted(theirs.files) == sorted(ours)
        for name, array in ours.items():
            same(array, theirs[name])
    assert streamed(data) == {f"{name}.npy" for name in ours}
    return True


def streamed(data: bytes) -> set[str]:
    """The names that a reader finds that never looks at the directory."""
    found, at = set(), 0
    while data.startswith(b"PK\x03\x04", at):
        head = struct.unpack("<6xHH4xII4xHH", data[at : at + 30])
        flags, method, _, packed, name, extra = head
        found.add(data[at + 30 : at + 30 + name].decode())
        at += 30 + name + extra
        if method == 8:  # its data says where it ends
            stream = zlib.decompressobj(-15)
            content = stream.decompress(data[at:])
            packed = len(data) - at - len(stream.unused_data)
            assert stream.eof
            at += packed
            at += sums(data, at, content, packed) if flags & 8 else 0
        elif flags & 8:  # the first sums that are right say where it ends
            packed, length = next(
                (n - at, length)
                for n in range(at, len(data))
                if (length := sums(data, n, data[at:n], n - at))
            )
            at += packed + length
        elif packed == 0xFFFFFFFF:
            fields = data[at - extra : at]
            while not fields.startswith(b"\x01\0"):  # zip64's: size, then packed size
                fields = fields[4 + int.from_bytes(fields[2:4], "little") :]
            at += int.from_bytes(fields[12:20], "little")
        else:
            at += packed
    return found


def sums(data: bytes, at: int, content: bytes, packed: int) -> int:
    """How many bytes are the sums of a member, which may follow its data; 0: they don't."""
    if not data.startswith(b"PK\x07\x08", at):
        return 0
    for layout in ("<QQ", "<II"):
        text = struct.pack("<I", zlib.crc32(content)) + struct.pack(layout, packed, len(content))
        if data.startswith(text, at + 4):
            return 4 + len(text)
    return 0


def array(data: bytes) -> bool:
    """One array: its header and its data."""
    try:
        found = read_array_header([data[:7], data[7:]], "a", len(data))
    except Refused as refused:
        checked(refused)
        return False
    ours = np.frombuffer(data, np.dtype(found.dtype), offset=found.offset).reshape(found.shape)
    same(ours, np.lib.format.read_array(io.BytesIO(data), allow_pickle=False))
    return True


def weights(data: bytes) -> bool:
    """Weights as a whole."""
    try:
        ours = read_header(io.BytesIO(data))
    except Refused as refused:
        checked(refused)
        return False
    theirs = dict(safetensors.deserialize(data))
    assert theirs.keys() == ours.tensors.keys()
    for name, tensor in ours.tensors.items():
        assert theirs[name]["dtype"] == tensor.dtype
        assert tuple(theirs[name]["shape"]) == tensor.shape
        there = bytes(theirs[name]["data"])
        assert there == data[ours.start + tensor.begin : ours.start + tensor.end]
    return True


def metadata(data: bytes) -> bool:
    """The metadata of weights: architecture and parameters."""
    text = b'{"__metadata__":' + data + b"}"
    file = struct.pack("<Q", len(text)) + text
    found = check_header(io.BytesIO(file), side="defense", board=BOARD, scale=SCALE)
    if any(v.code not in ("tensor-missing", "work") for v in found.violations):
        checked(Refused(found.violations))
        return False
    assert {v.code for v in found.violations} >= {"tensor-missing"}
    assert safetensors.deserialize(file) == []
    said = json.loads(data)
    assert set(said) >= {"format", "architecture", "parameters", "features"}
    return True


def same(ours: np.ndarray, theirs: np.ndarray) -> None:
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    assert ours.tobytes() == theirs.tobytes()
