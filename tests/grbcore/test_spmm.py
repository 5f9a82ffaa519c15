"""The sparse kernel against dense arithmetic."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from grbcore.perturbation import Injection
from grbcore.spmm import (
    Pattern,
    entry_products,
    entry_products_gathered,
    multiply,
    multiply_csr,
    normalise,
    product,
)
from tests.grbcore.engine import TOY_GRAPH

PATTERN = TOY_GRAPH.pattern
EMPTY = Pattern(torch.zeros(6, dtype=torch.int64), torch.zeros(0, dtype=torch.int64))


def random(*shape: int, seed: int = 0) -> Tensor:
    return torch.from_numpy(np.random.default_rng(seed).standard_normal(shape).astype(np.float32))


def dense(pattern: Pattern, values: Tensor) -> Tensor:
    return torch.zeros(pattern.size, pattern.size).index_put((pattern.row, pattern.col), values)


@pytest.mark.parametrize("kernel", [multiply, multiply_csr])
@pytest.mark.parametrize("pattern", [PATTERN, EMPTY], ids=["toy", "no edges"])
@pytest.mark.parametrize("weighted", [True, False])
def test_product_equals_the_dense_one(kernel, pattern: Pattern, weighted: bool) -> None:
    values = random(pattern.entries) if weighted else None
    right = random(pattern.size, 7, seed=1)
    expected = dense(pattern, torch.ones(pattern.entries) if values is None else values) @ right
    found = kernel(pattern.rowptr, pattern.col, values, right)
    torch.testing.assert_close(found, expected)


def test_gradients_equal_those_of_the_dense_product() -> None:
    values = random(PATTERN.entries).requires_grad_()
    right = random(PATTERN.size, 7, seed=1).requires_grad_()
    upstream = random(PATTERN.size, 7, seed=2)
    expected = torch.autograd.grad(
        (dense(PATTERN, values) @ right * upstream).sum(), (values, right)
    )
    found = torch.autograd.grad((product(PATTERN, values, right) * upstream).sum(), (values, right))
    torch.testing.assert_close(found, expected)


def test_known_transpose_gives_the_same_gradient() -> None:
    values = normalise(PATTERN)
    looped = PATTERN.looped.pattern
    right = random(PATTERN.size, 3).requires_grad_()
    weight = random(PATTERN.size, 3, seed=1)
    plain = torch.autograd.grad((product(looped, values, right) * weight).sum(), right)
    known = product(looped, values, right, transposed=values)
    torch.testing.assert_close(torch.autograd.grad((known * weight).sum(), right), plain)


@pytest.mark.parametrize("chunk", [1, 5, 1 << 20])
def test_entry_products_are_inner_products_of_rows(chunk: int) -> None:
    left, right = random(PATTERN.size, 6), random(PATTERN.size, 6, seed=1)
    expected = (left @ right.t())[PATTERN.row, PATTERN.col]
    torch.testing.assert_close(entry_products(PATTERN, left, right), expected)
    gathered = entry_products_gathered(PATTERN, left, right, chunk=chunk)
    torch.testing.assert_close(gathered, expected)


def test_reverse_finds_the_opposite_entry() -> None:
    assert torch.equal(PATTERN.row[PATTERN.reverse], PATTERN.col)
    assert torch.equal(PATTERN.col[PATTERN.reverse], PATTERN.row)


def test_looped_pattern_is_the_pattern_and_the_diagonal() -> None:
    looped = PATTERN.looped.pattern
    expected = dense(PATTERN, torch.ones(PATTERN.entries)) + torch.eye(PATTERN.size)
    assert torch.equal(dense(looped, torch.ones(looped.entries)), expected)
    assert bool((looped.row * looped.size + looped.col).diff().gt(0).all())


def test_looped_weights_put_edges_and_ones_in_their_places() -> None:
    weight = random(PATTERN.entries)
    found = dense(PATTERN.looped.pattern, PATTERN.looped.weights(weight))
    torch.testing.assert_close(found, dense(PATTERN, weight) + torch.eye(PATTERN.size))


def test_normalisation_is_that_of_kipf_and_welling() -> None:
    weight = random(PATTERN.entries).abs()
    weight = (weight + weight[PATTERN.reverse]) / 2
    adjacency = dense(PATTERN, weight) + torch.eye(PATTERN.size)
    scale = adjacency.sum(1) ** -0.5
    expected = scale[:, None] * adjacency * scale
    found = dense(PATTERN.looped.pattern, normalise(PATTERN, weight))
    torch.testing.assert_close(found, expected)


def test_unweighted_normalisation_is_that_of_weights_of_one() -> None:
    torch.testing.assert_close(normalise(PATTERN), normalise(PATTERN, torch.ones(PATTERN.entries)))


def test_spread_pattern_is_a_kronecker_product_with_the_identity() -> None:
    spread = PATTERN.spread(3)
    expected = torch.kron(dense(PATTERN, torch.ones(PATTERN.entries)), torch.eye(3))
    assert torch.equal(dense(spread, torch.ones(spread.entries)), expected)


def test_spread_entries_name_the_entry_of_each_head() -> None:
    weight = random(PATTERN.entries)
    found = dense(PATTERN.spread(3), weight[PATTERN.spread_entries(3)])
    torch.testing.assert_close(found, torch.kron(dense(PATTERN, weight), torch.eye(3)))


def test_product_is_bit_identical_over_repeats_and_thread_counts() -> None:
    edges = np.stack([np.full(50, 60), np.arange(50)]).astype(np.int64)
    pattern = TOY_GRAPH.apply(Injection(np.zeros((1, 8), np.float32), edges)).pattern
    values, right = random(pattern.entries), random(pattern.size, 64, seed=1)
    before = torch.get_num_threads()
    found = []
    try:
        for threads in (1, 2, 1, 2):
            torch.set_num_threads(threads)
            found.append(multiply(pattern.rowptr, pattern.col, values, right))
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(found[0], other) for other in found[1:])


def test_product_of_a_table_larger_than_the_cache_is_the_same_bit_for_bit() -> None:
    """2^25 bytes and 16 entries a row: taken a few columns at a time, the last part narrower."""
    rng = np.random.default_rng(0)
    rows, wide = 70_000, 121
    rowptr = torch.arange(rows + 1) * 16
    col = torch.from_numpy(rng.integers(0, rows, rows * 16))
    values, right = random(rows * 16), random(rows, wide, seed=1)
    assert right.numel() * 4 > 1 << 25
    found = multiply(rowptr, col, values, right)
    whole = torch.nn.functional.embedding_bag(
        col, right, rowptr, mode="sum", per_sample_weights=values, include_last_offset=True
    )
    assert torch.equal(found, whole)
