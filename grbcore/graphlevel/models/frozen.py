"""Models as attacks see them: weights that stay, batch norms folded in."""

from __future__ import annotations

from copy import deepcopy
from typing import TypeVar

import torch
from torch import nn
from torch.nn.utils.fusion import fuse_linear_bn_eval

from grbcore.graphlevel.models.model import GraphLevelModel, Rows

Model = TypeVar("Model", bound=GraphLevelModel)

#: Layers, and the batch norm that follows each at once.
_PAIRS = (
    ("layers", "norms"),
    ("own", "own_norms"),
    ("shared", "shared_norms"),
    ("phi", "phi_norms"),
)


@torch.no_grad()
def frozen(model: Model) -> Model:
    """A copy of the model in evaluation mode, its outputs the same but for rounding.

    Gradients go to what it is given, never to its weights.
    """
    copy = deepcopy(model).eval()
    for layers, norms in _PAIRS:
        pairs = zip(getattr(copy, layers, ()), getattr(copy, norms, ()), strict=False)
        for place, (layer, norm) in enumerate(pairs):
            if isinstance(norm, nn.Identity):
                continue  # frozen before
            layer[-1] = _fused(layer[-1], norm)
            getattr(copy, norms)[place] = nn.Identity()
    for name, part in list(copy.named_modules()):
        if isinstance(part, Rows) and len(part) > 1:
            _put(copy, name, Rows(*_folded(list(part))))
    return copy.requires_grad_(False)


def _folded(parts: list[nn.Module]) -> list[nn.Module]:
    """The parts without batch norms, which the linear map before each takes over, or that after."""
    found: list[nn.Module] = []
    norm: nn.BatchNorm1d | None = None
    for part in parts:
        if isinstance(part, nn.BatchNorm1d) and isinstance(found[-1], nn.Linear):
            found[-1] = _fused(found[-1], part)
        elif isinstance(part, nn.BatchNorm1d):
            norm = part
        elif isinstance(part, nn.Linear) and norm is not None:
            found.append(_normed_first(norm, part))
            norm = None
        else:
            found.append(part)
    return found


def _normed_first(norm: nn.BatchNorm1d, linear: nn.Linear) -> nn.Linear:
    assert norm.running_mean is not None and norm.running_var is not None
    found = deepcopy(linear)
    scale = norm.weight * (norm.running_var + norm.eps).rsqrt()
    found.bias.add_(linear.weight @ (norm.bias - scale * norm.running_mean))
    found.weight.mul_(scale)
    return found


def _fused(linear: nn.Module, norm: nn.Module) -> nn.Module:
    norm = norm[0] if isinstance(norm, Rows) else norm
    assert isinstance(linear, nn.Linear) and isinstance(norm, nn.BatchNorm1d)
    return fuse_linear_bn_eval(linear, norm)


def _put(model: nn.Module, name: str, part: nn.Module) -> None:
    above, _, own = name.rpartition(".")
    setattr(model.get_submodule(above), own, part)
