"""A board whose metric is an error goes the whole way: validated, evaluated, kept, ranked.

On ZINC, of which a few small graphs stand in the place of all.
"""

from __future__ import annotations

import hashlib
import re
from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog, datasets
from grbcore.evaluate import evaluate
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models import Shape, build
from grbcore.graphlevel.models.weights import load, save
from grbcore.graphlevel.shape import together
from grbcore.leaderboard import rank
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, MEAN, Side
from grbcore.scoring import unpack_errors
from grbcore.settings import Settings
from grbcore.store import queries
from grbcore.store.blobs import Blobs
from grbcore.store.boards import facts, sync
from grbcore.store.queue import Entry, LeasedCell
from grbcore.store.results import CellResult
from grbcore.store.session import Sessions, now
from grbcore.store.tables import BoardRow
from grbcore.store.views import arena, standing
from grbcore.submission import check_header, read_attack, scale_of, write_attack
from tests.grbcore.graphlevel.small_zinc import SIZES, write
from tests.grbcore.graphlevel.test_graph_boards import random_flips
from tests.store.world import World
from tests.worker.fixtures import Arena, wait_for
from worker.predictions import BadPredictions
from worker.scored import About, scored
from worker.supervisor import Supervisor

BOARD = catalog.board("zinc/adjacency@1")


class Molecules(Arena):
    """As `Arena`, on ZINC."""

    def __init__(self, sessions: Sessions, blobs: Blobs, dataset: GraphDataset) -> None:
        World.__init__(self, sessions, BOARD.id, BOARD.protocol(dataset.digest))
        self.blobs = blobs
        self.dataset = dataset

    def send(self, side: Side, path: Path) -> str:
        digest = hashlib.sha256(path.read_bytes()).hexdigest()
        self.blobs.put_file(path, digest)
        with path.open("rb") as file:
            header = check_header(file, side=side, board=BOARD, scale=scale_of(self.dataset))
        assert header.violations == ()
        return self.submit(side, sha256=digest, contents=header.contents, now=now())


