"""Evaluation: one attack against one defense.  The referee, which trusts neither."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast, get_args

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from grbcore.architectures import Features
from grbcore.catalog import Board
from grbcore.confusion import Confusion, confusions
from grbcore.datasets.dataset import Dataset
from grbcore.graph import Graph, Ints, declared_perturbation, flip, join
from grbcore.graphlevel import evaluation as graph_evaluation
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.evaluation import Found
from grbcore.graphlevel.models.model import GraphLevelModel, Shape
from grbcore.margins import Margins, percents
from grbcore.models.model import GraphModel, Stochastic, check_width
from grbcore.perturbation import Injection, Perturbation
from grbcore.results import CLEAN, EVALUATOR_VERSION, Cell
from grbcore.scenario import DIFFICULTIES, Difficulty
from grbcore.scoring import (
    NOT_FINITE,
    Predictions,
    Values,
    not_finite,
    score,
    score_errors,
)
from grbcore.seeds import derive_seed
from grbcore.spmm import Pattern
from grbcore.submission.attack import budget_violations
from grbcore.violations import Refused, Violation

Attack = Mapping[Difficulty, Sequence[Perturbation]]

#: Attacked graphs of an attack are kept for the next defense while they hold at most this many
#: stored edges together; larger ones are built anew.
KEPT_ENTRIES = 20_000_000


def evaluate(
    board: Board,
    dataset: Dataset | GraphDataset,
    *,
    model: GraphModel | GraphLevelModel,
    attack: Attack | None = None,
    features: Features = "normalised",
    attack_id: str | None = None,
    defense_id: str = "defense",
    seed: int | None = None,
    device: torch.device | str = "cpu",
) -> Cell:
    """The cell of ``attack`` (None for the clean row) against ``model``.

    ``features`` is what the defense declares to take; the two ids name the cell.  The same
    predictions and the same scoring as in the service's evaluator, so the numbers are the same.
    ``model`` is moved to ``device`` (one of whole graphs to the CPU) and left there, in evaluation
    mode.  A stochastic model draws
    from ``seed``; where it is None, from one derived of the board's protocol and the two ids, as
    in the service, whose ids are the SHA-256 of the files.

    Raises:
        Refused: the attack breaks the board's budget, or is empty; every violation is named.
        ValueError: the model is for features of another width, or ``features`` of no kind.
    """
    if features not in get_args(Features):
        allowed = ", ".join(get_args(Features))
        raise ValueError(f"features: found {features!r}, allowed: {allowed}")
    if dataset.name != board.dataset:
        raise ValueError(f"dataset: found {dataset.name}, allowed: {board.dataset}, the board's")
    check_fits(model, dataset)
    if attack is not None:
        check_budget(board, dataset, attack)
    if attack_id is None:
        attack_id = CLEAN if attack is None else "attack"
    return measure(
        board,
        dataset,
        attack=attack,
        model=model,
        features=features,
        attack_id=attack_id,
        defense_id=defense_id,
        seed=seed,
        device=device,
    )


def measure(
    board: Board,
    dataset: Dataset | GraphDataset,
    *,
    attack: Attack | None,
    model: GraphModel | GraphLevelModel,
    features: Features,
    attack_id: str,
    defense_id: str,
    seed: int | None = None,
    device: torch.device | str = "cpu",
) -> Cell:
    """As `evaluate`, for an attack that `check_budget` or `check_content` has found legal."""
    started = time.perf_counter()
    derived = derive_seed(board.protocol(dataset.digest), attack_id, defense_id)
    seed = derived if seed is None else seed
    if isinstance(dataset, GraphDataset):
        assert isinstance(model, GraphLevelModel)
        return counted(
            board,
            dataset,
            graph_predictions(dataset, model.cpu(), attack, seed),
            attack_id=attack_id,
            defense_id=defense_id,
            device="cpu",
            seconds=time.perf_counter() - started,
        )
    assert not isinstance(model, GraphLevelModel)
    if isinstance(model, Stochastic):
        model.seed = seed
    clean = Graph.from_dataset(dataset, raw=features == "raw", device=device)
    graphs = None if attack is None else attacked_graphs(dataset, clean, attack, features=features)
    found = predictions(dataset, clean, model.to(device).eval(), graphs)
    seconds = time.perf_counter() - started
    return counted(
        board,
        dataset,
        found,
        attack_id=attack_id,
        defense_id=defense_id,
        device=device,
        seconds=seconds,
    )


def graph_predictions(
    dataset: GraphDataset, model: GraphLevelModel, attack: Attack | None, seed: int
) -> Found:
    """What a model says of the test graphs, attacked by a legal attack or by none."""
    model.eval()
    if attack is None:
        return graph_evaluation.clean_predictions(dataset, model, seed)[0]
    return graph_evaluation.attacked_predictions(dataset, model, attack, seed)


def check_fits(model: GraphModel | GraphLevelModel, dataset: Dataset | GraphDataset) -> None:
    """Refuse a model for other data.

    Raises:
        ValueError: it is for nodes where graphs are judged, or for features of another width.
    """
    if isinstance(dataset, GraphDataset):
        shape = Shape.of(dataset)
        if not isinstance(model, GraphLevelModel) or model.shape != shape:
            found = getattr(model, "shape", type(model).__name__)
            raise ValueError(f"model: found {found}, allowed: a graph-level model of {shape}")
    elif isinstance(model, GraphLevelModel):
        raise ValueError("model: found a graph-level model, allowed: one of nodes")
    else:
        check_width(model, torch.from_numpy(np.array(dataset.features[:0])))


def counted(
    board: Board,
    dataset: Dataset | GraphDataset,
    found: Mapping[Difficulty, Sequence[Predictions | Values]],
    *,
    attack_id: str,
    defense_id: str,
    device: torch.device | str,
    seconds: float,
) -> Cell:
    """The cell of these predictions, with what it depends on; ``seconds`` is what they took."""
    errors: dict[Difficulty, tuple[float, ...]] = {}
    correct: dict[Difficulty, tuple[int, ...]] = {}
    counts: dict[Difficulty, Confusion] = {}
    if isinstance(dataset, GraphDataset) and dataset.task == "regression":
        values = cast("Mapping[Difficulty, Sequence[Values]]", found)
        errors, total, hits = score_errors(values, dataset, sigma=dataset.sigma)
    else:
        classes = cast("Mapping[Difficulty, Sequence[Predictions]]", found)
        correct, total, hits = score(classes, dataset)
        counts = confusions(classes, dataset)
    provenance = {
        "protocol": board.protocol(dataset.digest),
        "evaluator_version": EVALUATOR_VERSION,
        "torch": torch.__version__,
        "numpy": np.__version__,
        "device": str(device),
        "seconds": seconds,
        "hits_sha256": hashlib.sha256(hits).hexdigest(),
        "not_finite": not_finite(found),
    }
    return Cell(attack_id, defense_id, correct, total, provenance, counts, errors)


def check_budget(board: Board, dataset: Dataset | GraphDataset, attack: Attack) -> None:
    """Hold every perturbation of an attack against the budget of its difficulty.

    Raises:
        Refused: with every violation, the place being ``difficulty/repeat``.
    """
    if not isinstance(attack, Mapping):
        allowed = "perturbations by difficulty, such as {'full': [perturbation]}"
        raise ValueError(f"attack: found {type(attack).__name__}, allowed: {allowed}")
    if not any(attack.values()):
        raise Refused([Violation("member-missing", "attack", "nothing", "a perturbation")])
    found = []
    for difficulty, repeats in attack.items():
        if difficulty not in board.difficulties:
            allowed = ", ".join(board.difficulties)
            found.append(Violation("format", "attack", f"difficulty {difficulty}", allowed))
            continue
        found += budget_violations(board, dataset, difficulty, repeats)
    if found:
        raise Refused(found)


@dataclass(frozen=True, slots=True, eq=False)
class Attacked:
    """An attacked graph less what it shares with the clean one: its edges and its new features."""

    pattern: Pattern
    injected: Tensor  # (k, d) float32, of the kind that the defense takes


def attacked(
    dataset: Dataset, clean: Graph, perturbation: Perturbation, *, features: Features
) -> Attacked:
    """The attacked graph for defenses that take this kind of features; built once for all."""
    declared = declared_perturbation(perturbation, dataset, features)
    if isinstance(declared, Injection):
        injected = torch.tensor(declared.features, device=clean.device)
        return Attacked(join(clean.pattern, declared.nodes, declared.edges), injected)
    return Attacked(flip(clean.pattern, declared.flips), clean.features[:0])


def attacked_graphs(
    dataset: Dataset, clean: Graph, attack: Attack, *, features: Features
) -> dict[Difficulty, Iterator[Attacked]]:
    """The attacked graphs of an attack, by difficulty and repeat, each built when it is due."""

    def build(perturbations: Sequence[Perturbation]) -> Iterator[Attacked]:
        return (attacked(dataset, clean, p, features=features) for p in perturbations)

    return {name: build(attack[name]) for name in DIFFICULTIES if name in attack}


class Graphs:
    """A dataset's clean graphs, and the attacked ones of the attack that was used last."""

    def __init__(self, dataset: Dataset, device: torch.device | str) -> None:
        self._dataset = dataset
        self._device = device
        self._clean: dict[Features, Graph] = {}
        self._attack: Attack | None = None
        self._kept: dict[Features, Mapping[Difficulty, Sequence[Attacked]]] = {}

    def clean(self, features: Features) -> Graph:
        """The graph with this kind of features."""
        if features not in self._clean:
            raw = features == "raw"
            self._clean[features] = Graph.from_dataset(self._dataset, raw=raw, device=self._device)
        return self._clean[features]

    def attacked(
        self, attack: Attack, features: Features
    ) -> Mapping[Difficulty, Iterable[Attacked]]:
        """As `attacked_graphs`, kept for the next defense unless they are too large."""
        if attack is not self._attack:
            self._attack, self._kept = attack, {}
        if features in self._kept:
            return self._kept[features]
        graphs = attacked_graphs(self._dataset, self.clean(features), attack, features=features)
        count = sum(len(repeats) for repeats in attack.values())
        if count * self._dataset.indices.shape[0] > KEPT_ENTRIES:
            return graphs
        self._kept[features] = {name: tuple(repeats) for name, repeats in graphs.items()}
        return self._kept[features]


