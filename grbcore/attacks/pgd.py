"""PGD: FGSM from a random start."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from grbcore.attacks.features import Floats
from grbcore.attacks.gradient import SignAttack
from grbcore.scenario import InjectionBudget


@dataclass(frozen=True)
class PGD(SignAttack):
    """Projected gradient descent on a random topology; it differs from FGSM in its start only.

    It starts from normal features, a tenth of the upper limit wide, clipped to the range.
    Source: GRB, Appendix A.4.2; Madry et al. 2018.
    """

    def start(self, budget: InjectionBudget, dimensions: int, rng: np.random.Generator) -> Floats:
        drawn = rng.standard_normal((budget.nodes, dimensions)) * abs(budget.feature_max) / 10
        clipped: Floats = drawn.clip(budget.feature_min, budget.feature_max).astype(np.float32)
        return clipped
