"""Finding a recipe: hyper-parameters by Optuna, kept in a study that may be gone on with."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sqlalchemy.exc import DBAPIError

from grbcore import baselines
from grbcore.architectures import ARCHITECTURES
from grbcore.catalog import DefenseRecipe
from grbcore.datasets.dataset import Dataset
from grbcore.seeds import derive_seed
from grbcore.visualise.figure import STUDY, MissingExtra

if TYPE_CHECKING:
    from optuna import Study, Trial

#: From a trial, which suggests values, to the recipe that it tries.
Space = Callable[["Trial"], DefenseRecipe]

#: Epochs between two looks at whether a trial is worth going on with.
LOOK = 10

#: Values to try of what an architecture may be told beside its widths.
CHOICES: Mapping[str, tuple[Any, ...]] = {
    "heads": (1, 2, 4, 8),
    "hops": (1, 2, 3, 4, 6, 10),
    "alpha": (0.05, 0.1, 0.2, 0.3, 0.5),
    "layers": (3, 5, 10),
    "gamma": (0.5, 1.0, 2.0, 3.0, 6.0),
    "smoothing": (0.5, 0.7, 0.9),
    "neighbours": (16, 32, 64),
    "temperature": (0.2, 0.5, 1.0),
    "rank": (10, 50, 100),
    "threshold": (0.01, 0.05, 0.1),
    "quantile": (0.001, 0.01, 0.05),
}


class WrongStudy(ValueError):
    """The file holds a study of another search, or none."""


@dataclass(frozen=True, slots=True)
class Tried:
    """One trial that is over."""

    recipe: DefenseRecipe
    val_accuracy: float  # 0..1, the highest; of a pruned trial, up to where it was pruned
    epochs: int  # that were run
    pruned: bool


@dataclass(frozen=True, slots=True)
class Tuned:
    """What a study has found."""

    best: DefenseRecipe
    val_accuracy: float  # 0..1
    trials: tuple[Tried, ...]  # in order


def tune(
    dataset: Dataset,
    space: Space,
    *,
    trials: int,
    seed: int = 0,
    study: Path | None = None,
    name: str = "study",
    told: Callable[[int, Tried], None] = lambda number, tried: None,
) -> Tuned:
    """Search ``space`` for the recipe of the highest validation accuracy; no test node is seen.

    Values are suggested by a tree-structured Parzen estimator.  A trial that is worse than the
    median of the finished ones, at the same epoch, is pruned.  ``study`` is an SQLite file, kept
    and gone on with until it has ``trials`` trials in all, those before counted; without one
    everything stays in memory.  ``told`` hears each trial that is over, from 1.

    The same seed gives the same trials, however often the study was interrupted: each trial draws
    from its own seed, and one that was interrupted is tried again.  One process at a time.
    Source: Akiba et al., Optuna (KDD 2019).

    Raises:
        MissingExtra: Optuna is not installed.
        ValueError: there are no trials.
        WrongStudy: the file is of another dataset or seed, or no study.
    """
    if trials < 1:
        raise ValueError(f"trials: found {trials}, allowed: 1 or more")
    optuna = _optuna()
    kept = _open(optuna, study, name, {"dataset": dataset.digest, "seed": seed})
    while (done := len(_over(optuna, kept))) < trials:
        kept.sampler = optuna.samplers.TPESampler(
            seed=derive_seed("trial", seed, done) % 2**32, constant_liar=False
        )
        trial = kept.ask()
        recipe = space(trial)
        trial.set_user_attr("recipe", recipe.model_dump(mode="json"))
        try:
            accuracy = _try(optuna, trial, recipe, dataset)
        except optuna.TrialPruned:
            kept.tell(trial, state=optuna.trial.TrialState.PRUNED)
        else:
            kept.tell(trial, accuracy)
        told(done + 1, _tried(optuna, _over(optuna, kept)[-1]))
    over = _over(optuna, kept)
    best = _tried(optuna, kept.best_trial)
    return Tuned(best.recipe, best.val_accuracy, tuple(_tried(optuna, trial) for trial in over))


def default_space(
    architecture: str, *, seed: int = 0, epochs: int = 1000, patience: int = 100
) -> Space:
    """Widths, depth, normalisation, learning rate, dropout, weight decay, and what else there is.

    Raises:
        ValueError: the architecture is not registered, or a number is below 1.
    """
    if architecture not in ARCHITECTURES:
        allowed = ", ".join(ARCHITECTURES)
        raise ValueError(f"architecture: found {architecture!r}, allowed: {allowed}")
    for field, value in (("epochs", epochs), ("patience", patience)):
        if value < 1:
            raise ValueError(f"{field}: found {value}, allowed: 1 or more")
    fields = ARCHITECTURES[architecture].parameters.model_fields

    def space(trial: Trial) -> DefenseRecipe:
        parameters: dict[str, object] = {
            "layer_norm": trial.suggest_categorical("layer_norm", [False, True])
        }
        if fields["hidden"].is_required():
            width = trial.suggest_categorical("width", [32, 64, 128])
            parameters["hidden"] = [width] * trial.suggest_int("depth", 2, 4)
        for field, choices in CHOICES.items():
            if field in fields:
                parameters[field] = trial.suggest_categorical(field, choices)
        return DefenseRecipe(
            name=architecture,
            architecture=architecture,
            parameters=parameters,
            seed=seed,
            learning_rate=trial.suggest_float("learning_rate", 1e-3, 3e-2, log=True),
            dropout=trial.suggest_float("dropout", 0.0, 0.8, step=0.1),
            weight_decay=trial.suggest_categorical("weight_decay", [0.0, 1e-5, 1e-4, 1e-3]),
            epochs=epochs,
            patience=patience,
        )

    return space


def check_installed() -> None:
    """Nothing where Optuna is installed.

    Raises:
        MissingExtra: it is not.
    """
    _optuna()


def _optuna() -> Any:
    try:
        import optuna
    except ImportError:
        raise MissingExtra(f"optuna: found none, allowed: {STUDY}") from None
    return optuna


def _open(optuna: Any, path: Path | None, name: str, made_from: Mapping[str, object]) -> Study:
    """The study, new or gone on with."""
    if path is not None and not path.absolute().parent.is_dir():
        raise WrongStudy(f"study: found {path}, allowed: a file in an existing folder")
    before = optuna.logging.get_verbosity()
    optuna.logging.set_verbosity(logging.WARNING)
    try:
        study: Study = optuna.create_study(
            storage=f"sqlite:///{path.absolute()}" if path is not None else None,
            study_name=name,
            direction="maximize",
            pruner=optuna.pruners.MedianPruner(n_startup_trials=5, n_warmup_steps=3 * LOOK),
            load_if_exists=True,
        )
    except (DBAPIError, optuna.exceptions.StorageInternalError):
        raise WrongStudy(f"study: found {path}, which is none, allowed: a file of one") from None
    finally:
        optuna.logging.set_verbosity(before)
    for key, value in made_from.items():
        found = study.user_attrs.get(key, value)
        if found != value:
            raise WrongStudy(
                f"study: found one of {key} {found!r} in {path}, allowed: {value!r}, or a new file"
            )
        study.set_user_attr(key, value)
    return study


def _try(optuna: Any, trial: Trial, recipe: DefenseRecipe, dataset: Dataset) -> float:
    """Train a recipe, looking now and then whether to prune it."""
    best = 0.0

    def look(epoch: int, _epochs: int, accuracy: float) -> None:
        nonlocal best
        best = max(best, accuracy)
        if epoch % LOOK == 0:
            trial.report(best, epoch)
            if trial.should_prune():
                raise optuna.TrialPruned

    with TemporaryDirectory() as folder:
        result = baselines.train(recipe, dataset, Path(folder) / "trial", progress=look)
    trial.set_user_attr("epochs", result.epochs)
    return result.val_score


def _over(optuna: Any, study: Study) -> list[Any]:
    states = optuna.trial.TrialState
    return study.get_trials(deepcopy=False, states=(states.COMPLETE, states.PRUNED))


def _tried(optuna: Any, trial: Any) -> Tried:
    pruned = trial.state == optuna.trial.TrialState.PRUNED
    seen = trial.intermediate_values
    return Tried(
        recipe=DefenseRecipe.model_validate(trial.user_attrs["recipe"]),
        val_accuracy=seen[max(seen)] if pruned else trial.value,
        epochs=max(seen) if pruned else trial.user_attrs["epochs"],
        pruned=pruned,
    )