def predictions(
    dataset: Dataset,
    clean: Graph,
    model: GraphModel,
    graphs: Mapping[Difficulty, Iterable[Attacked]] | None,
) -> dict[Difficulty, tuple[Predictions, ...]]:
    """Predicted classes for every difficulty and repeat that the attack carries.

    ``clean`` is the dataset's graph with features of the kind the defense takes, ``graphs`` the
    attacked ones, None for the clean row, see `clean_predictions`.
    """
    if graphs is None:
        return clean_predictions(dataset, clean, model)[0]
    with torch.no_grad():
        hidden = model.embed(clean.features)
        return {
            name: tuple(
                _attacked_classes(model, hidden, graph, dataset.targets[name]) for graph in repeats
            )
            for name, repeats in graphs.items()
        }


def clean_predictions(
    dataset: Dataset, clean: Graph, model: GraphModel
) -> tuple[dict[Difficulty, tuple[Predictions, ...]], Margins]:
    """Predicted classes of every difficulty without an attack, all from one pass; and the margins
    (t,) of full's targets in it (`grbcore.margins`)."""
    with torch.no_grad():
        logits = model.propagate(clean.pattern, model.embed(clean.features))
        every = _classes(logits)
        found: dict[Difficulty, tuple[Predictions, ...]] = {
            name: (every[dataset.targets[name]],) for name in DIFFICULTIES
        }
        return found, percents(_ahead(_rows(logits, dataset.targets["full"])))


