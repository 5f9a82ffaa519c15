"""The paper's defenses: dense arithmetic as the oracle for each."""

from __future__ import annotations

import copy
import gc
import weakref

import numpy as np
import pytest
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from grbcore import catalog
from grbcore.architectures import ARCHITECTURES
from grbcore.datasets import load
from grbcore.evaluate import evaluate
from grbcore.graph import Graph
from grbcore.models import RGCN, GATGuard, GCNClip, GCNGuard, GCNJaccard, build
from grbcore.models.guard import THRESHOLD, Guard
from grbcore.models.low_rank import truncated
from grbcore.models.model import Regularised, Stochastic
from grbcore.models.rgcn import divergence
from grbcore.models.similarity import inner, tanimoto
from grbcore.spmm import Pattern
from grbcore.testing import check_equivariance_in_distribution
from tests.grbcore.engine import TOY, TOY_GRAPH, small, toy_model


def dense(pattern: Pattern, values: Tensor | None = None) -> Tensor:
    matrix = torch.zeros(pattern.size, pattern.size)
    matrix[pattern.row, pattern.col] = 1.0 if values is None else values
    return matrix


def looped(pattern: Pattern) -> Tensor:
    return dense(pattern) + torch.eye(pattern.size)


def of_edges(edges: list[tuple[int, int]], size: int) -> Pattern:
    ends = np.array(sorted({*edges, *((b, a) for a, b in edges)})).reshape(-1, 2)
    counts = np.bincount(ends[:, 0], minlength=size)
    return Pattern(
        torch.from_numpy(np.append(0, counts.cumsum())), torch.from_numpy(ends[:, 1].copy())
    )


def random_graph(size: int, edges: int) -> Pattern:
    ends = np.random.default_rng(0).integers(0, size, (edges, 2))
    return of_edges([(int(a), int(b)) for a, b in ends if a != b], size)


def built(name: str, **fields: object) -> nn.Module:
    parameters = ARCHITECTURES[name].parameters.model_validate({"hidden": [5, 4], **fields})
    return build(name, parameters, features=8, classes=TOY.classes).eval()


def gaussians(model: RGCN) -> tuple[Tensor, Tensor]:
    """The last layer's mean and variance by dense matrices: D^-1/2 A D^-1/2 and D^-1 A D^-1."""
    adjacency = looped(TOY_GRAPH.pattern)
    degree = adjacency.sum(1)
    root, whole = degree.rsqrt().diag(), (1 / degree).diag()
    mean = variance = TOY_GRAPH.features
    for conv in model.convs:
        before = conv.mean(mean)
        variance = F.relu(before if conv is model.convs[0] else conv.variance(variance))
        mean = F.elu(before)
        attention = torch.exp(-variance)
        mean = root @ adjacency @ root @ (mean * attention)
        variance = whole @ adjacency @ whole @ (variance * attention**2)
    return mean, variance


def test_rgcn_predicts_the_mean_probability_of_samples_of_the_dense_gaussians() -> None:
    """64 seeds of 64 samples: the mean of 4096 lies within 6 errors of 4096 others' mean."""
    model = built("R-GCN", samples=64)
    assert isinstance(model, RGCN)
    with torch.no_grad():
        mean, variance = gaussians(model)
        noise = torch.randn(4096, *mean.shape, generator=torch.Generator().manual_seed(1))
        each = (mean + noise * variance.sqrt()).softmax(dim=2)
        found = []
        for model.seed in range(64):
            found.append(model(TOY_GRAPH).exp())
    error = each.std(dim=0) / 64
    apart = (torch.stack(found).mean(dim=0) - each.mean(dim=0)).abs()
    assert bool((apart <= 6 * 2**0.5 * error + 1e-4).all())


def test_rgcns_predictions_are_probabilities() -> None:
    found = toy_model("R-GCN").eval()(TOY_GRAPH).exp().sum(dim=1)
    torch.testing.assert_close(found, torch.ones(TOY.nodes))


