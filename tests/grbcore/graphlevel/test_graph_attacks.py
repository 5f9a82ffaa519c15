"""Attacks on whole graphs: within their budget, repeatable, and as strong as they should be."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product
from math import comb

import numpy as np
import pytest
import torch

from grbcore.graphlevel import AttributedGraph, Changes, GraphBudget
from grbcore.graphlevel.attacks import (
    AdjPGD,
    AttrPGD,
    BruteForce,
    Case,
    Genetic,
    GraphAttack,
    Random,
    perturb,
    with_best_rate,
)
from grbcore.graphlevel.attacks.attack import torch_rng
from grbcore.graphlevel.attacks.sampling import Distribution
from grbcore.graphlevel.models import GraphLevelModel, predict
from grbcore.graphlevel.models.edits import edited_outputs
from grbcore.graphlevel.models.frozen import frozen
from grbcore.graphlevel.random_changes import KINDS, Values, random_changes
from grbcore.graphlevel.targets import Target
from tests.grbcore.graphlevel.samples import (
    ALL,
    random_graph,
    random_graphs,
    ring,
    small_model,
)

VALUES = Values(((0, 1, 2), (0, 1)), ((0, 1, 3),))
BINARY = Target("binary")
GRAPHS = random_graphs(4, 11)
LABELS = np.array([0, 1, 0, 1])
ATTACKS: dict[str, tuple[GraphAttack, bool]] = {
    **{f"random {kind}": (Random(VALUES, kind), kind in ("nodes", "edges")) for kind in KINDS},
    "AdjPGD": (AdjPGD(steps=4, samples=20, repeats=2), False),
    "AttrPGD": (AttrPGD(values=VALUES, steps=4, samples=20, repeats=1), True),
    "genetic": (Genetic(VALUES, population=8, generations=2), True),
    "genetic on edges": (Genetic(VALUES, population=8, generations=2), False),
}
BUDGETS = {"absolute": {"absolute": 2}, "relative": {"relative": 0.2}}


def target_of(model: GraphLevelModel, changes: list[Changes], seed: int = 0) -> np.ndarray:
    changed = [change.apply(graph) for change, graph in zip(changes, GRAPHS, strict=True)]
    outputs = predict(model, changed, rng=torch.Generator().manual_seed(seed))
    return BINARY(outputs, torch.from_numpy(LABELS)).numpy()


@pytest.mark.parametrize("kind", BUDGETS)
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_keeps_its_budget_and_gives_the_same_for_the_same_stream(
    name: str, kind: str
) -> None:
    attack, attributes = ATTACKS[name]
    budget = GraphBudget(**BUDGETS[kind], attributes=attributes)
    model = small_model("GINE")
    weights = [part.clone() for part in model.parameters()]
    runs = [
        perturb(
            attack,
            model,
            GRAPHS,
            LABELS,
            task="binary",
            budget=budget,
            rng=np.random.default_rng(3),
        )
        for _ in range(2)
    ]
    for one, two, graph in zip(*runs, GRAPHS, strict=True):
        assert one.apply(graph).same(two.apply(graph))
        assert budget.violations(one, graph) == []
    for before, after in zip(weights, model.parameters(), strict=True):
        assert torch.equal(before, after)


@pytest.mark.parametrize("name", ATTACKS)
def test_a_budget_of_nothing_changes_nothing(name: str) -> None:
    attack, attributes = ATTACKS[name]
    found = perturb(
        attack,
        small_model("GINE"),
        GRAPHS,
        LABELS,
        task="binary",
        budget=GraphBudget(absolute=0, attributes=attributes),
        rng=np.random.default_rng(0),
    )
    assert all(change.cost(graph) == (0, 0) for change, graph in zip(found, GRAPHS, strict=True))


@pytest.mark.parametrize("architecture", ALL)
@pytest.mark.parametrize("attributes", [False, True])
def test_gradient_attacks_never_leave_the_target_below_the_clean_one(
    architecture: str, attributes: bool
) -> None:
    model = small_model(architecture, hidden=8).float()
    attack: GraphAttack = (
        AttrPGD(values=VALUES, steps=3, samples=15, repeats=1)
        if attributes
        else AdjPGD(steps=3, samples=15, repeats=1)
    )
    budget = GraphBudget(absolute=2, attributes=attributes)
    found = perturb(
        attack, model, GRAPHS, LABELS, task="binary", budget=budget, rng=np.random.default_rng(1)
    )
    if not model.noise_width:
        clean = target_of(model, [Changes.empty()] * len(GRAPHS))
        assert bool((target_of(model, found) >= clean - 1e-5).all())
    assert len(found) == len(GRAPHS)


def exhaustive(graph: AttributedGraph, attributes: bool) -> list[AttributedGraph]:
    """Every graph at distance 1 by the definition of the threat model, one after another."""
    found = []
    there = {(int(u), int(v)): row for u, v, row in zip(*graph.edges, graph.values, strict=True)}
    for pair in combinations(range(graph.n), 2):
        others = [None, *[(v,) for v in VALUES.edges[0]]] if pair not in there else [None]
        for value in others:
            rows = dict(there)
            if pair in there:
                del rows[pair]
            elif value is not None:
                rows[pair] = np.array(value)
            else:
                continue
            found.append(rebuilt(graph.nodes, rows))
    if attributes:
        for pair, value in product(there, VALUES.edges[0]):
            found.append(rebuilt(graph.nodes, {**there, pair: np.array([value])}))
        for node, feature in product(range(graph.n), range(2)):
            for value in VALUES.nodes[feature]:
                nodes = graph.nodes.copy()
                nodes[node, feature] = value
                found.append(rebuilt(nodes, there))
    return found


def rebuilt(nodes: np.ndarray, rows: dict[tuple[int, int], np.ndarray]) -> AttributedGraph:
    pairs = np.array(list(rows), np.int64).reshape(-1, 2).T
    return AttributedGraph.of(nodes, pairs, np.array(list(rows.values())).reshape(-1, 1))


@pytest.mark.parametrize("architecture", ["GIN", "GINE", "meanGINE", "PPGN", "SignNet", "Bag"])
@pytest.mark.parametrize("attributes", [False, True])
def test_brute_force_is_exhaustive_search_and_tries_what_the_formula_says(
    architecture: str, attributes: bool
) -> None:
    model = small_model(architecture, hidden=8)
    graph = random_graph(np.random.default_rng(5), n=6)
    budget = GraphBudget(absolute=1, attributes=attributes)
    case = Case(model, [graph], np.array([1]), BINARY, budget)
    search = BruteForce(VALUES, at_once=17).search(case, rng=np.random.default_rng(0))[0]
    n, m, f_edges, f_nodes = graph.n, graph.m, 3, 3 + 2
    formula = m + f_edges * (comb(n, 2) - m)
    if attributes:
        formula = m + f_edges * comb(n, 2) + f_nodes * n
    everything = [graph, *exhaustive(graph, attributes)]
    outputs = predict(model, everything, rng=torch_rng(np.random.default_rng(0)))
    targets = BINARY(outputs, torch.ones(len(outputs)))
    assert search.tried == formula == len(everything) - 1
    assert search.target == pytest.approx(float(targets.max()), abs=1e-9)
    found = predict(model, [search.changes.apply(graph)], rng=torch.Generator())
    assert float(BINARY(found, torch.ones(1))) == pytest.approx(search.target, abs=1e-9)


@pytest.mark.parametrize("architecture", ["DropGINE", "ESAN"])
def test_brute_force_takes_stochastic_models_too(architecture: str) -> None:
    model = small_model(architecture, hidden=8).float()
    budget = GraphBudget(absolute=1, attributes=True)
    found = perturb(
        BruteForce(VALUES),
        model,
        GRAPHS[:1],
        LABELS[:1],
        task="binary",
        budget=budget,
        rng=np.random.default_rng(0),
    )
    assert sum(found[0].cost(GRAPHS[0])) == 1


def test_brute_force_of_another_budget_is_refused() -> None:
    with pytest.raises(ValueError, match="an absolute budget of 1"):
        case = Case(small_model("GIN"), GRAPHS, LABELS, BINARY, GraphBudget(absolute=2))
        BruteForce(VALUES)(case, rng=np.random.default_rng(0))


def gains(architecture: str, attack: GraphAttack, attributes: bool = False) -> np.ndarray:
    model = small_model(architecture).float()
    found = perturb(
        attack,
        model,
        GRAPHS,
        LABELS,
        task="binary",
        budget=GraphBudget(absolute=1, attributes=attributes),
        rng=np.random.default_rng(2),
    )
    return target_of(model, found) - target_of(model, [Changes.empty()] * len(GRAPHS))


@pytest.mark.parametrize("architecture", ["GIN", "meanGINE"])
def test_adjpgd_gains_most_of_what_brute_force_gains_and_no_more(architecture: str) -> None:
    """The specification's least share is 0.6; three repeats draw three completions of edges."""
    own = replace(VALUES, edges=((0, 1, 2, 3),))  # AdjPGD draws from all that the graph carries
    best = gains(architecture, BruteForce(own))
    found = gains(architecture, AdjPGD(rate=0.3))
    assert bool((found <= best + 1e-4).all())
    assert found.sum() >= 0.6 * best.sum()


