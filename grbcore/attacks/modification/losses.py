"""What a modification attack raises: losses on the targets' logits, higher is worse for them.

The attacks' default is the margin of the probabilities: surrogates trained without weight decay
have logits so far apart that the tanh of their margin hardly moves (docs/modification-attacks.md).

Source: Geisler et al., Robustness of Graph Neural Networks at Scale (NeurIPS 2021), Section 2:
a global attack needs a loss that gains nothing from nodes that are lost already.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

import torch
from torch import Tensor
from torch.nn import functional as F

#: From logits (t, c) and labels (t,) to a scalar.
Loss = Callable[[Tensor, Tensor], Tensor]


def cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean cross-entropy."""
    return F.cross_entropy(logits, labels)


def masked_cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean cross-entropy of the targets that still have their label, of all if none has."""
    standing = logits.argmax(dim=1) == labels
    kept = standing | ~standing.any()
    return F.cross_entropy(logits[kept], labels[kept])


def margin(scores: Tensor, labels: Tensor) -> Tensor:
    """By how much the best other class leads: (t,), positive where the label is lost."""
    own = scores.gather(1, labels[:, None])[:, 0]
    others = scores.scatter(1, labels[:, None], -torch.inf)
    return others.amax(dim=1) - own


def tanh_margin(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean of tanh(margin of the logits): what is far from its boundary hardly counts."""
    return margin(logits, labels).tanh().mean()


def probability_margin(logits: Tensor, labels: Tensor) -> Tensor:
    """The mean margin of the probabilities.

    Source: Mujkanovic et al., Are Defenses for Graph Neural Networks Robust? (NeurIPS 2022).
    """
    return margin(logits.softmax(dim=1), labels).mean()


LOSSES: Mapping[str, Loss] = {
    "cross_entropy": cross_entropy,
    "masked_cross_entropy": masked_cross_entropy,
    "tanh_margin": tanh_margin,
    "probability_margin": probability_margin,
}


def loss(name: str) -> Loss:
    """The loss of this name.

    Raises:
        ValueError: there is none.
    """
    if name not in LOSSES:
        raise ValueError(f"loss: found {name!r}, allowed: {', '.join(LOSSES)}")
    return LOSSES[name]
