"""FGSM: iterated steps along the sign of the gradient, from zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grbcore.attacks.features import Floats
from grbcore.attacks.gradient import SignAttack
from grbcore.scenario import InjectionBudget


@dataclass(frozen=True)
class FGSM(SignAttack):
    """The fast gradient sign method, iterated, on a random topology; features start at 0.

    Source: GRB, Appendix A.4.2; Goodfellow et al. 2015.
    """

    def start(self, budget: InjectionBudget, dimensions: int, rng: np.random.Generator) -> Floats:
        return np.zeros((budget.nodes, dimensions), np.float32)
