"""How long the intervals of a large board take: the computation a worker does beside evaluation.

    OMP_NUM_THREADS=1 python benchmarks/interval_speed.py [--entries 200] [--repeats 10]

A board of 200 attacks and 200 defenses, 10 repeats, the targets of grb-cora at four difficulties,
hits made up and held packed in memory.  Measured from there to the intervals of all scores and
ranks of both sides: over 12 references of each side with 2,000 draws, and over all with 200 draws,
in two threads.  Ends with 1 where the first takes over 10 s or the second over 30 s.
"""

from __future__ import annotations

import argparse
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grbcore.intervals.hits import Kept
from grbcore.leaderboard import Arena
from grbcore.results import CLEAN
from grbcore.scenario import DIFFICULTIES, SIDES, Difficulty, Side
from grbcore.store.intervals import Pair, Plan
from worker.interval_job import measure

TARGETS: dict[Difficulty, int] = {"easy": 268, "medium": 268, "hard": 268, "full": 804}
REFERENCES = 12
ALLOWED = {"reference": 10.0, "all": 30.0}


def board(entries: int, repeats: int) -> tuple[tuple[str, ...], tuple[str, ...], dict]:
    """The ids of both sides, and hits of every cell."""
    rng = np.random.default_rng(0)
    attacks = tuple(f"A{place}" for place in range(entries))
    defenses = tuple(f"D{place}" for place in range(entries))

    def cell(count: int) -> dict[Difficulty, Kept]:
        return {
            name: Kept(targets, np.packbits(rng.random((count, targets)) < 0.7, axis=1))
            for name, targets in TARGETS.items()
        }

    hits = {(CLEAN, defense): cell(1) for defense in defenses}
    hits |= {(attack, defense): cell(repeats) for attack in attacks for defense in defenses}
    return attacks, defenses, hits


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--entries", type=int, default=200)
    parser.add_argument("--repeats", type=int, default=10)
    arguments = parser.parse_args()
    attacks, defenses, hits = board(arguments.entries, arguments.repeats)
    slow = False
    for view in ("reference", "all"):
        most = REFERENCES if view == "reference" else len(attacks)
        arena = Arena(arguments.repeats, attacks, defenses, defenses[:most], attacks[:most])
        known: dict[Pair, str | None] = dict.fromkeys(hits)
        plan = Plan(1, "0" * 16, arena, known)
        used = plan.needed("attack") | plan.needed("defense")
        plan = Plan(1, "0" * 16, arena, {pair: None for pair in used})
        loaded = {pair: hits[pair] for pair in used}
        begun, processor = time.perf_counter(), time.process_time()
        slices = [(side, difficulty) for side in SIDES for difficulty in DIFFICULTIES]

        def one(chosen: tuple[Side, Difficulty], plan: Plan = plan, loaded: dict = loaded) -> int:
            return len(measure(plan, loaded, *chosen))

        with ThreadPoolExecutor(2) as threads:
            found = sum(threads.map(one, slices))
        seconds = time.perf_counter() - begun
        print(
            f"{view}: {len(used)} cells, {plan.draws} draws, {found} intervals in {seconds:.1f} s, "
            f"{time.process_time() - processor:.1f} s of processors (at most {ALLOWED[view]:g} s)",
            flush=True,
        )
        slow |= seconds > ALLOWED[view]
    return int(slow)


if __name__ == "__main__":
    sys.exit(main())