def predict(
    model: GraphModel, graph: Graph, perturbation: Perturbation | None, targets: Ints
) -> Predictions:
    """Predicted classes (t,) int16 of ``targets`` (t,) on the attacked graph.

    ``model`` is in evaluation mode, ``graph`` the clean one, with the features that the model
    takes; injected features are of the same kind.  `NOT_FINITE` stands where a logit is NaN or
    infinite.
    """
    attacked_graph = graph if perturbation is None else graph.apply(perturbation)
    with torch.no_grad():
        return _classes(_rows(model(attacked_graph), targets))


def _attacked_classes(
    model: GraphModel, hidden: Tensor, graph: Attacked, targets: Ints
) -> Predictions:
    hidden = torch.cat([hidden, model.embed(graph.injected)])
    return _classes(_rows(model.propagate(graph.pattern, hidden), targets))


def _rows(logits: Tensor, targets: Ints) -> Tensor:
    return logits[torch.tensor(targets, device=logits.device)]


def _ahead(logits: Tensor) -> NDArray[np.float32]:
    """The probability of the likeliest class less that of the next (t,); NaN where not finite."""
    shares = logits.to(torch.float64).softmax(dim=1)
    first, place = shares.max(dim=1, keepdim=True)
    ahead = first[:, 0] - shares.scatter(1, place, 0).amax(dim=1)
    ahead = torch.where(logits.isfinite().all(dim=1), ahead, torch.nan)
    return ahead.to(torch.float32).cpu().numpy()


def _classes(logits: Tensor) -> Predictions:
    finite = logits.isfinite().all(dim=1)
    classes = torch.where(finite, logits.argmax(dim=1), NOT_FINITE)
    return classes.to(torch.int16).cpu().numpy()