def test_rgcn_draws_from_its_seed_alone() -> None:
    model = toy_model("R-GCN").eval()
    assert isinstance(model, Stochastic)
    model.seed = 3
    first = model(TOY_GRAPH)
    torch.manual_seed(99)
    assert torch.equal(model(TOY_GRAPH), first)
    model.seed = 4
    assert not torch.equal(model(TOY_GRAPH), first)


def test_drawing_leaves_the_global_generator_alone() -> None:
    model = toy_model("R-GCN").eval()
    torch.manual_seed(5)
    expected = torch.rand(3)
    torch.manual_seed(5)
    model(TOY_GRAPH)
    assert torch.equal(torch.rand(3), expected)


def test_divergence_is_torchs() -> None:
    draw = torch.Generator().manual_seed(0)
    mean, variance = torch.randn(7, 5, generator=draw), torch.rand(7, 5, generator=draw) + 0.1
    given = torch.distributions.Normal(mean, variance.sqrt())
    unit = torch.distributions.Normal(torch.zeros(7, 5), torch.ones(7, 5))
    expected = torch.distributions.kl_divergence(given, unit).sum(dim=1).mean()
    torch.testing.assert_close(divergence(mean, variance), expected)


def test_the_penalty_reaches_the_first_layers_map_only() -> None:
    model = toy_model("R-GCN")
    assert isinstance(model, RGCN)
    assert isinstance(model, Regularised)
    model(TOY_GRAPH)
    model.penalty().backward()  # type: ignore[no-untyped-call]
    moved = {name for name, p in model.named_parameters() if p.grad is not None}
    assert moved == {"convs.0.mean.weight", "convs.0.mean.bias"}


def test_a_penalty_without_a_pass_is_refused() -> None:
    model = toy_model("R-GCN")
    assert isinstance(model, RGCN)
    with pytest.raises(ValueError, match="penalty: found no pass"):
        model.penalty()


def test_a_model_in_training_can_be_copied() -> None:
    model = toy_model("R-GCN")
    model(TOY_GRAPH)
    copied = copy.deepcopy(model)
    assert torch.equal(copied.eval()(TOY_GRAPH), model.eval()(TOY_GRAPH))


def test_a_sampling_model_that_knows_its_nodes_numbers_is_found_out() -> None:
    class Numbered(RGCN):
        def forward(self, graph: Graph, edge_weight: Tensor | None = None) -> Tensor:
            first = torch.zeros(graph.nodes, TOY.classes)
            first[0, 0] = 5
            logits: Tensor = super().forward(graph, edge_weight) + first
            return logits

    model = Numbered(small("R-GCN"), 8, TOY.classes)  # type: ignore[arg-type]
    with pytest.raises(AssertionError, match="another distribution"):
        check_equivariance_in_distribution(model.eval(), TOY_GRAPH)


def test_evaluation_at_home_draws_as_the_service_does() -> None:
    """The same cell twice, another seed in between: hits are equal for equal seeds."""
    board, digits = catalog.board("digits/injection@1"), load("digits")
    parameters = ARCHITECTURES["R-GCN"].parameters.model_validate({"hidden": [8], "samples": 1})
    width = digits.features.shape[1]
    model = build("R-GCN", parameters, features=width, classes=digits.classes)

    def hits(**fields: int) -> object:
        return evaluate(board, digits, model=model, **fields).provenance["hits_sha256"]

    first = hits()
    assert hits(seed=1) != first
    assert hits() == first


def test_the_low_rank_matrix_is_the_truncated_svd() -> None:
    """600 nodes and rank 6, by numpy on the dense matrix: the path that uses Lanczos."""
    pattern = random_graph(600, 1500)
    found = truncated(pattern, 6)
    u, s, v = np.linalg.svd(dense(pattern).double().numpy())
    assert s[5] - s[6] > 1e-3
    expected = torch.from_numpy((u[:, :6] * s[:6]) @ v[:6]).float()
    torch.testing.assert_close(found.product(torch.eye(600)), expected, rtol=0, atol=1e-5)


