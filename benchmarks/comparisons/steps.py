"""Steps of gradient attacks."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from reference import attacking
from reference.models import reference
from reference.sparse import injected
from torch import Tensor
from workloads.clock import Comparison, in_turn, seconds

from comparisons.ground import (
    LIMITS,
    WIDE,
    Ground,
    cora,
    large,
)
from grbcore.attacks import balanced
from grbcore.attacks.features import Logits, Surrogate, sign_ascent, smooth_ascent
from grbcore.models import Model
from grbcore.perturbation import Injection, Ints
from grbcore.scenario import InjectionBudget


@dataclass(frozen=True)
class Steps:
    """A gradient attack at full on one ground, on both sides."""

    ground: Ground
    hidden: list[int]
    nodes: int
    edges_per_node: int

    @functools.cached_property
    def budget(self) -> InjectionBudget:
        return InjectionBudget(self.nodes, self.edges_per_node, *LIMITS)

    @functools.cached_property
    def model(self) -> Model:
        return self.ground.model("GCN", self.hidden)

    @functools.cached_property
    def start(self) -> Tensor:
        width = int(self.ground.dataset.features.shape[1])
        drawn = np.random.default_rng(0).standard_normal((self.nodes, width)) / 10
        return torch.from_numpy(drawn.astype(np.float32))

    @functools.cached_property
    def edges(self) -> Ints:
        targets, rng = self.ground.dataset.targets["full"], np.random.default_rng(1)
        return balanced(targets, self.ground.clean.nodes, budget=self.budget, rng=rng)

    @functools.cached_property
    def frozen(self) -> Surrogate:
        return Surrogate(self.model, self.ground.clean, self.ground.dataset.targets["full"])

    @functools.cached_property
    def logits(self) -> Logits:
        return self.frozen.logits(self.nodes, self.edges)

    @functools.cached_property
    def plain(self) -> attacking.Attacked:
        other = reference(self.model)
        injection = Injection(self.start.numpy(), self.edges)
        adjacency = other.prepare(injected(self.ground.adjacency, injection))
        mask = torch.zeros(self.ground.clean.nodes, dtype=torch.bool)
        mask[self.frozen.targets] = True
        labels = torch.zeros(self.ground.clean.nodes, dtype=torch.int64)
        labels[self.frozen.targets] = self.frozen.labels
        return attacking.Attacked(other, adjacency, self.ground.clean.features, mask, labels)

    def sign(self, steps: int) -> Tensor:
        return sign_ascent(
            self.logits,
            self.frozen.labels,
            self.start,
            budget=self.budget,
            steps=steps,
            step_size=0.01,
        )

    def plain_sign(self, steps: int) -> Tensor:
        new = self.start
        for _ in range(steps):
            new = attacking.sign_step(self.plain, new, LIMITS)
        return new

    def smooth(self, steps: int) -> Tensor:
        return smooth_ascent(
            self.logits,
            self.frozen.labels,
            self.start,
            budget=self.budget,
            steps=steps,
            step_size=0.1,
        )

    def plain_smooth(self, steps: int) -> Tensor:
        angle = self.start.clone().requires_grad_()
        adam = torch.optim.Adam([angle], lr=0.1)
        for _ in range(steps):
            attacking.smooth_step(self.plain, angle, LIMITS[1], adam)
        return angle.detach().sin() * LIMITS[1]


def steps(rounds: int) -> Iterator[Comparison]:
    """One step of a gradient attack's features, what is done once per topology left out."""
    small, big = Steps(cora(), [64, 64, 64], 60, 20), Steps(large(), WIDE, 500, 100)
    for name, case, many, floor, aim, peer in (
        ("grb-cora", small, 20, 5.0, 10.0, "15.4 ms"),
        ("100k nodes", big, 2, 6.0, 12.0, "3.46 s"),
    ):
        agree = float(((case.sign(1) - case.plain_sign(1)).abs() < 1e-6).float().mean())
        assert agree > 0.999, agree
        assert float((case.smooth(2) - case.plain_smooth(2)).abs().mean()) < 1e-3
        for kind, ours, theirs in (
            ("FGSM/PGD", case.sign, case.plain_sign),
            ("TDGIA", case.smooth, case.plain_smooth),
        ):
            taken = in_turn(each(ours, many), each(theirs, many), rounds)
            work = f"{kind} feature step, {name}, {case.nodes} × {case.edges_per_node}"
            yield Comparison(work, *taken, floor, aim, peer)


def each(steps: Callable[[int], object], many: int) -> Callable[[], float]:
    """Seconds of one step of ``many``."""
    return lambda: seconds(lambda: steps(many)) / many
