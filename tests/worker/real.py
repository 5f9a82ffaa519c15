"""Files that the real validator and the real evaluator take, and what they should make of them."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from grbcore import catalog, models
from grbcore.datasets import Dataset
from grbcore.evaluate import evaluate
from grbcore.graph import Graph
from grbcore.perturbation import Injection
from grbcore.scenario import Difficulty, Side
from grbcore.settings import Settings
from grbcore.store.session import now
from grbcore.submission import check_header as header_of
from grbcore.submission import read_attack, scale_of, write_attack
from tests.grbcore.engine import small
from tests.store.world import BOARD
from tests.worker.fixtures import Arena

Send = Callable[[Side, Path], str]


@pytest.fixture
def real(settings: Settings) -> Settings:
    """The settings, with the children that the service ships, confined as they are there."""
    settings.evaluator = ()
    settings.sandbox = "auto"
    return settings


@pytest.fixture
def send(arena: Arena, digits: Dataset) -> Send:
    """Submits a file, which waits for its validation; the submission's id."""

    def submit(side: Side, path: Path) -> str:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        arena.blobs.put_file(path, digest)
        with path.open("rb") as file:
            header = header_of(file, side=side, board=catalog.board(BOARD), scale=scale_of(digits))
        assert header.violations == ()
        return arena.submit(side, sha256=digest, contents=header.contents, now=now())

    return submit


def defense(path: Path, digits: Dataset, *, seed: int, architecture: str = "GCN") -> Path:
    """Weights that nobody trained."""
    parameters = small(architecture, hidden=[16, 16])
    width = digits.features.shape[1]
    model = models.build(
        architecture, parameters, features=width, classes=digits.classes, seed=seed
    )
    models.save(path, model)
    return path


def attack(path: Path, digits: Dataset, *, seed: int) -> Path:
    """Injected nodes with random features, three repeats at two difficulties."""
    rng = np.random.default_rng(seed)
    difficulties: tuple[Difficulty, ...] = ("hard", "full")
    write_attack(path, {name: [injection(rng, digits) for _ in range(3)] for name in difficulties})
    return path


def injection(rng: np.random.Generator, digits: Dataset) -> Injection:
    targets = digits.targets["hard"]
    low, high = catalog.board(BOARD).feature_range
    features = rng.uniform(low, high, (20, digits.features.shape[1])).astype(np.float32)
    ends = np.concatenate([rng.choice(targets, 10, replace=False) for _ in range(20)])
    nodes = np.repeat(np.arange(20) + digits.nodes, 10)
    return Injection(features, np.stack([nodes, ends]).astype(np.int64))


def by_hand(digits: Dataset, attack_file: Path | None, defense_file: Path) -> dict[str, list[int]]:
    board = catalog.board(BOARD)
    model, header = models.load(
        defense_file, features=digits.features.shape[1], classes=digits.classes
    )
    perturbations = None
    if attack_file is not None:
        with attack_file.open("rb") as file:
            perturbations = read_attack(file, board)
    cell = evaluate(
        board,
        digits,
        attack=perturbations,
        model=model,
        features=header.features,
        defense_id="mine",
    )
    return {str(name): list(counts) for name, counts in cell.correct.items()}


def sure(digits: Dataset, defense_file: Path) -> list[int]:
    """The margins of full's targets on the clean graph, in percents, each by itself."""
    width, classes = digits.features.shape[1], digits.classes
    model, header = models.load(defense_file, features=width, classes=classes)
    graph = Graph.from_dataset(digits, raw=header.features == "raw")
    with torch.no_grad():
        logits = model.eval()(graph)[torch.tensor(digits.targets["full"])].double().numpy()
    found = []
    for row in logits:
        shares = sorted(np.exp(row - row.max()) / np.exp(row - row.max()).sum())
        found.append(int(100 * (shares[-1] - shares[-2])))
    return found
