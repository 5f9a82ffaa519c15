"""The datasets, boards and recipes that the benchmark defines, as TOML and as types."""

from grbcore.catalog.definitions import (
    ATTACK_METHODS,
    ONE_CHANGE,
    Adversarial,
    AdversarialChanges,
    AdversarialInjection,
    AdversarialModification,
    AttackRecipe,
    Board,
    DatasetEntry,
    DefenseRecipe,
    FileEntry,
    Limits,
    Surrogate,
)
from grbcore.catalog.reading import (
    UnknownName,
    board,
    boards,
    dataset,
    datasets,
    measure_of,
    resolve,
)

__all__ = [
    "ATTACK_METHODS",
    "ONE_CHANGE",
    "Adversarial",
    "AdversarialChanges",
    "AdversarialInjection",
    "AdversarialModification",
    "AttackRecipe",
    "Board",
    "DatasetEntry",
    "DefenseRecipe",
    "FileEntry",
    "Limits",
    "Surrogate",
    "UnknownName",
    "board",
    "boards",
    "dataset",
    "datasets",
    "measure_of",
    "resolve",
]
