"""Defenses against the rules of a board: metadata, names, shapes and values."""

from __future__ import annotations

import io
import json
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from grbcore.architectures import ARCHITECTURES
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.scenario import Side
from grbcore.submission import (
    Header,
    check_content,
    check_header,
    read_defense_metadata,
    scale_of,
    write_defense,
)
from grbcore.tensors import read_tensors
from grbcore.violations import Violation
from tests.grbcore.forging import arrays, entry, npy, only, safetensors
from tests.grbcore.samples import METADATA, defense, weights

Check = Callable[[bytes], tuple[Violation, ...]]


def headers(data: bytes, board: Board, digits: Dataset, side: Side) -> Header:
    return check_header(io.BytesIO(data), side=side, board=board, scale=scale_of(digits))


def changed(**changes: Any) -> dict[str, np.ndarray]:
    """Honest weights with some replaced; None leaves one out."""
    tensors = weights() | {name.replace("__", "."): value for name, value in changes.items()}
    return {name: value for name, value in tensors.items() if value is not None}


def test_an_honest_defense_passes_and_tells_what_it_is(
    defense_file: Path, board: Board, digits: Dataset
) -> None:
    assert check_content(defense_file, side="defense", board=board, dataset=digits) == ()
    found = headers(defense_file.read_bytes(), board, digits, "defense")
    assert found.contents == {
        "architecture": "GIN",
        "parameters": {"hidden": [4], "layer_norm": False},
        "features": "normalised",
    }


@pytest.mark.parametrize(
    ("architecture", "parameters"),
    [
        ("GCN", {"hidden": [64, 64, 64], "layer_norm": True}),
        ("GAT", {"hidden": [8], "heads": 4}),
        ("GIN", {"hidden": [16, 8], "layer_norm": True}),
    ],
)
@pytest.mark.parametrize("raw", ["normalised", "raw"])
def test_a_defense_of_each_architecture_is_read_back(
    defended: Check, tmp_path: Path, architecture: str, parameters: dict[str, Any], raw: Any
) -> None:
    path = tmp_path / "file"
    tensors = weights(architecture, **parameters)
    write_defense(path, tensors, architecture=architecture, parameters=parameters, features=raw)
    assert defended(path.read_bytes()) == ()
    found = read_defense_metadata(path)
    registered = ARCHITECTURES[architecture].parameters
    assert (found.architecture, found.features) == (architecture, raw)
    assert found.parameters == registered.model_validate(parameters)
    assert all(np.array_equal(read_tensors(path)[name], tensors[name]) for name in tensors)


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "an empty file"),
        (pickle.dumps(weights()), "a pickle"),
        (arrays(**weights()), "a zip archive (.npz, or a checkpoint of torch.save)"),
        (npy(np.zeros(3)), "a single numpy array (.npy)"),
    ],
)
def test_a_defense_of_another_format_is_refused(defended: Check, data: bytes, found: str) -> None:
    assert only(defended(data)) == Violation(
        "format",
        "file",
        found,
        "one .safetensors file (grb convert makes one from a state dict)",
    )


@pytest.mark.parametrize("key", METADATA)
def test_metadata_that_lacks_a_field_is_refused(defended: Check, key: str) -> None:
    metadata = {name: value for name, value in METADATA.items() if name != key}
    violation = only(defended(defense(metadata=metadata)))
    assert (violation.code, violation.place) == ("metadata", f"metadata/{key}")


@pytest.mark.parametrize(
    ("key", "value", "code", "at"),
    [
        ("format", "2", "metadata", "metadata/format"),
        ("features", "standardised", "metadata", "metadata/features"),
        ("architecture", "ResNet", "architecture", "metadata/architecture"),
        ("architecture", "\ud800", "metadata", "metadata/architecture"),
        ("parameters", "", "parameters", "metadata/parameters"),
        ("parameters", "[]", "parameters", "metadata/parameters"),
        ("parameters", "\ud800", "metadata", "metadata/parameters"),
        ("parameters", '{"hidden": [4], "hidden": [5]}', "parameters",
         "metadata/parameters/hidden"),
        ("parameters", "{}", "parameters", "metadata/parameters/hidden"),
        ("parameters", '{"hidden": []}', "parameters", "metadata/parameters/hidden"),
        ("parameters", '{"hidden": [0]}', "parameters", "metadata/parameters/hidden/0"),
        ("parameters", '{"hidden": [1025]}', "parameters", "metadata/parameters/hidden/0"),
        ("parameters", '{"hidden": ["4"]}', "parameters", "metadata/parameters/hidden/0"),
        ("parameters", '{"hidden": [4.5]}', "parameters", "metadata/parameters/hidden/0"),
        ("parameters", '{"hidden": [4], "x": 1}', "parameters", "metadata/parameters/x"),
        ("parameters", '{"hidden": [4], "layer_norm": 1}', "parameters",
         "metadata/parameters/layer_norm"),
        ("parameters", json.dumps({"hidden": [4] * 16}), "parameters",
         "metadata/parameters/hidden"),
        ("parameters", "[" * 100_000, "parameters", "metadata/parameters"),
    ],
)  # fmt: skip
def test_metadata_of_another_value_is_refused(
    defended: Check, key: str, value: str, code: str, at: str
) -> None:
    violation = only(defended(defense(metadata={**METADATA, key: value})))
    assert (violation.code, violation.place) == (code, at)


