"""Defenses since GRB, against dense arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from grbcore.architectures import (
    ARCHITECTURES,
    PolynomialParameters,
    RUNGParameters,
    SoftMedianParameters,
)
from grbcore.graph import Graph, flip
from grbcore.models import GPRGNN, RUNG, EvenNet, SoftMedianGDC, build
from grbcore.models.pagerank import pagerank
from grbcore.models.places import Places, product, squared_distances
from grbcore.models.soft_median import diffused, soft_median
from grbcore.spmm import Pattern, normalise
from grbcore.testing import toy_dataset
from tests.grbcore.engine import TOY_GRAPH, toy_model

BIG = Graph.from_dataset(toy_dataset(nodes=300, edges=600))
NAMES = ("GPRGNN", "EvenNet", "RUNG", "Soft-Median-GDC")


def dense(graph: Graph) -> Tensor:
    """The adjacency matrix (n, n), float64."""
    matrix = torch.zeros(graph.nodes, graph.nodes, dtype=torch.float64)
    matrix[graph.pattern.row, graph.col] = 1
    return matrix


def scaled(matrix: Tensor) -> Tensor:
    """``D^-1/2 A D^-1/2``, rows of zeros left as they are."""
    degree = matrix.sum(dim=1)
    scale = torch.where(degree > 0, degree, 1).rsqrt()
    return scale[:, None] * matrix * scale


def looped(graph: Graph) -> Tensor:
    return dense(graph) + torch.eye(graph.nodes, dtype=torch.float64)


def perceptron(model: nn.Module, features: Tensor) -> Tensor:
    first, second, third = model.linears  # type: ignore[misc]
    return third(torch.relu(second(torch.relu(first(features))))).double()


def logits(model: nn.Module, graph: Graph) -> Tensor:
    with torch.no_grad():
        found: Tensor = model.eval()(graph)
    return found.double()


def test_gprgnn_is_its_polynomial_of_the_looped_adjacency() -> None:
    model = toy_model("GPRGNN")
    assert isinstance(model, GPRGNN)
    nn.init.normal_(model.gammas)
    power, matrix = perceptron(model, TOY_GRAPH.features), scaled(looped(TOY_GRAPH))
    expected = torch.zeros_like(power)
    for gamma in model.gammas:
        expected, power = expected + gamma.double() * power, matrix @ power
    torch.testing.assert_close(logits(model, TOY_GRAPH), expected, rtol=0, atol=1e-5)


def test_gprgnn_starts_from_personalised_pagerank() -> None:
    """0.1 · 0.9^k for k = 0..9, and 0.9^10 = 0.34868 last: they sum to one."""
    model = toy_model("GPRGNN")
    assert isinstance(model, GPRGNN)
    expected = [0.1 * 0.9**k for k in range(10)] + [0.9**10]
    assert model.gammas.tolist() == pytest.approx(expected)
    assert float(model.gammas.detach().sum()) == pytest.approx(1)


def test_evennet_is_its_polynomial_of_the_adjacency_squared() -> None:
    model = toy_model("EvenNet")
    assert isinstance(model, EvenNet)
    nn.init.normal_(model.gammas)
    power, matrix = perceptron(model, TOY_GRAPH.features), scaled(dense(TOY_GRAPH))
    expected = torch.zeros_like(power)
    for gamma in model.gammas:
        expected, power = expected + gamma.double() * power, matrix @ matrix @ power
    torch.testing.assert_close(logits(model, TOY_GRAPH), expected, rtol=0, atol=1e-5)


def test_evennet_does_not_see_odd_hops() -> None:
    """Two nodes and one edge: the other node's features change nothing, its absence neither."""
    pair = Graph(Pattern(torch.tensor([0, 1, 2]), torch.tensor([1, 0])), torch.rand(2, 8))
    other = Graph(pair.pattern, torch.stack([pair.features[0], 5 + pair.features[1]]))
    model = toy_model("EvenNet")
    assert isinstance(model, EvenNet)
    torch.testing.assert_close(logits(model, pair)[0], logits(model, other)[0], rtol=0, atol=1e-6)


def test_evennet_starts_from_the_even_terms_of_pagerank() -> None:
    model = toy_model("EvenNet")
    assert isinstance(model, EvenNet)
    assert model.gammas.tolist() == pytest.approx([0.1 * 0.9 ** (2 * k) for k in range(6)])


