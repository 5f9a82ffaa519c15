"""Attacks: a constructor says how, a call says what.

To add one: write its module here, name it in `ATTACKS` and in the catalog's `ATTACK_METHODS`;
`grbcore.testing.check_attack` says whether it keeps the contract.
"""

from collections.abc import Mapping

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

#: Every attack by scenario and name.
ATTACKS: Mapping[Scenario, Mapping[str, type[InjectionAttack] | type[ModificationAttack]]] = {
    "injection": INJECTION,
    "modification": MODIFICATION,
}

#: The attacks that need no surrogate.
BLACK_BOX: Mapping[Scenario, frozenset[str]] = {
    "injection": frozenset({"RND"}),
    "modification": frozenset({"RND", "FLIP", "NEA", "STACK"}),
}

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
    "Ensemble",
    "InjectionAttack",
    "ModificationAttack",
    "QueriesExhausted",
    "QueryBudget",
    "QuerySearch",
    "attack_board",
    "balanced",
    "optimise_features",
]
