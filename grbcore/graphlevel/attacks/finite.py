"""Gradients that are finite, or are made so."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor

from grbcore.graphlevel.models.model import GraphLevelModel
from grbcore.graphlevel.models.signnet import SignNet

#: Standard deviations of what is added to the diagonal where eigenvalues repeat.
SHAKES = (0.001, 0.01, 0.1)


def finite_gradients(
    model: GraphLevelModel,
    mask: Tensor,
    function: Callable[..., Tensor],
    points: tuple[Tensor, ...],
    rng: torch.Generator,
) -> tuple[Tensor, ...]:
    """The gradients of ``function(*points)`` (B,), each graph's its own; 0 where there is none.

    ``mask`` (B, N) says which nodes there are.
    Where a graph's gradient is not finite SignNet's Laplacian is shaken, more each time, and the
    first finite gradient taken.  Source: the thesis, section 4.4.2, and its code for 0.1.
    """
    found = _gradients(function, points)
    good = _finite(found)
    if isinstance(model, SignNet) and not bool(good.all()):
        try:
            for deviation in SHAKES:
                model.shake = deviation * torch.randn(mask.shape, generator=rng) * mask
                again = _gradients(function, points)
                now = _finite(again) & ~good
                found = tuple(
                    torch.where(_like(now, old), new, old)
                    for old, new in zip(found, again, strict=True)
                )
                good = good | now
                if bool(good.all()):
                    break
        finally:
            model.shake = None
    return tuple(torch.where(_like(good, slope), slope, 0.0) for slope in found)


def steady(model: GraphLevelModel) -> bool:
    """Whether the model's gradients at one point are always the same."""
    return not model.noise_width and not isinstance(model, SignNet)


def moved(before: tuple[Tensor, ...], after: tuple[Tensor, ...]) -> Tensor:
    """Which graphs' points differ (B,)."""
    each = [(old != new).flatten(1).any(1) for old, new in zip(before, after, strict=True)]
    return torch.stack(each).any(0)


def _gradients(function: Callable[..., Tensor], points: tuple[Tensor, ...]) -> tuple[Tensor, ...]:
    leaves = [point.detach().requires_grad_() for point in points]
    total = function(*leaves).sum()
    if not total.requires_grad:
        return tuple(torch.zeros_like(leaf) for leaf in leaves)
    found = torch.autograd.grad(total, leaves, allow_unused=True)
    return tuple(
        torch.zeros_like(leaf) if slope is None else slope
        for leaf, slope in zip(leaves, found, strict=True)
    )


def _finite(slopes: tuple[Tensor, ...]) -> Tensor:
    """Whether all of each graph's gradients are finite (B,)."""
    each = [slope.isfinite().flatten(1).all(1) for slope in slopes]
    return torch.stack(each).all(0)


def _like(graphs: Tensor, slope: Tensor) -> Tensor:
    return graphs.reshape(-1, *[1] * (slope.ndim - 1))