def rung(model: RUNG, graph: Graph, gamma: float) -> Tensor:
    """Equation 8 with dense matrices."""
    matrix = looped(graph)
    degree, normalised = matrix.sum(dim=1), scaled(matrix)
    first = hidden = perceptron(model, graph.features)
    skip = 1 / 0.9 - 1
    for _ in range(10):
        shared = hidden / degree.sqrt()[:, None]
        gap = ((shared[:, None] - shared[None]).square().sum(dim=2) + 0.01).sqrt()
        kept = (1 / (2 * gap) - 1 / (2 * gamma)).clamp(min=0).fill_diagonal_(0)
        curvature = (kept * matrix).sum(dim=1) / degree + skip
        hidden = ((kept * normalised) @ hidden + skip * first) / curvature[:, None]
    return hidden


@pytest.mark.parametrize("gamma", [0.3, 3.0])
def test_rung_is_its_ten_unrolled_steps(gamma: float) -> None:
    parameters = RUNGParameters(hidden=[5, 4], gamma=gamma)
    model = build("RUNG", parameters, features=8, classes=3)
    assert isinstance(model, RUNG)
    expected = rung(model, TOY_GRAPH, gamma)
    torch.testing.assert_close(logits(model, TOY_GRAPH), expected, rtol=0, atol=1e-5)


def test_rung_cuts_edges_between_nodes_that_differ_by_more_than_gamma() -> None:
    """gamma at most 0.1 is below sqrt(0.01), the smallest softened difference: all edges go."""
    parameters = RUNGParameters(hidden=[5, 4], gamma=0.1)
    model = build("RUNG", parameters, features=8, classes=3)
    assert isinstance(model, RUNG)
    expected = perceptron(model, TOY_GRAPH.features)
    torch.testing.assert_close(logits(model, TOY_GRAPH), expected, rtol=0, atol=1e-5)


def exact(graph: Graph) -> Tensor:
    """``0.15 (I - 0.85 N)^-1``, by inversion."""
    eye = torch.eye(graph.nodes, dtype=torch.float64)
    return 0.15 * torch.linalg.inv(eye - 0.85 * scaled(looped(graph)))


def ranked(
    graph: Graph, neighbours: int, tolerance: float, values: Tensor | None = None
) -> tuple[Places, Tensor]:
    values = normalise(graph.pattern) if values is None else values
    return pagerank(
        graph.pattern.looped.pattern, values, teleport=0.15, neighbours=neighbours,
        tolerance=tolerance,
    )  # fmt: skip


def filled(places: Places, values: Tensor) -> Tensor:
    matrix = torch.zeros(places.pattern.size, places.pattern.size, dtype=torch.float64)
    matrix[places.pattern.row, places.pattern.col] = values.double()
    return matrix


def test_pagerank_of_all_nodes_is_the_inverse() -> None:
    places, values = ranked(TOY_GRAPH, 60, 1e-12)
    torch.testing.assert_close(filled(places, values), exact(TOY_GRAPH), rtol=0, atol=1e-6)


def test_pagerank_keeps_the_largest_entries_of_each_row() -> None:
    places, values = ranked(BIG, 10, 1e-12)
    matrix = exact(BIG)
    limit = matrix.topk(11, dim=1).values[:, -1:]
    expected = torch.where(matrix > limit * (1 + 1e-6), matrix, 0)
    torch.testing.assert_close(filled(places, values), expected, rtol=0, atol=1e-6)
    assert int(places.pattern.degrees.max()) <= 10


def test_nodes_tied_with_the_next_smaller_share_are_left_out() -> None:
    """Of a star's five leaves, all alike, none is among the three nodes nearest to the centre."""
    star = Pattern(
        torch.tensor([0, 5, 6, 7, 8, 9, 10]), torch.tensor([1, 2, 3, 4, 5, 0, 0, 0, 0, 0])
    )
    places, _ = ranked(Graph(star, torch.ones(6, 1)), 3, 1e-9)
    assert places.pattern.col[: int(places.pattern.degrees[0])].tolist() == [0]


