"""The learning rate of a gradient attack, found on a few graphs in two stages."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeVar

import numpy as np
import torch

from grbcore.graphlevel.attacks.attack import Case, torch_rng
from grbcore.graphlevel.attacks.gradient import Ascent
from grbcore.graphlevel.models.model import predict

Gradient = TypeVar("Gradient", bound=Ascent)

#: Exponents of ten around the attack's own rate, then of 1.9 around the best of those.
FIRST = (0.0, -0.5, 0.5, -1.0, 1.0, -1.5, 1.5, -2.0, 2.0, -2.5, 2.5, -3.0, 3.0)
SECOND = (-1, 1)


def with_best_rate(
    attack: Gradient, case: Case, *, rng: np.random.Generator, tried: int = 16
) -> Gradient:
    """The attack with the rate λ₀ whose mean target, on the model itself, is the highest.

    ``tried`` random graphs are attacked at each of 15 rates, always with the same random stream.
    Source: the thesis, section 4.4.3; the grid is its released code's.
    """
    graphs = len(case.graphs)
    part = case.part(rng.choice(graphs, min(tried, graphs), replace=False).tolist())
    seed = int(rng.integers(2**62))

    def mark(rate: float) -> float:
        stream = np.random.default_rng(seed)
        found = replace(attack, rate=rate)(part, rng=stream)
        changed = [changes.apply(graph) for changes, graph in zip(found, part.graphs, strict=True)]
        outputs = predict(part.model, changed, rng=torch_rng(stream))
        return float(part.target(outputs, torch.from_numpy(part.labels)).mean())

    marks = {rate: mark(rate) for rate in (attack.rate * 10**power for power in FIRST)}
    best = max(marks, key=lambda rate: marks[rate])
    marks |= {rate: mark(rate) for rate in (best * 1.9**power for power in SECOND)}
    return replace(attack, rate=max(marks, key=lambda rate: marks[rate]))
