"""A file that somebody may send, and what the service must say of it."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from grbcore.scenario import Side
from tests.grbcore.forging import npy, npz
from tests.grbcore.samples import D, N

INJECTION = "digits/injection@1"
MODIFICATION = "digits/modification@1"


@dataclass(frozen=True)
class Case:
    """One file: how it is made, and the codes of every violation it has, none where it is valid.

    ``late``: only its content is wrong, so the upload is taken and a worker rejects it.
    """

    name: str
    side: Side
    make: Callable[[], bytes]
    codes: frozenset[str]
    board: str = INJECTION
    late: bool = False

    @property
    def kind(self) -> str:
        return self.name.split(": ")[1]

    @property
    def valid(self) -> bool:
        return not self.codes


class Recipes:
    """The cases of one kind, under a common first name."""

    def __init__(self, kind: str, side: Side, *, board: str = INJECTION) -> None:
        self.kind, self.side, self.board = kind, side, board
        self.cases: list[Case] = []

    def add(
        self, name: str, make: Callable[[], bytes] | bytes, *codes: str, late: bool = False
    ) -> None:
        """One more; without a code it is valid."""
        data = make
        made = (lambda: data) if isinstance(data, bytes) else data
        full_name = f"{self.side}: {self.kind}: {name}"
        self.cases.append(Case(full_name, self.side, made, frozenset(codes), self.board, late))


EDGES = np.array([[N, N, N + 1], [0, 5, N]], np.int64)
FEATURES = np.full((2, D), 0.25, np.float32)

Members = Mapping[str, np.ndarray]


def attack(
    edges: Any = EDGES, features: Any = FEATURES, *, at: str = "full/0", **more: Any
) -> dict[str, np.ndarray]:
    """The members of a small attack, honest unless told otherwise; None leaves one out."""
    found = {f"{at}/edges": edges, f"{at}/features": features, **more}
    return {name: np.asarray(array) for name, array in found.items() if array is not None}


def packed(members: Members, method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """An archive as `np.savez_compressed` would write it."""
    return npz(((f"{name}.npy", npy(array)) for name, array in members.items()), method=method)


def honest(method: int = zipfile.ZIP_STORED) -> bytes:
    """An attack with two members, full/0/edges and full/0/features."""
    return packed(attack(), method)


def zeros(mebibytes: int) -> bytes:
    """So many MiB of zeros as a deflate stream, quickly made: about a kilobyte each."""
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    piece = stream.compress(bytes(1 << 20)) + stream.flush(zlib.Z_FULL_FLUSH)
    return piece * mebibytes + b"\x03\x00"


@dataclass
class Zip:
    """A zip archive byte by byte; every field may be told to lie."""

    body: bytes = b""
    directory: bytes = b""
    count: int = 0

    def add(
        self,
        name: str | bytes,
        data: bytes,
        *,
        raw: bytes | None = None,
        method: int = 0,
        local: Mapping[str, Any] | None = None,
        central: Mapping[str, Any] | None = None,
        after: bytes = b"",
        listed: bool = True,
        **both: Any,
    ) -> Zip:
        """One more member; ``raw`` is its packed data where it is not ``data`` itself."""
        text = name.encode() if isinstance(name, str) else name
        packed = data if raw is None else raw
        honest = {
            "flags": 0, "method": method, "crc": zlib.crc32(data), "packed": len(packed),
            "size": len(data), "name": text, "extra": b"", "comment": b"", "disk": 0,
            "attributes": 0o600 << 16, "start": len(self.body), "version": 20, "time": 0,
        }  # fmt: skip
        own = {**honest, **both, **(local or {})}
        said = {**honest, **both, **(central or {})}
        self.body += struct.pack(
            "<4s5H3I2H", b"PK\x03\x04", own["version"], own["flags"], own["method"], own["time"],
            33, own["crc"], own["packed"], own["size"], len(own["name"]), len(own["extra"]),
        )  # fmt: skip
        self.body += own["name"] + own["extra"] + packed + after
        if listed:
            self.directory += struct.pack(
                "<4s6H3I5H2I", b"PK\x01\x02", 3 << 8 | 20, said["version"], said["flags"],
                said["method"], said["time"], 33, said["crc"], said["packed"], said["size"],
                len(said["name"]), len(said["extra"]), len(said["comment"]), said["disk"], 0,
                said["attributes"], said["start"],
            )  # fmt: skip
            self.directory += said["name"] + said["extra"] + said["comment"]
            self.count += 1
        return self

    def end(self, **lies: Any) -> bytes:
        """The whole, with its end record."""
        true = {
            "disk": 0, "first": 0, "here": self.count, "count": self.count,
            "length": len(self.directory), "start": len(self.body), "comment": b"", "gap": b"",
        }  # fmt: skip
        said = {**true, **lies}
        record = struct.pack(
            "<4s4H2IH", b"PK\x05\x06", said["disk"], said["first"], said["here"], said["count"],
            said["length"], said["start"], len(said["comment"]),
        )  # fmt: skip
        return self.body + said["gap"] + self.directory + record + said["comment"]


EDGES_NPY, FEATURES_NPY = npy(EDGES), npy(FEATURES)


def two(**of_edges: Any) -> Zip:
    """An honest attack whose first member is told to lie."""
    return (
        Zip()
        .add("full/0/edges.npy", EDGES_NPY, **of_edges)
        .add("full/0/features.npy", FEATURES_NPY)
    )


def deflated(data: bytes) -> bytes:
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    return stream.compress(data) + stream.flush()


def sums(crc: int | None = None, *, sign: bytes = b"PK\x07\x08", wide: bool = False) -> bytes:
    """What follows the data of the first member when it is written to a pipe."""
    true = zlib.crc32(EDGES_NPY) if crc is None else crc
    return sign + struct.pack("<IQQ" if wide else "<III", true, len(EDGES_NPY), len(EDGES_NPY))


ABSENT = {"crc": 0, "packed": 0, "size": 0}
