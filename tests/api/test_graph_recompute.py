"""``grb reproduce`` of what a server has published of a board on whole graphs."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from typer.testing import CliRunner, Result

from grbcore import catalog, datasets
from grbcore.cli.main import app
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.matrix import evaluate_matrix
from grbcore.results import CLEAN
from grbcore.store import snapshots
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, CellRow
from tests.api.stage import Stage
from tests.conftest import data_folder
from tests.worker.test_graph_boards import attack, defense

NAME = "mutag/adjacency@1"
HERE = {"torch": torch.__version__, "numpy": np.__version__}

pytestmark = pytest.mark.real_data


class Published:
    """A board with one attack and one defense, as a worker of this kernel published them."""

    def __init__(self, stage: Stage, folder: Path) -> None:
        self.stage, self.ids, self.cells = stage, {}, {}
        board = catalog.board(NAME)
        dataset = datasets.load("mutag", GraphDataset, data_dir=data_folder())
        with stage.sessions.writing() as session:
            row = session.get_one(BoardRow, NAME)
            stage.protocol = row.protocol = board.protocol(dataset.digest)
            row.state = "ready"
        stage.name = NAME
        paths = {
            "attack": attack(folder / "a.npz", dataset, 1),
            "defense": defense(folder / "d.safetensors", dataset, 1),
        }
        found = evaluate_matrix({"d": paths["defense"]}, {"a": paths["attack"]}, board, dataset)
        for side, path in paths.items():
            entry = stage.entry(side, f"My {side}", is_reference=True)  # type: ignore[arg-type]
            sha256 = stage.blobs.put_bytes(path.read_bytes())
            stage.change(entry, sha256=sha256, size=path.stat().st_size)
            self.ids[side] = entry
        for cell in found.cells:
            one = None if cell.attack == CLEAN else self.ids["attack"]
            counts = {str(name): list(of) for name, of in cell.correct.items()}
            hits = str(cell.provenance["hits_sha256"])
            made = stage.cell(one, self.ids["defense"], counts, 19, hits_sha256=hits)
            self.cells[cell.attack] = made
            with stage.sessions.writing() as session:
                session.get_one(CellRow, made).versions = HERE


def test_a_submission_and_a_snapshot_are_computed_once_more_and_are_the_same(
    server: str, stage: Stage, tmp_path: Path
) -> None:
    """And a count that is another is told with its budget and repeat."""
    published = Published(stage, tmp_path)
    environment = {
        "GRB_SERVER": server,
        "GRB_VAR_DIR": str(tmp_path / "home"),
        "GRB_TOKEN": "",
        "GRB_DATA_DIR": str(data_folder()),
    }

    def grb(which: str) -> Result:
        return CliRunner().invoke(app, ["reproduce", which], env=environment)

    done = grb(published.ids["defense"])
    assert done.exit_code == 0, done.output
    assert "2 cells measured on the same kernel" in done.output
    made = snapshots.make(
        stage.sessions, stage.blobs, catalog.board(NAME),
        user_id=None, via="cli", reason=None, now=now(),
    )  # fmt: skip
    done = grb(made)
    assert done.exit_code == 0, done.output
    assert "what is published is what was computed here" in done.output
    with stage.sessions.writing() as session:
        row = session.get_one(CellRow, published.cells["a"])
        assert row.correct is not None
        first, *rest = row.correct["3"]
        row.correct = row.correct | {"3": [first + 1, *rest]}
    done = grb(published.cells["a"])
    assert done.exit_code == 1
    assert f"3/0: published {first + 1}, found {first}" in done.output
