"""How long a plan will take, roughly, from a few epochs and steps of everything that is missing."""

from __future__ import annotations

import itertools
import math
import statistics
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from grbcore import baselines
from grbcore.attacks import attack_board, attack_of
from grbcore.catalog import AdversarialChanges, AttackRecipe, DefenseRecipe
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.reproduction.plan import Plan, Task

#: Training usually ends about this many epochs after the patience would have ended it at once.
_BEFORE_BEST = 150

#: Epochs of a probe: on nodes, and on whole graphs, where one may take minutes.
_PROBE_EPOCHS = (6, 3)

#: A probe of an attack takes this many steps, then this many: the difference is the steps'.
_PROBE_STEPS = (1, 6)

#: Methods whose steps are equally long, so that they end where the range of features does.
_SIGN_STEPS = ("FGSM", "PGD")


def estimate(plan: Plan, announce: Callable[[str], None] = lambda name: None) -> dict[Task, float]:
    """Seconds for each file that is missing, one thread; NaN where nothing can be said.

    Honest and rough: every recipe is tried for a few epochs, every attack for a few steps.
    Training is taken to end `_BEFORE_BEST` epochs after its patience, or at its last epoch; an
    attack to use all of its steps.  The seeds of a recipe cost the same.
    """
    found: dict[Task, float] = {}
    epochs: dict[str, float] = {}
    with tempfile.TemporaryDirectory() as folder:
        scratch = Path(folder) / "probe.safetensors"
        for task in (*plan.models, *plan.attacks):
            if task.done:
                continue
            announce(task.name)
            if task.kind == "attack":
                found[task] = _attempt(partial(_attack_seconds, plan, task))
                continue
            recipe = _recipe(task)
            key = recipe.model_copy(update={"seed": 0, "name": ""}).model_dump_json()
            if key not in epochs:
                epochs[key] = _attempt(partial(_epoch_seconds, plan, recipe, scratch))
            found[task] = epochs[key] * min(recipe.epochs, recipe.patience + _BEFORE_BEST)
    return found


def _recipe(task: Task) -> DefenseRecipe:
    if isinstance(task.recipe, DefenseRecipe):
        return task.recipe
    assert task.recipe.surrogate is not None
    return baselines.surrogate_recipe(task.recipe.surrogate)


def _attempt(probe: Callable[[], float]) -> float:
    """What a probe says; a recipe that fails here fails again, and is told of, when it is made."""
    try:
        return probe()
    except Exception:
        return math.nan


def _epoch_seconds(plan: Plan, recipe: DefenseRecipe, scratch: Path) -> float:
    """The median of a few epochs: the first of all does more."""
    ends: list[float] = []
    epochs = _PROBE_EPOCHS[isinstance(plan.dataset, GraphDataset)]
    update: dict[str, object] = {"epochs": epochs}
    if recipe.adversarial is not None and not isinstance(recipe.adversarial, AdversarialChanges):
        update["adversarial"] = recipe.adversarial.model_copy(update={"warm_up": 0})
    baselines.train(
        recipe.model_copy(update=update),
        plan.dataset,
        scratch,
        progress=lambda epoch, epochs, accuracy: ends.append(time.perf_counter()),
    )
    return statistics.median(later - end for end, later in itertools.pairwise(ends))


def _attack_seconds(plan: Plan, task: Task) -> float:
    recipe = task.recipe
    assert isinstance(recipe, AttackRecipe)
    steps = recipe.arguments.get("steps")
    if not isinstance(steps, int):
        return _once(plan, task, recipe.arguments) * plan.board.repeats
    few, more = _PROBE_STEPS
    _once(plan, task, {**recipe.arguments, "steps": few})  # the first of all does more
    short = _once(plan, task, {**recipe.arguments, "steps": few})
    longer = _once(plan, task, {**recipe.arguments, "steps": more})
    step = max(longer - short, 0) / (more - few)
    step_size = recipe.arguments.get("step_size")
    if recipe.method in _SIGN_STEPS and isinstance(step_size, float):
        low, high = plan.board.feature_range
        steps = min(steps, math.ceil((high - low) / step_size))
    return (short + step * max(steps - few, 0)) * plan.board.repeats


def _once(plan: Plan, task: Task, arguments: dict[str, Any]) -> float:
    """Seconds of one perturbation, on a surrogate that has learned nothing."""
    recipe, difficulty = task.recipe, task.difficulty
    assert isinstance(recipe, AttackRecipe) and difficulty is not None
    attack = attack_of(plan.board.scenario, recipe.method, arguments, plan.dataset)
    surrogate = None
    if recipe.surrogate is not None:
        own = baselines.surrogate_recipe(recipe.surrogate)
        surrogate = baselines.untrained(own, plan.dataset).eval()
    started = time.perf_counter()
    attack_board(attack, surrogate, plan.board, plan.dataset, difficulties=(difficulty,), repeats=1)
    return time.perf_counter() - started
