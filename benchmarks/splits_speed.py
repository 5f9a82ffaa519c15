"""How many runs of a study the engine does in a minute, beside a plain loop, one thread each.

    python benchmarks/splits_speed.py [--model GCN] [--inits 5] [--data-dir ../shared/data]

The plain loop trains one initialisation after the other: features as a dense matrix, the
adjacency as torch COO, every layer over the whole graph, torch's own dropout and Adam.  Both train
the same model by the same protocol on the same split; the means of their accuracies are printed
too, since the fast one must be the same model.  Ends with 1 where the ratio is below 3.
"""

from __future__ import annotations

import argparse
import math
import sys
import time
from pathlib import Path

import numpy as np
import torch
from scipy import sparse
from torch import Tensor
from torch.nn import functional as F

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from grbcore.pitfalls import sources
from grbcore.pitfalls.configurations import CONFIGURATIONS, PATIENCE, Configuration
from grbcore.pitfalls.engine import train
from grbcore.pitfalls.splitting import Split, per_class
from grbcore.pitfalls.standard import Standard

ENOUGH = 3.0


class Plain:
    """GCN or MLP as one would write them first."""

    def __init__(self, model: str, chosen: Configuration, dataset: Standard) -> None:
        self.model, self.chosen = model, chosen
        nodes = dataset.nodes
        ones = np.ones(len(dataset.feature_indices), np.float32)
        parts = (ones, dataset.feature_indices, dataset.feature_indptr)
        words = sparse.csr_matrix(parts, shape=(nodes, dataset.features))
        self.words = torch.from_numpy(words.toarray())
        edges = sparse.csr_matrix(
            (np.ones(len(dataset.indices)), dataset.indices, dataset.indptr), shape=(nodes, nodes)
        )
        looped = (edges + sparse.identity(nodes)).tocoo()
        root = 1 / np.sqrt(np.asarray(looped.sum(axis=1)).ravel())
        places = torch.from_numpy(np.stack([looped.row, looped.col]).astype(np.int64))
        values = torch.from_numpy((root[looped.row] * root[looped.col]).astype(np.float32))
        self.edges = torch.sparse_coo_tensor(places, values, (nodes, nodes)).coalesce()
        self.labels = torch.from_numpy(dataset.labels)
        self.shapes = ((dataset.features, chosen.hidden), (chosen.hidden, dataset.classes))

    def logits(self, weights: list[Tensor], training: bool) -> Tensor:
        first, first_bias, second, second_bias = weights
        rate = self.chosen.dropout
        hidden = F.dropout(self.words, rate, training) @ first
        if self.model == "GCN":
            hidden = torch.sparse.mm(self.edges, hidden)
        hidden = F.dropout(F.relu(hidden + first_bias), rate, training) @ second
        if self.model == "GCN":
            hidden = torch.sparse.mm(self.edges, hidden)
        return hidden + second_bias

    def run(self, split: Split, seed: int) -> float:
        torch.manual_seed(seed)
        weights = []
        for shape in self.shapes:
            limit = math.sqrt(6 / sum(shape))
            weights += [torch.empty(shape).uniform_(-limit, limit), torch.zeros(shape[1])]
        for weight in weights:
            weight.requires_grad_()
        held = [weights[0]] if self.model == "GCN" else [weights[0], weights[2]]
        optimiser = torch.optim.Adam(weights, lr=self.chosen.learning_rate)
        ids = {name: torch.from_numpy(getattr(split, name)) for name in ("train", "val", "test")}

        def loss(part: str, training: bool) -> Tensor:
            found = self.logits(weights, training)[ids[part]]
            square = torch.stack([(weight**2).sum() for weight in held]).sum()
            return F.cross_entropy(found, self.labels[ids[part]]) + self.chosen.l2 / 2 * square

        lowest, waited, kept = math.inf, 0, weights
        while waited < PATIENCE:
            optimiser.zero_grad()
            loss("train", True).backward()
            optimiser.step()
            with torch.no_grad():
                validated = float(loss("val", False))
            waited += 1
            if validated <= lowest:
                lowest, waited = validated, 0
                kept = [weight.detach().clone() for weight in weights]
        with torch.no_grad():
            found = self.logits(kept, False)[ids["test"]].argmax(dim=1)
        return float((found == self.labels[ids["test"]]).float().mean())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--model", choices=("GCN", "MLP"), default="GCN")
    parser.add_argument("--inits", type=int, default=5)
    parser.add_argument("--rounds", type=int, default=3, help="of both in turn; the medians count")
    parser.add_argument("--data-dir", type=Path)
    given = parser.parse_args()
    torch.set_num_threads(1)
    dataset = sources.load("citeseer", data_dir=given.data_dir)
    split, chosen = per_class(dataset.labels, 0), CONFIGURATIONS[given.model]
    plain, seeds = Plain(given.model, chosen, dataset), range(given.inits)
    train(given.model, chosen, dataset, split, seeds, epochs=2)  # the first of all does more
    rates: dict[str, list[float]] = {"plain": [], "engine": []}
    accuracies: dict[str, list[float]] = {"plain": [], "engine": []}
    for number in range(given.rounds):
        # processor time: what else runs on the host counts for neither
        started = time.process_time()
        accuracies["plain"].append(plain.run(split, number))
        rates["plain"].append(60 / (time.process_time() - started))
        started = time.process_time()
        runs = train(given.model, chosen, dataset, split, seeds)
        rates["engine"].append(60 * given.inits / (time.process_time() - started))
        accuracies["engine"] += [run.accuracy for run in runs]
    median = {name: float(np.median(found)) for name, found in rates.items()}
    for name in median:
        accuracy = 100 * float(np.mean(accuracies[name]))
        print(f"{name:6}  {median[name]:8.1f} runs a minute, mean accuracy {accuracy:.1f} %")
    ratio = median["engine"] / median["plain"]
    print(f"{given.model} on citeseer, one thread: {ratio:.1f} times (at least {ENOUGH:g})")
    sys.exit(ratio < ENOUGH)


if __name__ == "__main__":
    main()