@pytest.mark.parametrize("rate", [0.3, 300.0])
def test_an_ascent_that_computes_no_slope_twice_ends_where_the_whole_one_ends(rate: float) -> None:
    """At the larger rate all possible edges are clamped, and graphs stay where they are."""
    model = small_model("GINE")
    budget = GraphBudget(absolute=1, attributes=True)
    case = Case(model, GRAPHS, LABELS, BINARY, budget)
    attack = AttrPGD(values=VALUES, rate=rate, steps=6)
    space = attack.space(case, np.random.default_rng(0))
    every, point, stayed = torch.arange(len(GRAPHS)), space.start, 0
    for step in range(1, attack.steps + 1):
        leaves = tuple(part.detach().requires_grad_() for part in point)
        reached = BINARY(model(space.batch(*leaves, ids=every)), torch.from_numpy(LABELS))
        slopes = torch.autograd.grad(reached.sum(), leaves)
        last, point = point, space.step(point, slopes, rate * case.allowed() / step**0.5)
        stayed += sum(bool((new[0] == old[0]).all()) for old, new in zip(last, point, strict=True))
    assert stayed > 0 if rate > 1 else stayed < attack.steps * len(GRAPHS)
    found = attack.ascended(case, np.random.default_rng(0))
    for one, other in zip(found, space.distributions(point), strict=True):
        np.testing.assert_allclose(one.edges, other.edges, atol=1e-5)
        parts = ([*each.nodes, *each.values] for each in (one, other))
        for mine, theirs in zip(*parts, strict=True):
            np.testing.assert_allclose(mine, theirs, atol=1e-5)


