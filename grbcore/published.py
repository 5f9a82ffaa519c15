"""The tensor names of published models, and ours."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from numpy.typing import NDArray

from grbcore.architectures import ARCHITECTURES
from grbcore.violations import Refused, Violation

Tensors = dict[str, NDArray[Any]]

# GRB's library (0.1.0 and the KDD Cup code before it) -> here; the same for both models
_NAMES: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"layers\.(\d+)\.linear\.(weight|bias)", r"convs.\1.\2"),
        (r"layers\.(\d+)\.eps", r"convs.\1.eps"),
        (r"layers\.(\d+)\.linear1\.(weight|bias)", r"convs.\1.linears.0.\2"),
        (r"layers\.(\d+)\.linear2\.(weight|bias)", r"convs.\1.linears.1.\2"),
        (r"layers\.(\d+)\.norm\.(.+)", r"convs.\1.batch_norm.\2"),
        (r"linear1\.(weight|bias)", r"head.0.\1"),
        (r"linear2\.(weight|bias)", r"head.1.\1"),
    )
)

# Whose rows are a layer's width, by architecture, where it is not convs.N or linears.N.weight.
_WEIGHTS: Mapping[str, str] = {
    "GIN": r"convs\.(\d+)\.linears\.0\.weight",
    "R-GCN": r"convs\.(\d+)\.mean\.weight",
    "GraphSAGE": r"convs\.(\d+)\.own\.weight",
}


def rename(state: Mapping[str, NDArray[Any]]) -> Tensors:
    """The tensors under our names; names that nobody published stay as they are."""
    return {_rename(name): tensor for name, tensor in state.items()}


def _rename(name: str) -> str:
    for pattern, replacement in _NAMES:
        if pattern.fullmatch(name):
            return pattern.sub(replacement, name)
    return name


def infer(tensors: Tensors, architecture: str | None = None) -> tuple[str, dict[str, Any]]:
    """The architecture that is named or that the names suggest, and its parameters from the shapes.

    Several architectures have the tensors of a GCN, so the others must be named.  What no shape
    tells, such as hops, has its default.

    Raises:
        Refused: no registered architecture is named or suggested.
    """
    name = architecture or _suggested(tensors)
    if name is None or name not in ARCHITECTURES:
        listed = ", ".join(ARCHITECTURES)
        found = f"tensors {', '.join(sorted(tensors)[:6])}" if name is None else repr(name)
        raise Refused([Violation("architecture", "state dict", found[:200], listed)])
    parameters: dict[str, Any] = {"layer_norm": any(key.startswith("norms.") for key in tensors)}
    layers = _layers(tensors, _WEIGHTS.get(name, r"(?:convs|linears)\.(\d+)\.weight"))
    heads = 1
    if "heads" in ARCHITECTURES[name].parameters.model_fields:
        source = tensors.get("convs.0.source")
        heads = int(source.shape[0]) if source is not None and source.ndim == 2 else 4
        parameters["heads"] = heads
    widths = [int(tensor.shape[0]) // heads for tensor in layers]
    if not ARCHITECTURES[name].parameters.model_fields["hidden"].is_required():
        return name, parameters
    parameters["hidden"] = widths if name == "GIN" else widths[:-1]
    if not parameters["hidden"]:
        found = f"tensors {', '.join(sorted(tensors)[:6])}"
        raise Refused([Violation("architecture", "state dict", found[:200], f"layers of {name}")])
    return name, parameters


def _layers(tensors: Tensors, pattern: str) -> list[NDArray[Any]]:
    found = {}
    for key, tensor in tensors.items():
        match = re.fullmatch(pattern, key)
        if match and tensor.ndim == 2:
            found[int(match[1])] = tensor
    return [found[index] for index in sorted(found)]


def _suggested(tensors: Tensors) -> str | None:
    if any(key.endswith(".eps") for key in tensors):
        return "GIN"
    if any(key.endswith(".source") for key in tensors):
        return "GAT"
    return "GCN" if "convs.0.weight" in tensors else None