def test_faults_of_metadata_and_tensors_are_named_at_once(defended: Check) -> None:
    tensors = changed(extra=np.zeros(1, np.float32))
    found = defended(defense(tensors, {**METADATA, "format": "2", "features": "x"}))
    assert [violation.code for violation in found] == ["metadata", "metadata", "tensor-unknown"]


def test_a_missing_tensor_is_named_with_its_shape(defended: Check) -> None:
    data = defense(changed(convs__0__linears__0__weight=None))
    assert only(defended(data)) == Violation(
        "tensor-missing",
        "convs.0.linears.0.weight",
        "no tensor convs.0.linears.0.weight",
        "shape (4, 64)",
    )


def test_an_unknown_tensor_is_named(defended: Check) -> None:
    violation = only(defended(defense(changed(extra=np.zeros(1, np.float32)))))
    assert (violation.code, violation.place) == ("tensor-unknown", "extra")
    assert violation.allowed.startswith("the tensors of GIN: convs.0.eps")


def test_a_tensor_of_another_shape_is_named(defended: Check) -> None:
    data = defense(changed(head__0__bias=np.zeros(5, np.float32)))
    assert only(defended(data)) == Violation("shape", "head.0.bias", "shape (5,)", "shape (4,)")


def test_weights_of_another_number_of_features_are_refused(defended: Check) -> None:
    data = defense(changed(convs__0__linears__0__weight=np.zeros((4, 100), np.float32)))
    violation = only(defended(data))
    assert (violation.found, violation.allowed) == ("shape (4, 100)", "shape (4, 64)")


@pytest.mark.parametrize(
    ("name", "tensor", "found", "allowed"),
    [
        ("head__0__bias", np.zeros(4, np.int64), "I64", "F32"),
        ("convs__0__batch_norm__num_batches_tracked", np.array(1, np.float32), "F32", "I64"),
        ("head__0__bias", np.zeros(4, np.float64), "type F64", "F32 (I64 for counters)"),
    ],
)
def test_a_tensor_of_another_type_is_refused(
    defended: Check, name: str, tensor: np.ndarray, found: str, allowed: str
) -> None:
    violation = only(defended(defense(changed(**{name: tensor}))))
    assert violation == Violation("dtype", name.replace("__", "."), found, allowed)


@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
def test_a_weight_that_is_no_number_is_refused_with_its_index(
    defended: Check, value: float
) -> None:
    tensors = weights()
    tensors["convs.0.linears.0.weight"][3, 5] = value
    assert only(defended(defense(tensors))) == Violation(
        "finite", "convs.0.linears.0.weight[3, 5]", str(value), "finite weights"
    )


def test_many_weights_that_are_no_numbers_are_counted(defended: Check) -> None:
    tensors = changed(convs__0__linears__0__weight=np.full((4, 64), np.nan, np.float32))
    found = defended(defense(tensors))
    assert [violation.found for violation in found] == [
        "nan",
        "nan",
        "nan",
        "256 values that are not finite",
    ]


def test_a_negative_variance_is_refused(defended: Check) -> None:
    tensors = weights()
    tensors["convs.0.batch_norm.running_var"][2] = -1
    assert only(defended(defense(tensors))) == Violation(
        "finite", "convs.0.batch_norm.running_var", "a variance of -1", "variances of 0 or more"
    )


def test_more_parameters_than_allowed_are_refused(board: Board, digits: Dataset) -> None:
    """Heads of 16 times 1,024 between 1,024 wide layers: 16,384 x 16,384 weights."""
    parameters = json.dumps({"hidden": [1024, 1024], "heads": 16})
    metadata = {**METADATA, "architecture": "GAT", "parameters": parameters}
    found = headers(defense({}, metadata), board, digits, "defense").violations
    count = {violation.allowed for violation in found if violation.code == "parameters"}
    assert count == {"at most 20,000,000"}


def test_more_work_than_fifty_gcns_is_refused(board: Board, digits: Dataset) -> None:
    parameters = json.dumps({"hidden": [1024] * 15})
    metadata = {**METADATA, "architecture": "GCN", "parameters": parameters}
    found = headers(defense({}, metadata), board, digits, "defense").violations
    (violation,) = [violation for violation in found if violation.code == "work"]
    assert violation.allowed == "at most 50 times"


def test_a_name_given_twice_is_refused(defended: Check) -> None:
    one = json.dumps(entry([1], 0, 4))
    data = safetensors(
        f'{{"__metadata__": {json.dumps(METADATA)}, "a": {one}, "a": {one}}}', bytes(4)
    )
    assert only(defended(data)).code == "member-duplicate"
