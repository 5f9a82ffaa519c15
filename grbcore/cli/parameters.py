"""The options of a command as the parameters of an architecture."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from grbcore.architectures import ARCHITECTURES
from grbcore.submission import parameter_faults
from grbcore.violations import Refused, Violation

_HIDDEN = [64, 64, 64]  # the widths of most models of GRB's Tables 6-10


def parameters(
    architecture: str,
    *,
    hidden: str | None,
    layer_norm: bool,
    named: Mapping[str, object],
    others: Sequence[str],
) -> dict[str, Any]:
    """What an architecture is told, defaults filled in.

    ``named`` are options with a name of their own, None where they were not given; ``others`` are
    ``NAME=VALUE``.

    Raises:
        Refused: no such architecture, or it takes no such parameter or value.
    """
    if architecture not in ARCHITECTURES:
        listed = ", ".join(ARCHITECTURES)
        raise Refused([Violation("architecture", "--architecture", architecture, listed)])
    kind = ARCHITECTURES[architecture].parameters
    fields: dict[str, Any] = {"layer_norm": layer_norm}
    if hidden is not None:
        fields["hidden"] = _widths(hidden)
    elif kind.model_fields["hidden"].is_required():
        fields["hidden"] = _HIDDEN
    fields |= {name: value for name, value in named.items() if value is not None}
    fields |= dict(_pair(other) for other in others)
    try:
        return kind.model_validate(fields).model_dump()
    except ValidationError as error:
        raise Refused(parameter_faults(error, "parameters")) from None


def _widths(hidden: str) -> list[int]:
    try:
        return [int(width) for width in hidden.split(",")]
    except ValueError:
        allowed = "whole numbers with commas, such as 64,64,64"
        raise Refused([Violation("parameters", "--hidden", hidden, allowed)]) from None


def _pair(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        allowed = "a parameter and its value, such as threshold=0.1"
        raise Refused([Violation("parameters", "--set", text, allowed)])
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
