"""An evaluator that obeys the protocol in milliseconds, and whose answers can be foretold.

Its arguments: a folder, in which the file ``computed`` gets the id of each cell that it computes,
and the seconds that it rests in each.
"""

from __future__ import annotations

import json
import os
import random
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The targets of digits, by difficulty.
TARGETS = {"easy": 179, "medium": 179, "hard": 179, "full": 537}
CLASSES = 10


def predictions(attack: bytes | None, defense: bytes, seed: int) -> dict[str, NDArray[np.int16]]:
    """What it writes: predictions that depend on both files and on the seed."""
    draw = random.Random(b"|".join([attack or b"clean", defense, str(seed).encode()]))
    carried = tuple(TARGETS) if attack is None else ("full",)
    return {
        f"{difficulty}/0": np.frombuffer(draw.randbytes(TARGETS[difficulty]), np.uint8).astype(
            np.int16
        )
        % CLASSES
        for difficulty in carried
    }


def say(**message: Any) -> None:
    sys.stdout.write(json.dumps(message) + "\n")
    sys.stdout.flush()


def main(folder: Path, seconds: float) -> None:
    say(ready=True, versions={"numpy": np.__version__}, device="quick")
    line = sys.stdin.readline()
    if not line:
        return
    request = json.loads(line)
    computed = os.open(folder / "computed", os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    for pair in request["pairs"]:
        time.sleep(seconds)
        attack = None if pair["attack"] is None else Path(pair["attack"]).read_bytes()
        arrays: dict[str, Any] = dict(
            predictions(attack, Path(pair["defense"]).read_bytes(), pair["seed"])
        )
        np.savez(Path(request["out"]) / f"{pair['cell']}.npz", **arrays)
        os.write(computed, f"{pair['cell']}\n".encode())
        say(cell=pair["cell"], seconds=seconds)
    say(finished=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]), float(sys.argv[2]))
