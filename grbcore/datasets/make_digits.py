"""Makes the bundled dataset from scikit-learn's digits.

Run with ``python -m grbcore.datasets.make_digits``; it needs scikit-learn.

Nodes are the 1,797 images of 8 x 8 pixels, features their 64 grey values (0..16), labels the
digits.  Each image is joined to its three nearest neighbours (Euclidean), and the graph is
symmetrised.  The split is GRB's, with seed 0.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from grbcore.datasets.reading import RawFiles, csr, write
from grbcore.datasets.splitting import split

NEIGHBOURS = 3


def make() -> RawFiles:
    """The dataset, from scikit-learn's copy of the digits."""
    from sklearn.datasets import load_digits

    images, labels = load_digits(return_X_y=True)
    nodes = len(images)
    squares = (images**2).sum(axis=1)
    # whole numbers below 2^53, so the distances are exact and ties the same everywhere
    distances = squares[:, None] + squares[None, :] - 2 * images @ images.T
    np.fill_diagonal(distances, np.inf)
    nearest = np.argsort(distances, axis=1, kind="stable")[:, :NEIGHBOURS]
    pairs = np.stack([np.repeat(np.arange(nodes), NEIGHBOURS), nearest.ravel()])
    indptr, indices = csr(pairs, nodes)
    return RawFiles(
        indptr, indices, images.astype(np.float32), labels.astype(np.int64), split(np.diff(indptr))
    )


if __name__ == "__main__":
    write(Path(__file__).with_name("digits"), make())
