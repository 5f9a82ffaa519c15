"""Registered architectures against the parameter counts of the paper's tables 6-10."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from grbcore.architectures import ARCHITECTURES, HeadParameters, Parameters, family
from tests.grbcore.tables import FOLDER

COUNTS = json.loads((FOLDER / "grb_parameter_counts.json").read_text())
NAMES = ("GCN", "GCN+LN", "GAT", "GAT+LN", "GIN", "GIN+LN")
ROWS = [
    (dataset, name) for dataset in COUNTS for name in NAMES if name in COUNTS[dataset]["models"]
]


def chosen(name: str, row: dict[str, Any]) -> Parameters:
    """The parameters of a row of the paper's tables."""
    parameters = {"hidden": row["hidden"], "layer_norm": name.endswith("+LN")}
    if "heads" in row:
        parameters["heads"] = row["heads"]
    return ARCHITECTURES[name.removesuffix("+LN")].parameters.model_validate(parameters)


@pytest.mark.parametrize(("dataset", "name"), ROWS)
def test_the_parameters_are_as_many_as_the_paper_counts(dataset: str, name: str) -> None:
    table = COUNTS[dataset]
    row = table["models"][name]
    architecture = ARCHITECTURES[name.removesuffix("+LN")]
    count = architecture.count(chosen(name, row), table["in_features"], table["classes"])
    assert count == row["params"]


def test_every_count_of_these_architectures_is_compared() -> None:
    assert len(ROWS) == 30


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
    st.lists(st.integers(1, 64), min_size=1, max_size=4),
    st.booleans(),
)
def test_layer_normalisation_adds_a_weight_and_a_bias_for_each_normalised_width(
    name: str, hidden: list[int], more: bool
) -> None:
    """GRB: ``2·in + 2·sum(hidden[:-1])``, times the heads where there are any; GIN all of them."""
    architecture = ARCHITECTURES[name]
    counts = [
        architecture.count(
            architecture.parameters.model_validate({"hidden": hidden, "layer_norm": norm}), 10, 3
        )
        for norm in (False, True)
    ]
    heads = HeadParameters(hidden=hidden).heads if name == "GAT" else 1
    assert counts[1] - counts[0] == 2 * 10 + 2 * heads * sum(hidden[:-1])


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
