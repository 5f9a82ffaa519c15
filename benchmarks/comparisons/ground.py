"""The graphs that both sides work on."""

from __future__ import annotations

import functools
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import torch
from reference.models import reference
from reference.sparse import injected
from workloads.synthetic import synthetic

from grbcore import catalog, datasets
from grbcore.architectures import ARCHITECTURES
from grbcore.attacks import RND
from grbcore.datasets import Dataset
from grbcore.graph import Graph
from grbcore.models import Model, build
from grbcore.perturbation import Injection
from grbcore.scenario import InjectionBudget

CORA = "grb-cora/injection@1"
LIMITS = (-0.94, 0.94)
WIDE = [128, 128]  # three layers, hidden 128


@dataclass(frozen=True)
class Ground:
    """A dataset in both forms."""

    dataset: Dataset

    @functools.cached_property
    def clean(self) -> Graph:
        return Graph.from_dataset(self.dataset)

    @functools.cached_property
    def adjacency(self) -> sp.csr_matrix:
        data = np.ones(self.dataset.indices.shape[0])
        size = self.dataset.nodes
        return sp.csr_matrix((data, self.dataset.indices, self.dataset.indptr), shape=(size, size))

    def model(self, architecture: str, hidden: list[int], layer_norm: bool = False) -> Model:
        parameters = ARCHITECTURES[architecture].parameters.model_validate(
            {"hidden": hidden, "layer_norm": layer_norm}
        )
        width = int(self.dataset.features.shape[1])
        classes = self.dataset.classes
        return build(architecture, parameters, features=width, classes=classes).eval()


@functools.cache
def cora() -> Ground:
    return Ground(datasets.load(catalog.board(CORA).dataset))


@functools.cache
def large() -> Ground:
    return Ground(synthetic(100_000, 1_000_000, classes=10))


def large_injection(ground: Ground) -> Injection:
    """500 nodes of 100 edges on 30k targets."""
    rng = np.random.default_rng(0)
    budget = InjectionBudget(500, 100, *LIMITS)
    return RND()(None, ground.clean, ground.dataset.targets["full"], budget=budget, rng=rng)


def same_predictions(ground: Ground, models: list[Model], injection: Injection) -> None:
    """Both sides give the same logits, up to rounding."""
    graph = ground.clean.apply(injection)
    adjacency = injected(ground.adjacency, injection)
    with torch.no_grad():
        for model in models:
            plain = reference(model)
            found, expected = model(graph), plain(graph.features, plain.prepare(adjacency))
            assert float((found - expected).abs().max() / expected.abs().max()) < 1e-4
