"""The file of a study's runs, held to one study, that outlives every stop."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from grbcore.violations import Refused, Violation

_STUDY = "CREATE TABLE IF NOT EXISTS study (key TEXT PRIMARY KEY, value TEXT NOT NULL);"


class StudyFile:
    """An SQLite file with a study's own tables; what one `open` writes is whole or not there.

    Raises:
        Refused: from every method, where the file is no such file or can't be written.
    """

    def __init__(self, path: Path, tables: str) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        with self.open() as connection:
            connection.execute("PRAGMA journal_mode=WAL")
            connection.executescript(_STUDY + tables)

    def belongs(self, **facts: str | int) -> None:
        """Hold the file to one study: what is noted the first time must be the same later.

        Raises:
            Refused: another seed, scheme or graph than the runs in the file have.
        """
        with self.open() as connection:
            for key, value in facts.items():
                said = json.dumps(value)
                row = connection.execute("SELECT value FROM study WHERE key = ?", (key,)).fetchone()
                if row is not None and row[0] != said:
                    allowed = f"{key} {row[0]}, or another --out"
                    found = f"{key} {said}"
                    raise Refused([Violation("format", str(self.path), found, allowed)])
                connection.execute("INSERT OR IGNORE INTO study VALUES (?, ?)", (key, said))

    @contextmanager
    def open(self) -> Iterator[sqlite3.Connection]:
        """A connection whose writes are kept together at the end, or not at all."""
        try:
            with closing(sqlite3.connect(self.path, timeout=30)) as connection, connection:
                yield connection
        except sqlite3.IntegrityError:
            raise
        except sqlite3.Error as error:
            allowed = "a study's runs, in a folder that can be written"
            raise Refused([Violation("format", str(self.path), str(error), allowed)]) from None
