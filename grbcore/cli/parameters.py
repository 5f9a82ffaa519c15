"""The options of a command as the parameters of an architecture."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from grbcore.architectures import registered
from grbcore.scenario import Scenario
from grbcore.submission import parameter_faults
from grbcore.violations import Refused, Violation

_HIDDEN = [64, 64, 64]  # the widths of most models of GRB's Tables 6-10


def parameters(
    architecture: str,
    *,
    scenario: Scenario = "injection",
    usual: Mapping[str, object] | None = None,
    hidden: str | None,
    layer_norm: bool,
    named: Mapping[str, object],
    others: Sequence[str],
) -> dict[str, Any]:
    """What an architecture of a board of this scenario is told, defaults filled in.

    ``usual`` is what it is told unless an option says otherwise, ``named`` are options with a name
    of their own, None where they were not given; ``others`` are ``NAME=VALUE``.

    Raises:
        Refused: no such architecture, or it takes no such parameter or value.
    """
    known = registered(scenario)
    if architecture not in known:
        listed = ", ".join(known)
        raise Refused([Violation("architecture", "--architecture", architecture, listed)])
    kind = known[architecture].parameters
    fields: dict[str, Any] = dict(usual or {})
    if layer_norm or "layer_norm" in kind.model_fields:
        fields["layer_norm"] = layer_norm
    if hidden is not None:
        widths = _widths(hidden)
        one = kind.model_fields["hidden"].annotation is int and len(widths) == 1
        fields["hidden"] = widths[0] if one else widths
    elif kind.model_fields["hidden"].is_required():
        fields["hidden"] = _HIDDEN
    fields |= {name: value for name, value in named.items() if value is not None}
    fields |= dict(pair_of(other) for other in others)
    try:
        return kind.model_validate(fields).model_dump()
    except ValidationError as error:
        raise Refused(parameter_faults(error, "parameters", known[architecture])) from None


def _widths(hidden: str) -> list[int]:
    try:
        return [int(width) for width in hidden.split(",")]
    except ValueError:
        allowed = "whole numbers with commas, such as 64,64,64"
        raise Refused([Violation("parameters", "--hidden", hidden, allowed)]) from None


def pair_of(text: str) -> tuple[str, object]:
    """A name and its value, as JSON where it is some, else as it is written.

    Raises:
        Refused: it is written otherwise.
    """
    name, equals, value = text.partition("=")
    if not (name and equals and value):
        allowed = "a parameter and its value, such as threshold=0.1"
        raise Refused([Violation("parameters", "--set", text, allowed)])
    try:
        return name, json.loads(value)
    except ValueError:
        return name, value
