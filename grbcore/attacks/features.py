"""Features of injected nodes by gradients on a surrogate, the edges being given."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional as F

from grbcore.attacks.harmony import Harmony, harmonious
from grbcore.attacks.live import Live
from grbcore.graph import Graph, join
from grbcore.models.layered import Layered
from grbcore.models.model import GraphModel, check_width
from grbcore.scenario import InjectionBudget

Ints = NDArray[np.int64]
Floats = NDArray[np.float32]


Logits = Callable[[Tensor], Tensor]

#: The share of features that may still be moving when an ascent along signs stops.
SETTLED = 0.02


class Surrogate:
    """A frozen copy of the attacker's model on one graph, with what never changes computed once."""

    def __init__(self, model: GraphModel, graph: Graph, targets: Ints) -> None:
        """Of a model for features as wide as the graph's.

        Raises:
            ValueError: it is for features of another width.
        """
        self.model = copy.deepcopy(model).eval().requires_grad_(False)
        check_width(self.model, graph.features)
        self.graph = graph
        self.targets = torch.tensor(targets, device=graph.device)
        with torch.no_grad():
            self.hidden = self.model.embed(graph.features)
            clean = self.model.propagate(graph.pattern, self.hidden)[self.targets]
        self.labels = clean.argmax(dim=1)  # (t,): the surrogate's own, never the test labels

    def logits(self, nodes: int, edges: Ints, placed: Tensor | None = None) -> Logits:
        """From the features of the last of ``nodes`` injected nodes to the targets' logits (t, c).

        ``edges`` (2, e) are all injected edges, ``placed`` (m, d) the features of the first m
        injected nodes, which are settled.
        """
        pattern = join(self.graph.pattern, nodes, edges)
        settled = self.hidden
        if placed is not None:
            with torch.no_grad():
                settled = torch.cat([settled, self.model.embed(placed)])
        if isinstance(self.model, Layered):
            first, end = settled.shape[0], self.graph.nodes + nodes
            moving = torch.arange(first, end, device=settled.device)
            hidden = torch.cat([settled, settled.new_zeros(end - first, settled.shape[1])])
            live = Live(self.model, pattern, hidden, moving, self.targets)
            return lambda features: live(self.model.embed(features))

        def of(features: Tensor) -> Tensor:
            hidden = torch.cat([settled, self.model.embed(features)])
            return self.model.propagate(pattern, hidden)[self.targets]

        return of


def sign_ascent(
    logits: Logits,
    labels: Tensor,
    start: Tensor,
    *,
    budget: InjectionBudget,
    steps: int,
    step_size: float,
    harmony: Harmony | None = None,
) -> Tensor:
    """Features (k, d) that raise the cross-entropy between ``logits(features)`` and ``labels``.

    From ``start`` (k, d), repeat ``x <- clip(x + step_size * sign(gradient))``, at most ``steps``
    times.  It stops once at most ``SETTLED`` of the features are elsewhere than two steps before:
    what still moves only swings about its best value.  With ``harmony`` the homophily of the
    injected nodes is raised too.
    Source: GRB, Appendix A.4.2 (FGSM, the iterative version, and PGD).
    """
    low, high = budget.feature_min, budget.feature_max
    x = start.clamp(low, high)
    before = torch.full_like(x, torch.inf)
    for _ in range(steps):
        leaf = x.clone().requires_grad_()
        found = logits(leaf)
        if harmony is None:
            loss = F.cross_entropy(found, labels)
        else:
            loss = harmony.losses(found, labels, leaf).mean()
        (gradient,) = torch.autograd.grad(loss, leaf)
        following = (x + step_size * gradient.sign()).clamp(low, high)
        moved = (following - before).abs() > step_size / 2
        if float(moved.float().mean()) <= SETTLED:
            break
        before, x = x, following
    return x


def smooth_ascent(
    logits: Logits,
    labels: Tensor,
    angle: Tensor,
    *,
    budget: InjectionBudget,
    steps: int,
    step_size: float,
    margin: float = 4.0,
    harmony: Harmony | None = None,
) -> Tensor:
    """Features (k, d) that minimise ``mean(relu(margin - cross_entropy)^2)``, by Adam.

    Targets whose loss exceeds the margin no longer count, so that the effort goes to those that
    still stand.  ``angle`` (k, d) is the start: a feature is the middle of the allowed range plus
    half its width times the sine of its angle.  It stops when the objective has not fallen by one
    percent in as many steps as take an angle from the middle of the range to a limit.
    Source: Zou et al., TDGIA (KDD 2021), smooth adversarial optimisation.  GRB's code: the sine
    times the upper limit, which breaks the lower one.  Here: both limits kept.
    """
    middle = (budget.feature_max + budget.feature_min) / 2
    half = (budget.feature_max - budget.feature_min) / 2
    angle = angle.clone().requires_grad_()
    optimiser = torch.optim.Adam([angle], lr=step_size, fused=True)
    patience = math.ceil(math.pi / 2 / step_size)
    lowest, fallen = float("inf"), 0
    for step in range(steps):
        optimiser.zero_grad()
        features = middle + half * angle.sin()
        found = logits(features)
        if harmony is None:
            loss = F.cross_entropy(found, labels, reduction="none")
        else:
            loss = harmony.losses(found, labels, features)
        objective = (margin - loss).relu().square().mean()
        if (value := float(objective.detach())) < 0.99 * lowest:
            lowest, fallen = value, step
        if lowest == 0 or step - fallen >= patience:
            break
        objective.backward()  # type: ignore[no-untyped-call]
        optimiser.step()
    features = middle + half * angle.detach().sin()
    return features.clamp(budget.feature_min, budget.feature_max)


def optimise_features(
    model: GraphModel,
    graph: Graph,
    targets: Ints,
    edges: Ints,
    start: Floats,
    *,
    budget: InjectionBudget,
    steps: int,
    step_size: float,
    harmony: float = 0.0,
) -> Floats:
    """Features (k, d) float32 by `sign_ascent` from ``start`` (k, d), on given ``edges`` (2, e).

    ``harmony`` weighs the homophily of the injected nodes; 0 leaves it out.
    """
    frozen = Surrogate(model, graph, targets)
    found = sign_ascent(
        frozen.logits(start.shape[0], edges),
        frozen.labels,
        torch.tensor(start, device=graph.device),
        budget=budget,
        steps=steps,
        step_size=step_size,
        harmony=harmonious(harmony, graph, start.shape[0], edges),
    )
    features: Floats = found.cpu().numpy()
    return features
