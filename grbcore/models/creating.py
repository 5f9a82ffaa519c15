"""A model for a dataset, in one line."""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import ValidationError

from grbcore.architectures import ARCHITECTURES
from grbcore.datasets.dataset import Dataset
from grbcore.models.building import build
from grbcore.models.model import Model


def create(
    architecture: str,
    dataset: Dataset,
    parameters: Mapping[str, object] | None = None,
    *,
    dropout: float = 0.5,
    seed: int = 0,
) -> Model:
    """A freshly initialised model for a dataset's features and classes, in training mode.

    ``create("GCN", dataset, {"hidden": [64, 64], "layer_norm": True})``.  Hidden widths are
    64, 64, 64 where the architecture has any and none are given.  The same seed gives the same
    weights.

    Raises:
        ValueError: the architecture is not registered, or does not take these parameters.
    """
    if architecture not in ARCHITECTURES:
        allowed = ", ".join(ARCHITECTURES)
        raise ValueError(f"architecture: found {architecture!r}, allowed: {allowed}")
    kind = ARCHITECTURES[architecture].parameters
    given = dict(parameters or {})
    if kind.model_fields["hidden"].is_required():
        given.setdefault("hidden", [64, 64, 64])
    try:
        taken = kind.model_validate(given)
    except ValidationError as error:
        faults = "; ".join(
            f"parameters/{'/'.join(map(str, item['loc']))}: found {item['input']!r}, "
            f"allowed: {item['msg']}"
            for item in error.errors()
        )
        raise ValueError(f"{faults} (of {architecture}: {', '.join(kind.model_fields)})") from None
    return build(
        architecture,
        taken,
        features=int(dataset.features.shape[1]),
        classes=dataset.classes,
        dropout=dropout,
        seed=seed,
    )
