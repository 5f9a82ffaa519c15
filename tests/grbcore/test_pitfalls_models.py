"""The protocol's models: Table 4's sizes, what they compute, and how they are trained."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch
from scipy import sparse
from torch import Tensor
from torch.nn import functional as F
from torch_geometric.nn import GATConv

from grbcore.pitfalls import engine
from grbcore.pitfalls.configurations import CONFIGURATIONS, Configuration
from grbcore.pitfalls.engine import train
from grbcore.pitfalls.networks import NETWORKS, Noise, Still, count
from grbcore.pitfalls.propagation import propagate
from grbcore.pitfalls.rectangle import Field, Rectangle, field_of
from grbcore.pitfalls.splitting import Split, per_class
from grbcore.pitfalls.standard import Standard, standardise
from tests.grbcore.small_node import CLASSES, FEATURES, small

DATA = small()
SPLIT = per_class(DATA.labels, 0)
CHOSEN = {
    name: chosen.model_copy(update={"hidden": min(chosen.hidden, 16), "inner": chosen.inner and 4})
    for name, chosen in CONFIGURATIONS.items()
}


@pytest.mark.parametrize(
    ("model", "thousands"),
    [("GCN", 92), ("GAT", 92), ("MoNet", 92), ("GS-mean", 92), ("GS-maxpool", 94),
     ("GS-meanpool", 58), ("MLP", 92), ("LogReg", 10)],
)  # fmt: skip
def test_weights_on_coras_shape_are_as_many_as_table_4_says(model: str, thousands: int) -> None:
    assert round(count(model, CONFIGURATIONS[model], 1433, 7) / 1000) == thousands


def fields(nodes: np.ndarray, hops: int, dataset: Standard = DATA) -> Field:
    words = (dataset.feature_indptr, dataset.feature_indices)
    return field_of(dataset.indptr, dataset.indices, words, dataset.features, nodes, hops)


def weights(model: str, copies: int, seed: int = 0) -> dict[str, Tensor]:
    rng = torch.Generator().manual_seed(seed)
    shapes = NETWORKS[model].weights(CHOSEN[model], FEATURES, CLASSES)
    found = {
        name: torch.randn(copies, *weight.shape, generator=rng) / 3
        for name, weight in shapes.items()
    }
    if model == "MoNet":
        found["deviation"] += 2  # narrow kernels weigh nothing at all
    return found


def logits(model: str, found: dict[str, Tensor], nodes: np.ndarray) -> Tensor:
    network = NETWORKS[model]
    still = Still(len(next(iter(found.values()))))
    return network.logits(CHOSEN[model], found, fields(nodes, network.hops), still)


@pytest.mark.parametrize("model", NETWORKS)
def test_a_field_gives_the_whole_graphs_logits_and_models_do_not_mix(model: str) -> None:
    found = weights(model, 3)
    whole = logits(model, found, np.arange(DATA.nodes))
    some = np.array([3, 50, 51, 200])
    torch.testing.assert_close(logits(model, found, some), whole[:, some], rtol=1e-4, atol=1e-5)
    alone = {name: tensor[1:2] for name, tensor in found.items()}
    torch.testing.assert_close(logits(model, alone, some)[0], whole[1, some], rtol=1e-4, atol=1e-5)


def dense() -> tuple[Tensor, Tensor]:
    """Adjacency with loops and features, as matrices."""
    nodes = DATA.nodes
    ones = np.ones(len(DATA.indices))
    edges = sparse.csr_matrix((ones, DATA.indices, DATA.indptr), shape=(nodes, nodes)).toarray()
    marks = np.ones(len(DATA.feature_indices))
    parts = (marks, DATA.feature_indices, DATA.feature_indptr)
    words = sparse.csr_matrix(parts, shape=(nodes, FEATURES)).toarray()
    return torch.tensor(edges + np.eye(nodes)).float(), torch.tensor(words).float()


def by_matrices(model: str, w: dict[str, Tensor]) -> Tensor:
    """The papers' formulas with dense matrices, one initialisation."""
    edges, words = dense()
    degree = edges.sum(1)
    smooth = edges / (degree[:, None] * degree).sqrt()
    if model == "LogReg":
        return words @ w["weight"] + w["bias"]
    if model in ("GCN", "MLP"):
        mix = smooth if model == "GCN" else torch.eye(len(words))
        hidden = F.relu(mix @ words @ w["first"] + w["first bias"])
        return mix @ hidden @ w["second"] + w["second bias"]
    if model == "MoNet":
        place = torch.stack(torch.broadcast_tensors(degree.rsqrt()[:, None], degree.rsqrt()), 2)
        place = torch.tanh(place @ w["turn"] + w["shift"])
        hidden = words
        for layer in ("first", "second"):
            parts = (hidden @ w[layer]).chunk(2, dim=1)
            total = torch.zeros_like(parts[0])
            for kernel, part in enumerate(parts):
                away = (place - w["mean"][kernel]) ** 2 / w["deviation"][kernel] ** 2
                weight = torch.exp(-away.sum(2) / 2) * edges
                total = total + weight / weight.sum(1, keepdim=True) @ part
            hidden = F.relu(total)
        return total
    hidden = words
    for layer in ("first", "second"):
        if model == "GS-mean":
            seen = edges / degree[:, None] @ hidden
        else:
            pooled = F.relu(hidden @ w[f"{layer} pool"])
            seen = edges / degree[:, None] @ pooled
            if model == "GS-maxpool":
                seen = torch.where(edges[:, :, None] > 0, pooled, -1).amax(1)
        found = seen @ w[f"{layer} others"] + hidden @ w[f"{layer} own"] + w[f"{layer} bias"]
        found = found / found.norm(dim=1, keepdim=True).clamp(min=1)
        hidden = F.relu(found)
    return found


