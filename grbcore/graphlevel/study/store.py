"""The runs of a robustness study, one row each."""

from __future__ import annotations

from dataclasses import asdict, astuple, dataclass, fields
from pathlib import Path

from grbcore.graphlevel.study.plan import Key
from grbcore.study_file import StudyFile

_TABLES = """
CREATE TABLE IF NOT EXISTS runs (
  dataset TEXT NOT NULL, model TEXT NOT NULL, seed INTEGER NOT NULL, attack TEXT NOT NULL,
  budget INTEGER NOT NULL, score REAL NOT NULL, label_difference REAL, val_score REAL,
  epochs INTEGER, best INTEGER, rate REAL, unmoved REAL, seconds REAL NOT NULL,
  PRIMARY KEY (dataset, model, seed, attack, budget)
);
CREATE TABLE IF NOT EXISTS failures (
  dataset TEXT NOT NULL, model TEXT NOT NULL, seed INTEGER NOT NULL, reason TEXT NOT NULL,
  PRIMARY KEY (dataset, model, seed)
);
"""


@dataclass(frozen=True, slots=True)
class Run:
    """What a run gave.  Of errors the worst 5 % of graphs are left out, as the thesis has it."""

    score: float  # accuracy 0..1, or the normalised mean absolute error of regression
    label_difference: float | None = None  # of classes
    val_score: float | None = None  # of a clean run: at its best epoch
    epochs: int | None = None  # of a clean run
    best: int | None = None  # of a clean run: its best epoch
    rate: float | None = None  # of a gradient attack
    unmoved: float | None = None  # of a gradient attack: the share of graphs without a slope


@dataclass(frozen=True, slots=True)
class Kept:
    """A run that is done, and the seconds that it took."""

    key: Key
    run: Run
    seconds: float


@dataclass(frozen=True, slots=True)
class Failure:
    """A model that could not be trained, so that it has no run."""

    dataset: str
    model: str
    seed: int
    reason: str

    def whose(self, key: Key) -> bool:
        """Whether it is this run's model."""
        return (self.dataset, self.model, self.seed) == (key.dataset, key.model, key.seed)


_COLUMNS = ", ".join([*(field.name for row in (Key, Run) for field in fields(row)), "seconds"])


class Store:
    """A study's file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.file = StudyFile(path, _TABLES)
        with self.file.open() as connection:
            have = {row[1] for row in connection.execute("PRAGMA table_info(runs)")}
            if "unmoved" not in have:  # it was begun before these were counted
                connection.execute("ALTER TABLE runs ADD COLUMN unmoved REAL")

    def add(self, kept: Kept) -> None:
        """Keep a run.

        Raises:
            sqlite3.IntegrityError: it is there already.
        """
        row = (*astuple(kept.key), *astuple(kept.run), kept.seconds)
        with self.file.open() as connection:
            marks = ", ".join("?" * len(row))
            connection.execute(f"INSERT INTO runs ({_COLUMNS}) VALUES ({marks})", row)

    def fail(self, failure: Failure) -> None:
        """Note a model that is not tried again."""
        with self.file.open() as connection:
            row = astuple(failure)
            connection.execute("INSERT OR IGNORE INTO failures VALUES (?, ?, ?, ?)", row)

    def failures(self) -> list[Failure]:
        """Every model that failed, in the order of names and seeds."""
        with self.file.open() as connection:
            found = connection.execute(
                "SELECT * FROM failures ORDER BY dataset, model, seed"
            ).fetchall()
        return [Failure(*row) for row in found]

    def runs(self) -> list[Kept]:
        """Every run that is kept, in the order of their keys."""
        with self.file.open() as connection:
            found = connection.execute(
                f"SELECT {_COLUMNS} FROM runs ORDER BY dataset, model, seed, attack, budget"
            ).fetchall()
        return [Kept(Key(*row[:5]), Run(*row[5:-1]), row[-1]) for row in found]

    def keys(self) -> set[Key]:
        """Which runs are kept."""
        return {one.key for one in self.runs()}


def columns(kept: Kept) -> dict[str, str | int | float | None]:
    """A run as one line of a sheet."""
    return {**asdict(kept.key), **asdict(kept.run), "seconds": kept.seconds}
