"""The datasets, boards and recipes that the benchmark defines, as TOML and as types."""

from grbcore.catalog.definitions import (
    ATTACK_METHODS,
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
    methods_of,
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
    "methods_of",
    "resolve",
]