def test_full_rank_gives_the_adjacency_itself() -> None:
    found = truncated(TOY_GRAPH.pattern, 256).product(torch.eye(TOY.nodes))
    torch.testing.assert_close(found, dense(TOY_GRAPH.pattern), rtol=0, atol=1e-5)


def test_full_rank_gcn_svd_is_a_gcn() -> None:
    model, plain = built("GCN-SVD", rank=256), built("GCN")
    plain.load_state_dict(model.state_dict())
    torch.testing.assert_close(model(TOY_GRAPH), plain(TOY_GRAPH), rtol=0, atol=1e-5)


def test_equal_singular_values_are_kept_or_left_together() -> None:
    """A triangle has sizes 2, 1, 1 and two pairs 1, 1, 1, 1: rank 3 keeps the 2 alone."""
    pattern = of_edges([(0, 1), (1, 2), (0, 2), (3, 4), (5, 6)], 7)
    assert truncated(pattern, 3).core.diag().tolist() == pytest.approx([2])
    assert truncated(pattern, 7).core.shape == (7, 7)


def test_factors_are_kept_with_their_pattern_and_go_with_it() -> None:
    pattern = random_graph(50, 100)
    kept = truncated(pattern, 4)
    assert truncated(pattern, 4) is kept
    gone = weakref.ref(kept)
    del kept, pattern
    gc.collect()
    assert gone() is None


def test_factors_are_bit_identical_over_repeats() -> None:
    one, other = truncated(random_graph(600, 1500), 6), truncated(random_graph(600, 1500), 6)
    assert torch.equal(one.vectors, other.vectors)
    assert torch.equal(one.core, other.core)


def test_the_gradient_of_an_edges_weight_is_that_of_the_projection() -> None:
    pattern = random_graph(60, 150)
    weight = torch.ones(pattern.entries, requires_grad=True)
    probe = torch.from_numpy(np.random.default_rng(1).standard_normal((60, 2)).astype(np.float32))
    (truncated(pattern, 5, weight).product(probe[:, :1]) * probe[:, 1:]).sum().backward()
    vectors = truncated(pattern, 5).vectors
    projection = vectors @ vectors.T
    gradient = projection @ probe[:, 1:] @ probe[:, :1].T @ projection
    symmetric = (gradient + gradient.T) / 2
    expected = symmetric[pattern.row, pattern.col]
    torch.testing.assert_close(weight.grad, expected, rtol=0, atol=1e-5)


def guarded(guard: Guard, rows: Tensor, before: Tensor | None = None) -> Tensor:
    """GNNGuard's weights by dense matrices."""
    adjacency = dense(TOY_GRAPH.pattern)
    cosine = F.cosine_similarity(rows[:, None], rows[None], dim=2) * adjacency
    cosine = torch.where(cosine >= THRESHOLD, cosine, 0)
    share = torch.nan_to_num(cosine / cosine.sum(1, keepdim=True))
    pruned = guard.prune[0] * share + guard.prune[1] * share.T <= 0
    cosine = torch.where(pruned, 0, cosine)
    count = (cosine > 0).sum(1, keepdim=True)
    share = torch.nan_to_num(cosine / cosine.sum(1, keepdim=True))
    found = share * count / (count + 1) + (1 / (count + 1)).diagflat()
    memory = guard.memory.sigmoid()
    return found if before is None else memory * before + (1 - memory) * found


def with_a_guard(name: str) -> nn.Module:
    """A model whose three learned numbers matter: some edges are pruned."""
    model = built(name)
    with torch.no_grad():
        model.guard.prune.copy_(torch.tensor([1.0, -0.8]))
        model.guard.memory.fill_(0.7)
    return model


@torch.no_grad()
def test_gcnguard_equals_dense_arithmetic() -> None:
    model = with_a_guard("GCNGuard")
    assert isinstance(model, GCNGuard)
    hidden, weights = TOY_GRAPH.features, None
    for index, conv in enumerate(model.convs):
        hidden = F.relu(hidden) if index else hidden
        weights = guarded(model.guard, hidden, weights)
        hidden = weights @ conv(hidden)
    torch.testing.assert_close(model(TOY_GRAPH), hidden, rtol=0, atol=1e-5)


