"""What a model says of the test graphs of a board, clean and attacked."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor

from grbcore.architectures.graphlevel import AT_ONCE, PASSES
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.graphlevel.models.model import GraphLevelModel, predict
from grbcore.graphlevel.shape import apart
from grbcore.margins import Margins, percents
from grbcore.perturbation import GraphChanges, Perturbation
from grbcore.probes import CUT_OFF, pass_name
from grbcore.probes import PASSES as PROBED
from grbcore.scenario import BUDGETS, Difficulty
from grbcore.scoring import NOT_FINITE, Predictions, Values
from grbcore.seeds import derive_seed

#: What a model says of graphs: classes, or numbers.
Said = Predictions | Values

#: At each budget and repeat.
Found = dict[Difficulty, tuple[Said, ...]]


def attacked(dataset: GraphDataset, changes: GraphChanges) -> list[AttributedGraph]:
    """The test graphs with these changes, which are legal."""
    clean = dataset.part("test")
    return [one.apply(graph) for one, graph in zip(apart(changes), clean, strict=True)]


def outputs(model: GraphLevelModel, graphs: Sequence[AttributedGraph], seed: int) -> Tensor:
    """The model's outputs (G, outputs) float32; of one that draws, the mean over `PASSES`.

    ``seed`` is all that they are drawn from.
    """
    rng = torch.Generator().manual_seed(seed)
    passes = PASSES if model.noise_width else 1
    found = [predict(model, graphs, rng=rng, at_once=AT_ONCE).double() for _ in range(passes)]
    return torch.stack(found).mean(dim=0).float()


def clean_predictions(
    dataset: GraphDataset, model: GraphLevelModel, seed: int
) -> tuple[Found, Margins | None]:
    """Predictions without an attack, the same at every budget; and the margins of classes."""
    found = outputs(model, dataset.part("test"), seed)
    said = _said(dataset, found)
    margins = None if dataset.task == "regression" else percents(_ahead(_logits(found)))
    return {name: (said,) for name in BUDGETS}, margins


def probes(
    dataset: GraphDataset, model: GraphLevelModel, seed: int
) -> Iterator[tuple[str, Callable[[], Predictions]]]:
    """The passes that a probe of a defense needs, by the names of `grbcore.probes`: what it says of
    the test graphs without any edge, and of one that draws what it says of them from other seeds.

    None where numbers are predicted.
    """
    if dataset.task == "regression":
        return
    graphs = dataset.part("test")
    cut = [_without_edges(graph) for graph in graphs]
    yield CUT_OFF, partial(_classes, dataset, model, cut, seed)
    for number in range(PROBED if model.noise_width else 0):
        drawn = derive_seed("pass", seed, number)
        yield pass_name(number), partial(_classes, dataset, model, graphs, drawn)


def _classes(
    dataset: GraphDataset, model: GraphLevelModel, graphs: Sequence[AttributedGraph], seed: int
) -> Predictions:
    return _said(dataset, outputs(model, graphs, seed)).astype(np.int16)


def _without_edges(graph: AttributedGraph) -> AttributedGraph:
    return AttributedGraph(graph.nodes, graph.edges[:, :0], graph.values[:0])


def attacked_predictions(
    dataset: GraphDataset,
    model: GraphLevelModel,
    attack: Mapping[Difficulty, Sequence[Perturbation]],
    seed: int,
) -> Found:
    """Predictions for every budget and repeat of a legal attack."""
    return {
        name: tuple(
            _said(dataset, outputs(model, attacked(dataset, changes), seed))
            for changes in repeats
            if isinstance(changes, GraphChanges)
        )
        for name, repeats in attack.items()
    }


def _said(dataset: GraphDataset, found: Tensor) -> Said:
    """Classes (G,) int16, `NOT_FINITE` where an output is; or predicted numbers (G,) float32."""
    if dataset.task == "regression":
        return found[:, 0].numpy().astype(np.float32)
    finite = found.isfinite().all(dim=1)
    classes = torch.where(finite, _logits(found).argmax(dim=1), NOT_FINITE)
    return classes.to(torch.int16).numpy()


def _logits(found: Tensor) -> Tensor:
    """One logit for each class; a single one is that of class 1 against 0."""
    return torch.cat([torch.zeros_like(found), found], dim=1) if found.shape[1] == 1 else found


def _ahead(logits: Tensor) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The probability of the likeliest class less that of the next (G,); NaN where not finite."""
    first, second = logits.double().softmax(dim=1).topk(2, dim=1).values.T
    ahead = torch.where(logits.isfinite().all(dim=1), first - second, torch.nan)
    return ahead.float().numpy()
