"""How many times the runs of a study two processes do, beside one, one thread each.

    python benchmarks/splits_workers.py [--splits 40] [--data-dir ../shared/data]

GCN on CiteSeer, five initialisations on each split, once with one process and once with two.
Counted is from the first job that ends to the last, so that starting the processes, a few seconds
however long a study is, is left out.  On a host that does something else at the same time the ratio
says little: the load is printed too.  Ends with 1 where the ratio is below 1.7.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from pathlib import Path

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grbcore.pitfalls.running import Job, Study, carry_out
from grbcore.pitfalls.store import Store

ENOUGH = 1.7


def rate(study: Study, jobs: int, data_dir: Path | None) -> float:
    """Runs a minute between the end of the first job and that of the last."""
    ends: list[float] = []

    def ended(job: Job, seconds: float) -> None:
        ends.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "runs.sqlite")
        carry_out(study, store, jobs=jobs, data_dir=data_dir, ended=ended)
    return 60 * study.inits * (len(ends) - 1) / (ends[-1] - ends[0])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--splits", type=int, default=40)
    parser.add_argument("--data-dir", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    study = Study(("citeseer",), ("GCN",), given.splits, 5)
    found = {jobs: rate(study, jobs, given.data_dir) for jobs in (1, 2)}
    for jobs, runs in found.items():
        print(f"{jobs} process{'es' if jobs > 1 else ''}: {runs:.1f} runs a minute")
    ratio = found[2] / found[1]
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"{ratio:.2f} times (at least {ENOUGH}), {load}")
    sys.exit(ratio < ENOUGH)


if __name__ == "__main__":
    main()
