"""Where a training run may go on from after an interruption.

Tensors lie in a ``.safetensors`` file; everything else is JSON in its metadata, with the name of a
tensor where one belongs.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch

from grbcore.tensors import read_header, read_tensors, write_tensors
from grbcore.violations import Refused

_HEADER_BYTES = 16 << 20


class WrongCheckpoint(ValueError):
    """The file is no checkpoint, or one of another run."""


@dataclass(frozen=True, slots=True)
class Checkpoint:
    """A file that is written every so many epochs, and read where it is there already.

    A run that goes on from it ends with the same weights, bit for bit, as one that was never
    interrupted.  The file stays when the run is over.
    """

    path: Path
    every: int = 50  # epochs

    def __post_init__(self) -> None:
        if self.every < 1:
            raise ValueError(f"every: found {self.every}, allowed: 1 or more")

    def read(self, run: Mapping[str, Any]) -> dict[str, Any] | None:
        """What was last written, None where nothing was; ``run`` says which run this is.

        Raises:
            WrongCheckpoint: the file is no checkpoint, or one of another run.
        """
        if not self.path.exists():
            return None
        try:
            state: dict[str, Any] = _read(self.path)
            written = state["run"]
        except (Refused, KeyError, TypeError, ValueError):
            raise WrongCheckpoint(
                f"checkpoint: found {self.path}, which is none, allowed: one of this run"
            ) from None
        for name, value in run.items():
            if written.get(name) != value:
                raise WrongCheckpoint(
                    f"checkpoint: found one with {name} {written.get(name)!r} in {self.path}, "
                    f"allowed: {value!r}, or a file that is not there yet"
                )
        return state

    def write(self, run: Mapping[str, Any], state: Mapping[str, Any]) -> None:
        """Keep ``state``; a half-written file never counts."""
        partial = self.path.with_name(f"{self.path.name}.part")
        tensors: dict[str, np.ndarray[Any, Any]] = {}
        said = _said({"run": dict(run), **state}, tensors)
        write_tensors(partial, tensors, {"state": json.dumps(said)})
        partial.replace(self.path)


def _read(path: Path) -> dict[str, Any]:
    with path.open("rb") as file:
        said = json.loads(read_header(file, header_bytes=_HEADER_BYTES).metadata["state"])
    tensors = read_tensors(path, header_bytes=_HEADER_BYTES)
    found: dict[str, Any] = _meant(said, tensors)
    return found


def _said(value: Any, tensors: dict[str, np.ndarray[Any, Any]]) -> Any:
    """``value`` as JSON; its tensors go to ``tensors``, those of bytes are text."""
    if isinstance(value, torch.Tensor):
        if value.dtype == torch.uint8:
            return {"bytes": value.cpu().numpy().tobytes().hex()}
        name = str(len(tensors))
        tensors[name] = value.detach().cpu().numpy()
        return {"tensor": name}
    if isinstance(value, Mapping):
        return {"items": [[key, _said(one, tensors)] for key, one in value.items()]}
    if isinstance(value, list | tuple):
        return [_said(one, tensors) for one in value]
    return value


def _meant(said: Any, tensors: Mapping[str, np.ndarray[Any, Any]]) -> Any:
    """What `_said` was given, tuples as lists."""
    if isinstance(said, list):
        return [_meant(one, tensors) for one in said]
    if not isinstance(said, dict):
        return said
    if "bytes" in said:
        return torch.frombuffer(bytearray.fromhex(said["bytes"]), dtype=torch.uint8)
    if "tensor" in said:
        return torch.tensor(tensors[said["tensor"]])
    return {key: _meant(one, tensors) for key, one in said["items"]}
