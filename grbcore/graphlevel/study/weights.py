"""The models of a study: each is trained once, and kept as a file beside the runs."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

import safetensors.torch
from safetensors import SafetensorError, safe_open

from grbcore.folders import alone
from grbcore.graphlevel.adversarial import Attacked
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models.model import GraphLevelModel
from grbcore.graphlevel.study.plan import ADVERSARIAL, IMPLEMENTATION, architecture
from grbcore.graphlevel.training import Recipe, create, fit
from grbcore.training import Checkpoint, Fit, WrongCheckpoint
from grbcore.violations import Refused, Violation


def trained(
    folder: Path, dataset: GraphDataset, name: str, recipe: Recipe, seed: int
) -> tuple[GraphLevelModel, Fit]:
    """The model of this name and seed, in evaluation mode, and how its training went.

    It is trained where its file is missing, and goes on where a training of it ended early.

    Raises:
        Refused: the file is damaged, or of another implementation, recipe or data.
        Diverged: in the first epoch of its training.
    """
    path = folder / f"{dataset.name}-{name}-{seed}.safetensors"
    facts = {"recipe": json.dumps(asdict(recipe)), "data": dataset.digest}
    facts["implementation"] = str(IMPLEMENTATION)
    model = create(architecture(name), dataset, seed=seed, recipe=recipe)
    if path.exists():
        return model.eval(), _read(path, model, facts)
    adversary = Attacked.of(dataset) if name.endswith(ADVERSARIAL) else None
    checkpoint = _Shared(path.with_suffix(".checkpoint"), every=20)
    folder.mkdir(parents=True, exist_ok=True)
    try:
        how = fit(model, dataset, recipe, seed=seed, adversary=adversary, checkpoint=checkpoint)
    except WrongCheckpoint as error:
        allowed = "one of this training; remove the file to begin again"
        raise Refused([Violation("format", str(checkpoint.path), str(error), allowed)]) from None
    told = facts | {"fit": json.dumps(asdict(how))}
    with alone(folder):  # another process may have trained the same
        partial = path.with_suffix(".part")
        safetensors.torch.save_file(model.state_dict(), partial, metadata=told)
        partial.rename(path)
        checkpoint.path.unlink(missing_ok=True)
    return model, how


class _Shared(Checkpoint):
    """One that another process may write as well."""

    def write(self, run: Mapping[str, Any], state: Mapping[str, Any]) -> None:
        with alone(self.path.parent):
            Checkpoint.write(self, run, state)


def _read(path: Path, model: GraphLevelModel, facts: dict[str, str]) -> Fit:
    allowed = "weights that this study trained; remove the file to train them again"
    try:
        with safe_open(path, "pt") as archive:
            told = dict(archive.metadata() or {})
        for name, value in facts.items():
            if told.get(name) != value:
                raise Refused([Violation("format", f"{path}: {name}", str(told.get(name)), value)])
        model.load_state_dict(safetensors.torch.load_file(path))
        return Fit(**json.loads(told["fit"]))
    except (OSError, SafetensorError, RuntimeError, KeyError, TypeError, ValueError) as error:
        if isinstance(error, Refused):
            raise
        raise Refused([Violation("format", str(path), str(error), allowed)]) from None
