"""Making models by the name of their architecture, and reading and writing their weights."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, get_args

import numpy as np
import torch

from grbcore.architectures import ARCHITECTURES, Features, Parameters
from grbcore.models.appnp import APPNP
from grbcore.models.clip import GCNClip
from grbcore.models.gat import GAT
from grbcore.models.gcn import GCN
from grbcore.models.gin import GIN
from grbcore.models.guard import GATGuard, GCNGuard
from grbcore.models.jaccard import GCNJaccard
from grbcore.models.mlp import MLP, LogReg
from grbcore.models.model import Model
from grbcore.models.polynomial import GPRGNN, EvenNet
from grbcore.models.rgcn import RGCN
from grbcore.models.rung import RUNG
from grbcore.models.sage import GraphSAGE
from grbcore.models.sgcn import SGCN
from grbcore.models.soft_median import SoftMedianGDC
from grbcore.models.svd import GCNSVD
from grbcore.models.tagcn import TAGCN
from grbcore.seeds import SEEDS, is_seed
from grbcore.submission import DefenseHeader, read_defense_metadata, write_defense
from grbcore.tensors import read_tensors
from grbcore.violations import Refused, Violation

#: The class of each registered architecture.
MODELS: Mapping[str, type[Any]] = {
    "GCN": GCN,
    "GAT": GAT,
    "GIN": GIN,
    "APPNP": APPNP,
    "TAGCN": TAGCN,
    "GraphSAGE": GraphSAGE,
    "SGCN": SGCN,
    "R-GCN": RGCN,
    "GCN-SVD": GCNSVD,
    "GCNGuard": GCNGuard,
    "GATGuard": GATGuard,
    "GCN-Jaccard": GCNJaccard,
    "GCN-Clip": GCNClip,
    "MLP": MLP,
    "LogReg": LogReg,
    "GPRGNN": GPRGNN,
    "EvenNet": EvenNet,
    "RUNG": RUNG,
    "Soft-Median-GDC": SoftMedianGDC,
}


def build(
    architecture: str,
    parameters: Parameters,
    *,
    features: int,
    classes: int,
    dropout: float = 0.5,
    seed: int = 0,
) -> Model:
    """A freshly initialised model on the CPU, in training mode.

    ``features`` and ``classes`` are the widths of input and output.  The same seed gives the
    same weights; torch's global generator stays as it was.

    Raises:
        ValueError: the architecture is not registered, the parameters are another's, or a number
            is out of its range.
    """
    if architecture not in MODELS:
        allowed = ", ".join(MODELS)
        raise ValueError(f"architecture: found {architecture!r}, allowed: {allowed}")
    expected = ARCHITECTURES[architecture].parameters
    if not isinstance(parameters, expected):
        found = type(parameters).__name__
        raise ValueError(f"parameters: found {found}, allowed: {expected.__name__}")
    for name, value, legal, allowed in (
        ("features", features, features >= 1, "1 or more"),
        ("classes", classes, classes >= 1, "1 or more"),
        ("dropout", dropout, 0 <= dropout < 1, "0 or more, below 1"),
        ("seed", seed, is_seed(seed), SEEDS),
    ):
        if not legal:
            raise ValueError(f"{name}: found {value!r}, allowed: {allowed}")
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        model: Model = MODELS[architecture](parameters, features, classes, dropout=dropout)
    return model


def load(path: Path | str, *, features: int, classes: int) -> tuple[Model, DefenseHeader]:
    """The model that a ``.safetensors`` file holds, in evaluation mode, and what it says of itself.

    ``features`` and ``classes`` are the board's widths.

    Raises:
        Refused: the file is no defense, or its tensors are not those of its architecture; every
            difference is named.
        FileNotFoundError: there is no such file.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    header = read_defense_metadata(path)
    assert isinstance(header.parameters, Parameters)
    model = build(header.architecture, header.parameters, features=features, classes=classes)
    tensors = read_tensors(path)
    faults = _differences(model.state_dict(), tensors)
    if faults:
        raise Refused(faults)
    model.load_state_dict({name: torch.from_numpy(np.array(a)) for name, a in tensors.items()})
    return model.eval(), header


def save(path: Path | str, model: Model, *, features: Features = "normalised") -> None:
    """Write a model as a defense file; ``features`` says what kind it takes.

    Raises:
        ValueError: the model is of no registered architecture, or there is no such kind.
    """
    names = [name for name, kind in MODELS.items() if type(model) is kind]
    if not names:
        allowed = f"a model of a registered architecture: {', '.join(MODELS)}"
        raise ValueError(f"model: found {type(model).__name__}, allowed: {allowed}")
    if features not in get_args(Features):
        allowed = ", ".join(get_args(Features))
        raise ValueError(f"features: found {features!r}, allowed: {allowed}")
    tensors = {name: tensor.cpu().numpy() for name, tensor in model.state_dict().items()}
    write_defense(
        Path(path),
        tensors,
        architecture=names[0],
        parameters=model.configuration.model_dump(),
        features=features,
    )


def _differences(
    expected: Mapping[str, torch.Tensor], found: Mapping[str, np.ndarray[Any, Any]]
) -> list[Violation]:
    faults = [
        Violation("tensor-missing", name, "no such tensor", f"shape {tuple(tensor.shape)}")
        for name, tensor in expected.items()
        if name not in found
    ]
    for name, array in found.items():
        if name not in expected:
            allowed = "the tensors of the architecture"
            faults.append(Violation("tensor-unknown", name, f"shape {array.shape}", allowed))
            continue
        shape, dtype = tuple(expected[name].shape), expected[name].numpy().dtype
        if array.shape != shape:
            faults.append(Violation("shape", name, f"shape {array.shape}", f"shape {shape}"))
        if array.dtype != dtype:
            faults.append(Violation("dtype", name, str(array.dtype), str(dtype)))
    return faults
