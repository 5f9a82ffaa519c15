"""Coverage-guided fuzzing of the readers of headers: ``python -m tests.hostile.fuzz TARGET …``.

Each target has one property: whatever the bytes are, our reader refuses them with violations, or
it finds exactly what the loader of numpy or of safetensors finds.  Any other exception, a
disagreement, an input that takes seconds and a process that grows beyond a gigabyte are findings.
Further arguments are libFuzzer's, such as ``-max_total_time=60`` and a folder of seeds.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import atheris

with atheris.instrument_imports(
    include=["grbcore.archive", "grbcore.tensors", "grbcore.strict_json", "grbcore.submission"]
):
    from tests.hostile import agreement
    from tests.hostile.cases import EDGES_NPY, Zip

from grbcore.archive.header import read_array_header
from grbcore.violations import Refused

NUMBERS = {
    "flags": 16, "method": 16, "crc": 32, "packed": 32, "size": 32, "start": 32, "attributes": 32,
}  # fmt: skip


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
    agreement.archive(made.end(**end))


def planted(data: bytes) -> None:
    """A fault that is there to be found: arrays of booleans."""
    try:
        found = read_array_header([data], "a", len(data))
    except Refused:
        return
    assert found.dtype != "|b1", "planted"


TARGETS: dict[str, Callable[[bytes], Any]] = {
    "archive": agreement.archive,
    "layout": layout,
    "array": agreement.array,
    "planted": planted,
    "weights": agreement.weights,
    "metadata": agreement.metadata,
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
    target = TARGETS[name]

    def once(data: bytes) -> None:
        target(data)

    atheris.Setup([sys.argv[0], *options, *rest, str(Path(folder, "seeds"))], once)
    atheris.Fuzz()


if __name__ == "__main__":
    main(sys.argv[1:])
