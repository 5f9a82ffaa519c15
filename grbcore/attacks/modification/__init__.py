"""Modification attacks: they flip edges, and features stay as they are."""

from grbcore.attacks.modification.dice import DICE
from grbcore.attacks.modification.fga import FGA
from grbcore.attacks.modification.flip import FLIP
from grbcore.attacks.modification.grbcd import GRBCD
from grbcore.attacks.modification.lrbcd import LRBCD
from grbcore.attacks.modification.nea import NEA
from grbcore.attacks.modification.pairs import Pairs, spent
from grbcore.attacks.modification.pgd import PGD
from grbcore.attacks.modification.prbcd import PRBCD
from grbcore.attacks.modification.rnd import RND
from grbcore.attacks.modification.stack import STACK

__all__ = [
    "DICE",
    "FGA",
    "FLIP",
    "GRBCD",
    "LRBCD",
    "NEA",
    "PGD",
    "PRBCD",
    "RND",
    "STACK",
    "Pairs",
    "spent",
]
