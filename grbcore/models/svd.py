"""GCN on a low-rank approximation of the adjacency."""

from __future__ import annotations

from torch import Tensor

from grbcore.architectures.defenses import RankParameters
from grbcore.models.linear import LinearLayers
from grbcore.models.low_rank import truncated
from grbcore.spmm import Pattern


class GCNSVD(LinearLayers):
    """A GCN whose N is ``D^-1/2 (B + I) D^-1/2``, B the rank-r approximation of A.

    B is never written out.  Its entries can be negative, so a degree is 1 plus B's row sum where
    that is positive.
    Source: Entezari et al., All You Need Is Low (Rank), WSDM 2020: A is truncated, then the GCN
    normalises what is left (DeepRobust does the same on a dense B).  GRB's code: a dense B,
    neither normalised nor with self-loops.  Here: the paper's, on factors.
    """

    def __init__(
        self, parameters: RankParameters, features: int, classes: int, *, dropout: float = 0.5
    ) -> None:
        super().__init__(parameters, features, classes, dropout=dropout)
        self.rank = parameters.rank

    def propagate(
        self, pattern: Pattern, hidden: Tensor, edge_weight: Tensor | None = None
    ) -> Tensor:
        low_rank = truncated(pattern, self.rank, edge_weight)
        ones = hidden.new_ones(pattern.size, 1)
        scale = (1 + low_rank.product(ones).clamp_min(0)).rsqrt()

        def mix(x: Tensor) -> Tensor:
            scaled = scale * x
            return scale * (low_rank.product(scaled) + scaled)

        hidden = mix(hidden)
        for index in range(1, len(self.convs)):
            hidden = mix(self.enter(index, hidden))
        return hidden
