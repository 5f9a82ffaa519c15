"""The passes over a graph that a probe of a defense needs; the child's part of `probes`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from functools import partial

import torch

from grbcore.datasets.dataset import Dataset
from grbcore.evaluate import predict
from grbcore.graph import Graph, cut_off
from grbcore.models.model import GraphModel, Stochastic
from grbcore.probes import CUT_OFF, PASSES, pass_name
from grbcore.scoring import Predictions
from grbcore.seeds import derive_seed


def probe(
    dataset: Dataset,
    clean: Graph,
    model: GraphModel,
    *,
    seed: int,
    expected: float,
    until: float,
) -> dict[str, Predictions]:
    """Predictions (t,) int16 of full's targets, by the names of `probes`; as many as time allows.

    ``clean`` has features of the kind that the model takes.  A stochastic model draws from seeds
    derived of ``seed``; it is left with another seed than it had.  A pass is expected to take so
    many seconds, or as many as the longest before; none begins that would end after ``until`` (of
    `time.monotonic`), and where there was no time to remove the edges nothing is answered.
    """
    targets = dataset.targets["full"]
    passes = (
        (name, partial(predict, model, graph, None, targets))
        for name, graph in _passes(clean, torch.from_numpy(targets.copy()), model, seed)
    )
    return in_time(passes, expected=expected, until=until)


def in_time(
    passes: Iterable[tuple[str, Callable[[], Predictions]]], *, expected: float, until: float
) -> dict[str, Predictions]:
    """What these passes predict, by their names; as many as time allows, see `probe`."""
    found: dict[str, Predictions] = {}
    longest = expected
    for name, run in passes:
        begun = time.monotonic()
        if begun + longest >= until:
            break
        found[name] = run()
        longest = max(longest, time.monotonic() - begun)
    return found


def _passes(
    clean: Graph, targets: torch.Tensor, model: GraphModel, seed: int
) -> Iterator[tuple[str, Graph]]:
    pattern = cut_off(clean.pattern, targets.to(clean.device))
    if isinstance(model, Stochastic):
        model.seed = seed  # as on the clean graph, so that only the edges differ
    yield CUT_OFF, Graph(pattern, clean.features)
    if isinstance(model, Stochastic):
        for number in range(PASSES):
            model.seed = derive_seed("pass", seed, number)
            yield pass_name(number), clean
