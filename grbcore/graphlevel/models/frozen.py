"""Models as attacks see them: weights that stay, batch norms folded in."""

from __future__ import annotations

from copy import deepcopy
from typing import TypeVar

import torch
from torch import nn
from torch.nn.utils.fusion import fuse_linear_bn_eval

from grbcore.graphlevel.models.model import GraphLevelModel
from grbcore.graphlevel.models.perceptrons import Rows

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

    Of sparse batches it computes what it can't tell apart once, where `Passing`, `SignNet` or
    `PPGN` can.
    Gradients go to what it is given, never to its weights.  What is frozen already is returned.
    """
    learns = model.training or any(weight.requires_grad for weight in model.parameters())
    if model.merges and not learns:
        return model
    copy = deepcopy(model).eval()
    for layer, norms, place in _followed(copy):
        layer[-1] = _fused(layer[-1], norms[place])
        norms[place] = Rows()
    for name, part in _within(copy):
        _put(copy, name, Rows(*_folded(list(part))))
    copy.merges = True
    return copy.requires_grad_(False)


def _followed(model: nn.Module) -> list[tuple[nn.Sequential, nn.ModuleList, int]]:
    """Layers that a batch norm follows: the layer, the norms and which of them is its own."""
    return [
        (layer, getattr(model, norms), place)
        for layers, norms in _PAIRS
        for place, (layer, norm) in enumerate(
            zip(getattr(model, layers, ()), getattr(model, norms, ()), strict=False)
        )
        if len(norm)
    ]


def _within(model: nn.Module) -> list[tuple[str, Rows]]:
    """Rows of layers with batch norms among them, by their names."""
    return [
        (name, part)
        for name, part in model.named_modules()
        if isinstance(part, Rows)
        and len(part) > 1
        and any(isinstance(own, nn.BatchNorm1d) for own in part)
    ]


def _folded(parts: list[nn.Module]) -> list[nn.Module]:
    """The parts without batch norms, which the linear map before each takes over, or that after."""
    found: list[nn.Module] = []
    norm: nn.BatchNorm1d | None = None
    for part in parts:
        if isinstance(part, nn.BatchNorm1d) and isinstance(found[-1], nn.Linear):
            found[-1] = _fused(found[-1], part)
        elif isinstance(part, nn.BatchNorm1d):
            norm = part
        elif norm is not None:
            assert isinstance(part, nn.Linear)
            found.append(_normed_first(norm, part))
            norm = None
        else:
            found.append(part)
    assert norm is None
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