@pytest.fixture
def zinc(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> GraphDataset:
    return datasets.load("zinc", GraphDataset, data_dir=write(tmp_path / "data", monkeypatch))


@pytest.fixture
def molecules(
    sessions: Sessions, settings: Settings, zinc: GraphDataset, tmp_path: Path
) -> Molecules:
    settings.evaluator = ()
    settings.sandbox = "auto"
    settings.data_dir = tmp_path / "data"
    return Molecules(sessions, Blobs(settings.blob_url), zinc)


def attack(path: Path, dataset: GraphDataset, seed: int) -> Path:
    """Random flips at every budget, in three repeats."""
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
    """Weights that nobody trained."""
    save(path, build("GINE", Shape.of(dataset), {"hidden": 8, "layers": 2}, seed=seed))
    return path


def by_hand(dataset: GraphDataset, attack_file: Path | None, path: Path) -> Cell:
    perturbations = None
    if attack_file is not None:
        with attack_file.open("rb") as file:
            perturbations = read_attack(file, BOARD)
    model, _ = load(path, Shape.of(dataset))
    return evaluate(BOARD, dataset, model=model, attack=perturbations)


def test_submissions_are_evaluated_against_each_other_and_fewer_errors_rank_first(
    molecules: Molecules, settings: Settings, tmp_path: Path
) -> None:
    """What is kept, and both rankings, are those of the library, computed from the same files."""
    zinc = molecules.dataset
    files = {
        molecules.send("defense", path): path
        for path in (defense(tmp_path / f"d{seed}", zinc, seed) for seed in (1, 2))
    }
    files |= {
        molecules.send("attack", path): path
        for path in (attack(tmp_path / f"a{seed}", zinc, seed) for seed in (3, 4))
    }
    supervisor = Supervisor(settings, poll=0.1)
    supervisor.start()
    try:
        wait_for(lambda: all(molecules.state(entry) == "ranked" for entry in files), 120)
    finally:
        supervisor.stop()
        assert supervisor.join(10)
    rows = molecules.cell_rows()
    assert len(rows) == 2 * 3
    cells = []
    for row in rows:
        attacked = None if row.attack_id is None else files[row.attack_id]
        cell = by_hand(zinc, attacked, files[row.defense_id])
        assert row.errors == {name: list(means) for name, means in cell.errors.items()}
        assert (row.correct, row.total) == ({}, dict.fromkeys(BUDGETS, SIZES["test"]))
        assert row.hits_sha256 == cell.provenance["hits_sha256"]
        kept = unpack_errors(molecules.blobs.read(row.hits_sha256))
        for name, means in cell.errors.items():
            np.testing.assert_allclose(kept[name].mean(axis=1), means, rtol=1e-6)
        cells.append(
            Cell(row.attack_id or CLEAN, row.defense_id, {}, cell.total, {}, {}, cell.errors)
        )
    protocol = BOARD.protocol(zinc.digest)
    with molecules.sessions.reading() as session:
        entries = queries.entries(session, BOARD.id)
        for side in ("attack", "defense"):
            found = standing(session, BOARD, protocol, view="all", side=side, difficulty=MEAN)
            assert found == rank(arena(entries, BOARD, view="all"), cells, side, MEAN)
            scores = [row.metrics[MEAN].weighted.mean for row in found.rows if row.rank is not None]
            assert len(scores) == 2
            assert scores == sorted(scores, reverse=side == "attack")


def test_the_board_is_ready_where_its_data_is(molecules: Molecules, settings: Settings) -> None:
    with molecules.sessions.writing() as session:
        sync(session, settings.data_dir, now())
        row = session.get_one(BoardRow, BOARD.id)
        assert (row.state, row.protocol) == ("ready", BOARD.protocol(molecules.dataset.digest))
        assert row.facts == facts(molecules.dataset)
    assert facts(molecules.dataset)["majority"] is None


def numbers(dataset: GraphDataset, **changed: np.ndarray) -> dict[str, np.ndarray]:  # type: ignore[type-arg]
    """What a child writes of a cell without an attack: the true numbers."""
    true = np.float32(dataset.labels_of("test"))
    return {f"{budget}/0": true for budget in BUDGETS} | changed


def result_of(folder: Path, zinc: GraphDataset, found: dict[str, np.ndarray]) -> CellResult:  # type: ignore[type-arg]
    np.savez(folder / "cell.npz", **found)
    about: About = {"device": "cpu", "seconds": 0.1, "versions": {}}
    cell = LeasedCell("cell", None, Entry("d", BOARD.id, "defense", "0" * 64, {}))
    return scored(folder, cell, {}, zinc, BOARD, None, about)[0]


def test_a_prediction_that_is_not_finite_is_an_error_of_1000_deviations(
    zinc: GraphDataset, tmp_path: Path
) -> None:
    """Of 20 graphs one is no number, one infinite, one farther off than counts: 3000 / 20."""
    wild = np.float32(zinc.labels_of("test"))
    wild[:3] = np.nan, np.inf, 1e9
    found = result_of(tmp_path, zinc, numbers(zinc, **{"2/0": wild}))
    assert found.errors is not None
    assert found.errors["1"] == [pytest.approx(0, abs=1e-6)]
    assert found.errors["2"] == [pytest.approx(150, abs=1e-4)]
    assert found.not_finite == {name: [2 if name == "2" else 0] for name in BUDGETS}
    assert (found.correct, found.confusion, found.margins, found.probe) == ({}, None, None, None)


@pytest.mark.parametrize(
    ("name", "array", "message"),
    [
        ("2/0", np.zeros(20, np.float64), "2/0: found float64 (20,), allowed: float32 (20,)"),
        ("2/0", np.zeros(20, np.int16), "2/0: found int16 (20,), allowed: float32 (20,)"),
        ("2/0", np.zeros((1, 20), np.float32), "2/0: found float32 (1, 20), allowed: float32"),
        ("6/0", np.zeros(20, np.float32), "members: found"),
    ],
)
def test_what_is_not_one_number_for_each_graph_is_refused(
    zinc: GraphDataset,
    tmp_path: Path,
    name: str,
    array: np.ndarray,
    message: str,  # type: ignore[type-arg]
) -> None:
    with pytest.raises(BadPredictions, match=f"^{re.escape(message)}"):
        result_of(tmp_path, zinc, numbers(zinc, **{name: array}))
