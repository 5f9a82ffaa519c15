"""How many times the runs of a study two workers do, beside one, one thread each.

    python benchmarks/splits_workers.py [--splits 40] [--workers celery] [--data-dir ../shared/data]

GCN on CiteSeer, five initialisations on each split, once with one worker and once with two:
processes of this command, or with ``--workers celery`` `worker.studies` on GRB_BROKER_URL, a Redis
server that no other worker for studies is at.
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
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from subprocess import Popen

import torch

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grbcore.cli.celery_workers import splits_over_celery
from grbcore.pitfalls.running import Job, Study, carry_out
from grbcore.pitfalls.store import Store

ENOUGH = 1.7


@contextmanager
def workers(count: int, data_dir: Path | None) -> Iterator[None]:
    """So many workers for studies, which are ended afterwards."""
    place = {} if data_dir is None else {"GRB_DATA_DIR": str(data_dir)}
    command = [sys.executable, "-m", "worker.studies"]
    started = [Popen(command, env={**os.environ, **place}) for _ in range(count)]
    try:
        yield
    finally:
        for worker in started:
            worker.terminate()
        for worker in started:
            worker.wait()


def rate(study: Study, jobs: int, data_dir: Path | None, *, celery: bool) -> float:
    """Runs a minute between the end of the first job and that of the last."""
    ends: list[float] = []

    def ended(job: Job, seconds: float) -> None:
        ends.append(time.perf_counter())

    with tempfile.TemporaryDirectory() as folder:
        store = Store(Path(folder) / "runs.sqlite")
        if celery:
            with workers(jobs, data_dir):
                carry_out(
                    study, store, data_dir=data_dir, ended=ended, elsewhere=splits_over_celery
                )
        else:
            carry_out(study, store, jobs=jobs, data_dir=data_dir, ended=ended)
    return 60 * study.inits * (len(ends) - 1) / (ends[-1] - ends[0])


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--splits", type=int, default=40)
    parser.add_argument("--workers", choices=("local", "celery"), default="local")
    parser.add_argument("--data-dir", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    study = Study(("citeseer",), ("GCN",), given.splits, 5)
    celery = given.workers == "celery"
    found = {jobs: rate(study, jobs, given.data_dir, celery=celery) for jobs in (1, 2)}
    for jobs, runs in found.items():
        print(f"{jobs} worker{'s' if jobs > 1 else ''}: {runs:.1f} runs a minute")
    ratio = found[2] / found[1]
    load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores"
    print(f"{ratio:.2f} times (at least {ENOUGH}), {load}")
    sys.exit(ratio < ENOUGH)


if __name__ == "__main__":
    main()
