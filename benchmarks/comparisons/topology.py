"""Where TDGIA joins its nodes."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import torch
from reference import attacking
from workloads.clock import Comparison, in_turn, seconds

from comparisons.ground import (
    large,
)
from grbcore.attacks.topology import defective, vulnerability


def topology(rounds: int) -> Iterator[Comparison]:
    """TDGIA's edges: 100 × 100 on 10k targets of the large graph."""
    ground = large()
    rng = np.random.default_rng(0)
    targets = ground.dataset.targets["easy"]
    assert targets.shape[0] == 10_000
    probability = rng.uniform(size=targets.shape[0]).astype(np.float32)
    labels = rng.integers(0, 10, targets.shape[0])
    degrees = ground.dataset.degrees[targets]

    def ours() -> object:
        scores = vulnerability(probability, degrees, 100)
        return defective(
            targets, scores, labels, ground.clean.nodes, nodes=100, edges_per_node=100, rng=rng
        )

    tensors = [torch.from_numpy(a) for a in (targets, probability, degrees, labels)]

    def theirs() -> object:
        return attacking.defective_topology(*tensors, nodes=100, each=100)

    taken = in_turn(lambda: seconds(ours), lambda: seconds(theirs), rounds)
    yield Comparison("TDGIA topology, 100 × 100 on 10k targets", *taken, 10.0, 30.0, "0.57 s")
