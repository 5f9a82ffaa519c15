"""The contracts of models and attacks as checks, for our own and for anybody's.

A new model or attack is one more row of a test that calls these::

    check_model(build("GCN", parameters, features=8, classes=3), toy_graph())
    check_attack(FGSM(steps=5), model, toy_graph(), targets, budget)

Each check raises AssertionError and says which promise is broken.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from grbcore.attacks.attack import InjectionAttack, ModificationAttack
from grbcore.datasets.dataset import Dataset
from grbcore.datasets.transform import FeatureTransform
from grbcore.graph import Graph, flip
from grbcore.models.model import GraphModel, Stochastic
from grbcore.perturbation import Injection, Modification
from grbcore.scenario import GraphShape, InjectionBudget, ModificationBudget
from grbcore.spmm import Pattern

Ints = NDArray[np.int64]


def toy_dataset(
    *, nodes: int = 60, edges: int = 120, features: int = 8, classes: int = 3, seed: int = 0
) -> Dataset:
    """A small random dataset with two isolated nodes, the last ones, both of them test nodes.

    Features depend on the labels, so that models learn something.
    """
    rng = np.random.default_rng(seed)
    ends = rng.integers(0, nodes - 2, (2, edges))
    ends = np.unique(np.sort(ends[:, ends[0] != ends[1]], axis=0), axis=1)
    row, col = np.concatenate([ends, ends[::-1]], axis=1)
    order = np.lexsort((col, row))
    indptr = np.concatenate([[0], np.cumsum(np.bincount(row, minlength=nodes))])
    labels = rng.integers(0, classes, nodes)
    labels[:classes] = np.arange(classes)
    raw = rng.standard_normal((nodes, features)) + rng.standard_normal((classes, features))[labels]
    transform = FeatureTransform.fit(raw)
    shuffled = rng.permutation(nodes - 2)
    test = np.sort(np.append(shuffled[: nodes // 3], [nodes - 2, nodes - 1]))
    easy, medium, hard = (np.sort(part) for part in np.array_split(rng.permutation(test), 3))
    return Dataset(
        name="toy",
        digest="0" * 64,
        indptr=indptr.astype(np.int64),
        indices=col[order].astype(np.int64),
        features=transform.normalise(raw),
        labels=labels.astype(np.int64),
        transform=transform,
        train=np.sort(shuffled[nodes // 3 : -nodes // 8]),
        val=np.sort(shuffled[-nodes // 8 :]),
        targets={"easy": easy, "medium": medium, "hard": hard, "full": test},
    )


def check_model(model: GraphModel, graph: Graph, *, tolerance: float = 1e-5) -> None:
    """Every promise of a model, in evaluation mode, on this graph."""
    model = model.eval()
    before = _copied(model)
    with torch.no_grad():
        logits = model(graph)
        split = model.propagate(graph.pattern, model.embed(graph.features))
        again = model(graph)
    assert bool(logits.isfinite().all()), "logits: found values that are not finite"
    torch.testing.assert_close(split, logits, rtol=0, atol=tolerance, msg="embed and propagate")
    assert torch.equal(again, logits), "a second pass: found other logits"
    if isinstance(model, Stochastic):
        check_equivariance_in_distribution(model, graph)
    else:
        check_equivariance(model, graph, tolerance=tolerance)
    check_edge_weight(model, graph, tolerance=tolerance)
    assert _equal(before, _copied(model)), "state: found it changed by a prediction"


def check_equivariance(model: GraphModel, graph: Graph, *, tolerance: float = 1e-5) -> None:
    """Renumbering the nodes renumbers the logits and does nothing else."""
    order = np.random.default_rng(0).permutation(graph.nodes)
    with torch.no_grad():
        expected, found = model(graph)[torch.from_numpy(order)], model(graph.subgraph(order))
    torch.testing.assert_close(found, expected, rtol=0, atol=tolerance, msg="renumbered nodes")


def check_equivariance_in_distribution(
    model: GraphModel, graph: Graph, *, seeds: int = 50, errors: float = 6.0
) -> None:
    """As `check_equivariance`, of a stochastic model's mean probabilities over ``seeds`` seeds.

    They may differ by ``errors`` standard errors: by chance one in 500 million does.
    """
    assert isinstance(model, Stochastic)
    before = model.seed
    order = np.random.default_rng(0).permutation(graph.nodes)
    renumbered = graph.subgraph(order)
    drawn = []
    with torch.no_grad():
        for seed in range(seeds):
            model.seed = seed
            drawn.append((model(graph)[torch.from_numpy(order)], model(renumbered)))
    model.seed = before
    expected, found = (torch.stack(one).softmax(dim=2) for one in zip(*drawn, strict=True))
    allowed = errors * ((expected.var(dim=0) + found.var(dim=0)) / seeds).sqrt() + 1e-5
    apart = (expected.mean(dim=0) - found.mean(dim=0)).abs()
    assert bool((apart <= allowed).all()), "renumbered nodes: found another distribution"


def check_edge_weight(model: GraphModel, graph: Graph, *, tolerance: float = 1e-5) -> None:
    """Weights of 1 change nothing, a weight of 0 removes its edge, and gradients flow.

    The gradient may be zero everywhere only where the model gives the same without any edges.
    """
    weight = torch.ones(graph.pattern.entries, device=graph.device, requires_grad=True)
    weighted = model(graph, weight)
    with torch.no_grad():
        plain = model(graph)
    torch.testing.assert_close(weighted, plain, rtol=0, atol=tolerance, msg="weights of 1")
    scale = torch.linspace(1, 2, weighted.numel(), device=graph.device).view_as(weighted)
    (gradient,) = torch.autograd.grad((weighted * scale).sum(), weight)
    assert bool(gradient.isfinite().all()), "gradient: found values that are not finite"
    if not bool((gradient != 0).any()):
        with torch.no_grad():
            alone = model(Graph(Pattern(graph.rowptr * 0, graph.col[:0]), graph.features))
        assert torch.equal(alone, plain), "gradient: found zero everywhere, though edges matter"
    first = int(graph.pattern.row[0]), int(graph.col[0])
    with torch.no_grad():
        cut = weight.detach().clone()
        cut[_places(graph.pattern, first)] = 0
        removed = Graph(flip(graph.pattern, np.array(first)[:, None]), graph.features)
        torch.testing.assert_close(
            model(graph, cut), model(removed), rtol=0, atol=tolerance, msg="a weight of 0"
        )


def check_attack(
    attack: InjectionAttack,
    model: GraphModel | None,
    graph: Graph,
    targets: Ints,
    budget: InjectionBudget,
    *,
    seed: int = 0,
) -> Injection:
    """Every promise of an injection attack, with this budget; gives what it injected."""
    before = None if model is None else _copied(model)
    mode = None if model is None else model.training
    features, wanted = graph.features.clone(), targets.copy()
    found = attack(model, graph, targets, budget=budget, rng=np.random.default_rng(seed))
    shape = GraphShape(graph.nodes, int(graph.features.shape[1]))
    faults = budget.violations(found, shape)
    assert not faults, f"budget: {'; '.join(map(str, faults))}"
    assert not np.isnan(found.features).any(), "features: found NaN"
    reached = found.edges[found.edges < graph.nodes]
    assert np.isin(reached, targets).all(), "edges: found ends that are no targets"
    assert torch.equal(features, graph.features), "graph: found it changed"
    assert np.array_equal(wanted, targets), "targets: found them changed"
    if model is not None and before is not None:
        assert _equal(before, _copied(model)), "model: found its weights changed"
        assert model.training == mode, "model: found its mode changed"
    again = attack(model, graph, targets, budget=budget, rng=np.random.default_rng(seed))
    assert found.digest() == again.digest(), "the same rng: found another injection"
    if min(budget.nodes, budget.edges_per_node, targets.shape[0]) == 0:
        assert found.nodes == 0, "nothing to do: found injected nodes"
    return found


def check_modification_attack(
    attack: ModificationAttack,
    model: GraphModel | None,
    graph: Graph,
    targets: Ints,
    budget: ModificationBudget,
    *,
    seed: int = 0,
) -> Modification:
    """Every promise of a modification attack, with this budget; gives what it flipped."""
    before = None if model is None else _copied(model)
    mode = None if model is None else model.training
    features, wanted = graph.features.clone(), targets.copy()
    rowptr, col = graph.rowptr.clone(), graph.col.clone()
    found = attack(model, graph, targets, budget=budget, rng=np.random.default_rng(seed))
    shape = GraphShape(graph.nodes, int(graph.features.shape[1]), targets)
    faults = budget.violations(found, shape)
    assert not faults, f"budget: {'; '.join(map(str, faults))}"
    assert torch.equal(features, graph.features), "graph: found its features changed"
    assert torch.equal(rowptr, graph.rowptr) and torch.equal(col, graph.col), (
        "graph: found its edges changed"
    )
    assert np.array_equal(wanted, targets), "targets: found them changed"
    if model is not None and before is not None:
        assert _equal(before, _copied(model)), "model: found its weights changed"
        assert model.training == mode, "model: found its mode changed"
    again = attack(model, graph, targets, budget=budget, rng=np.random.default_rng(seed))
    assert found.digest() == again.digest(), "the same rng: found another modification"
    if min(budget.flips, targets.shape[0]) == 0:
        assert found.flips.shape[1] == 0, "nothing to do: found flips"
    return found


def _places(pattern: Pattern, pair: tuple[int, int]) -> torch.Tensor:
    low, high = pair
    forward = (pattern.row == low) & (pattern.col == high)
    return forward | ((pattern.row == high) & (pattern.col == low))


def _copied(model: GraphModel) -> dict[str, Any]:
    return {name: tensor.clone() for name, tensor in model.state_dict().items()}


def _equal(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return one.keys() == other.keys() and all(torch.equal(one[k], other[k]) for k in one)
