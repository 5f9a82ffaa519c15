"""SignNet: positions from eigenvectors whose signs don't matter, then GINE."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import pairwise

import torch
from torch import Tensor, nn

from grbcore.graphlevel.batch import Sparse, Structure
from grbcore.graphlevel.colours import by_value, joined, refine
from grbcore.graphlevel.models.linear import Linear
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.graphlevel.models.perceptrons import normed, perceptron

#: Of a layer of φ: what each row has of itself and of its neighbours, summed, and how many entries
#: of eigenvectors each row stands for.
_Layer = tuple[Callable[[Tensor], Tensor], Tensor | None]


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

    While it learns, and where it `merges`, as for an attack, entries and nodes of a sparse batch
    that no layer can tell apart are computed once; in evaluation, which counts, each is.
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
        self.phi = nn.ModuleList([perceptron(a, hidden, b, 2) for a, b in pairwise(widths)])
        self.phi_norms = nn.ModuleList([normed(hidden) for _ in range(phi_layers - 1)])
        self.rho = perceptron(phi_width * self.k, hidden, self.k, phi_layers)
        self.place = Linear(self.k, hidden)
        outs = [*[hidden] * (layers - 1), last]
        self.layers = nn.ModuleList([perceptron(hidden, hidden, out, 2) for out in outs])
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
        if (self.training or self.merges) and isinstance(batch, Sparse):
            return self._by_colours(batch, vectors)
        layers: list[_Layer] = [(lambda x: x + batch.total(x), None)] * len(self.phi)
        positions = self.rho(self._both(vectors[..., None], layers).flatten(-2))
        x = batch.nodes_by(self.nodes) + self.place(positions)
        for layer in self.layers:
            x = layer(x + batch.messages(x, self.edges))
        return self._read(batch.mean(x))

    def _by_colours(self, batch: Sparse, vectors: Tensor) -> Tensor:
        """The same with one row for what no layer can tell apart.

        φ's first layer sees an entry's sum with its neighbours' alone.  So entries of a vector
        are one row where those sums are equal, and then where a node and its neighbours have the
        same rows; nodes are one where their features and their rows of all vectors are.
        """
        sums = vectors + batch.total(vectors)
        entries = by_value(batch, sums)
        rows = sums.flatten()[entries.places][:, None]
        layers: list[_Layer] = [(lambda x: x, entries.counts)]
        for on in refine(batch, entries, len(self.phi) - 1, closed=True):
            layers.append((on.around, on.after.counts))
            entries = on.after
        both = self._both(rows, layers)
        nodes = joined(batch, entries)
        positions = self.rho(both[entries.of[nodes.places]].flatten(-2), nodes.counts)
        x = batch.nodes_by(self.nodes)[nodes.places] + self.place(positions)
        for layer, on in zip(self.layers, refine(batch, nodes, len(self.layers)), strict=True):
            x = layer(on.own(x) + on.messages(x, self.edges), on.after.counts)
            nodes = on.after
        return self._read(nodes.pooled(x))

    def _both(self, x: Tensor, layers: Sequence[_Layer]) -> Tensor:
        """What φ makes of vectors' entries (…, 1) and of those of the other sign: (…, width)."""
        return self._each(x, layers) + self._each(-x, layers)

    def _each(self, x: Tensor, layers: Sequence[_Layer]) -> Tensor:
        for place, (around, counts) in enumerate(layers):
            x = self.phi[place](around(x), counts)
            if place < len(self.phi_norms):
                x = self.phi_norms[place](x, counts)
        return x

    def _read(self, pooled: Tensor) -> Tensor:
        """The output of graphs from the means (B, last) over their nodes."""
        result: Tensor = self.readout(self.dropout(pooled))
        return result

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
