"""Attacks: a constructor says how, a call says what.

To add one: write its module here, name it in `ATTACKS` and in the catalog's `ATTACK_METHODS`;
`grbcore.testing.check_attack` says whether it keeps the contract.
"""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from grbcore.attacks import modification
from grbcore.attacks.agia import AGIA
from grbcore.attacks.attack import InjectionAttack, ModificationAttack
from grbcore.attacks.board import attack_board
from grbcore.attacks.ensemble import Ensemble
from grbcore.attacks.features import optimise_features
from grbcore.attacks.fgsm import FGSM
from grbcore.attacks.pgd import PGD
from grbcore.attacks.queries import QueriesExhausted, QueryBudget
from grbcore.attacks.query_search import QuerySearch
from grbcore.attacks.rnd import RND
from grbcore.attacks.speit import SPEIT
from grbcore.attacks.tdgia import TDGIA
from grbcore.attacks.topology import balanced
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel import attacks as graphs
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.random_changes import Values
from grbcore.scenario import Scenario

#: Every injection attack by the name that recipes use.
INJECTION: Mapping[str, type[InjectionAttack]] = {
    "RND": RND,
    "FGSM": FGSM,
    "PGD": PGD,
    "SPEIT": SPEIT,
    "TDGIA": TDGIA,
    "AGIA": AGIA,
    "QuerySearch": QuerySearch,
}

#: Every modification attack by the name that recipes use.
MODIFICATION: Mapping[str, type[ModificationAttack]] = {
    "RND": modification.RND,
    "DICE": modification.DICE,
    "FGA": modification.FGA,
    "FLIP": modification.FLIP,
    "NEA": modification.NEA,
    "STACK": modification.STACK,
    "PGD": modification.PGD,
    "PRBCD": modification.PRBCD,
    "GRBCD": modification.GRBCD,
    "LRBCD": modification.LRBCD,
}

#: What an attack is, on nodes or on whole graphs.
AnyAttack = InjectionAttack | ModificationAttack | graphs.GraphAttack

#: Every attack by scenario and name.
ATTACKS: Mapping[
    Scenario,
    Mapping[str, type[InjectionAttack] | type[ModificationAttack] | type[graphs.GraphAttack]],
] = {
    "injection": INJECTION,
    "modification": MODIFICATION,
    "adjacency": {
        "Random": graphs.Random,
        "BruteForce": graphs.BruteForce,
        "AdjPGD": graphs.AdjPGD,
        "Genetic": graphs.Genetic,
    },
    "attributes": {
        "Random": graphs.Random,
        "BruteForce": graphs.BruteForce,
        "AttrPGD": graphs.AttrPGD,
        "Genetic": graphs.Genetic,
    },
}

#: The attacks that need no surrogate.
BLACK_BOX: Mapping[Scenario, frozenset[str]] = {
    "injection": frozenset({"RND"}),
    "modification": frozenset({"RND", "FLIP", "NEA", "STACK"}),
    "adjacency": frozenset({"Random"}),
    "attributes": frozenset({"Random"}),
}


def attack_of(
    scenario: Scenario,
    method: str,
    arguments: Mapping[str, object],
    dataset: Dataset | GraphDataset,
) -> AnyAttack:
    """The attack of this name, told these arguments and what else it has to know of the dataset.

    Raises:
        KeyError: the scenario has no such attack.
        TypeError: it takes no such argument.
    """
    kind: Any = ATTACKS[scenario][method]
    known: dict[str, object] = {}
    if isinstance(dataset, GraphDataset) and "values" in {field.name for field in fields(kind)}:
        known["values"] = Values.of(dataset)
    attack: AnyAttack = kind(**known, **arguments)
    return attack


__all__ = [
    "AGIA",
    "ATTACKS",
    "BLACK_BOX",
    "FGSM",
    "INJECTION",
    "MODIFICATION",
    "PGD",
    "RND",
    "SPEIT",
    "TDGIA",
    "AnyAttack",
    "Ensemble",
    "InjectionAttack",
    "ModificationAttack",
    "QueriesExhausted",
    "QueryBudget",
    "QuerySearch",
    "attack_board",
    "attack_of",
    "balanced",
    "optimise_features",
]
