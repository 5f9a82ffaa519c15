"""SignNet: positions from eigenvectors whose signs don't matter, then GINE."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import torch
from torch import Tensor, nn

from grbcore.graphlevel.batch import Sparse, Structure
from grbcore.graphlevel.models.linear import Linear
from grbcore.graphlevel.models.model import GraphLevelModel, Norm, Rows, Shape, normed
from grbcore.graphlevel.sums import Sums


class SignNet(GraphLevelModel):
    """GINE on nodes with positions ρ([φ(v_i) + φ(-v_i)]), v_i the first k eigenvectors.

    φ: a GIN of ``phi_layers`` layers on each eigenvector alone; ρ: layers on each node.
    The eigenvectors are those of I - D^(-1/2) A D^(-1/2) without the first; missing ones are 0.
    ``shake`` (B, N), where set on a surrogate, is added to the diagonal of A in the Laplacian, so
    that repeated eigenvalues part and their gradient is finite.
    Source: Lim et al. (ICLR 2023), as the thesis' code has it and its parameter counts prove it:
    every perceptron has its batch norms behind the ReLU, norms alone stand between the layers of φ,
    and between those of GINE there is nothing, no ReLU and no input that is added.  v_i and -v_i
    pass φ one after the other, so that each has statistics of its own while it learns.
    """

    def __init__(
        self,
        shape: Shape,
        *,
        eigenvectors: int,
        hidden: int = 95,
        layers: int = 16,
        phi_layers: int = 8,
        phi_width: int = 4,
        last: int = 10,
        dropout: float = 0.0,
    ) -> None:
        super().__init__(shape, hidden, hidden)
        self.k = eigenvectors
        widths = [1, *[hidden] * (phi_layers - 1), phi_width]
        self.phi = nn.ModuleList([_perceptron(a, hidden, b, 2) for a, b in pairwise(widths)])
        self.phi_norms = nn.ModuleList([normed(hidden) for _ in range(phi_layers - 1)])
        self.rho = _perceptron(phi_width * self.k, hidden, self.k, phi_layers)
        self.place = Linear(self.k, hidden)
        outs = [*[hidden] * (layers - 1), last]
        self.layers = nn.ModuleList([_perceptron(hidden, hidden, out, 2) for out in outs])
        self.dropout = nn.Dropout(dropout)
        self.readout = nn.Sequential(
            nn.Linear(last, last // 2),
            nn.ReLU(),
            nn.Linear(last // 2, last // 4),
            nn.ReLU(),
            nn.Linear(last // 4, shape.outputs),
        )
        self.shake: Tensor | None = None

    def forward(self, batch: Structure, noise: Tensor | None = None) -> Tensor:
        vectors = self.eigenvectors(batch)
        x = batch.nodes_by(self.nodes) + self.place(self.positions(batch, vectors))
        for layer in self.layers:
            x = layer(x + batch.messages(x, self.edges))
        result: Tensor = self.readout(self.dropout(batch.mean(x)))
        return result

    def positions(self, batch: Structure, vectors: Tensor) -> Tensor:
        """What ρ makes of eigenvectors (n, k), alike for both signs: (n, k)."""
        if self.training and isinstance(batch, Sparse):
            there = _Vectors.of(batch, self.k)
            rows = vectors.flatten()[there.places][:, None]
            both = self._each(rows, there.total, there.counts)
            both = (both + self._each(-rows, there.total, there.counts))[there.rows]
        else:
            rows = vectors[..., None]
            both = self._each(rows, batch.total) + self._each(-rows, batch.total)
        found: Tensor = self.rho(both.flatten(-2))
        return found

    def _each(
        self, x: Tensor, total: Callable[[Tensor], Tensor], counts: Tensor | None = None
    ) -> Tensor:
        """What φ makes of vectors' entries (…, 1), each vector's alone: (…, width)."""
        for place, layer in enumerate(self.phi):
            x = layer(x + total(x), counts)
            if place < len(self.phi_norms):
                x = self.phi_norms[place](x, counts)
        return x

    def eigenvectors(self, batch: Structure) -> Tensor:
        """The vectors (…, k) of the batch's nodes; graphs of one size are decomposed together."""
        dense = batch.dense()
        adjacency = dense.adjacency.to(self.nodes.dtype)
        degrees = adjacency.sum(-1)
        if self.shake is not None:
            adjacency = adjacency + torch.diag_embed(self.shake.to(adjacency.dtype))
        some = degrees > 1e-12
        scale = degrees.where(some, 1.0).rsqrt() * some
        laplacian = (
            torch.eye(adjacency.shape[-1]) - scale[..., :, None] * adjacency * scale[..., None, :]
        )
        found = adjacency.new_zeros(*dense.mask.shape, self.k)
        for size in sorted(set(dense.sizes.tolist())):
            which = torch.nonzero(dense.sizes == size).flatten()
            vectors = torch.linalg.eigh(laplacian[which, :size, :size])[1][..., 1 : self.k + 1]
            more = (0, self.k - vectors.shape[-1], 0, found.shape[1] - size)
            found = found.index_add(0, which, nn.functional.pad(vectors, more))
        return dense.packed(found)


@dataclass(frozen=True, eq=False)
class _Vectors:
    """The vectors that graphs have, and one for all those that are missing, which are 0."""

    places: Tensor  # (R,) int64: a row's place in (n, k), flat
    rows: Tensor  # (n, k) int64: the row that stands for each
    counts: Tensor  # (R,) int64: how many it stands for
    total: Sums  # (R, R): over the neighbours in the same vector

    @staticmethod
    def of(batch: Sparse, k: int) -> _Vectors:
        own = (batch.sizes - 1)[batch.owner]  # the vectors of each node's graph
        width = (own + 1).clamp(max=k)
        column = torch.arange(k)
        held = column < width[:, None]
        start = (width.cumsum(0) - width)[:, None]
        rows = start + column.minimum(width[:, None] - 1)
        missing = (k - own).clamp(min=1)[:, None]
        counts = torch.where(column == own[:, None], missing, 1)
        inside = held[batch.edges[0]]
        sender, receiver = ((start[end] + column)[inside] for end in batch.edges)
        return _Vectors(
            torch.nonzero(held.flatten()).flatten(),
            rows,
            counts[held],
            Sums.symmetric(receiver, sender, int(width.sum())),
        )


def _perceptron(inputs: int, hidden: int, outputs: int, layers: int) -> Rows:
    """Layers with ReLU and batch norm between them."""
    widths = [inputs, *[hidden] * (layers - 1), outputs]
    parts: list[nn.Module] = []
    for place, (a, b) in enumerate(pairwise(widths)):
        if place:
            parts += [nn.ReLU(), Norm(a)]
        parts.append(Linear(a, b))
    return Rows(*parts)
