"""Labels spread over the edges: the paper's two floors, which see no features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grbcore.pitfalls.configurations import EPOCHS, PATIENCE, TOLERANCE, Configuration
from grbcore.pitfalls.engine import Run
from grbcore.pitfalls.splitting import Split
from grbcore.pitfalls.standard import Standard

Values = NDArray[np.float64]


def propagate(
    chosen: Configuration,
    dataset: Standard,
    split: Split,
    *,
    patience: int = PATIENCE,
    epochs: int = EPOCHS,
) -> Run:
    """Spread the training labels until validation stays as good as it is.

    Without ``chosen.back``: ``Y <- D^-1 A Y``, and the labelled rows are put back.  With it:
    ``Y <- (1 - back) D^-1/2 A D^-1/2 Y + back Y0``.  The labels of the last step of the highest
    validation accuracy or lowest loss are kept; the patience begins anew only where one of them
    improves by `TOLERANCE`.

    Source: Chapelle et al., Semi-supervised learning (2009), Algorithms 11.1 and 11.3, as Shchur
    et al. use them.  Paper: no stopping rule.  Released code: the two are compared with what they
    are after they were updated, so that the patience never begins anew and every run takes 50
    steps.  Here: compared with what they were before.
    """
    nodes = dataset.nodes
    ones = np.ones(len(dataset.indices))
    edges = sparse.csr_matrix((ones, dataset.indices, dataset.indptr), shape=(nodes, nodes))
    degree = dataset.degrees.astype(np.float64)
    start = np.zeros((nodes, dataset.classes))
    start[split.train, dataset.labels[split.train]] = 1
    if chosen.back:
        root = sparse.diags(1 / np.sqrt(degree))
        step = root @ edges @ root
    else:
        step = sparse.diags(1 / degree) @ edges
    labels = kept = start
    accuracy, loss, best, waited, epoch = 0.0, np.inf, 0, 0, 0
    for epoch in range(1, epochs + 1):
        labels = step @ labels
        if chosen.back:
            labels = (1 - chosen.back) * labels + chosen.back * start
        else:
            labels[split.train] = start[split.train]
        found = _accuracy(labels, dataset, split.val)
        cross = _cross_entropy(labels[split.val], dataset.labels[split.val])
        improved = found >= accuracy + TOLERANCE or cross <= loss - TOLERANCE
        if found >= accuracy or cross <= loss:
            kept, best = labels.copy(), epoch
        accuracy, loss = max(accuracy, found), min(loss, cross)
        waited = 0 if improved else waited + 1
        if waited >= patience:
            break
    return Run(
        accuracy=_accuracy(kept, dataset, split.test),
        val_accuracy=_accuracy(kept, dataset, split.val),
        val_loss=_cross_entropy(kept[split.val], dataset.labels[split.val]),
        epochs=epoch,
        best=best,
    )


def _accuracy(labels: Values, dataset: Standard, nodes: NDArray[np.int64]) -> float:
    return float((labels[nodes].argmax(axis=1) == dataset.labels[nodes]).mean())


def _cross_entropy(logits: Values, labels: NDArray[np.int64]) -> float:
    """Mean, of what has been spread taken as logits, as the released code does."""
    top = logits.max(axis=1, keepdims=True)
    total = np.log(np.exp(logits - top).sum(axis=1)) + top[:, 0]
    return float((total - logits[np.arange(len(labels)), labels]).mean())
