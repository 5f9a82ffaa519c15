"""Injection attacks: a constructor says how, a call says what.

To add one: write its module here, name it in `ATTACKS`; `grbcore.testing.check_attack` says
whether it keeps the contract.
"""

from collections.abc import Mapping

from grbcore.attacks.attack import InjectionAttack
from grbcore.attacks.features import optimise_features
from grbcore.attacks.fgsm import FGSM
from grbcore.attacks.pgd import PGD
from grbcore.attacks.rnd import RND
from grbcore.attacks.tdgia import TDGIA
from grbcore.attacks.topology import balanced

#: Every attack by the name that recipes use.
ATTACKS: Mapping[str, type[InjectionAttack]] = {
    "RND": RND,
    "FGSM": FGSM,
    "PGD": PGD,
    "TDGIA": TDGIA,
}

__all__ = [
    "ATTACKS",
    "FGSM",
    "PGD",
    "RND",
    "TDGIA",
    "InjectionAttack",
    "balanced",
    "optimise_features",
]
