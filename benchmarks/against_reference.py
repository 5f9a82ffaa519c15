"""Ours against a plain implementation of the same work, written as GRB's library does it.

    python benchmarks/against_reference.py [WORK ...] [--rounds 7]

Both sides in one run, in turn, one thread each, medians of CPU seconds, which on a quiet machine
are the seconds on the clock.  WORK is any of evaluation, steps,
topology, training; all where none is named.  Both sides start from what they keep in memory
(models, the clean graph in their own form) and are checked to find the same before they are timed.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import torch
from comparisons.evaluation import evaluation
from comparisons.learning import epochs
from comparisons.steps import steps
from comparisons.topology import topology
from workloads.clock import HEADING, machine

WORKS = {"evaluation": evaluation, "steps": steps, "topology": topology, "training": epochs}


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("works", nargs="*", choices=[*WORKS, []], default=[])
    arguments.add_argument("--rounds", type=int, default=7)
    given = arguments.parse_args()
    torch.set_num_threads(1)
    print(machine(), flush=True)
    print(HEADING)
    for name in given.works or WORKS:
        for comparison in WORKS[name](given.rounds):
            print(comparison.row(), flush=True)


if __name__ == "__main__":
    main()
