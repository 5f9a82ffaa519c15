"""Layers that models share, against torch's own."""

from __future__ import annotations

import torch
from torch.nn import functional as F

from grbcore.models.layers import dropout, relu_dropout


def test_relu_and_dropout_in_place_are_those_of_the_two_steps() -> None:
    """The same generator state draws the same mask; values and gradients are the same bits."""
    hidden = torch.randn(5000, 7, generator=torch.Generator().manual_seed(0))
    weight = torch.randn(5000, 7, generator=torch.Generator().manual_seed(1))
    found = []
    for in_place in (True, False):
        leaf = hidden.clone().requires_grad_()
        copy = leaf * 1
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(2)
            result = relu_dropout(copy, 0.5, True) if in_place else dropout(F.relu(copy), 0.5, True)
        (gradient,) = torch.autograd.grad((result * weight).sum(), leaf)
        found.append((result, gradient))
    assert torch.equal(found[0][0], found[1][0])
    assert torch.equal(found[0][1], found[1][1])


def test_relu_overwrites_and_drops_nothing_where_not_training() -> None:
    hidden = torch.tensor([[-1.0, 2.0]])
    assert torch.equal(relu_dropout(hidden, 0.5, False), torch.tensor([[0.0, 2.0]]))
