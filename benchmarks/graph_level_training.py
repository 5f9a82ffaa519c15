"""How quickly models of whole graphs train with oneDNN's products, beside torch's own.

    python benchmarks/graph_level_training.py [--data FOLDER] [--rounds 3] [--models GINE,PPGN]

One epoch of the thesis' recipe on MUTAG, validation included, one thread, medians of CPU seconds
of rounds in turns.  On a processor without AVX-512 both are torch's own.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import statistics
import time
from dataclasses import replace

import torch
from workloads.clock import machine

from grbcore.graphlevel import load
from grbcore.graphlevel.training import RECIPES, create, fit


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("GRB_DATA_DIR"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--models", default="GINE,ESAN,DropGINE,SignNet,PPGN")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    print(machine())
    dataset = load("mutag", data_dir=arguments.data)
    for name in arguments.models.split(","):
        recipe = replace(RECIPES["mutag"][name], epochs=1)
        model = create(name, dataset, seed=0, recipe=recipe)
        seconds: dict[bool, list[float]] = {True: [], False: []}
        for turn in range(-1, arguments.rounds):
            for enabled, kept in seconds.items():
                with torch.backends.mkldnn.flags(enabled=enabled):
                    started = time.process_time()
                    fit(model, dataset, recipe, seed=0)
                if turn >= 0:
                    kept.append(time.process_time() - started)
        quick, own = (statistics.median(seconds[enabled]) for enabled in (True, False))
        print(f"{name:10} {quick:8.2f} s, torch's own {own:8.2f} s: {own / quick:.2f} times")


if __name__ == "__main__":
    main()
