"""Labels spread over the edges: the paper's two floors, which see no features."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from grbcore.pitfalls.configurations import PATIENCE, Configuration
from grbcore.pitfalls.engine import Run
from grbcore.pitfalls.splitting import Split
from grbcore.pitfalls.standard import Standard

Values = NDArray[np.float64]


def propagate(
    chosen: Configuration,
    dataset: Standard,
    split: Split,
    *,
    steps: int = PATIENCE,
) -> Run:
    """Spread the training labels ``steps`` times and keep them as they were when validated best.

    Without ``chosen.back``: ``Y <- D^-1 A Y``, and the labelled rows are put back.  With it:
    ``Y <- (1 - back) D^-1/2 A D^-1/2 Y + back Y0``.  The labels of the last step that equals or
    beats the highest validation accuracy or the lowest loss so far are kept.

    Source: Chapelle et al., Semi-supervised learning (2009), Algorithms 11.1 and 11.3, as Shchur
    et al. use them.  Paper: no stopping rule.  Released code: the patience begins anew where
    accuracy or loss improve by 0.001, but on what they are after they were updated, which they
    never do, so that each run takes as many steps as its patience.  Here: so many steps, as the
    numbers that are compared with were made; with the rule as it was meant CiteSeer gains 0.5
    points with LabelProp and nothing with LabelProp NL (100 splits).
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
    accuracy, loss, best = 0.0, np.inf, 0
    for number in range(1, steps + 1):
        labels = step @ labels
        if chosen.back:
            labels = (1 - chosen.back) * labels + chosen.back * start
        else:
            labels[split.train] = start[split.train]
        found = _accuracy(labels, dataset, split.val)
        cross = _cross_entropy(labels[split.val], dataset.labels[split.val])
        if found >= accuracy or cross <= loss:
            kept, best = labels.copy(), number
        accuracy, loss = max(accuracy, found), min(loss, cross)
    return Run(
        accuracy=_accuracy(kept, dataset, split.test),
        val_accuracy=_accuracy(kept, dataset, split.val),
        val_loss=_cross_entropy(kept[split.val], dataset.labels[split.val]),
        epochs=steps,
        best=best,
    )


def _accuracy(labels: Values, dataset: Standard, nodes: NDArray[np.int64]) -> float:
    return float((labels[nodes].argmax(axis=1) == dataset.labels[nodes]).mean())


def _cross_entropy(logits: Values, labels: NDArray[np.int64]) -> float:
    """Mean, of what has been spread taken as logits, as the released code does."""
    top = logits.max(axis=1, keepdims=True)
    total = np.log(np.exp(logits - top).sum(axis=1)) + top[:, 0]
    return float((total - logits[np.arange(len(labels)), labels]).mean())
