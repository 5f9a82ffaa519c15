"""Projected gradient ascent on relaxed edges and features: AdjPGD and AttrPGD."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grbcore.graphlevel.attacks.attack import Case, torch_rng
from grbcore.graphlevel.attacks.finite import finite_gradients, moved, steady
from grbcore.graphlevel.attacks.sampling import Distribution, best_sample
from grbcore.graphlevel.attacks.spaces import Edges, Everything, Space
from grbcore.graphlevel.changes import Changes
from grbcore.graphlevel.models.frozen import frozen
from grbcore.graphlevel.random_changes import Values


@dataclass(frozen=True, slots=True)
class Ascent(ABC):
    """What both attacks share; many graphs at once, in order of their size.

    Step i goes by ``rate``·ε/√i along the gradient of the dense surrogate and is projected; then
    the best of ``samples`` draws on the sparse model is kept, and the best of ``repeats`` runs.
    Paper: repeated, the strongest counts.  Its plots average the repeats.  Here: the strongest.
    Abstract: see `space`.
    """

    rate: float = 0.1  # λ₀
    steps: int = 25
    samples: int = 250
    repeats: int = 3
    pairs: int = 16_384  # of nodes, padded, that are moved together; one graph at least

    def __call__(self, case: Case, *, rng: np.random.Generator) -> list[Changes]:
        """Changes of each graph; see `GraphAttack`."""
        case = replace(case, model=frozen(case.model))
        found = [Changes.empty()] * len(case.graphs)
        best = np.full(len(found), -np.inf)
        for ids in self._together([graph.n for graph in case.graphs]):
            part = case.part(ids)
            for _ in range(self.repeats):
                distributions = self.ascended(part, rng)
                changes, reached = best_sample(part, distributions, samples=self.samples, rng=rng)
                for g, change, value in zip(ids, changes, reached, strict=True):
                    if value > best[g]:
                        best[g], found[g] = value, change
        return found

    def _together(self, sizes: Sequence[int]) -> list[list[int]]:
        """Graphs by ascending size, those of one batch each."""
        found: list[list[int]] = []
        for g in sorted(range(len(sizes)), key=sizes.__getitem__):
            if not found or (len(found[-1]) + 1) * sizes[g] ** 2 > self.pairs:
                found.append([])
            found[-1].append(g)
        return found

    def unmoved(self, case: Case, *, rng: np.random.Generator) -> NDArray[np.bool_]:
        """Which graphs a first step leaves as they are (G,), up or down: there is no slope.

        That such a graph keeps its label under the attack is no robustness (Athalye et al., ICML
        2018, on masked gradients), unless nothing that may be changed counts for the model.
        """
        case = replace(case, model=frozen(case.model))
        found = np.ones(len(case.graphs), bool)
        for ids in self._together([graph.n for graph in case.graphs]):
            part = case.part(ids)
            space = self.space(part, rng)
            for rate in (self.rate, -self.rate):  # what leads out of the box one way is projected
                first = replace(self, rate=rate, steps=1)
                found[ids] &= ~moved(space.start, first._climbed(part, space, rng)).numpy()
        return found

    def ascended(self, case: Case, rng: np.random.Generator) -> list[Distribution]:
        """The distribution that each graph ends with."""
        space = self.space(case, rng)
        return space.distributions(self._climbed(case, space, rng))

    def _climbed(self, case: Case, space: Space, rng: np.random.Generator) -> tuple[Tensor, ...]:
        """The point that the steps end at."""
        model, noise = case.model, torch_rng(rng)
        truth, sizes = torch.from_numpy(case.labels), space.clean.sizes
        every = torch.arange(len(sizes))
        point, allowed = space.start, case.allowed()
        slopes, ids = point, every
        for step in range(1, self.steps + 1):
            if len(ids):

                def reached(*part: Tensor, ids: Tensor = ids) -> Tensor:
                    drawn = model.draw(int(sizes[ids].sum()), noise)
                    return case.target(model(space.batch(*part, ids=ids), drawn), truth[ids])

                own = tuple(part[ids] for part in point)
                found = finite_gradients(model, space.clean.mask[ids], reached, own, noise)
                slopes = tuple(
                    old.index_copy(0, ids, new) for old, new in zip(slopes, found, strict=True)
                )
            last, point = point, space.step(point, slopes, self.rate * allowed / step**0.5)
            if steady(model):  # a graph that stays where it is has the slopes that it had
                ids = every[moved(last, point)]
        return point

    @abstractmethod
    def space(self, case: Case, rng: np.random.Generator) -> Space:
        """What is moved."""


@dataclass(frozen=True, slots=True)
class AdjPGD(Ascent):
    """Flips edges.  Edges that are not there carry features drawn once from the graph's own.

    Source: the thesis, section 4.4; Xu et al. (IJCAI 2019).
    """

    def space(self, case: Case, rng: np.random.Generator) -> Space:
        return Edges.of(case, rng)


@dataclass(frozen=True, slots=True, kw_only=True)
class AttrPGD(Ascent):
    """Flips edges and changes features, to ``values`` only.  Source: the thesis, section 4.5."""

    values: Values
    rate: float = 1.0

    def space(self, case: Case, rng: np.random.Generator) -> Space:
        if not case.budget.attributes:
            raise ValueError("budget: found none of attributes, allowed: one with attributes")
        return Everything.of(case, self.values)
