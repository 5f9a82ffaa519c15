"""The options of a command as the parameters of an architecture."""

from __future__ import annotations

import pytest

from grbcore.architectures import ARCHITECTURES
from grbcore.cli.parameters import parameters
from grbcore.violations import Refused, Violation


def chosen(
    architecture: str,
    *others: str,
    hidden: str | None = None,
    layer_norm: bool = False,
    **named: object,
) -> dict[str, object]:
    return parameters(
        architecture, hidden=hidden, layer_norm=layer_norm, named=named, others=others
    )


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_every_architecture_has_parameters_where_none_are_given(architecture: str) -> None:
    """GRB's widths, 64,64,64, where there are hidden layers."""
    found = ARCHITECTURES[architecture].parameters.model_validate(chosen(architecture))
    assert found.hidden == ([] if architecture == "LogReg" else [64, 64, 64])


def test_what_is_given_replaces_the_defaults() -> None:
    found = chosen("APPNP", hidden="32,16", layer_norm=True, hops=3, alpha=None)
    expected = {"hidden": [32, 16], "layer_norm": True, "hops": 3, "alpha": 0.01}
    assert found == expected


def test_any_parameter_can_be_set_by_its_name() -> None:
    assert chosen("APPNP", "alpha=0.2", "hops=4") == chosen("APPNP", alpha=0.2, hops=4)


def refusal(architecture: str, *others: str, **named: object) -> Violation:
    with pytest.raises(Refused) as refused:
        chosen(architecture, *others, **named)
    (found,) = refused.value.violations
    return found


def test_unknown_architecture_is_refused_with_those_allowed() -> None:
    found = refusal("GNN")
    assert (found.place, found.found) == ("--architecture", "GNN")
    assert found.allowed == ", ".join(ARCHITECTURES)


def test_widths_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(Refused, match="whole numbers with commas, such as 64,64,64"):
        chosen("GCN", hidden="64;64")


@pytest.mark.parametrize("text", ["hops", "=3", "hops="])
def test_setting_without_name_or_value_is_refused(text: str) -> None:
    assert refusal("TAGCN", text).found == text


@pytest.mark.parametrize(
    ("architecture", "text", "place", "allowed"),
    [
        ("GCN", "hops=2", "hops", "the parameters of GCN: hidden, layer_norm"),
        ("TAGCN", "hops=two", "hops", "a whole number"),
        ("TAGCN", "hops=2.5", "hops", "a whole number"),
        ("TAGCN", "hops=21", "hops", "less than or equal to 20"),
        ("TAGCN", "layer_norm=1", "layer_norm", "true or false"),
        ("APPNP", "alpha=low", "alpha", "a number"),
    ],
)
def test_setting_that_the_architecture_does_not_take_is_named(
    architecture: str, text: str, place: str, allowed: str
) -> None:
    found = refusal(architecture, text)
    assert (found.place, found.allowed) == (f"parameters/{place}", allowed)


@pytest.mark.parametrize(
    ("hidden", "heads", "place", "allowed"),
    [
        ("64,64", None, "hidden", "a whole number"),
        ("64", 3, "heads", "the parameters of GINE: hidden, layers"),
    ],
)
def test_what_a_model_of_whole_graphs_does_not_take_is_said_in_plain_words(
    hidden: str, heads: int | None, place: str, allowed: str
) -> None:
    with pytest.raises(Refused) as refused:
        parameters(
            "GINE",
            scenario="adjacency",
            hidden=hidden,
            layer_norm=False,
            named={"heads": heads},
            others=(),
        )
    (found,) = refused.value.violations
    assert (found.place, found.allowed) == (f"parameters/{place}", allowed)
