"""Published state dicts as defenses: names, parameters by shape, and nothing unpickled."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from typer.testing import CliRunner

from grbcore import convert
from grbcore.catalog import Board
from grbcore.cli.main import app
from grbcore.datasets import Dataset
from grbcore.submission import check_content
from grbcore.violations import Refused, Violation
from tests.grbcore.engine import NAMES, TOY, small, toy_model

State = dict[str, torch.Tensor]


def saved(folder: Path, content: object) -> Path:
    path = folder / "model.pt"
    torch.save(content, path)
    return path


def converted(path: Path, architecture: str | None = None) -> tuple[Any, str, dict[str, Any]]:
    return convert.defense(path, features_in=8, classes=TOY.classes, architecture=architecture)


def faults(path: Path) -> list[Violation]:
    with pytest.raises(Refused) as refused:
        converted(path)
    return list(refused.value.violations)


@pytest.mark.parametrize("name", ["GCN", "GAT", "GIN"])
def test_architecture_follows_from_the_tensors(tmp_path: Path, name: str) -> None:
    assert converted(saved(tmp_path, toy_model(name).state_dict()))[1] == name


@pytest.mark.parametrize("layer_norm", [False, True])
@pytest.mark.parametrize("name", NAMES)
def test_parameters_follow_from_the_tensors(tmp_path: Path, name: str, layer_norm: bool) -> None:
    state = toy_model(name, layer_norm=layer_norm).state_dict()
    tensors, found, parameters = converted(saved(tmp_path, state), architecture=name)
    expected = small(name, layer_norm=layer_norm)
    assert found == name
    assert type(expected).model_validate(parameters) == expected
    assert tensors.keys() == state.keys()
    for key, tensor in state.items():
        np.testing.assert_array_equal(tensors[key], tensor.numpy())


def grbs_names(state: State) -> State:
    """The names of GRB's library: GCN's linear; GIN's eps, linear1, linear2, norm and its head."""
    renamed = {}
    for key, tensor in state.items():
        parts = key.split(".")
        if parts[0] == "head":
            renamed[f"linear{int(parts[1]) + 1}.{parts[2]}"] = tensor
        elif parts[2] == "linears":
            renamed[f"layers.{parts[1]}.linear{int(parts[3]) + 1}.{parts[4]}"] = tensor
        elif parts[2] == "batch_norm":
            renamed[f"layers.{parts[1]}.norm.{parts[3]}"] = tensor
        elif parts[2] == "eps":
            renamed[f"layers.{parts[1]}.eps"] = tensor
        else:
            renamed[f"layers.{parts[1]}.linear.{parts[2]}"] = tensor
    return renamed


@pytest.mark.parametrize("name", ["GCN", "GIN"])
def test_grbs_names_become_ours(tmp_path: Path, name: str) -> None:
    state = toy_model(name).state_dict()
    tensors, found, _ = converted(saved(tmp_path, grbs_names(state)))
    assert (found, tensors.keys()) == (name, state.keys())


def test_half_and_double_precision_become_float32(tmp_path: Path) -> None:
    state = {k: t.double() for k, t in toy_model("GCN").state_dict().items()}
    state["convs.0.bias"] = state["convs.0.bias"].half()
    tensors, _, _ = converted(saved(tmp_path, state))
    assert {array.dtype for array in tensors.values()} == {np.dtype(np.float32)}


def test_every_tensor_that_differs_is_named(tmp_path: Path) -> None:
    state = toy_model("GIN").state_dict()
    del state["convs.0.batch_norm.weight"]
    state["convs.0.gate"] = torch.zeros(3)
    state["head.1.bias"] = torch.zeros(9)
    found = faults(saved(tmp_path, state))
    assert [(fault.code, fault.place) for fault in found] == [
        ("tensor-missing", "convs.0.batch_norm.weight"),
        ("tensor-unknown", "convs.0.gate"),
        ("shape", "head.1.bias"),
    ]


def test_tensors_of_no_registered_architecture_are_refused(tmp_path: Path) -> None:
    (found,) = faults(saved(tmp_path, {"encoder.weight": torch.zeros(3, 8)}))
    assert (found.code, found.allowed) == ("architecture", ", ".join(NAMES))


def test_an_architecture_that_is_named_is_taken(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="GAT has it"):
        converted(saved(tmp_path, toy_model("GCN").state_dict()), architecture="GAT")


class Hostile:
    """Makes a folder when it is unpickled."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def __reduce__(self) -> Any:
        return os.mkdir, (str(self.path),)


@pytest.mark.parametrize("protocol", [2, 4])
def test_a_checkpoint_that_names_code_is_refused_and_runs_nothing(
    tmp_path: Path, protocol: int
) -> None:
    path, made = tmp_path / "model.pt", tmp_path / "made"
    torch.save({"convs.0.weight": Hostile(made)}, path, pickle_protocol=protocol)
    (found,) = faults(path)
    assert found.code == "format"
    assert f"{os.mkdir.__module__}.mkdir" in found.found
    assert not made.exists()


def test_a_pickled_module_is_refused_by_its_class(tmp_path: Path) -> None:
    (found,) = faults(saved(tmp_path, toy_model("GCN")))
    assert found.code == "format"
    assert "grbcore.models.gcn.GCN" in found.found


def test_a_dictionary_of_other_things_is_no_state_dict(tmp_path: Path) -> None:
    (found,) = faults(saved(tmp_path, {"epoch": 3, "state": toy_model("GCN").state_dict()}))
    assert (found.code, found.allowed) == ("format", "a state dict")


@pytest.mark.parametrize("keep", [100, -100])
def test_a_checkpoint_that_is_cut_short_is_damaged(tmp_path: Path, keep: int) -> None:
    path = saved(tmp_path, toy_model("GCN").state_dict())
    path.write_bytes(path.read_bytes()[:keep])
    (found,) = faults(path)
    assert found.code == "damaged"


def test_a_file_that_is_no_zip_archive_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.pt"
    path.write_bytes(b"\x80\x02}q\x00.")
    (found,) = faults(path)
    assert (found.code, found.found) == ("format", "a pickle")


def test_the_command_writes_a_valid_defense(board: Board, digits: Dataset, tmp_path: Path) -> None:
    from grbcore.models import build

    model = build("GAT", small("GAT"), features=64, classes=10)
    out = tmp_path / "out.safetensors"
    arguments = ["convert", str(saved(tmp_path, model.state_dict())), "--board", board.id]
    done = CliRunner().invoke(app, [*arguments, "--features", "raw", "--out", str(out)])
    assert done.exit_code == 0
    assert check_content(out, side="defense", board=board, dataset=digits) == ()
