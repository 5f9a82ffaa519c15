"""A board's baselines: trained and attacked from the seeded recipes of the catalog.

Artefacts are named by what they are made from, so that work is resumed, not repeated.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from grbcore import models
from grbcore.architectures import ARCHITECTURES
from grbcore.attacks import attack_board, attack_of
from grbcore.catalog import AttackRecipe, Board, DefenseRecipe, Surrogate
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel import trained as graph_level
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models import weights as graph_weights
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.results import EVALUATOR_VERSION
from grbcore.scenario import Difficulty, Side
from grbcore.seeds import derive_seed
from grbcore.submission import SUFFIXES, write_attack
from grbcore.training import Callback, Checkpoint, Fit, Progress, adversarial_training, fit

#: What an attacker differentiates.
Model = models.GraphModel | GraphLevelModel

#: Called with what is being done now, before each step.
Announce = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Artefact:
    """A baseline's file, ready to be submitted."""

    recipe: DefenseRecipe | AttackRecipe
    path: Path

    @property
    def side(self) -> Side:
        return self.recipe.side


def make(
    board: Board,
    dataset: Dataset | GraphDataset,
    folder: Path,
    *,
    starter: bool = True,
    skip: Container[tuple[Side, str]] = (),
    announce: Announce = lambda step: None,
) -> Iterator[Artefact]:
    """Make every baseline of a board, defenses first, each as soon as it is ready.

    Args:
        board: its recipes are followed.
        dataset: the board's dataset.
        folder: where artefacts are kept; what is there already is not made again.
        starter: only the recipes of the starter set.
        skip: sides and names of recipes that are not wanted.
        announce: told each step, such as ``training GAT+LN``.
    """
    folder.mkdir(parents=True, exist_ok=True)
    for recipe in board.recipes(starter=starter):
        if (recipe.side, recipe.name) in skip:
            continue
        path = folder / f"{artefact_name(board, dataset, recipe)}{SUFFIXES[recipe.side]}"
        if not path.exists():
            _make(recipe, board, dataset, path, announce)
        yield Artefact(recipe, path)


def _make(
    recipe: DefenseRecipe | AttackRecipe,
    board: Board,
    dataset: Dataset | GraphDataset,
    path: Path,
    announce: Announce,
) -> None:
    if isinstance(recipe, DefenseRecipe):
        announce(f"training {recipe.name}")
        write(path, lambda to: train(recipe, dataset, to))
    else:
        surrogate = surrogate_of(board, dataset, recipe, path.parent, announce)
        announce(f"attacking with {recipe.name}")
        write(path, lambda to: run(recipe, board, dataset, surrogate, to))


def untrained(recipe: DefenseRecipe, dataset: Dataset | GraphDataset) -> Model:
    """The model of a recipe before it has learned anything.

    Raises:
        ValueError: the recipe asks for what there is not.
    """
    if isinstance(dataset, GraphDataset):
        return graph_level.untrained(recipe, dataset)
    return _untrained(recipe, dataset)


def _untrained(recipe: DefenseRecipe, dataset: Dataset) -> models.Model:
    architecture = ARCHITECTURES[recipe.architecture]
    return models.build(
        recipe.architecture,
        architecture.parameters.model_validate(recipe.parameters),
        features=int(dataset.features.shape[1]),
        classes=dataset.classes,
        dropout=recipe.dropout,
        seed=derive_seed("weights", recipe.seed),
    )


def train(
    recipe: DefenseRecipe,
    dataset: Dataset | GraphDataset,
    path: Path,
    *,
    checkpoint: Checkpoint | None = None,
    progress: Progress | None = None,
) -> Fit:
    """Train a defense from its recipe and write its weights.

    Raises:
        ValueError: the recipe asks for what there is not, or the file of ``checkpoint`` is of
            another run.
    """
    if isinstance(dataset, GraphDataset):
        learned, how = graph_level.train(recipe, dataset, checkpoint=checkpoint, progress=progress)
        write(path, lambda to: graph_weights.save(to, learned))
        return how
    model = _untrained(recipe, dataset)
    callbacks: tuple[Callback, ...] = ()
    if recipe.adversarial is not None:
        seed = derive_seed("adversarial training", recipe.seed)
        callbacks = (adversarial_training(recipe.adversarial, seed),)
    result = fit(
        model,
        dataset,
        seed=derive_seed("training", recipe.seed),
        learning_rate=recipe.learning_rate,
        epochs=recipe.epochs,
        patience=recipe.patience,
        mode=recipe.mode,
        weight_decay=recipe.weight_decay,
        callbacks=callbacks,
        checkpoint=checkpoint,
        progress=progress,
    )
    write(path, lambda to: models.save(to, model))
    return result


