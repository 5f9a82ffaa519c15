"""``grb reproduce`` of what a server has published: taken by hash, evaluated, compared."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import httpx
import numpy as np
import pytest
import torch
from typer.testing import CliRunner, Result

from grbcore import catalog, datasets, models
from grbcore.cli.main import app
from grbcore.files import sha256_of
from grbcore.matrix import evaluate_matrix
from grbcore.perturbation import Injection
from grbcore.results import CLEAN, Cell
from grbcore.store.session import now
from grbcore.store.tables import CellRow
from grbcore.submission import write_attack
from tests.api.stage import BOARD, Stage

HERE = {"torch": torch.__version__, "numpy": np.__version__}
UNKNOWN = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ"


class Files:
    """A GCN and an attack of one node as files, and their cells as measured at home."""

    def __init__(self, folder: Path) -> None:
        self.paths = {"defense": folder / "gcn.safetensors", "attack": folder / "node.npz"}
        board, dataset = catalog.board(BOARD), datasets.load("digits")
        models.save(self.paths["defense"], models.create("GCN", dataset, {"hidden": [8]}, seed=1))
        node = Injection(
            features=np.full((1, 64), 0.5, np.float32),
            edges=np.array([[1797] * 20, range(20)], np.int64),
        )
        write_attack(self.paths["attack"], {"full": [node]})
        found = evaluate_matrix(
            {"d": self.paths["defense"]}, {"a": self.paths["attack"]}, board, dataset
        )
        self.cells: dict[str, Cell] = {cell.attack: cell for cell in found.cells}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Files:
    return Files(tmp_path_factory.mktemp("files"))


class Board:
    """A board with one attack and one defense, as a worker of this kernel published them."""

    def __init__(self, stage: Stage, files: Files) -> None:
        self.stage = stage
        self.ids = {}
        for side in ("attack", "defense"):
            path = files.paths[side]
            self.ids[side] = stage.entry(side, f"My {side}", is_reference=True)  # type: ignore[arg-type]
            sha256 = stage.blobs.put_bytes(path.read_bytes())
            stage.change(self.ids[side], sha256=sha256, size=path.stat().st_size)
        self.cells = {}
        for attack, cell in files.cells.items():
            entry = None if attack == CLEAN else self.ids["attack"]
            hits = str(cell.provenance["hits_sha256"])
            counts = {name: list(found) for name, found in cell.correct.items()}
            self.cells[attack] = stage.cell(entry, self.ids["defense"], counts, hits_sha256=hits)
            total = {name: int(n) for name, n in cell.total.items()}
            self.change(attack, total=total, versions=HERE)

    def change(self, attack: str, **fields: object) -> None:
        with self.stage.sessions.writing() as session:
            row = session.get_one(CellRow, self.cells[attack])
            for name, value in fields.items():
                setattr(row, name, value)

    def published(self, attack: str) -> dict[str, list[int]]:
        with self.stage.sessions.reading() as session:
            found: dict[str, list[int]] = session.get_one(CellRow, self.cells[attack]).correct or {}
        return found

    def one_more(self, attack: str, by: int = 1) -> int:
        """Publish more hits at full in the first repeat; how many there were."""
        counts = self.published(attack)
        first, *rest = counts["full"]
        self.change(attack, correct=counts | {"full": [first + by, *rest]})
        return first


@pytest.fixture
def board(stage: Stage, files: Files) -> Board:
    return Board(stage, files)


Run = Callable[..., Result]


@pytest.fixture
def grb(server: str, tmp_path: Path) -> Run:
    """Runs the command against this server, with a folder of its own."""
    environment = {"GRB_SERVER": server, "GRB_VAR_DIR": str(tmp_path / "home"), "GRB_TOKEN": ""}

    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, ["reproduce", *arguments], env=environment)

    return run


def kept(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "home" / "reproduce" / "artefacts").iterdir())


def test_a_cell_is_computed_once_more_and_is_the_same(
    grb: Run, board: Board, files: Files, tmp_path: Path
) -> None:
    done = grb(board.cells["a"])
    assert done.exit_code == 0, done.output
    assert "1 cells measured on the same kernel" in done.output
    assert f"cell {board.cells['a']}: what is published is what was computed here" in done.output
    assert [path.name for path in kept(tmp_path)] == sorted(
        f"{sha256_of(path)}{path.suffix}" for path in files.paths.values()
    )


def test_a_difference_is_named_and_ends_in_failure(grb: Run, board: Board) -> None:
    before = board.one_more("a")
    done = grb(board.cells["a"])
    assert done.exit_code == 1
    said = f"full/0: published {before + 1}, found {before} (differs)"
    assert f"My attack against My defense, cell {board.cells['a']}: {said}" in done.output
    assert "1 of 1 cells differ from what is published" in done.output


def test_on_another_kernel_a_tolerance_is_allowed(grb: Run, board: Board) -> None:
    board.change("a", versions=HERE | {"torch": "1.0.0"})
    before = board.one_more("a")
    done = grb(board.cells["a"])
    assert done.exit_code == 0, done.output
    assert f"published {before + 1}, found {before} (within the tolerance)" in done.output
    assert "1 cells measured on another kernel, so that a count may differ by 0.5%" in done.output
    assert grb(board.cells["a"], "--tolerance", "0").exit_code == 1


def test_a_submission_is_all_of_its_cells(grb: Run, board: Board) -> None:
    done = grb(board.ids["defense"])
    assert done.exit_code == 0, done.output
    assert "2 cells measured on the same kernel" in done.output
    board.one_more(CLEAN)
    done = grb(board.ids["defense"])
    assert done.exit_code == 1
    assert "without attack against My defense" in done.output
    assert "1 of 2 cells differ" in done.output


@pytest.fixture
def snapshot(client: httpx.Client, board: Board) -> str:
    path = f"/api/v1/admin/boards/{BOARD}/snapshots"
    headers = board.stage.bearer("admin")
    answer = client.post(path, json={"reason": "a paper"}, headers=headers).raise_for_status()
    return str(answer.json()["id"])


def test_a_snapshot_is_held_as_it_was_published(grb: Run, board: Board, snapshot: str) -> None:
    board.one_more("a", 7)  # the board has changed since
    done = grb(snapshot)
    assert done.exit_code == 0, done.output
    assert "2 cells measured on the same kernel" in done.output


def test_what_was_taken_is_not_taken_again(
    grb: Run, board: Board, snapshot: str, tmp_path: Path
) -> None:
    assert grb(snapshot).exit_code == 0
    times = [path.stat().st_mtime_ns for path in kept(tmp_path)]
    assert len(times) == 3
    for sha256 in (sha256_of(path) for path in kept(tmp_path) if path.suffix != ".json"):
        board.stage.blobs.remove([sha256])
    assert grb(snapshot).exit_code == 0
    assert [path.stat().st_mtime_ns for path in kept(tmp_path)] == times


def test_files_may_come_from_a_blob_store(grb: Run, board: Board, tmp_path: Path) -> None:
    store = tmp_path / "elsewhere"
    (tmp_path / "var" / "blobs").rename(store)  # the server has none of them any more
    assert grb(board.cells["a"]).exit_code == 1
    done = grb(board.cells["a"], "--blobs", store.as_uri())
    assert done.exit_code == 0, done.output


def test_bytes_of_another_hash_are_refused(
    grb: Run, board: Board, snapshot: str, tmp_path: Path
) -> None:
    wrong = board.stage.blobs.put_bytes(b"another file")
    board.stage.change(board.ids["attack"], sha256=wrong, size=12)
    done = grb(snapshot)
    assert done.exit_code == 1
    said = f"file of submission {board.ids['attack']}: found SHA-256 {wrong}, allowed: "
    assert said in done.output
    assert not [path for path in kept(tmp_path) if path.suffix == ".npz"]


def test_a_file_that_was_taken_back_leaves_its_cells_out(
    grb: Run, board: Board, snapshot: str
) -> None:
    board.stage.change(board.ids["attack"], is_reference=False)
    board.stage.change(board.ids["attack"], withdrawn_at=now())
    done = grb(snapshot)
    assert done.exit_code == 0, done.output
    assert "can't be had: the entry was withdrawn or hidden" in done.output
    assert "1 cells are left out" in done.output
    nothing = grb(board.cells["a"])
    assert nothing.exit_code == 1
    assert "nothing could be computed" in nothing.output


def test_what_is_not_there_is_told_like_what_is_private(grb: Run, board: Board) -> None:
    board.stage.change(board.ids["attack"], is_reference=False)
    board.stage.change(board.ids["attack"], visibility="private", published_at=None)
    for which in (UNKNOWN, board.cells["a"], board.ids["attack"]):
        done = grb(which)
        assert done.exit_code == 1
        assert f"{which}: found no cell, submission or snapshot" in done.output
    token = board.stage.tokens["ann"]
    assert grb(board.cells["a"], "--token", token).exit_code == 0


def test_other_data_or_rules_are_told_before_anything_is_taken(
    grb: Run, board: Board, tmp_path: Path
) -> None:
    board.change("a", protocol="0" * 16)
    done = grb(board.cells["a"])
    assert done.exit_code == 1
    assert f"protocol: found {board.stage.protocol} here, allowed: {'0' * 16}" in done.output
    assert not (tmp_path / "home" / "reproduce").exists()


def test_results_of_the_public_half_alone_are_told_before_anything_is_taken(
    grb: Run, board: Board, tmp_path: Path
) -> None:
    whole = len(datasets.load("digits").targets["full"])
    board.change("a", correct={"full": [40]}, total={"full": whole // 2})
    done = grb(board.cells["a"])
    assert done.exit_code == 1
    assert f"found results of {whole // 2} of {whole} targets at full" in " ".join(
        done.output.split()
    )
    assert not (tmp_path / "home" / "reproduce").exists()


def test_a_cell_that_is_not_done_has_nothing_to_compare(grb: Run, board: Board) -> None:
    waiting = board.stage.cell(
        board.ids["attack"], board.ids["defense"], state="queued", protocol="1" * 16
    )
    assert f"cell {waiting}: found state queued, allowed: done" in grb(waiting).output
