"""One cell of a leaderboard: normalise, one pass, accuracy."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from grbcore.perturbation import Injection
from reference.models import Reference
from reference.sparse import injected


def cell(
    model: Reference,
    adjacency: sp.csr_matrix,
    features: Tensor,
    injection: Injection,
    targets: np.ndarray,
    labels: np.ndarray,
) -> float:
    """Accuracy on one attacked graph; autograd stays on."""
    model.eval()
    joined = torch.cat([features, torch.from_numpy(injection.features)])
    logits = model(joined, model.prepare(injected(adjacency, injection)))
    found = logits[: features.shape[0]][torch.from_numpy(targets)].argmax(1)
    return float((found == torch.from_numpy(labels[targets])).float().mean())