def run(
    recipe: AttackRecipe,
    board: Board,
    dataset: Dataset | GraphDataset,
    surrogate: Model | None,
    path: Path,
    *,
    seed: int = 0,
    difficulties: tuple[Difficulty, ...] | None = None,
    repeats: int | None = None,
    progress: Callable[[Difficulty, int], None] | None = None,
) -> None:
    """Run an attack from its recipe, at each difficulty and repeat, and write its file.

    All difficulties of the board where none are named.  Every repeat draws its own topology from
    its own random stream, whose seed comes from the board, the attack, the difficulty and the
    repeat.
    """
    found = attack_board(
        attack_of(board.scenario, recipe.method, recipe.arguments, dataset),
        surrogate,
        board,
        dataset,
        name=recipe.name,
        seed=seed,
        difficulties=difficulties,
        repeats=repeats,
        progress=progress,
    )
    write(path, lambda to: write_attack(to, found))


def surrogate_of(
    board: Board,
    dataset: Dataset | GraphDataset,
    recipe: AttackRecipe,
    folder: Path,
    announce: Announce,
) -> Model | None:
    """The model that the attacker trained for himself, or None where the attack needs none."""
    if recipe.surrogate is None:
        return None
    own = surrogate_recipe(recipe.surrogate)
    path = folder / f"{artefact_name(board, dataset, own)}.safetensors"
    if not path.exists():
        announce(f"training the surrogate of {recipe.name}")
        write(path, lambda to: train(own, dataset, to))
    return load(path, dataset)


def load(path: Path, dataset: Dataset | GraphDataset) -> Model:
    """The model of a defense's file, for this data.

    Raises:
        Refused: the file is none of a defense, or of other data.
        FileNotFoundError: there is no such file.
    """
    if isinstance(dataset, GraphDataset):
        return graph_weights.load(path, Shape.of(dataset))[0]
    return models.load(path, features=int(dataset.features.shape[1]), classes=dataset.classes)[0]


def surrogate_recipe(surrogate: Surrogate) -> DefenseRecipe:
    """How an attacker trains his model: as a defense that is never submitted."""
    fields = {
        **surrogate.training,
        "name": "surrogate",
        "architecture": surrogate.architecture,
        "parameters": surrogate.parameters,
        "seed": surrogate.seed,
    }
    return DefenseRecipe.model_validate(fields)


def artefact_name(
    board: Board, dataset: Dataset | GraphDataset, recipe: DefenseRecipe | AttackRecipe
) -> str:
    """A file name that changes with everything that the artefact is made from.

    The version of the package is not part of it: a board that is half prepared goes on after an
    upgrade, and what is registered is not made again at all.
    """
    made_from = {
        "recipe": _described(recipe),
        "dataset": dataset.digest,
        "board": board.model_dump(mode="json", include={"id", "injection", "feature_range"}),
        "evaluator": EVALUATOR_VERSION,
    }
    digest = hashlib.sha256(json.dumps(made_from, sort_keys=True).encode()).hexdigest()[:12]
    return f"{recipe.name.replace('+', '-')}-{digest}"


def _described(recipe: DefenseRecipe | AttackRecipe | Surrogate) -> dict[str, Any]:
    """All that a recipe says; a field that came later and is at its default says nothing."""
    said = recipe.model_dump(mode="json")
    for name in recipe.added:
        if said[name] == type(recipe).model_fields[name].default:
            del said[name]
    if isinstance(recipe, AttackRecipe) and recipe.surrogate is not None:
        said["surrogate"] = _described(recipe.surrogate)
    return said


def write(path: Path, make_file: Callable[[Path], object]) -> None:
    """Make a file under another name and move it into place, so that a half one never counts."""
    partial = path.with_name(f"{path.name}.part")
    try:
        make_file(partial)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