def test_pageranks_gradient_is_that_of_the_inverse() -> None:
    values = normalise(TOY_GRAPH.pattern).requires_grad_()
    places, found = ranked(TOY_GRAPH, 60, 1e-12, values)
    weights = torch.rand(found.shape[0], generator=torch.Generator().manual_seed(0))
    (gradient,) = torch.autograd.grad((found * weights).sum(), values)
    there = TOY_GRAPH.pattern.looped.pattern
    other = values.detach().double().requires_grad_()
    matrix = torch.zeros(TOY_GRAPH.nodes, TOY_GRAPH.nodes, dtype=torch.float64)
    matrix = matrix.index_put((there.row, there.col), other)
    inverse = 0.15 * torch.linalg.inv(torch.eye(TOY_GRAPH.nodes) - 0.85 * matrix)
    total = (inverse[places.pattern.row, places.pattern.col] * weights).sum()
    (expected,) = torch.autograd.grad(total, other)
    torch.testing.assert_close(gradient.double(), expected, rtol=1e-4, atol=1e-5)


def medians(matrix: Tensor, hidden: Tensor) -> Tensor:
    """Of each row, in each dimension, the first value where half of the weight is reached."""
    found = torch.empty(matrix.shape[0], hidden.shape[1], dtype=torch.float64)
    for row, weights in enumerate(matrix):
        for column, values in enumerate(hidden.T):
            order = values.argsort()
            reached = weights[order].cumsum(0) >= weights.sum() / 2
            found[row, column] = values[order[int(reached.int().argmax())]]
    return found


def soft(matrix: Tensor, hidden: Tensor, temperature: float = 1.0) -> Tensor:
    """Equation 7 of the paper with dense matrices."""
    gaps = (medians(matrix, hidden)[:, None] - hidden[None]).norm(dim=2)
    scores = -gaps / (temperature * hidden.shape[1] ** 0.5)
    weights = scores.masked_fill(matrix == 0, -torch.inf).softmax(dim=1) * matrix
    return weights * (matrix.sum(dim=1) / weights.sum(dim=1))[:, None] @ hidden


def toy_hidden(width: int = 6) -> Tensor:
    return torch.randn(TOY_GRAPH.nodes, width, generator=torch.Generator().manual_seed(1))


@pytest.mark.parametrize("temperature", [0.2, 1.0])
def test_soft_median_is_the_papers(temperature: float) -> None:
    places, values = ranked(TOY_GRAPH, 20, 1e-9)
    found = soft_median(places, values, toy_hidden(), temperature)
    expected = soft(filled(places, values), toy_hidden().double(), temperature)
    torch.testing.assert_close(found.double(), expected, rtol=0, atol=1e-5)


def test_a_cold_soft_median_keeps_to_the_majority_where_one_neighbour_is_far_off() -> None:
    """Four nodes at 0, one at 1000, all weights alike: the mean is 200, the median 0."""
    row = Pattern(torch.tensor([0, 5, 5, 5, 5, 5]), torch.arange(5))
    hidden = torch.tensor([[0.0], [0.0], [0.0], [0.0], [1000.0]])
    found = soft_median(Places.of(row), torch.full((5,), 0.2), hidden, 1.0)
    assert abs(float(found[0])) < 1e-3


def test_soft_median_gdc_is_two_soft_medians_of_the_diffused_graph() -> None:
    parameters = SoftMedianParameters(hidden=[6], neighbours=20)
    model = build("Soft-Median-GDC", parameters, features=8, classes=3)
    assert isinstance(model, SoftMedianGDC)
    places, values = diffused(TOY_GRAPH.pattern, None, parameters)
    matrix = filled(places, values)
    torch.testing.assert_close(matrix.sum(dim=1), torch.ones(60, dtype=torch.float64))
    first, second = model.convs
    with torch.no_grad():
        hidden = soft(matrix, first(TOY_GRAPH.features).double()).relu()
        expected = soft(matrix, second(hidden.float()).double())
    torch.testing.assert_close(logits(model, TOY_GRAPH), expected, rtol=0, atol=1e-5)


def test_diffusion_stays_near_the_exact_one() -> None:
    """Rows sum to one; what the walks leave out moves few hundredths of that."""
    places, values = diffused(BIG.pattern, None, SoftMedianParameters(hidden=[1]))
    matrix = exact(BIG)
    matrix = torch.where(filled(places, values) > 0, matrix, 0)
    expected = matrix / matrix.sum(dim=1, keepdim=True)
    assert float((filled(places, values) - expected).abs().sum(dim=1).mean()) < 0.05


