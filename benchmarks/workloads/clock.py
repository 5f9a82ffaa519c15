"""Timing two sides in one run, in turn, and saying how many times quicker one is."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import torch


@dataclass(frozen=True)
class Comparison:
    """Median seconds of both sides, and what is asked of their ratio."""

    work: str
    ours: float
    reference: float
    floor: float
    aim: float
    peer: str  # what was measured on GRB's library elsewhere

    @property
    def ratio(self) -> float:
        return self.reference / self.ours

    def row(self) -> str:
        met = "aim" if self.ratio >= self.aim else "floor" if self.ratio >= self.floor else "no"
        return (
            f"| {self.work} | {span(self.ours)} | {span(self.reference)} | {self.ratio:.1f}× "
            f"| {self.floor:g}× | {self.aim:g}× | {met} | {self.peer} |"
        )


HEADING = (
    "| work | ours | reference | ratio | floor | aim | met | GRB's library |\n"
    "|---|---|---|---|---|---|---|---|"
)


def span(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 0.5 else f"{1e3 * seconds:.3g} ms"


def seconds(work: Callable[[], object]) -> float:
    """CPU seconds, which other processes disturb less than the clock's; for one thread alike."""
    started = time.process_time()
    work()
    return time.process_time() - started


def in_turn(
    ours: Callable[[], float], reference: Callable[[], float], rounds: int
) -> tuple[float, float]:
    """Median of what each side says it took, after one round that does not count."""
    taken = [(ours(), reference()) for _ in range(rounds + 1)][1:]
    mine, theirs = zip(*taken, strict=True)
    return statistics.median(mine), statistics.median(theirs)


def machine() -> str:
    model = platform.processor()
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            model = line.partition(":")[2].strip()
    load = os.getloadavg()[0]
    return (
        f"{model}, {os.cpu_count()} cores, load {load:.1f}, {torch.get_num_threads()} thread(s), "
        f"torch {torch.__version__}"
    )
