"""The migrations make exactly the tables that the code declares."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import inspect

from grbcore.store.migrate import check, current, upgrade
from grbcore.store.session import connect
from grbcore.store.tables import Base
from tests.store import databases


@pytest.fixture(params=["sqlite", "postgres"])
def new_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'new folder' / 'grb.db'}"
        return
    with databases.postgres(migrated=False) as url:
        yield url


def test_the_migrations_and_the_tables_agree(new_url: str) -> None:
    upgrade(new_url)
    check(new_url)


def test_upgrading_twice_changes_nothing(new_url: str) -> None:
    upgrade(new_url)
    upgrade(new_url)
    engine = connect(new_url)
    assert current(engine)
    engine.dispose()


def test_several_processes_may_upgrade_at_once(new_url: str) -> None:
    with ThreadPoolExecutor(3) as threads:
        list(threads.map(_upgrade_in_a_process, [new_url] * 3))
    engine = connect(new_url)
    assert set(inspect(engine).get_table_names()) > set(Base.metadata.tables)
    engine.dispose()


def _upgrade_in_a_process(url: str) -> None:
    code = "import sys; from grbcore.store.migrate import upgrade; upgrade(sys.argv[1])"
    subprocess.run([sys.executable, "-c", code, url], check=True, timeout=60)
