"""Epochs of training."""

from __future__ import annotations

import functools
import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import torch
from reference import training
from reference.models import reference
from workloads.clock import Comparison, in_turn, seconds

from comparisons.ground import (
    WIDE,
    Ground,
    cora,
    large,
)
from grbcore.models import Model
from grbcore.perturbation import Ints
from grbcore.training import Mode, fit


@dataclass(frozen=True)
class Epochs:
    """Training a GCN with a validation pass in each epoch, on both sides."""

    ground: Ground
    hidden: list[int]
    mode: Mode
    many: int

    @functools.cached_property
    def model(self) -> Model:
        return self.ground.model("GCN", self.hidden)

    @functools.cached_property
    def plain(self) -> training.Training:
        dataset, model = self.ground.dataset, reference(self.ground.model("GCN", self.hidden))
        labels = torch.from_numpy(dataset.labels)

        def lesson(seen: Ints, ids: Ints) -> training.Lesson:
            part = sp.csr_matrix(self.ground.adjacency[seen][:, seen])
            where = torch.from_numpy(np.searchsorted(seen, ids))
            features = self.ground.clean.features[torch.from_numpy(seen)]
            return training.Lesson(features, model.prepare(part), where, labels[ids])

        every = np.arange(dataset.nodes)
        learning, judging = (
            (dataset.train, np.union1d(dataset.train, dataset.val))
            if self.mode == "inductive"
            else (every, every)
        )
        return training.Training(
            model, lesson(learning, dataset.train), lesson(judging, dataset.val)
        )

    def ours(self) -> float:
        ticks: list[float] = []
        fit(
            self.model,
            self.ground.dataset,
            seed=0,
            mode=self.mode,
            epochs=self.many + 1,
            progress=lambda *_: ticks.append(time.process_time()),
        )
        return float(np.median(np.diff(ticks)))

    def theirs(self) -> float:
        return statistics.median(seconds(self.plain.epoch) for _ in range(self.many))


def epochs(rounds: int) -> Iterator[Comparison]:
    """A training epoch of a GCN: grb-cora inductive, the 100k graph whole."""
    small = Epochs(cora(), [64, 64, 64], "inductive", 20)
    big = Epochs(large(), WIDE, "transductive", 2)
    for name, case, floor, aim, peer in (
        ("grb-cora", small, 1.0, 1.5, "–"),
        ("100k nodes", big, 1.7, 3.0, "3.56 s without validation"),
    ):
        taken = in_turn(case.ours, case.theirs, rounds)
        yield Comparison(f"training epoch, {name}, GCN", *taken, floor, aim, peer)
