"""Attacks on whole graphs: random changes, brute force, gradients, a genetic search.

`perturb` runs one and checks what it gives against the budget.
"""

from grbcore.graphlevel.attacks.attack import Case, GraphAttack, perturb
from grbcore.graphlevel.attacks.brute_force import BruteForce
from grbcore.graphlevel.attacks.genetic import Genetic
from grbcore.graphlevel.attacks.gradient import AdjPGD, AttrPGD
from grbcore.graphlevel.attacks.random_attack import Random
from grbcore.graphlevel.attacks.rates import with_best_rate

__all__ = [
    "AdjPGD",
    "AttrPGD",
    "BruteForce",
    "Case",
    "Genetic",
    "GraphAttack",
    "Random",
    "perturb",
    "with_best_rate",
]