@torch.no_grad()
def test_gatguard_equals_dense_arithmetic() -> None:
    model = with_a_guard("GATGuard")
    assert isinstance(model, GATGuard)
    hidden, weights, allowed = TOY_GRAPH.features, None, looped(TOY_GRAPH.pattern) > 0
    for index, conv in enumerate(model.convs):
        hidden = F.elu(hidden) if index else hidden
        weights = guarded(model.guard, hidden, weights)
        heads, width = conv.source.shape
        projected = (hidden @ conv.weight.T).view(-1, heads, width)
        sent, received = (projected * conv.source).sum(2), (projected * conv.destination).sum(2)
        scores = F.leaky_relu(received[:, None] + sent[None], 0.2)  # (n, n, heads)
        scores = scores.masked_fill(~allowed[:, :, None], -torch.inf)
        attention = scores.softmax(dim=1) * weights[:, :, None]
        attention = attention / attention.sum(dim=1, keepdim=True)
        hidden = torch.einsum("ijh,jhw->ihw", attention, projected).flatten(1) + conv.bias
    expected = hidden.view(TOY.nodes, 4, -1).mean(dim=1)
    torch.testing.assert_close(model(TOY_GRAPH), expected, rtol=0, atol=1e-5)


def test_a_guards_rows_sum_to_one() -> None:
    rows = F.normalize(TOY_GRAPH.features, dim=1)
    pattern = TOY_GRAPH.pattern
    values = Guard()(pattern, rows, None, None)
    found = dense(pattern.looped.pattern, values).sum(dim=1)
    torch.testing.assert_close(found, torch.ones(TOY.nodes))


@pytest.mark.parametrize("name", ["GCNGuard", "GATGuard"])
def test_every_parameter_of_a_guarded_model_learns(name: str) -> None:
    model = with_a_guard(name).train()
    F.cross_entropy(model(TOY_GRAPH), torch.from_numpy(TOY.labels)).backward()
    assert all(bool((p.grad != 0).any()) for p in model.parameters() if p.grad is not None)
    assert all(p.grad is not None for p in model.parameters())


