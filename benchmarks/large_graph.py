"""A graph of grb-aminer's size: CPU seconds of each kind of work, and the peak memory of all of it.

    python benchmarks/large_graph.py [--threads 1]

659,574 nodes, 2,878,577 undirected edges, 100 features, 18 classes, made at random; a GCN of three
layers, hidden 128.  Ends with an error where more than 4 GB were resident at once.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import numpy as np
import torch
from workloads.clock import machine
from workloads.synthetic import synthetic

from grbcore.architectures import ARCHITECTURES
from grbcore.attacks import balanced
from grbcore.attacks.features import Surrogate, sign_ascent
from grbcore.datasets import Dataset
from grbcore.evaluate import attacked_graphs, predictions
from grbcore.graph import Graph
from grbcore.models import Model, build
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget
from grbcore.training import fit

ALLOWED = 4.0  # GB


def peak() -> float:
    """GB resident at once, so far."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024 / 1e9


def tell(work: str, seconds: float) -> None:
    print(f"| {work} | {seconds:.2f} s | {peak():.2f} GB |", flush=True)


def train(model: Model, dataset: Dataset) -> None:
    ticks: list[float] = []
    started = time.process_time()
    fit(
        model,
        dataset,
        seed=0,
        mode="transductive",
        epochs=3,
        progress=lambda *_: ticks.append(time.process_time()),
    )
    tell("training epoch with its validation pass", float(np.median(np.diff(ticks))))
    tell("three epochs, preparation included", time.process_time() - started)


def attack(model: Model, dataset: Dataset) -> Injection:
    budget = InjectionBudget(1500, 100, -0.94, 0.94)
    targets, rng = dataset.targets["full"], np.random.default_rng(0)
    clean = Graph.from_dataset(dataset)
    edges = balanced(targets, clean.nodes, budget=budget, rng=rng)
    started = time.process_time()
    frozen = Surrogate(model, clean, targets)
    logits = frozen.logits(budget.nodes, edges)
    tell("injection, once per topology", time.process_time() - started)
    start = torch.zeros(budget.nodes, clean.features.shape[1])
    started = time.process_time()
    found = sign_ascent(logits, frozen.labels, start, budget=budget, steps=3, step_size=0.01)
    tell("injection step, 1,500 × 100", (time.process_time() - started) / 3)
    return Injection(found.numpy(), edges)


def evaluate(model: Model, dataset: Dataset, injection: Injection) -> None:
    started = time.process_time()
    clean = Graph.from_dataset(dataset)
    graphs = attacked_graphs(dataset, clean, {"full": [injection]}, features="normalised")
    predictions(dataset, clean, model, graphs)
    tell("evaluation of one attack, preparation included", time.process_time() - started)


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--threads", type=int, default=1)
    torch.set_num_threads(arguments.parse_args().threads)
    print(f"{machine()}\n\n| work | seconds | peak so far |\n|---|---|---|", flush=True)
    started = time.process_time()
    dataset = synthetic(659_574, 2_878_577, classes=18)
    tell("making the graph", time.process_time() - started)
    parameters = ARCHITECTURES["GCN"].parameters.model_validate({"hidden": [128, 128]})
    model = build("GCN", parameters, features=100, classes=18)
    train(model, dataset)
    evaluate(model, dataset, attack(model, dataset))
    if peak() > ALLOWED:
        sys.exit(f"peak memory: found {peak():.2f} GB, allowed: {ALLOWED} GB")


if __name__ == "__main__":
    main()