def test_an_injected_star_is_seen_without_training_again() -> None:
    """The diffusion is computed from the graph given: a flip changes it."""
    parameters = SoftMedianParameters(hidden=[1])
    other = flip(TOY_GRAPH.pattern, np.array([[58], [59]]))
    before, _ = diffused(TOY_GRAPH.pattern, None, parameters)
    after, _ = diffused(other, None, parameters)
    assert (int(before.pattern.degrees[58]), int(after.pattern.degrees[58])) == (1, 2)


def skewed(rows: int = 5) -> Places:
    """A matrix whose transpose has other places: row i holds 0..i."""
    indptr = torch.arange(rows + 1).cumsum(0)
    return Places.of(Pattern(indptr, torch.cat([torch.arange(i + 1) for i in range(rows)])))


def test_product_and_its_gradients_are_the_dense_ones() -> None:
    places = skewed()
    values = torch.randn(15, dtype=torch.float32).requires_grad_()
    right = torch.randn(5, 3).requires_grad_()
    upstream = torch.randn(5, 3)
    matrix = torch.zeros(5, 5).index_put((places.pattern.row, places.pattern.col), values)
    expected = torch.autograd.grad((matrix @ right * upstream).sum(), (values, right))
    found = torch.autograd.grad((product(places, values, right) * upstream).sum(), (values, right))
    for one, other in zip(found, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-5)


def test_distances_and_their_gradients_are_the_dense_ones() -> None:
    places = skewed()
    left, right = (torch.randn(5, 3).requires_grad_() for _ in range(2))
    upstream = torch.randn(15)
    gaps = left[places.pattern.row] - right[places.pattern.col]
    plain = gaps.square().sum(dim=1)
    found = squared_distances(places, left, right)
    torch.testing.assert_close(found, plain)
    expected = torch.autograd.grad((plain * upstream).sum(), (left, right))
    gradients = torch.autograd.grad((found * upstream).sum(), (left, right))
    for one, other in zip(gradients, expected, strict=True):
        torch.testing.assert_close(one, other, rtol=0, atol=1e-5)


@pytest.mark.parametrize("name", NAMES)
def test_gradient_of_the_features_is_the_difference_quotient(name: str) -> None:
    model = toy_model(name).eval()
    direction = torch.randn(TOY_GRAPH.features.shape, generator=torch.Generator().manual_seed(2))
    weights = torch.randn(TOY_GRAPH.nodes, 3, generator=torch.Generator().manual_seed(3))

    def value(step: float) -> Tensor:
        moved = Graph(TOY_GRAPH.pattern, TOY_GRAPH.features + step * direction)
        return (model(moved) * weights).double().sum()

    features = TOY_GRAPH.features.clone().requires_grad_()
    loss = (model(Graph(TOY_GRAPH.pattern, features)) * weights).sum()
    (gradient,) = torch.autograd.grad(loss, features)
    with torch.no_grad():
        quotient = float(value(2e-4) - value(-2e-4)) / 4e-4
    assert float((gradient * direction).sum()) == pytest.approx(quotient, rel=0.03, abs=0.01)


@pytest.mark.parametrize("name", NAMES)
def test_the_architecture_takes_its_papers_values_by_default(name: str) -> None:
    papers = {
        "GPRGNN": {"hops": 10, "alpha": 0.1},
        "EvenNet": {"hops": 10, "alpha": 0.1},
        "RUNG": {"layers": 10, "gamma": 5.0, "smoothing": 0.9},
        "Soft-Median-GDC": {"alpha": 0.15, "neighbours": 64, "temperature": 1.0},
    }
    found = ARCHITECTURES[name].parameters.model_validate({"hidden": [64]}).model_dump()
    assert found == {"hidden": [64], "layer_norm": False} | papers[name]


def test_the_work_of_a_small_gprgnn_is_that_of_its_products() -> None:
    """5 nodes, 8 stored edges, 3 → 4 → 2, two hops: 5·3·4 + 5·4·2, and 2·(8+5)·2."""
    parameters = PolynomialParameters(hidden=[4], hops=2)
    work = ARCHITECTURES["GPRGNN"].work(parameters, nodes=5, edges=8, features=3, classes=2)
    assert work == 60 + 40 + 52
