"""What the pictures show, read from their artists."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.stats import ks_2samp

from grbcore.datasets import Dataset
from grbcore.graph import Graph
from grbcore.perturbation import Injection, Modification
from grbcore.spmm import Pattern
from grbcore.visualise import (
    accuracy_by_degree,
    attack_shift,
    budget_curves,
    ego_net,
    homophily,
    ks_distance,
)
from tests.grbcore.samples import injection


def path_graph() -> Graph:
    """0 - 1 - 2 - 3, features one-hot."""
    rowptr, col = torch.tensor([0, 1, 3, 5, 6]), torch.tensor([1, 0, 2, 1, 3, 2])
    return Graph(Pattern(rowptr, col), torch.eye(4))


INJECTED = Injection(np.ones((1, 4), np.float32), np.array([[4], [1]], np.int64))


def segments(figure, label: str) -> int:
    """How many edges have the style of those with this label."""
    (axes,) = figure.axes
    (named,) = (line for line in axes.lines if line.get_label() == label)
    return sum(line.get_linestyle() == named.get_linestyle() for line in axes.lines)


def drawn(figure) -> dict[str, int]:
    """How many nodes of each kind."""
    (axes,) = figure.axes
    return {group.get_label(): len(group.get_offsets()) for group in axes.collections}


def test_the_ego_net_shows_who_is_near_and_marks_injected_nodes() -> None:
    figure = ego_net(path_graph(), INJECTED, 1)
    assert drawn(figure) == {"node": 2, "injected node": 1, "target": 1}
    assert segments(figure, "edge") == 2
    assert segments(figure, "added edge") == 1


def test_more_hops_reach_further() -> None:
    assert drawn(ego_net(path_graph(), INJECTED, 0, hops=1)) == {"node": 1, "target": 1}
    two = drawn(ego_net(path_graph(), INJECTED, 0, hops=2))
    assert two == {"node": 2, "injected node": 1, "target": 1}


def test_the_ego_net_shows_removed_edges_too() -> None:
    flips = Modification(np.array([[1, 0], [2, 3]], np.int64))
    figure = ego_net(path_graph(), flips, 1, hops=2)
    assert segments(figure, "removed edge") == 1
    assert segments(figure, "added edge") == 1


def test_the_target_stands_in_the_middle() -> None:
    (axes,) = ego_net(path_graph(), INJECTED, 1).axes
    (target,) = (g for g in axes.collections if g.get_label() == "target")
    np.testing.assert_allclose(target.get_offsets(), [[0, 0]])


def test_of_many_nodes_injected_ones_are_drawn_first_and_the_title_says_so() -> None:
    figure = ego_net(path_graph(), INJECTED, 1, most=2)
    assert drawn(figure) == {"injected node": 1, "target": 1}
    assert "2 of 4 nodes" in figure.axes[0].get_title()


def test_a_target_that_is_not_there_is_refused() -> None:
    with pytest.raises(ValueError, match=r"target: found 4, allowed: 0\.\.3"):
        ego_net(path_graph(), INJECTED, 4)


def test_homophily_is_the_cosine_with_the_normalised_sum_of_neighbours(digits: Dataset) -> None:
    """Dense arithmetic is the oracle: D^-1/2 A D^-1/2 X, row by row."""
    graph = Graph.from_dataset(digits)
    dense = np.zeros((graph.nodes, graph.nodes))
    dense[graph.pattern.row.numpy(), graph.col.numpy()] = 1
    scale = 1 / np.sqrt(np.maximum(dense.sum(axis=1), 1))
    around = (scale[:, None] * dense * scale) @ digits.features
    norms = np.linalg.norm(around, axis=1) * np.linalg.norm(digits.features, axis=1)
    expected = (around * digits.features).sum(axis=1) / np.maximum(norms, 1e-8)
    np.testing.assert_allclose(homophily(graph), expected, atol=1e-5)


def test_an_isolated_node_has_no_homophily() -> None:
    graph = Graph(Pattern(torch.tensor([0, 0]), torch.tensor([], dtype=torch.int64)), torch.eye(1))
    assert homophily(graph).tolist() == [0.0]


def test_the_distance_is_that_of_kolmogorov_and_smirnov() -> None:
    rng = np.random.default_rng(0)
    one, other = rng.integers(0, 9, 50).astype(float), rng.integers(2, 12, 70).astype(float)
    assert ks_distance(one, other) == pytest.approx(ks_2samp(one, other).statistic)


def test_the_shift_shows_both_distributions_and_their_distances(digits: Dataset) -> None:
    graph, attack = Graph.from_dataset(digits), injection(digits, nodes=90)
    degree, likeness = attack_shift(graph, attack).axes
    after = graph.apply(attack)
    before_values, after_values = homophily(graph), homophily(after)
    assert f"{ks_distance(before_values, after_values):.3f}" in likeness.get_title()
    assert [len(line.get_xdata()) for line in degree.lines] == [1797, 1887]
    shares = [patch.get_data().values.sum() for patch in likeness.patches]
    np.testing.assert_allclose(shares, [1, 1])


def test_accuracy_by_degree_averages_hits_in_groups_of_equal_degrees(digits: Dataset) -> None:
    """Right for the lower half of degrees, wrong above: 100 %, then 0 %."""
    targets = digits.targets["full"]
    degree = np.diff(digits.indptr)[targets]
    labels = digits.labels[targets].astype(np.int16)
    median = np.quantile(degree, 0.5, method="higher")
    found = np.where(degree < median, labels, -1).astype(np.int16)
    (axes,) = accuracy_by_degree(digits, {"half": found}, groups=2).axes
    (line,) = axes.lines
    assert line.get_ydata().tolist() == [100, 0]
    means = [degree[degree < median].mean(), degree[degree >= median].mean()]
    np.testing.assert_allclose(line.get_xdata(), means)
    assert line.get_label() == "half"


def test_predictions_of_other_targets_are_refused(digits: Dataset) -> None:
    with pytest.raises(ValueError, match="predictions: found shape"):
        accuracy_by_degree(digits, {"GCN": np.zeros(3, np.int16)})


def test_a_budget_curve_is_the_mean_over_repeats_with_a_band_of_their_std() -> None:
    """.8 and .6 at budget 20: mean 70, std 10."""
    (axes,) = budget_curves({"GCN": {20: (0.8, 0.6), 0: 0.9}}).axes
    (line,) = axes.lines
    assert line.get_xdata().tolist() == [0, 20]
    np.testing.assert_allclose(line.get_ydata(), [90, 70])
    (band,) = axes.collections
    y = band.get_paths()[0].vertices[:, 1]
    np.testing.assert_allclose([y.min(), y.max()], [60, 90])


@pytest.mark.parametrize("curves", [{}, {"GCN": {}}, {"GCN": {1: 1.5}}, {"GCN": {1: ()}}])
def test_a_curve_without_points_or_of_percents_is_refused(curves: dict) -> None:
    with pytest.raises(ValueError, match="curves: found"):
        budget_curves(curves)
