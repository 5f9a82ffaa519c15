"""A board on whole graphs goes the whole way: validated, evaluated, counted, ranked."""

from __future__ import annotations

import hashlib
from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog, datasets
from grbcore.architectures import Scale
from grbcore.evaluate import evaluate
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models import Shape, build
from grbcore.graphlevel.models.weights import load, save
from grbcore.graphlevel.shape import together
from grbcore.scenario import BUDGETS, Side
from grbcore.settings import Settings
from grbcore.store.blobs import Blobs
from grbcore.store.boards import facts
from grbcore.store.session import Sessions, now
from grbcore.store.views import standing
from grbcore.submission import check_header, read_attack, scale_of, write_attack
from tests.conftest import data_folder
from tests.grbcore.graphlevel.test_graph_boards import random_flips
from tests.store.world import World
from tests.worker.fixtures import Arena, wait_for
from worker.supervisor import Supervisor

BOARD = catalog.board("mutag/adjacency@1")


class Graphs(Arena):
    """As `Arena`, on MUTAG."""

    def __init__(self, sessions: Sessions, blobs: Blobs, dataset: GraphDataset) -> None:
        World.__init__(self, sessions, BOARD.id, BOARD.protocol(dataset.digest))
        self.blobs = blobs
        self.dataset = dataset

    def send(self, side: Side, path: Path, *, reference: bool = False) -> str:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.blobs.put_file(path, digest)
        with path.open("rb") as file:
            header = check_header(file, side=side, board=BOARD, scale=scale_of(self.dataset))
        assert header.violations == ()
        contents = header.contents
        return self.submit(side, sha256=digest, contents=contents, reference=reference, now=now())


@pytest.fixture
def graphs(sessions: Sessions, settings: Settings) -> Graphs:
    settings.evaluator = ()
    settings.sandbox = "auto"
    settings.data_dir = data_folder()
    dataset = datasets.load("mutag", GraphDataset, data_dir=data_folder())
    return Graphs(sessions, Blobs(settings.blob_url), dataset)


def attack(path: Path, dataset: GraphDataset, seed: int) -> Path:
    """Random flips at every budget."""
    rng = np.random.default_rng(seed)
    found = {
        name: tuple(
            together([random_flips(rng, g.n, int(name)) for g in dataset.part("test")])
            for _ in range(3)
        )
        for name in BUDGETS
    }
    write_attack(path, found)
    return path


def defense(path: Path, dataset: GraphDataset, seed: int) -> Path:
    save(path, build("GINE", Shape.of(dataset), {"hidden": 8, "layers": 2}, seed=seed))
    return path


def by_hand(dataset: GraphDataset, attack_file: Path | None, path: Path) -> dict[str, list[int]]:
    perturbations = None
    if attack_file is not None:
        with attack_file.open("rb") as file:
            perturbations = read_attack(file, BOARD)
    model, _ = load(path, Shape.of(dataset))
    cell = evaluate(BOARD, dataset, model=model, attack=perturbations)
    return {str(name): list(counts) for name, counts in cell.correct.items()}


@pytest.mark.real_data
def test_submissions_are_evaluated_against_each_other_and_ranked(
    graphs: Graphs, settings: Settings, tmp_path: Path
) -> None:
    files = {
        graphs.send("defense", defense(tmp_path / f"d{seed}", graphs.dataset, seed)): seed
        for seed in (1, 2)
    }
    files |= {
        graphs.send("attack", attack(tmp_path / f"a{seed}", graphs.dataset, seed)): seed
        for seed in (3, 4)
    }
    supervisor = Supervisor(settings, poll=0.1)
    supervisor.start()
    try:
        wait_for(lambda: all(graphs.state(entry) == "ranked" for entry in files), 60)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    rows = graphs.cell_rows()
    assert len(rows) == 2 * 3
    for row in rows:
        attacked = None if row.attack_id is None else tmp_path / f"a{files[row.attack_id]}"
        own = tmp_path / f"d{files[row.defense_id]}"
        assert row.correct == by_hand(graphs.dataset, attacked, own)
        assert row.total == dict.fromkeys(BUDGETS, 19)
        assert row.hits_sha256 is not None
        # the clean cells of defenses are probed: without edges each graph got some class
        assert (row.probe is None) == (row.attack_id is not None)
        assert row.probe is None or (row.probe["total"] == 19 and not row.probe["passes"])
    protocol = BOARD.protocol(graphs.dataset.digest)
    with graphs.sessions.reading() as session:
        found = {
            side: standing(session, BOARD, protocol, view="all", side=side, difficulty=BOARD.ranked)
            for side in ("attack", "defense")
        }
    for side, board in found.items():
        ranked = [row for row in board.rows if row.rank is not None]
        assert len(ranked) == 2, side
        scores = [row.metrics[BOARD.ranked].weighted.mean for row in ranked]
        assert scores == sorted(scores, reverse=side == "defense")
        assert all(set(row.metrics) == set(BOARD.choices) for row in ranked)


@pytest.mark.real_data
def test_facts_of_the_data_are_enough_for_the_check_of_headers(graphs: Graphs) -> None:
    found = facts(graphs.dataset)
    assert Scale.of(found) == scale_of(graphs.dataset)
    assert found["targets"] == dict.fromkeys(BUDGETS, 19)
    assert found["majority"] == 12


@pytest.mark.real_data
def test_what_is_over_the_budget_is_rejected(
    graphs: Graphs, settings: Settings, tmp_path: Path
) -> None:
    path = attack(tmp_path / "a", graphs.dataset, 5)
    with np.load(path) as archive:
        members = {name: archive[name] for name in archive.files}
    pointer = members["1/0/graph_ptr"].copy()
    pointer[1] = 2  # the first graph has two flips, the second none
    with path.open("wb") as file:
        np.savez(file, **(members | {"1/0/graph_ptr": pointer}))
    entry = graphs.send("attack", path)
    supervisor = Supervisor(settings, poll=0.1)
    supervisor.start()
    try:
        wait_for(lambda: graphs.state(entry) in ("rejected", "ranked", "failed"), 60)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    violations = graphs.submission(entry).violations
    assert graphs.state(entry) == "rejected"
    assert violations
