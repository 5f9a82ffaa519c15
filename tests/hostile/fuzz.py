"""Coverage-guided fuzzing of the readers of headers: ``python -m tests.hostile.fuzz TARGET …``.

Each target has one property: whatever the bytes are, our reader refuses them with violations, or
it finds exactly what the loader of numpy or of safetensors finds.  Any other exception, a
disagreement, an input that takes seconds and a process that grows beyond a gigabyte are findings.
Further arguments are libFuzzer's, such as ``-max_total_time=60`` and a folder of seeds.
"""

from __future__ import annotations

import io
import json
import struct
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(
    include=["grbcore.archive", "grbcore.tensors", "grbcore.strict_json", "grbcore.submission"]
):
    from grbcore.archive import ArchiveLimits, ArrayArchive
    from grbcore.archive.header import read_array_header
    from grbcore.submission import Scale, check_header
    from grbcore.tensors import read_header

import numpy as np
import safetensors

from grbcore import catalog
from grbcore.violations import CODES, Refused
from tests.hostile.cases import EDGES_NPY, Zip

LIMITS = ArchiveLimits(total=1 << 24)
BOARD = catalog.board("digits/injection@1")
SCALE = Scale(nodes=1797, edges=3884, features=64, classes=10)
NUMBERS = {
    "flags": 16, "method": 16, "crc": 32, "packed": 32, "size": 32, "start": 32, "attributes": 32,
}  # fmt: skip


def checked(refused: Refused) -> None:
    assert refused.violations
    for violation in refused.violations:
        assert violation.code in CODES
        assert violation.place
        assert violation.found
        assert violation.allowed
        json.dumps(violation.as_dict()).encode("utf-8")


def archive(data: bytes) -> None:
    """A whole archive: directory, members' own headers, headers of arrays, contents."""
    try:
        opened = ArrayArchive(io.BytesIO(data), LIMITS)
        ours = {name: opened.read(name) for name in opened.arrays}
    except Refused as refused:
        checked(refused)
        return
    with np.load(io.BytesIO(data), allow_pickle=False) as theirs:
        assert sorted(theirs.files) == sorted(ours)
        for name, array in ours.items():
            same(array, theirs[name])
    assert streamed(data) == {f"{name}.npy" for name in ours}


def streamed(data: bytes) -> set[str]:
    """The names that a reader finds that never looks at the directory."""
    found, at = set(), 0
    while data.startswith(b"PK\x03\x04", at):
        flags, packed, name, extra = struct.unpack("<6xH10xI4xHH", data[at : at + 30])
        found.add(data[at + 30 : at + 30 + name].decode())
        if flags & 8 or packed == 0xFFFFFFFF:  # it would have to unpack to find the end
            at = data.find(b"PK\x03\x04", at + 30 + name + extra)
            at = len(data) if at < 0 else at
            continue
        at += 30 + name + extra + packed
    return found


def layout(data: bytes) -> None:
    """An archive of two arrays, each of whose fields may be told to lie."""
    given = atheris.FuzzedDataProvider(data)
    made = Zip()
    for name, content in (("full/0/edges.npy", EDGES_NPY), ("b.npy", EDGES_NPY[:64])):
        lies: dict[str, dict[str, Any]] = {"local": {}, "central": {}, "both": {}}
        for _ in range(given.ConsumeIntInRange(0, 3)):
            where = given.PickValueInList(sorted(lies))
            field = given.PickValueInList(["extra", "name", *NUMBERS])
            if field in NUMBERS:
                bits = NUMBERS[field]
                lies[where][field] = given.PickValueInList(
                    [0, 1, 8, len(content), (1 << bits) - 1, given.ConsumeIntInRange(0, 1 << bits)]
                ) & ((1 << bits) - 1)
            else:
                lies[where][field] = given.ConsumeBytes(given.ConsumeIntInRange(0, 24))
        after = given.ConsumeBytes(given.PickValueInList([0, 0, 0, 12, 16, 24]))
        both = lies["both"]
        made.add(
            name, content, after=after, local=both | lies["local"], central=both | lies["central"]
        )
    end = {
        field: given.ConsumeIntInRange(0, 300)
        for field in ("count", "length", "start")
        if not given.ConsumeIntInRange(0, 7)
    }
    archive(made.end(**end))


