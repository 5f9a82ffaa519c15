"""How quickly models of whole graphs train, beside the same without what makes them quick.

    python benchmarks/graph_level_training.py [--data FOLDER] [--rounds 3] [--dataset mutag]
        [--models GINE,PPGN] [--graphs 150]

Training on the thesis' recipe, one epoch of as many graphs, one thread; medians of CPU seconds of
rounds in turns.  Beside *now* stand: *every node*, where what a model can't tell apart is computed
again and again; *every edge*, where each edge's message is computed and added, too; *torch's
products*, in place of oneDNN's, which only processors of AMD take.
"""

from __future__ import annotations

import argparse
import os

os.environ.setdefault("OMP_NUM_THREADS", "1")

import contextlib
import statistics
import time
from collections.abc import Iterator
from dataclasses import replace
from unittest import mock

import torch
from torch import Tensor
from workloads.clock import machine

from grbcore.graphlevel import load
from grbcore.graphlevel.batch import Sparse
from grbcore.graphlevel.dataset import GraphDataset, GraphSplit
from grbcore.graphlevel.training import RECIPES, create, fit


class _None:
    """What no batch is."""


def _each_message(self: Sparse, x: Tensor, table: Tensor) -> Tensor:
    edges = table[self.values].sum(-2)
    edges = edges.reshape(len(edges), *[1] * (x.ndim - 2), -1)
    sent = (x.index_select(0, self.edges[0]) + edges).relu()
    return torch.zeros_like(x).index_add(0, self.edges[1], sent)


@contextlib.contextmanager
def _every_node() -> Iterator[None]:
    models = "grbcore.graphlevel.models"
    with (
        mock.patch(f"{models}.gine.Sparse", _None),
        mock.patch(f"{models}.signnet.Sparse", _None),
        mock.patch(f"{models}.ppgn.Sparse", _None),
    ):
        yield


@contextlib.contextmanager
def _every_edge() -> Iterator[None]:
    with _every_node(), mock.patch.object(Sparse, "messages", _each_message):
        yield


WAYS = {
    "now": contextlib.nullcontext,
    "every node": _every_node,
    "every edge": _every_edge,
    "torch's products": lambda: torch.backends.mkldnn.flags(enabled=False),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", default=os.environ.get("GRB_DATA_DIR"))
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--dataset", default="mutag")
    parser.add_argument("--models", default="GINE,ESAN,DropGINE,SignNet,PPGN")
    parser.add_argument("--graphs", type=int, default=150)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    print(machine())
    dataset = _part(load(arguments.dataset, data_dir=arguments.data), arguments.graphs)
    for name in arguments.models.split(","):
        recipe = replace(RECIPES[arguments.dataset][name], epochs=1)
        model = create(name, dataset, seed=0, recipe=recipe)
        seconds: dict[str, list[float]] = {way: [] for way in WAYS}
        for turn in range(-1, arguments.rounds):
            for way, kept in seconds.items():
                with WAYS[way]():
                    started = time.process_time()
                    fit(model, dataset, recipe, seed=0)
                if turn >= 0:
                    kept.append(time.process_time() - started)
        medians = {way: statistics.median(kept) for way, kept in seconds.items()}
        print(
            f"{name:10}",
            "   ".join(
                f"{way} {took:.2f} s ({took / medians['now']:.2f})" for way, took in medians.items()
            ),
            flush=True,
        )


def _part(dataset: GraphDataset, graphs: int) -> GraphDataset:
    """The same with the first graphs to train on, and as few to judge by as there may be."""
    split = dataset.split
    few = GraphSplit(split.train[:graphs], split.val[: max(graphs // 10, 1)], split.test)
    return replace(dataset, split=few)


if __name__ == "__main__":
    main()
