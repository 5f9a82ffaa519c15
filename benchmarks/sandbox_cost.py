"""What the sandbox costs: children in each sandbox of this machine, beside children in none.

    python benchmarks/sandbox_cost.py [--rounds 5] [--batches 20]

In turn: the time until an evaluator is ready, of a batch of one clean cell of digits in it, the
shortest work that there is, and of a validation.  Medians, and ratios of them.
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from benchmarks.workloads.clock import machine
from grbcore import catalog, datasets
from grbcore.architectures import ARCHITECTURES
from grbcore.models import build, save
from grbcore.settings import SANDBOX_OFF, Settings
from worker import validation
from worker.child import Child, evaluator
from worker.limits import limits
from worker.sandbox import KINDS, Sandbox, choose, trouble_with

BOARD = "digits/injection@1"


class Bench:
    """One kind of children, and how long they took, in seconds."""

    def __init__(self, kind: str, folder: Path, defense: Path) -> None:
        self.kind = kind
        self.defense = defense
        self.settings = Settings(var_dir=folder / kind, data_dir=None, sandbox=kind)
        self.sandbox: Sandbox = choose(self.settings)
        self.limits = limits(self.settings, "cpu", 1)
        self.dataset = datasets.prepare_blind(
            "digits", cache=self.settings.prepared_dir, into=self.settings.blind_dir
        )
        self.times: dict[str, list[float]] = {"start": [], "batch": [], "validation": []}

    def round(self, batches: int) -> None:
        began = time.perf_counter()
        child = Child(
            evaluator(self.settings),
            self.settings,
            sandbox=self.sandbox,
            limits=self.limits,
            visible="",
            two_steps=True,
        )
        with closing(child):
            assert child.receive(120)["ready"] is True
            self.times["start"].append(time.perf_counter() - began)
            for _ in range(batches):
                self._batch(child)
        self._validation()

    def _batch(self, child: Child) -> None:
        began = time.perf_counter()
        pair = {"cell": "c", "attack": None, "defense": child.give(self.defense)}
        request = {"board": BOARD, "dataset": str(self.dataset), "out": str(child.scratch)}
        child.send(request | {"pairs": [pair]})
        assert "seconds" in child.receive(60)
        assert child.receive(60)["again"] is True
        assert child.rest()
        self.times["batch"].append(time.perf_counter() - began)

    def _validation(self) -> None:
        began = time.perf_counter()
        with closing(validation.start(self.settings, self.sandbox, self.limits)) as child:
            path = child.give(self.defense)
            request = {"path": path, "side": "defense", "board": BOARD}
            child.send(request | {"dataset": str(self.dataset)})
            assert child.receive(60) == {"violations": []}
            self.times["validation"].append(time.perf_counter() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--batches", type=int, default=20)
    options = parser.parse_args()
    print(machine())
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dataset = datasets.load(catalog.board(BOARD).dataset)
        parameters = ARCHITECTURES["GCN"].parameters.model_validate({"hidden": [64]})
        width = int(dataset.features.shape[1])
        save(
            folder / "defense",
            build("GCN", parameters, features=width, classes=dataset.classes, seed=0),
        )
        here = [kind for kind in KINDS if trouble_with(kind) is None]
        benches = [Bench(kind, folder, folder / "defense") for kind in (SANDBOX_OFF, *here)]
        for _ in range(options.rounds):
            for bench in benches:
                bench.round(options.batches)
        for what, without in benches[0].times.items():
            for bench in benches:
                found = statistics.median(bench.times[what])
                ratio = found / statistics.median(without)
                print(f"{what:12} {bench.kind:28} {found * 1000:8.1f} ms  {ratio:.2f}")


if __name__ == "__main__":
    main()
