"""Models on whole graphs from the recipes of a board."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from grbcore.architectures.graphlevel import GRAPH_ARCHITECTURES
from grbcore.catalog import Adversarial, AdversarialChanges, DefenseRecipe
from grbcore.graphlevel.adversarial import Attacked
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models.building import build
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.graphlevel.training import RECIPES, Recipe, fit, sizes
from grbcore.seeds import derive_seed
from grbcore.training import Checkpoint, Fit


def untrained(recipe: DefenseRecipe, dataset: GraphDataset) -> GraphLevelModel:
    """The model of a recipe before it has learned anything.

    Raises:
        ValueError: no such architecture, or it takes no such parameter.
    """
    if recipe.architecture not in GRAPH_ARCHITECTURES:
        allowed = ", ".join(GRAPH_ARCHITECTURES)
        raise ValueError(f"architecture: found {recipe.architecture!r}, allowed: {allowed}")
    told = GRAPH_ARCHITECTURES[recipe.architecture].parameters.model_validate(recipe.parameters)
    parameters: dict[str, Any] = {**told.model_dump(), "dropout": recipe.dropout}
    seed = derive_seed("weights", recipe.seed)
    return build(recipe.architecture, Shape.of(dataset), parameters, seed=seed)


def train(
    recipe: DefenseRecipe,
    dataset: GraphDataset,
    *,
    checkpoint: Checkpoint | None = None,
    progress: Callable[[int, int, float], None] | None = None,
) -> tuple[GraphLevelModel, Fit]:
    """A model that has learned as its recipe says, and how that went.

    Raises:
        ValueError: the recipe asks for what there is not, or the file of ``checkpoint`` is of
            another run; `training.Diverged`.
    """
    model = untrained(recipe, dataset)
    how = Recipe(
        recipe.learning_rate,
        recipe.batch,
        recipe.dropout,
        recipe.epochs,
        recipe.patience,
        recipe.schedule,
        recipe.wait,
    )
    plan = recipe.adversarial
    adversary = None if plan is None else adversary_of(plan, dataset)
    seed = derive_seed("training", recipe.seed)
    done = fit(
        model,
        dataset,
        how,
        seed=seed,
        adversary=adversary,
        checkpoint=checkpoint,
        progress=progress,
    )
    return model, done


def adversary_of(plan: Adversarial, dataset: GraphDataset) -> Attacked:
    """What follows a recipe's plan of adversarial training.

    Raises:
        ValueError: the plan is one for nodes.
    """
    if not isinstance(plan, AdversarialChanges):
        raise ValueError(f"adversarial: found {plan}, allowed: changes of whole graphs")
    return Attacked.of(dataset, plan.changes)


def usual(architecture: str, dataset: GraphDataset) -> DefenseRecipe:
    """The thesis' recipe of an architecture; where it has none, its commonest rate and batch."""
    how = RECIPES.get(dataset.name, {}).get(architecture, Recipe(1e-3, 32))
    told = sizes(architecture, dataset)
    fields = asdict(how) | {"name": architecture, "architecture": architecture, "parameters": told}
    return DefenseRecipe.model_validate(fields)