def test_a_neighbour_unlike_the_others_loses_its_weight() -> None:
    """Cosines 1 and 0: of two neighbours the like one counts 1/2, the unlike one nothing."""
    pattern = of_edges([(0, 1), (0, 2)], 3)
    rows = torch.tensor([[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    found = dense(pattern.looped.pattern, Guard()(pattern, rows, None, None))
    expected = torch.tensor([[0.5, 0.5, 0.0], [0.5, 0.5, 0.0], [0.0, 0.0, 1.0]])
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize("others", [[(0, 1), (1, 3), (2, 3)], [(0, 1), (1, 3)], []])
def test_an_attack_feels_what_an_edge_between_like_nodes_would_do_that_is_not_there(
    others: list[tuple[int, int]],
) -> None:
    """The gradient at weight 0 is the difference quotient, where nodes have no other edge too."""
    pattern = of_edges([(0, 2), *others], 4)
    rows = F.normalize(torch.tensor([[1.0, 0.1], [1.0, 0.5], [1.0, 0.6], [0.9, 1.0]]), dim=1)
    absent = (torch.minimum(pattern.row, pattern.col) == 0) & (pattern.row + pattern.col == 2)
    probe = torch.linspace(0, 1, pattern.looped.pattern.entries).square()
    guard = Guard().eval()

    def found(share: Tensor) -> Tensor:
        weight = torch.where(absent, share, torch.ones(()))
        return (guard(pattern, rows, weight, None) * probe).sum()

    share, step = torch.zeros((), requires_grad=True), 1e-2
    (gradient,) = torch.autograd.grad(found(share), share)
    quotient = (found(torch.tensor(step)) - found(torch.tensor(0.0))) / step
    torch.testing.assert_close(gradient, quotient, rtol=0.05, atol=0)


def test_similarities_gradient_is_dense_arithmetics() -> None:
    found = TOY_GRAPH.features.clone().requires_grad_()
    expected = TOY_GRAPH.features.clone().requires_grad_()
    pattern = TOY_GRAPH.pattern
    upstream = torch.linspace(-1, 1, pattern.entries)
    (inner(pattern, found) * upstream).sum().backward()
    ((expected @ expected.T)[pattern.row, pattern.col] * upstream).sum().backward()
    torch.testing.assert_close(found.grad, expected.grad, rtol=0, atol=1e-5)


def test_tanimotos_similarity_of_0_and_1_is_the_jaccard_index() -> None:
    """{0,1,2} and {1,2,3} share 2 of 4; {0,1,2} and {4} nothing; two empty sets count 0."""
    pattern = of_edges([(0, 1), (0, 2), (3, 4)], 5)
    rows = torch.tensor(
        [[1, 1, 1, 0, 0], [0, 1, 1, 1, 0], [0, 0, 0, 0, 1], [0] * 5, [0] * 5], dtype=torch.float32
    )
    found = dense(pattern, tanimoto(pattern, rows))
    assert found[0, 1] == found[1, 0] == 0.5
    assert found[0, 2] == found[3, 4] == 0


def test_gcn_jaccard_is_a_gcn_on_the_edges_that_stay() -> None:
    model, plain = built("GCN-Jaccard", threshold=0.1), built("GCN")
    assert isinstance(model, GCNJaccard)
    plain.load_state_dict(model.state_dict())
    pattern = TOY_GRAPH.pattern
    kept = model.kept(pattern, TOY_GRAPH.features)
    assert 0 < int(kept.sum()) < pattern.entries
    pairs = zip(pattern.row[kept].tolist(), pattern.col[kept].tolist(), strict=True)
    pruned = Graph(of_edges(list(pairs), TOY.nodes), TOY_GRAPH.features)
    torch.testing.assert_close(model(TOY_GRAPH), plain(pruned), rtol=0, atol=1e-5)


def test_clipping_takes_its_limits_from_the_first_pass_of_training() -> None:
    """101 values 0..100 at 5 %: limits 5 and 95; a later pass changes neither."""
    model = build("GCN-Clip", parameters("GCN-Clip", 0.05), features=2, classes=3)
    assert isinstance(model, GCNClip)
    values = torch.arange(101.0)[torch.randperm(101, generator=torch.Generator().manual_seed(0))]
    model.embed(torch.stack([values, -values], dim=1))
    model.embed(torch.full((3, 2), 1e6))
    assert model.clip.low.tolist() == [5, -95]
    assert model.clip.high.tolist() == [95, -5]
    clipped = model.eval().clip(torch.tensor([[1e6, -1e6], [50.0, -50.0]]))
    assert clipped.tolist() == [[95, -95], [50, -50]]


def parameters(name: str, quantile: float) -> object:
    fields = {"hidden": [4], "quantile": quantile}
    return ARCHITECTURES[name].parameters.model_validate(fields)


def test_before_training_nothing_is_clipped() -> None:
    model, plain = built("GCN-Clip"), built("GCN")
    plain.load_state_dict(model.state_dict(), strict=False)
    assert torch.equal(model(TOY_GRAPH), plain(TOY_GRAPH))


@pytest.mark.parametrize(
    ("name", "field", "value"),
    [
        ("R-GCN", "samples", 65),
        ("R-GCN", "samples", 0),
        ("GCN-SVD", "rank", 0),
        ("GCN-SVD", "rank", 257),
        ("GCN-Jaccard", "threshold", 1.5),
        ("GCN-Clip", "quantile", 0.5),
    ],
)
def test_parameters_of_defenses_out_of_bounds_are_refused(
    name: str, field: str, value: float
) -> None:
    with pytest.raises(ValueError, match=field):
        ARCHITECTURES[name].parameters.model_validate({"hidden": [4], field: value})
