"""Reading and writing the weights of graph-level models as a board takes them."""

from __future__ import annotations

from pathlib import Path
from typing import cast

import numpy as np
import torch
from torch import nn

from grbcore.graphlevel.models.building import MODELS, build
from grbcore.graphlevel.models.esan import ESAN
from grbcore.graphlevel.models.gine import Passing
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.graphlevel.models.ppgn import PPGN
from grbcore.graphlevel.models.signnet import SignNet
from grbcore.submission import DefenseHeader, read_defense_metadata, write_defense
from grbcore.tensors import read_tensors
from grbcore.violations import Refused, Violation


def load(path: Path | str, shape: Shape) -> tuple[GraphLevelModel, DefenseHeader]:
    """The model that a ``.safetensors`` file holds, in evaluation mode, and what it says of itself.

    Raises:
        Refused: the file is no defense of whole graphs, or its tensors are not those of its
            architecture on data of this shape.
        FileNotFoundError: there is no such file.
    """
    path = Path(path)
    if not path.exists():
        raise FileNotFoundError(f"{path}: no such file")
    header = read_defense_metadata(path, "adjacency")
    model = build(header.architecture, shape, header.parameters.model_dump(), seed=0)
    tensors, expected = read_tensors(path), model.state_dict()
    faults = [
        Violation("tensor-missing", name, "no such tensor", f"shape {tuple(tensor.shape)}")
        for name, tensor in expected.items()
        if name not in tensors
    ]
    for name, found in tensors.items():
        allowed = tuple(expected[name].shape) if name in expected else None
        if found.shape != allowed:
            code = "tensor-unknown" if allowed is None else "shape"
            text = "no tensor of this name" if allowed is None else f"shape {allowed}"
            faults.append(Violation(code, name[:100], f"shape {found.shape}", text))
    if faults:
        raise Refused(faults)
    model.load_state_dict({name: torch.from_numpy(np.array(a)) for name, a in tensors.items()})
    return model.eval(), header


def save(path: Path | str, model: GraphLevelModel) -> None:
    """Write a model as a defense file.

    Raises:
        ValueError: the model is of no registered architecture.
    """
    names = [name for name, kind in MODELS.items() if type(model) is kind]
    if not names:
        allowed = f"a model of a registered architecture: {', '.join(MODELS)}"
        raise ValueError(f"model: found {type(model).__name__}, allowed: {allowed}")
    tensors = {name: tensor.cpu().numpy() for name, tensor in model.state_dict().items()}
    write_defense(Path(path), tensors, architecture=names[0], parameters=parameters_of(model))


def parameters_of(model: GraphLevelModel) -> dict[str, int | float]:
    """What a model of a registered architecture was told, but for its dropout."""
    hidden = int(model.edges.shape[1])
    if isinstance(model, PPGN):
        return {"hidden": hidden, "blocks": len(model.blocks)}
    if isinstance(model, ESAN):
        return {
            "hidden": hidden,
            "layers": len(model.own),
            "share": model.share,
            "hops": model.hops,
        }
    if isinstance(model, SignNet):
        ends = (cast(nn.Sequential, layers[-1])[3] for layers in (model.phi, model.layers))
        phi, last = (cast(nn.Linear, end) for end in ends)
        return {
            "hidden": hidden,
            "layers": len(model.layers),
            "eigenvectors": model.k,
            "phi_layers": len(model.phi),
            "phi_width": phi.out_features,
            "last": last.out_features,
        }
    if isinstance(model, Passing):
        runs = {"runs": model.noise_width} if model.noise_width else {}
        return {"hidden": hidden, "layers": len(model.layers), **runs}
    return {"hidden": hidden}