@pytest.mark.parametrize("model", [name for name in NETWORKS if name != "GAT"])
def test_models_and_their_gradients_are_those_of_the_formulas(model: str) -> None:
    found = {name: tensor.requires_grad_() for name, tensor in weights(model, 2).items()}
    ours = logits(model, found, np.arange(DATA.nodes))
    theirs = torch.stack(
        [by_matrices(model, {name: w[place] for name, w in found.items()}) for place in range(2)]
    )
    torch.testing.assert_close(ours, theirs, rtol=1e-4, atol=1e-5)
    pull = torch.linspace(-1, 1, ours.numel()).view(ours.shape)
    gradients = [
        torch.autograd.grad((pull * out).sum(), list(found.values())) for out in (ours, theirs)
    ]
    for name, one, other in zip(found, *gradients, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-3, atol=1e-3, msg=lambda m, n=name: n + m)


def test_gat_is_pygs_where_biases_of_scores_are_0() -> None:
    found = weights("GAT", 1)
    for name in found:
        if name.endswith(("own bias", "other bias")):
            found[name].zero_()
    heads, chosen = 8, CHOSEN["GAT"]
    first = GATConv(FEATURES, chosen.hidden // heads, heads)
    second = GATConv(chosen.hidden, CLASSES, 1)
    for conv, layer in ((first, "first"), (second, "second")):
        matrices = found[layer][0]  # (heads, wide, narrow)
        conv.lin.weight.data = matrices.permute(0, 2, 1).flatten(0, 1)
        conv.att_dst.data = found[f"{layer} own"][:1, ..., 0]
        conv.att_src.data = found[f"{layer} other"][:1, ..., 0]
        conv.bias.data = found[f"{layer} bias"][0].flatten()
    _, words = dense()
    rows = np.repeat(np.arange(DATA.nodes), DATA.degrees)
    edges = torch.from_numpy(np.stack([rows, DATA.indices]))
    with torch.no_grad():
        theirs = second(F.elu(first(words, edges)), edges)
    torch.testing.assert_close(
        logits("GAT", found, np.arange(DATA.nodes))[0], theirs, rtol=1e-4, atol=1e-5
    )


def test_dropout_keeps_what_it_says_and_draws_for_each_model_alone() -> None:
    words = fields(np.arange(DATA.nodes), 0).words

    def noise(*seeds: int) -> Noise:
        return Noise([torch.Generator().manual_seed(seed) for seed in seeds])

    thin, scale = noise(0, 1).entries(words, 1, 0.8)
    assert scale == pytest.approx(5)
    assert thin.entries / (2 * words.entries) == pytest.approx(0.2, abs=0.02)
    hidden = torch.ones(2, 100, 40)
    dropped = noise(0, 1).dense(hidden, 0.3)
    assert float(dropped.mean()) == pytest.approx(1, abs=0.02)
    assert sorted({round(value, 4) for value in dropped.unique().tolist()}) == [0, 1.4286]
    assert torch.equal(noise(1).dense(hidden[1:], 0.3), dropped[1:])
    assert not torch.equal(dropped[0], dropped[1])


def test_a_thinned_rectangle_is_the_masked_matrix() -> None:
    rng = np.random.default_rng(0)
    matrix = sparse.random(7, 5, 0.5, "csr", rng=rng)
    whole = Rectangle.of(
        matrix.indptr.astype(np.int64), matrix.indices.astype(np.int64), 5,
        matrix.data.astype(np.float32),
    )  # fmt: skip
    kept = torch.from_numpy(rng.random(2 * matrix.nnz) < 0.6)
    found = whole.beside(2).thinned(kept)
    expected = sparse.block_diag([matrix, matrix], "csr")
    expected.data = expected.data * kept.numpy()
    right = torch.randn(10, 3, requires_grad=True)
    torch.testing.assert_close(
        found @ right, torch.from_numpy(expected.toarray()).float() @ right, rtol=1e-5, atol=1e-6
    )
    (found @ right).sum().backward()
    assert right.grad is not None
    np.testing.assert_allclose(right.grad[:, 0], expected.sum(axis=0).A1, rtol=1e-5)


@pytest.mark.parametrize("model", NETWORKS)
def test_a_run_does_not_depend_on_who_is_trained_beside_it(model: str) -> None:
    beside = train(model, CHOSEN[model], DATA, SPLIT, [5, 6, 7], epochs=8)
    alone = train(model, CHOSEN[model], DATA, SPLIT, [6], epochs=8)[0]
    assert alone.val_loss == pytest.approx(beside[1].val_loss, rel=1e-4)
    assert (alone.epochs, alone.best) == (beside[1].epochs, beside[1].best)
    assert beside[0].val_loss != beside[2].val_loss


@pytest.mark.parametrize("model", NETWORKS)
def test_every_model_learns(model: str) -> None:
    """Far above a third, which chance gives; larger steps and less held, for so few epochs."""
    easy = {"learning_rate": 0.02, "dropout": min(CHOSEN[model].dropout, 0.3), "l2": 0.001}
    chosen = CHOSEN[model].model_copy(update=easy)
    assert train(model, chosen, DATA, SPLIT, [1], epochs=40)[0].accuracy > 0.55


@pytest.mark.parametrize(
    ("losses", "epochs", "best"),
    [
        ([3, 2, 2, 5, 5, 5, 5], 6, 3),  # an equal loss counts as an improvement
        ([3, 4, 4, 2, 4, 4, 4], 7, 4),
        ([1, 2, 2, 2], 4, 1),
        ([math.nan] * 5, 3, 0),  # never finite: the weights that it began with
    ],
)
def test_patience_counts_epochs_since_the_lowest_loss(
    losses: list[float], epochs: int, best: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = iter(losses)
    steady = [0.5] * 3  # beside it, so that one goes on while the other has ended

    def told(batch: engine._Batch, field: Field, labels: Tensor) -> Tensor:
        both = torch.tensor([next(script, 9.0), steady[0]])
        return both[batch.places]

    monkeypatch.setattr(engine._Batch, "loss", told)
    found = train("LogReg", CHOSEN["LogReg"], DATA, SPLIT, [0, 1], patience=3, epochs=9)
    assert (found[0].epochs, found[0].best) == (epochs, best)
    assert (found[1].epochs, found[1].best) == (9, 9)
    assert math.isnan(found[0].val_loss) == (best == 0)


def test_the_kept_weights_are_those_of_the_best_epoch() -> None:
    """Training on, without patience, is as if it had ended at the lowest validation loss."""
    long = train("LogReg", CHOSEN["LogReg"], DATA, SPLIT, [3], patience=60, epochs=4000)[0]
    short = train("LogReg", CHOSEN["LogReg"], DATA, SPLIT, [3], epochs=long.best)[0]
    assert short.best == long.best < long.epochs
    assert (short.accuracy, short.val_loss) == (long.accuracy, long.val_loss)


def test_l2_holds_what_the_originals_hold() -> None:
    held = {
        model: {name for name, weight in network.weights(CHOSEN[model], 5, 3).items()
                if weight.decayed}
        for model, network in NETWORKS.items()
    }  # fmt: skip
    assert held["GCN"] == held["MoNet"] == {"first"}
    assert held["GS-mean"] == held["GS-maxpool"] == {"first others", "first own"}
    assert held["MLP"] == {"first", "second"}
    assert len(held["GAT"]) == 6 and held["LogReg"] == {"weight"}


def test_the_validation_loss_has_half_the_squared_length_of_held_weights() -> None:
    chosen = Configuration(learning_rate=0.0, l2=0.5)
    without = Configuration(learning_rate=0.0, l2=0.0)
    one, other = (train("LogReg", c, DATA, SPLIT, [0], epochs=1)[0] for c in (chosen, without))
    batch = engine._Batch(NETWORKS["LogReg"], chosen, DATA, [0])
    length = float((batch.weights["weight"].detach() ** 2).sum())
    assert one.val_loss - other.val_loss == pytest.approx(0.25 * length, rel=1e-4)


def test_weights_begin_as_glorot_has_them_and_biases_at_0() -> None:
    batch = engine._Batch(NETWORKS["GCN"], CHOSEN["GCN"], DATA, [0, 1])
    limit = math.sqrt(6 / (FEATURES + 16))
    first = batch.weights["first"]
    assert limit * 0.97 < float(first.detach().abs().max()) <= limit
    assert float(first.detach().std()) == pytest.approx(limit / math.sqrt(3), rel=0.05)
    assert not torch.equal(first[0], first[1])
    assert not batch.weights["first bias"].any()


def triangles() -> tuple[Standard, Split]:
    """0-1-2 and 3-4-5, joined by 2-3; 0 and 5 are known, 1 and 4 validated, 2 and 3 tested."""
    ends = np.array([[0, 0, 1, 2, 3, 3, 4], [1, 2, 2, 3, 4, 5, 5]])
    edges = sparse.csr_matrix((np.ones(7), ends), shape=(6, 6))
    data = standardise("triangles", edges, np.eye(6), np.array([0, 0, 0, 1, 1, 1]))
    return data, Split(np.array([0, 5]), np.array([1, 4]), np.array([2, 3]))


@pytest.mark.parametrize(
    ("model", "reached"),
    [
        ("LabelProp", 1 / 2),  # of node 1's two neighbours one is known
        ("LabelProp NL", 0.95 / 2),  # both ends have two neighbours
    ],
)
def test_a_step_of_propagation_by_hand(model: str, reached: float) -> None:
    found = propagate(CONFIGURATIONS[model], *triangles(), steps=1)
    assert (found.accuracy, found.val_accuracy, found.epochs) == (1, 1, 1)
    assert found.val_loss == pytest.approx(math.log(1 + math.exp(-reached)))


def test_propagated_labels_lead_to_the_balance_of_neighbours() -> None:
    """1 = (1 + x2) / 2, x2 = (1 + x1 + x3) / 3, x3 = 1 - x2: x2 = 5/7, x1 = 6/7 of class 0."""
    found = propagate(CONFIGURATIONS["LabelProp"], *triangles())
    assert (found.epochs, found.best) == (50, 50)
    assert found.val_loss == pytest.approx(math.log(1 + math.exp(-5 / 7)))


def test_the_labels_that_validate_best_are_kept() -> None:
    """0, of class 0, sees the known 1 first; what 2 and 3 have of class 1 outweighs it later.

    After a step 0 has 1/3 of class 0 alone, after two 1/3 and 2/3 · 2/3 of class 1.
    """
    ends = np.array([[0, 0, 0, 2, 2, 3, 3], [1, 2, 3, 4, 5, 4, 5]])
    edges = sparse.csr_matrix((np.ones(7), ends), shape=(6, 6))
    data = standardise("pull", edges, np.eye(6), np.array([0, 0, 1, 1, 1, 1]))
    split = Split(np.array([1, 4, 5]), np.array([0]), np.array([2, 3]))
    found = propagate(CONFIGURATIONS["LabelProp"], data, split)
    assert (found.best, found.val_accuracy, found.accuracy) == (1, 1, 1)
    assert found.val_loss == pytest.approx(math.log(1 + math.exp(-1 / 3)))
