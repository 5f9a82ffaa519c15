"""Models as attacks see them: weights that stay, batch norms folded in, quicker products."""

from __future__ import annotations

from copy import deepcopy
from typing import Any, TypeVar

import torch
from torch import Tensor, nn
from torch.nn import functional as F
from torch.nn.utils.fusion import fuse_linear_bn_eval

from grbcore.graphlevel.models.model import GraphLevelModel, Rows

Model = TypeVar("Model", bound=GraphLevelModel)

#: Layers, and the batch norm that follows each at once.
_PAIRS = (("layers", "norms"), ("own", "own_norms"), ("shared", "shared_norms"))

#: Linear maps of fewer outputs, such as heads, are left as they are.
_WIDE = 32


@torch.no_grad()
def frozen(model: Model) -> Model:
    """A copy of the model in evaluation mode, its outputs the same but for rounding.

    Gradients go to what it is given, never to its weights.
    """
    if any(isinstance(part, Linear) for part in model.modules()):
        return model
    copy = deepcopy(model).eval()
    for layers, norms in _PAIRS:
        pairs = zip(getattr(copy, layers, ()), getattr(copy, norms, ()), strict=False)
        for place, (layer, norm) in enumerate(pairs):
            layer[-1] = _fused(layer[-1], norm)
            getattr(copy, norms)[place] = nn.Identity()
    for name, part in list(copy.named_modules()):
        if isinstance(part, Rows) and len(part) > 1 and isinstance(part[1], nn.BatchNorm1d):
            _put(copy, name, Rows(_fused(part[0], part[1]), *list(part)[2:]))
    for name, part in list(copy.named_modules()):
        if isinstance(part, nn.Linear) and part.out_features >= _WIDE:
            _put(copy, name, Linear(part))
    return copy.requires_grad_(False)


class Linear(nn.Module):
    """A linear map whose weights stay."""

    def __init__(self, linear: nn.Linear) -> None:
        super().__init__()
        self.weight = nn.Parameter(linear.weight.detach(), requires_grad=False)
        self.bias = None if linear.bias is None else nn.Parameter(linear.bias.detach())
        self.back = nn.Parameter(linear.weight.detach().T.contiguous(), requires_grad=False)

    def forward(self, x: Tensor) -> Tensor:
        if not (_onednn(x) and torch.is_grad_enabled() and x.requires_grad):
            return product(x, self.weight, self.bias)
        found: Tensor = _Product.apply(  # type: ignore[no-untyped-call]
            x, self.weight, self.bias, self.back
        )
        return found


class _Product(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, weight: Tensor, bias: Tensor | None, back: Tensor) -> Tensor:
        ctx.back = back
        return product(x, weight, bias)

    @staticmethod
    def backward(ctx: Any, slope: Tensor) -> tuple[Tensor, None, None, None]:
        return product(slope, ctx.back, None), None, None, None


def product(x: Tensor, weight: Tensor, bias: Tensor | None) -> Tensor:
    """x Wᵀ + b, without gradients where it is oneDNN's.

    In single precision on a processor with AVX-512 by oneDNN, which torch compiles to but does not
    call by itself; on one of docs/reproduction-graph-level.md it is twice as fast as torch's own.
    """
    if not _onednn(x):
        return F.linear(x, weight, bias)
    found: Tensor = torch.ops.mkldnn._linear_pointwise(x.contiguous(), weight, bias, "none", [], "")
    return found


def _onednn(x: Tensor) -> bool:
    if x.dtype != torch.float32 or x.device.type != "cpu" or not x.numel():
        return False
    if not torch.backends.cpu.get_cpu_capability().startswith("AVX512"):
        return False
    return bool(torch.backends.mkldnn.enabled) and hasattr(torch.ops.mkldnn, "_linear_pointwise")


def _fused(linear: nn.Module, norm: nn.Module) -> nn.Module:
    norm = norm[0] if isinstance(norm, Rows) else norm
    assert isinstance(linear, nn.Linear) and isinstance(norm, nn.BatchNorm1d)
    return fuse_linear_bn_eval(linear, norm)


def _put(model: nn.Module, name: str, part: nn.Module) -> None:
    above, _, own = name.rpartition(".")
    setattr(model.get_submodule(above), own, part)
