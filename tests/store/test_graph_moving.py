"""A board on whole graphs moves to another host, and is backed up, as boards of nodes are."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import ClassVar

import numpy as np
import pytest

from grbcore import catalog, datasets
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.models import Shape, build
from grbcore.graphlevel.models.weights import save
from grbcore.graphlevel.shape import together
from grbcore.perturbation import GraphChanges
from grbcore.scenario import BUDGETS, Side
from grbcore.store import backups, moving
from grbcore.store.blobs import Blobs
from grbcore.store.moving import Damaged
from grbcore.store.session import Sessions, connect
from grbcore.submission import write_attack
from tests.conftest import data_folder
from tests.grbcore.graphlevel.test_graph_boards import random_flips
from tests.store import databases
from tests.store.moved import House, filled
from tests.store.test_moving import take
from tests.store.world import at

pytestmark = pytest.mark.real_data


class GraphHouse(House):
    """As `House`, of MUTAG."""

    board = catalog.board("mutag/adjacency@1")
    families: ClassVar[Mapping[Side, str | None]] = {"attack": "Random", "defense": None}
    spent = None

    def __init__(self, sessions: Sessions, folder: Path) -> None:
        self.data_dir = data_folder()
        self.dataset = self.graphs = datasets.load("mutag", GraphDataset, data_dir=self.data_dir)
        super().__init__(sessions, folder)

    def file(self, side: Side, value: int) -> Path:
        """Weights that nobody trained, or random flips of every graph."""
        if side == "defense":
            path = self.folder / "defense.safetensors"
            shape = Shape.of(self.graphs)
            save(path, build("GINE", shape, {"hidden": 4, "layers": 1}, seed=value))
            return path
        rng = np.random.default_rng(value)

        def one(budget: str) -> GraphChanges:
            test = self.graphs.part("test")
            return together([random_flips(rng, graph.n, int(budget)) for graph in test])

        path = self.folder / "attack.npz"
        write_attack(path, {name: [one(name) for _ in range(3)] for name in BUDGETS})
        return path


@pytest.fixture
def house(sessions: Sessions, tmp_path: Path) -> GraphHouse:
    return GraphHouse(sessions, tmp_path / "house")


@pytest.fixture
def other(tmp_path: Path, sqlite_template: Path) -> Iterator[GraphHouse]:
    folder = tmp_path / "other"
    folder.mkdir()
    engine = connect(databases.sqlite(folder, sqlite_template))
    yield GraphHouse(Sessions(engine), folder)
    engine.dispose()


def export(house: GraphHouse) -> io.BytesIO:
    out = io.BytesIO()
    moving.export_board(house.sessions, house.blobs, house.board.id, out, history=True)
    return out


def test_a_board_is_on_another_host_what_it_was(house: GraphHouse, other: GraphHouse) -> None:
    ids = filled(house)
    taken = take(other, export(house))
    assert taken.submissions > 8
    assert other.seen() == house.seen()
    for one in (house, other):
        one.validate()
        one.compute()
        assert one.state(ids["evaluating"]) == "ranked"
    assert other.seen()["matrix"] == house.seen()["matrix"]


def test_results_at_other_budgets_than_an_attack_carries_are_refused(house: GraphHouse) -> None:
    attack = filled(house)["attack"]
    house.change(attack, contents={"difficulties": ["1", "2"], "repeats": 3})
    with pytest.raises(Damaged, match=r"found results at \['1', '2', '3', '4', '5'\]"):
        moving.read_board_file(export(house))


def test_a_restored_service_shows_what_was_there(
    house: GraphHouse, store_url: str, tmp_path: Path
) -> None:
    ids = filled(house)
    made = backups.make(store_url, house.blobs, tmp_path / "backups", at(0))
    assert made.lost == ()
    before = house.seen()
    to = tmp_path / "restored"
    to.mkdir()
    if store_url.startswith("sqlite"):
        _restore(f"sqlite:///{to / 'grb.db'}", tmp_path, to, before, ids["evaluating"])
    else:
        with databases.postgres(migrated=False) as url:
            _restore(url, tmp_path, to, before, ids["evaluating"])


def _restore(url: str, tmp_path: Path, to: Path, before: object, waits: str) -> None:
    backups.restore(url, Blobs((to / "blobs").as_uri()), tmp_path / "backups", None)
    engine = connect(url)
    try:
        found = GraphHouse(Sessions(engine), to)
        assert found.seen() == before
        found.validate()
        found.compute()
        assert found.state(waits) == "ranked"
    finally:
        engine.dispose()
