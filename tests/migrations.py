"""``alembic check`` on a new SQLite file: the migrations make the tables of the code."""

import tempfile
from pathlib import Path

from grbcore.store import migrate

with tempfile.TemporaryDirectory() as folder:
    url = f"sqlite:///{Path(folder) / 'check.db'}"
    migrate.upgrade(url)
    migrate.check(url)
