"""DropGINE: many runs, each with nodes dropped at random."""

from __future__ import annotations

from torch import Tensor

from grbcore.graphlevel.models.gine import GINE
from grbcore.graphlevel.models.model import Shape


class DropGINE(GINE):
    """GINE averaged over ``runs`` runs before every head; in each, nodes are dropped at random.

    Paper: dropped with probability 1/(1 + γ), and their edges with them (Papp et al., NeurIPS
    2021).  The thesis' code: 2/(1 + γ), and only their features become 0.  Here: as that code,
    whose numbers are published, with γ = ``runs``.
    """

    def __init__(
        self,
        shape: Shape,
        *,
        runs: int,
        hidden: int = 300,
        layers: int = 5,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(shape, hidden=hidden, layers=layers, dropout=dropout)
        if runs < 1:
            raise ValueError(f"runs: found {runs}, allowed: 1 or more")
        self.noise_width = runs
        self.drop = 2 / (1 + runs)

    def kept(self, noise: Tensor | None) -> Tensor:
        return self.drawn(noise) >= self.drop
