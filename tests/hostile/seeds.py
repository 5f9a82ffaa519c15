"""What fuzzing starts from: the small files of the corpus, taken apart where a target is a part."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from tests.grbcore.forging import header, npy, npy_saying
from tests.grbcore.samples import METADATA
from tests.hostile.cases import EDGES, FEATURES
from tests.hostile.corpus import corpus

MOST = 4096  # bytes of a seed


def seeds(target: str) -> list[bytes]:
    """The seeds of one target."""
    if target in ("array", "planted"):
        return [
            npy(EDGES),
            npy(FEATURES[0, :4]),
            *(npy_saying(header(EDGES.shape), EDGES.tobytes(), version=v) for v in (1, 2, 3)),
            npy_saying("{'shape':(2,),'fortran_order':True,'descr':'|u1'}\n", b"ab"),
        ]
    if target == "metadata":
        chosen = [
            {"GCN": '{"hidden": [8], "layer_norm": true}'},
            {"GAT": '{"hidden": [8], "heads": 4}'},
            {"APPNP": '{"hidden": [8], "alpha": 0.1, "hops": 3}'},
            {"RUNG": '{"hidden": [8], "gamma": 1e3}'},
        ]
        found = [
            {**METADATA, "architecture": name, "parameters": text}
            for one in chosen
            for name, text in one.items()
        ]
        return [json.dumps(one).encode() for one in (METADATA, {}, {"format": "pt"}, *found)]
    if target == "layout":
        return [b"\0" * 40, b"\xff" * 40, bytes(range(64))]
    side = "attack" if target == "archive" else "defense"
    made = (case.make() for case in corpus() if case.side == side and "cut" not in case.name)
    return [data for data in made if len(data) <= MOST]


def write(target: str, folder: Path) -> None:
    """Write the seeds of a target into ``folder``/seeds."""
    into = folder / "seeds"
    into.mkdir(parents=True, exist_ok=True)
    for seed in seeds(target):
        (into / hashlib.sha256(seed).hexdigest()[:16]).write_bytes(seed)
