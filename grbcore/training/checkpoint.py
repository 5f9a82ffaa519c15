"""Where a training run may go on from after an interruption."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch


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
            state: dict[str, Any] = torch.load(self.path, weights_only=True)
            written = state["run"]
        except Exception:  # whatever a file that is none makes torch raise
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
        torch.save({"run": dict(run), **state}, partial)
        partial.replace(self.path)
