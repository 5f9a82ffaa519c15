"""The bundled board, honest files for it, and a mirror of a dataset."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from grbcore import catalog, datasets
from grbcore.catalog import Board, DatasetEntry
from grbcore.datasets import Dataset
from grbcore.perturbation import Injection
from grbcore.scenario import DIFFICULTIES, Difficulty
from grbcore.submission import check_content, write_attack, write_defense
from grbcore.violations import Violation
from tests.grbcore.mirror import Server, entry
from tests.grbcore.samples import injection, weights

Check = Callable[[bytes], tuple[Violation, ...]]


@pytest.fixture(scope="session")
def digits() -> Dataset:
    return datasets.load("digits")


@pytest.fixture(scope="session")
def board() -> Board:
    return catalog.board("digits/injection@1")


@pytest.fixture(scope="session")
def attack(digits: Dataset, board: Board) -> dict[Difficulty, tuple[Injection, ...]]:
    """All four difficulties, all repeats."""
    return {
        difficulty: tuple(injection(digits, seed=10 * place + r) for r in range(board.repeats))
        for place, difficulty in enumerate(DIFFICULTIES)
    }


@pytest.fixture
def attack_file(tmp_path: Path, attack: dict[Difficulty, tuple[Injection, ...]]) -> Path:
    path = tmp_path / "attack.npz"
    write_attack(path, attack)
    return path


@pytest.fixture
def defense_file(tmp_path: Path) -> Path:
    path = tmp_path / "defense.safetensors"
    write_defense(path, weights(), architecture="GIN", parameters={"hidden": [4]})
    return path


@pytest.fixture
def attacked(board: Board, digits: Dataset, tmp_path: Path) -> Check:
    """Both stages of the check of an attack with these bytes."""

    def check(data: bytes) -> tuple[Violation, ...]:
        path = tmp_path / "attack"
        path.write_bytes(data)
        return check_content(path, side="attack", board=board, dataset=digits)

    return check


@pytest.fixture
def defended(board: Board, digits: Dataset, tmp_path: Path) -> Check:
    """Both stages of the check of a defense with these bytes."""

    def check(data: bytes) -> tuple[Violation, ...]:
        path = tmp_path / "defense"
        path.write_bytes(data)
        return check_content(path, side="defense", board=board, dataset=digits)

    return check


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True)
        thread.start()
        yield server
        server.shutdown()
        thread.join()


@pytest.fixture
def own_var(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("GRB_VAR_DIR", str(tmp_path / "var"))
    monkeypatch.delenv("GRB_DATA_DIR", raising=False)
    monkeypatch.delenv("GRB_MIRROR", raising=False)
    return tmp_path / "var"


@pytest.fixture
def registered(monkeypatch: pytest.MonkeyPatch) -> Callable[[DatasetEntry], None]:
    """Put a dataset into the catalog."""

    def register(dataset: DatasetEntry) -> None:
        known = dict(catalog.datasets())
        monkeypatch.setitem(known, dataset.name, dataset)
        monkeypatch.setattr("grbcore.catalog.reading.datasets", lambda: known)

    return register


@pytest.fixture
def published(registered: Callable[[DatasetEntry], None]) -> None:
    registered(entry())


@pytest.fixture
def unpublished(registered: Callable[[DatasetEntry], None]) -> None:
    registered(entry(published=False))
