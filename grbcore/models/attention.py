"""Attention over neighbours in a few dense operations, with its gradient by hand."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor
from torch.autograd.function import once_differentiable
from torch.nn import functional as F

from grbcore.spmm import Pattern, product

SLOPE = 0.2  # of the leaky ReLU on attention scores; Velickovic et al., Section 2.1


def attend(
    pattern: Pattern,
    hidden: Tensor,
    source: Tensor,
    destination: Tensor,
    edge_weight: Tensor | None = None,
) -> Tensor:
    """For each head the attention-weighted mean of ``hidden`` over a node's neighbours and itself.

    ``hidden`` (n, heads * width) holds one head after another, ``source`` and ``destination`` are
    (heads, width), ``edge_weight`` (z,) multiplies the unnormalised attention.  Gives
    (n, heads * width).

    Head h of node i is row ``i * heads + h`` of one pattern that holds all heads, so that
    one product aggregates them and nothing is transposed.
    """
    heads, width = source.shape
    looped = pattern.looped
    places = looped.pattern.spread(heads)
    scores = hidden @ torch.cat([_blocks(source), _blocks(destination)], dim=1)
    sent, received = scores[:, :heads].flatten(), scores[:, heads:].flatten()
    attention: Tensor = _Attention.apply(sent, received, places)  # type: ignore[no-untyped-call]
    if edge_weight is not None:
        attention = _reweighted(attention, looped.weights(edge_weight), looped.pattern, heads)
    return product(places, attention, hidden.reshape(-1, width)).view(hidden.shape)


def _blocks(vectors: Tensor) -> Tensor:
    """(heads, width) to (heads * width, heads): head h's vector in its rows of column h."""
    heads, width = vectors.shape
    eye = torch.eye(heads, dtype=vectors.dtype, device=vectors.device)
    return (vectors[:, :, None] * eye[:, None, :]).reshape(heads * width, heads)


def _reweighted(attention: Tensor, weights: Tensor, looped: Pattern, heads: int) -> Tensor:
    places = looped.spread(heads)
    weighted = attention * weights[looped.spread_entries(heads)]
    total = weighted.new_zeros(places.size).index_add(0, places.row, weighted)
    # A row whose weighted attention underflows takes nothing from anybody.
    return weighted / total.clamp_min(torch.finfo(total.dtype).tiny)[places.row]


class _Attention(torch.autograd.Function):
    """Softmax over each row of ``leaky_relu(sent[column] + received[row])``: (z,)."""

    @staticmethod
    def forward(ctx: Any, sent: Tensor, received: Tensor, pattern: Pattern) -> Tensor:
        raw = sent[pattern.col] + received[pattern.row]
        scores = F.leaky_relu(raw, SLOPE)
        # One shift for each node: one for all would underflow whole rows of a trained model to
        # 0 / 0.
        scores -= _reduce(pattern, scores, "max")[pattern.row]
        weights = scores.exp_()
        attention = weights / _reduce(pattern, weights, "sum")[pattern.row]
        ctx.pattern = pattern
        ctx.save_for_backward(raw, attention)
        return attention

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, grad: Tensor) -> tuple[Tensor, Tensor, None]:
        raw, attention = ctx.saved_tensors
        pattern: Pattern = ctx.pattern
        weighted = attention * grad
        scores = weighted - attention * _reduce(pattern, weighted, "sum")[pattern.row]
        scores *= torch.where(raw > 0, 1.0, SLOPE)
        sent = _reduce(pattern, scores[pattern.reverse], "sum")
        return sent, _reduce(pattern, scores, "sum"), None


def _reduce(pattern: Pattern, values: Tensor, how: str) -> Tensor:
    """Sum or maximum of the values (z,) over each row: (n,)."""
    return torch.segment_reduce(values, how, offsets=pattern.rowptr, unsafe=True)
