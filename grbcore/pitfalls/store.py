"""The runs of a study, one row each, in one file that outlives every stop."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from grbcore.pitfalls.engine import Run
from grbcore.study_file import StudyFile

_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
  dataset TEXT NOT NULL, model TEXT NOT NULL, split INTEGER NOT NULL, init INTEGER NOT NULL,
  accuracy REAL NOT NULL, val_accuracy REAL NOT NULL, val_loss REAL, epochs INTEGER NOT NULL,
  best INTEGER NOT NULL, seconds REAL NOT NULL,
  PRIMARY KEY (dataset, model, split, init)
);
"""


@dataclass(frozen=True, slots=True)
class Key:
    """Which run it is: initialisation ``init`` of a model on split ``split`` of a dataset."""

    dataset: str
    model: str
    split: int
    init: int


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that is done, and its share of the time that its job took."""

    key: Key
    run: Run
    seconds: float


class Store:
    """A study's file.  Each job is one transaction, so a run is whole or not there.

    Raises:
        Refused: from every method, where the file is no such file or can't be written.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = StudyFile(path, _TABLES)

    def add(self, kept: Iterable[Kept]) -> None:
        """Keep the runs of a job.

        Raises:
            sqlite3.IntegrityError: one of them is there already; then none is kept.
        """
        rows = []
        for one in kept:
            run = asdict(one.run)
            loss = run["val_loss"] if run["val_loss"] == run["val_loss"] else None
            rows.append((*asdict(one.key).values(), run["accuracy"], run["val_accuracy"], loss,
                         run["epochs"], run["best"], one.seconds))  # fmt: skip
        with self.file.open() as connection:
            connection.executemany(f"INSERT INTO runs VALUES ({', '.join('?' * 10)})", rows)

    def runs(self) -> list[Kept]:
        """Every run that is kept, in the order of their keys."""
        with self.file.open() as connection:
            found = connection.execute(
                "SELECT dataset, model, split, init, accuracy, val_accuracy, val_loss, epochs, "
                "best, seconds FROM runs ORDER BY dataset, model, split, init"
            ).fetchall()
        kept = []
        for dataset, model, split, init, accuracy, val, loss, epochs, best, seconds in found:
            run = Run(accuracy, val, float("nan") if loss is None else loss, epochs, best)
            kept.append(Kept(Key(dataset, model, split, init), run, seconds))
        return kept

    def keys(self) -> set[Key]:
        """Which runs are kept."""
        with self.file.open() as connection:
            found = connection.execute("SELECT dataset, model, split, init FROM runs").fetchall()
        return {Key(*row) for row in found}
