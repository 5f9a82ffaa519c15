"""Every model and attack once on a sparse graph, with the peak memory of the process after each.

A process of its own: ``python -m tests.grbcore.peak`` prints a line for each, KiB beyond the start.
"""

from __future__ import annotations

import resource
import sys

import numpy as np
import torch
from torch.nn import functional as F

from grbcore.attacks import ATTACKS
from grbcore.graph import Graph
from grbcore.scenario import SCENARIOS, Budget, InjectionBudget, ModificationBudget
from grbcore.spmm import Pattern
from grbcore.testing import toy_dataset
from tests.grbcore.engine import NAMES, small

NODES, EDGES = 20_000, 60_000

#: Fewer steps of the same; what a step holds in memory does not change.
QUICK: dict[tuple[str, str], dict[str, object]] = {
    ("injection", "AGIA"): {"steps": 2, "edge_steps": 2},
    ("injection", "QuerySearch"): {"queries": 40_000},
    **{("injection", name): {"steps": 2} for name in ("FGSM", "PGD", "SPEIT", "TDGIA")},
    ("modification", "FGA"): {"batch": 50},
    ("modification", "NEA"): {"rank": 34},
    ("modification", "STACK"): {"rank": 10, "rounds": 1},
    ("modification", "PGD"): {"steps": 2},
    ("modification", "PRBCD"): {"steps": 3, "resampling": 2},
    ("modification", "GRBCD"): {"steps": 2},
    ("modification", "LRBCD"): {"steps": 3, "resampling": 2},
}


def ring() -> Pattern:
    """Each node joined to the three on either side: walks stay near, so few are followed far."""
    steps = np.array([-3, -2, -1, 1, 2, 3])
    col = np.sort((np.arange(NODES)[:, None] + steps) % NODES, axis=1)
    rowptr = np.arange(0, 6 * NODES + 1, 6)
    return Pattern(torch.from_numpy(rowptr), torch.from_numpy(col.ravel()))


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def tell(name: str, start: int) -> None:
    sys.stdout.write(f"{name}\t{peak() - start}\n")


def main() -> None:
    from grbcore.models import build

    dataset = toy_dataset(nodes=NODES, edges=EDGES, features=16)
    graph = Graph.from_dataset(dataset)
    labels = torch.from_numpy(dataset.labels)
    start = peak()
    for name in NAMES:
        model = build(name, small(name, hidden=(8, 4)), features=16, classes=3)
        pattern = ring() if name == "Soft-Median-GDC" else graph.pattern
        features = graph.features.clone().requires_grad_()
        weight = torch.ones(pattern.entries, requires_grad=True)
        for given in (None, weight):
            F.cross_entropy(model(Graph(pattern, features), given), labels).backward()
        tell(f"model {name}", start)
    model = build("GCN", small("GCN", hidden=(8, 4)), features=16, classes=3).eval()
    budgets: dict[str, Budget] = {
        "injection": InjectionBudget(30, 20, -1.0, 1.0),
        "modification": ModificationBudget(100),
    }
    for scenario in SCENARIOS:
        attacks = ATTACKS[scenario]
        for name, kind in attacks.items():
            attack = kind(**QUICK.get((scenario, name), {}))
            rng = np.random.default_rng(0)
            attack(model, graph, dataset.targets["full"], budget=budgets[scenario], rng=rng)
            tell(f"{scenario} {name}", start)


if __name__ == "__main__":
    main()
