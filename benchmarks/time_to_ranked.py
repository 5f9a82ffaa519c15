"""Seconds from the 202 answer to ``ranked``, on an idle service with the starter set registered.

    python benchmarks/time_to_ranked.py [BOARD] [FOLDER]

Starts the embedded service in a folder of its own (kept and used again where one is given, so that
the baselines are made once), then submits three defenses and three attacks one after another.
GRB_DATA_DIR must hold the data of boards other than digits.
"""

from __future__ import annotations

import statistics
import sys
import tempfile
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from tests.e2e.stack import Stack, embedded, wait_for

TRIES = 3


def measure(stack: Stack, board: str, side: str, path: Path, **fields: str) -> float:
    submission = stack.submit(path, board=board, side=side, **fields)
    started = time.perf_counter()

    def ranked() -> bool:
        state = stack.get(f"/submissions/{submission}")["state"]
        assert state not in ("failed", "rejected"), state
        return bool(state == "ranked")

    wait_for("ranked", ranked, 300)
    return time.perf_counter() - started


def main() -> None:
    board = sys.argv[1] if len(sys.argv) > 1 else "digits/injection@1"
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(sys.argv[2] if len(sys.argv) > 2 else temporary).absolute()
        folder.mkdir(parents=True, exist_ok=True)
        with embedded(folder, "--no-prepare") as stack:
            stack.token = stack.token or stack.grb("admin", "token").stdout.strip()
            started = time.perf_counter()
            stack.grb("baselines", board)
            print(f"{board}: baselines ranked after {time.perf_counter() - started:.1f} s")
            seconds: dict[str, list[float]] = {"defense": [], "attack": []}
            for attempt in range(TRIES):
                seed = str(time.time_ns() % 10**9)
                defense, attack = folder / "own.safetensors", folder / "own.npz"
                stack.grb("train", board, "--seed", seed, "--epochs", "50", "--out", str(defense))
                stack.grb(
                    *("attack", board, "--surrogate", str(defense), "--seed", seed),
                    *("--steps", "20", "--step-size", "0.1", "--out", str(attack)),
                )
                time.sleep(3)  # the worker is idle again
                name = f"own {attempt}"
                seconds["defense"].append(measure(stack, board, "defense", defense, name=name))
                time.sleep(3)
                seconds["attack"].append(
                    measure(stack, board, "attack", attack, name=name, family="FGSM")
                )
        for side, values in seconds.items():
            listed = ", ".join(f"{value:.2f}" for value in values)
            print(f"{board}: {side}: median {statistics.median(values):.2f} s ({listed})")


if __name__ == "__main__":
    main()