@pytest.mark.parametrize("architecture", ["GIN", "GINE", "meanGINE"])
def test_what_is_said_of_many_draws_is_what_is_said_of_them_as_graphs(architecture: str) -> None:
    """Draws change edges, their values and nodes; more than are looked at together."""
    model, graph = frozen(small_model(architecture)), GRAPHS[1]
    pairs = graph.n * (graph.n - 1) // 2
    even = [np.full((graph.n, k), 1 / k) for k in (3, 2)]
    distribution = Distribution(graph, np.full(pairs, 0.3), even, [np.full((pairs, 4), 0.25)])
    draws = distribution.draw(80, np.random.default_rng(0))
    assert len(draws) > 70
    graphs = [draws.graph(row) for row in range(len(draws))]
    assert graphs[0].same(graph)
    expected = predict(model, graphs, rng=torch.Generator())
    torch.testing.assert_close(edited_outputs(model, draws.edits(model)), expected)
    costs = [sum(Changes.between(graph, other).cost(graph)) for other in graphs]
    assert draws.cost().tolist() == costs
    limit = int(np.median(costs))
    few = distribution.draw(80, np.random.default_rng(0), allowed=limit)
    assert len(few) == sum(cost <= limit for cost in costs) < len(costs)


def test_a_genetic_search_gains_no_more_than_brute_force_and_not_nothing() -> None:
    best = gains("GINE", BruteForce(VALUES), attributes=True)
    found = gains("GINE", Genetic(VALUES), attributes=True)
    assert bool((found <= best + 1e-4).all())
    assert found.sum() >= 0.5 * best.sum()


def test_the_best_of_the_rates_is_at_least_as_good_as_the_first() -> None:
    model = small_model("GINE").float()
    case = Case(model, GRAPHS, LABELS, BINARY, GraphBudget(absolute=1))
    start = AdjPGD(rate=1e-3, steps=3, samples=10, repeats=1)
    best = with_best_rate(start, case, rng=np.random.default_rng(0))
    assert best.rate > start.rate
    found = [
        target_of(model, attack(case, rng=np.random.default_rng(1))).mean()
        for attack in (start, best)
    ]
    assert found[1] > found[0]


