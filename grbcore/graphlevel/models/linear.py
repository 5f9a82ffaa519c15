"""Linear maps, by the quicker of two libraries."""

from __future__ import annotations

import platform
from functools import cache
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.autograd.function import once_differentiable

#: Maps of fewer inputs or outputs, such as heads, are left to torch's own.
_WIDE = 32


class Linear(nn.Linear):
    """``torch.nn.Linear``, alike but for rounding.

    In single precision on a processor of AMD its products are oneDNN's, which torch compiles to but
    does not call by itself: up to twice as fast as torch's own, MKL's, there.
    """

    def forward(self, x: Tensor) -> Tensor:
        if x.ndim != 2 or not _quick(self.weight, x):
            return super().forward(x)
        found: Tensor = _Product.apply(x, self.weight, self.bias)  # type: ignore[no-untyped-call]
        return found


def times(weight: Tensor, x: Tensor, bias: Tensor | None = None) -> Tensor:
    """``weight`` (o, i) times columns ``x`` (i, k), plus ``bias`` (o,): (o, k), as `Linear`."""
    quick = _quick(weight, x)
    found: Tensor = _Columns.apply(weight, x) if quick else weight @ x  # type: ignore[no-untyped-call]
    return found if bias is None else found + bias[:, None]


class _Columns(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, weight: Tensor, x: Tensor) -> Tensor:
        ctx.save_for_backward(weight, x if ctx.needs_input_grad[0] else None)
        return _product(weight.contiguous(), x.T)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor | None, Tensor | None]:
        weight, x = ctx.saved_tensors
        slope = slope.contiguous()
        to_weight, to_x = ctx.needs_input_grad
        return (
            _product(slope, x) if to_weight else None,
            _product(weight.T.contiguous(), slope.T) if to_x else None,
        )


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
        learns = ctx.needs_input_grad[1]
        ctx.save_for_backward(x if learns else None, weight)
        return _product(x.contiguous(), weight, bias)

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor | None, Tensor | None, Tensor | None]:
        x, weight = ctx.saved_tensors
        slope = slope.contiguous()
        to_x, to_weight, to_bias = ctx.needs_input_grad
        return (
            _product(slope, weight.T) if to_x else None,
            _product(slope.T, x.T) if to_weight else None,
            slope.sum(0) if to_bias else None,
        )


def _product(x: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    if not weight.is_contiguous() and not weight.T.is_contiguous():
        weight = weight.contiguous()  # of a part of a matrix oneDNN has no quick product
    found: Tensor = torch.ops.mkldnn._linear_pointwise(x, weight, bias, "none", [], "")
    return found


def _quick(weight: Tensor, x: Tensor) -> bool:
    """Whether oneDNN is the quicker one."""
    if x.dtype != torch.float32 or x.device.type != "cpu" or not x.numel():
        return False
    if min(weight.shape) < _WIDE or not _amd():
        return False
    return bool(torch.backends.mkldnn.enabled) and hasattr(torch.ops.mkldnn, "_linear_pointwise")


@cache
def _amd() -> bool:
    """Whether the processor is AMD's, as far as the system says so."""
    try:
        said = Path("/proc/cpuinfo").read_text()
    except OSError:
        said = platform.processor()
    return "AuthenticAMD" in said
