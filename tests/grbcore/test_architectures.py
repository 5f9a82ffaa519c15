"""Registered architectures against the parameter counts of the paper's tables 6-10."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from grbcore.architectures import ARCHITECTURES, HeadParameters, Parameters, family
from tests.grbcore.counts import COUNTS, TABLES, Count, architecture_of
from tests.grbcore.engine import small

HEADS = HeadParameters(hidden=[1]).heads
#: What LN normalises, as far as it is not the input and every hidden layer but the last.
NORMALISED: dict[str, Callable[[list[int]], list[int]]] = {
    "APPNP": lambda hidden: [INPUT, *hidden],
    "MLP": lambda hidden: [INPUT, *hidden],
    "GPRGNN": lambda hidden: [INPUT, *hidden],
    "EvenNet": lambda hidden: [INPUT, *hidden],
    "RUNG": lambda hidden: [INPUT, *hidden],
    "LogReg": lambda hidden: [INPUT],
    "SGCN": lambda hidden: hidden[:-1],  # its input always is
    "GAT": lambda hidden: [INPUT, *(HEADS * width for width in hidden[:-1])],
    "GATGuard": lambda hidden: [INPUT, *(HEADS * width for width in hidden[:-1])],
}
INPUT = 10
MISSING: set[str] = set()


@pytest.mark.parametrize("count", COUNTS.values(), ids=COUNTS)
def test_the_parameters_are_as_many_as_the_paper_counts(count: Count) -> None:
    architecture = ARCHITECTURES[count.architecture]
    found = architecture.count(count.parameters, count.features, count.classes)
    assert found == count.printed


def test_every_count_of_the_paper_is_compared() -> None:
    """80 of them; an architecture that is not registered is named here."""
    printed = {name for table in TABLES.values() for name in table["models"]}
    assert sum(len(table["models"]) for table in TABLES.values()) == 80
    missing = {architecture_of(name) for name in printed} - ARCHITECTURES.keys()
    assert missing <= MISSING


def test_shapes_of_a_small_gcn_are_those_of_its_layers() -> None:
    shapes = ARCHITECTURES["GCN"].shapes(Parameters(hidden=[4], layer_norm=True), 3, 2)
    assert shapes == {
        "convs.0.weight": (4, 3),
        "convs.0.bias": (4,),
        "convs.1.weight": (2, 4),
        "convs.1.bias": (2,),
        "norms.0.weight": (3,),
        "norms.0.bias": (3,),
    }


def test_the_work_of_a_small_gcn_is_that_of_its_products() -> None:
    """5 nodes, 8 stored edges, 3 → 4 → 2: products 5·3·4 + 5·4·2, sums (8+5)·4 + (8+5)·2."""
    work = ARCHITECTURES["GCN"].work(
        Parameters(hidden=[4]), nodes=5, edges=8, features=3, classes=2
    )
    assert work == 60 + 40 + 52 + 26


@given(
    st.sampled_from(list(ARCHITECTURES)),
    st.lists(st.integers(1, 64), min_size=2, max_size=4),
)
def test_layer_normalisation_adds_a_weight_and_a_bias_for_each_normalised_width(
    name: str, hidden: list[int]
) -> None:
    """GRB: ``2·in + 2·sum(hidden[:-1])``, but for those that `NORMALISED` names."""
    counts = [
        ARCHITECTURES[name].count(small(name, hidden=hidden, layer_norm=norm), INPUT, 3)
        for norm in (False, True)
    ]
    widths = NORMALISED.get(name, lambda hidden: [INPUT, *hidden[:-1]])(hidden)
    assert counts[1] - counts[0] == 2 * sum(widths)


@pytest.mark.parametrize(
    "parameters",
    [
        {},
        {"hidden": []},
        {"hidden": [0]},
        {"hidden": [1025]},
        {"hidden": [1] * 16},
        {"hidden": [4], "dropout": 0.5},
        {"hidden": ["4"]},
        {"hidden": [4], "layer_norm": 1},
    ],
)
def test_parameters_out_of_bounds_are_refused(parameters: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Parameters.model_validate(parameters)


@pytest.mark.parametrize("heads", [0, 17])
def test_heads_out_of_bounds_are_refused(heads: int) -> None:
    with pytest.raises(ValidationError):
        HeadParameters(hidden=[4], heads=heads)


def test_a_family_is_the_architecture_and_what_was_added() -> None:
    assert family("GCN", Parameters(hidden=[4])) == "GCN"
    assert family("GCN", Parameters(hidden=[4], layer_norm=True), True) == "GCN+LN+AT"