def test_regression_is_attacked_both_ways_and_the_larger_error_kept() -> None:
    model = small_model("GIN")
    graphs = GRAPHS[:2]
    outputs = predict(model, graphs, rng=torch.Generator())[:, 0].numpy()
    attack, budget = BruteForce(VALUES), GraphBudget(absolute=1)
    reached = []
    for direction in ("up", "down"):
        case = Case(model, graphs, outputs, Target("regression", direction), budget)
        found = attack.search(case, rng=np.random.default_rng(0))
        sign = 1 if direction == "up" else -1
        reached.append([sign * search.target for search in found])
    found = perturb(
        attack,
        model,
        graphs,
        outputs,
        task="regression",
        budget=budget,
        rng=np.random.default_rng(0),
    )
    changed = [change.apply(graph) for change, graph in zip(found, graphs, strict=True)]
    after = predict(model, changed, rng=torch.Generator())[:, 0].numpy()
    errors = np.abs(after - outputs)
    either = np.abs(np.array(reached) - outputs)
    np.testing.assert_allclose(errors, either.max(0), atol=1e-6)
    assert bool((either.max(0) > either.min(0) + 1e-4).all())  # else it would show nothing


def test_the_margin_of_classes_is_above_nothing_where_another_class_wins() -> None:
    outputs = torch.tensor([[3.0, 1.0, 2.0], [3.0, 1.0, 2.0]])
    found = Target("multiclass")(outputs, torch.tensor([0, 2]))
    assert found.tolist() == [-1.0, 1.0]


@pytest.mark.parametrize("kind", KINDS)
def test_random_changes_are_exactly_as_many_as_asked_for(kind: str) -> None:
    graph = random_graph(np.random.default_rng(8), n=10)
    for seed in range(20):
        found = random_changes(graph, kind, 3, values=VALUES, rng=np.random.default_rng(seed))
        flips, values = found.cost(graph)
        expected = {"remove": (3, 0), "add": (3, 0), "rewire": (6, 0)}.get(kind, (0, 3))
        assert (flips, values) == expected
        changed = found.apply(graph)
        new = changed.values[~np.isin(changed.keys(), graph.keys())]
        assert np.isin(new, graph.values).all()


def test_a_rewired_edge_keeps_an_end_and_its_features() -> None:
    graph = ring(8)
    graph = AttributedGraph(graph.nodes, graph.edges, np.arange(8)[:, None])
    found = random_changes(graph, "rewire", 1, values=VALUES, rng=np.random.default_rng(0))
    (old, new) = found.flips.T
    assert len({*old.tolist()} & {*new.tolist()}) == 1
    gone = int(graph.values[graph.keys() == old[0] * 8 + old[1]][0, 0])
    assert found.edge_changes[3].tolist() == [gone]


def test_more_random_changes_than_there_is_room_for_are_as_many_as_there_is() -> None:
    graph = ring(4)
    found = random_changes(graph, "add", 9, values=VALUES, rng=np.random.default_rng(0))
    assert found.cost(graph) == (2, 0)


def test_draws_follow_their_chances() -> None:
    """Two nodes, one pair with a chance of 0.25, a feature with chances 0.5, 0.5, 0."""
    graph = AttributedGraph.of(np.zeros((2, 1)), np.zeros((2, 0)), np.zeros((0, 1)))
    chances = np.array([[0.5, 0.5, 0.0], [1.0, 0.0, 0.0]])
    distribution = Distribution(graph, np.array([0.25]), [chances], [np.ones((1, 1))])
    rng = np.random.default_rng(0)
    single = []
    for _ in range(2000):
        drawn = distribution.draw(1, rng)  # after the clean graph, unless it is that
        single.append(drawn.graph(len(drawn) - 1))
    assert np.mean([g.m for g in single]) == pytest.approx(0.25, abs=0.04)
    assert np.mean([g.nodes[0, 0] for g in single]) == pytest.approx(0.5, abs=0.05)
    assert {int(g.nodes[1, 0]) for g in single} == {0}
    assert len(distribution.draw(500, rng)) == 4