def array(data: bytes) -> None:
    """One array: its header and its data."""
    try:
        found = read_array_header([data[:7], data[7:]], "a", len(data))
    except Refused as refused:
        checked(refused)
        return
    ours = np.frombuffer(data, np.dtype(found.dtype), offset=found.offset).reshape(found.shape)
    same(ours, np.lib.format.read_array(io.BytesIO(data), allow_pickle=False))


def planted(data: bytes) -> None:
    """A fault that is there to be found: arrays of booleans."""
    try:
        found = read_array_header([data], "a", len(data))
    except Refused:
        return
    assert found.dtype != "|b1", "planted"


def weights(data: bytes) -> None:
    """Weights as a whole."""
    try:
        ours = read_header(io.BytesIO(data))
    except Refused as refused:
        checked(refused)
        return
    theirs = dict(safetensors.deserialize(data))
    assert theirs.keys() == ours.tensors.keys()
    for name, tensor in ours.tensors.items():
        assert theirs[name]["dtype"] == tensor.dtype
        assert tuple(theirs[name]["shape"]) == tensor.shape
        there = bytes(theirs[name]["data"])
        assert there == data[ours.start + tensor.begin : ours.start + tensor.end]


def metadata(data: bytes) -> None:
    """The metadata of weights: architecture and parameters."""
    text = b'{"__metadata__":' + data + b"}"
    file = struct.pack("<Q", len(text)) + text
    found = check_header(io.BytesIO(file), side="defense", board=BOARD, scale=SCALE)
    if any(v.code not in ("tensor-missing", "work") for v in found.violations):
        checked(Refused(found.violations))
        return
    assert {v.code for v in found.violations} >= {"tensor-missing"}
    assert safetensors.deserialize(file) == []
    said = json.loads(data)
    assert set(said) >= {"format", "architecture", "parameters", "features"}


def same(ours: np.ndarray, theirs: np.ndarray) -> None:
    assert ours.dtype == theirs.dtype
    assert ours.shape == theirs.shape
    assert ours.tobytes() == theirs.tobytes()


TARGETS: dict[str, Callable[[bytes], None]] = {
    "archive": archive,
    "layout": layout,
    "array": array,
    "planted": planted,
    "weights": weights,
    "metadata": metadata,
}

WORDS = {
    "archive": ("PK\\x03\\x04", "PK\\x01\\x02", "PK\\x05\\x06", "PK\\x07\\x08", ".npy", "full/0/"),
    "layout": ("PK\\x07\\x08", "\\x01\\x00\\x10\\x00"),
    "array": ("\\x93NUMPY", "'descr'", "'fortran_order'", "'shape'", "False", "True", "'<f4'"),
    "planted": ("'|u1'", "'|b1'"),
    "weights": ("__metadata__", "dtype", "shape", "data_offsets", "F32", "I64", "[0,4]"),
    "metadata": ("architecture", "parameters", "features", "format", "GCN", "hidden", "NaN"),
}


def main(arguments: list[str]) -> None:
    name, folder, *rest = arguments
    words = Path(folder, "words")
    words.write_text("".join(f'"{word}"\n' for word in WORDS[name]))
    options = [f"-dict={words}", "-rss_limit_mb=1024", "-timeout=5", "-max_len=4096"]
    options += [f"-artifact_prefix={folder}/", "-print_final_stats=1"]
    atheris.Setup([sys.argv[0], *options, *rest, str(Path(folder, "seeds"))], TARGETS[name])
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
