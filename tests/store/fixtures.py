"""Fixtures of tests that need a store, here and for the worker: each runs on both databases."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from grbcore.store.session import Sessions, connect
from tests.store import databases
from tests.store.world import World


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return databases.sqlite_template(tmp_path_factory.mktemp("template") / "grb.db")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    with databases.postgres() as url:
        yield url


@pytest.fixture(params=["sqlite", "postgres"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty, migrated database."""
    if request.param == "sqlite":
        return databases.sqlite(tmp_path, request.getfixturevalue("sqlite_template"))
    url: str = request.getfixturevalue("postgres_url")
    databases.empty(url)
    return url


@pytest.fixture
def sessions(store_url: str) -> Iterator[Sessions]:
    engine = connect(store_url)
    yield Sessions(engine)
    engine.dispose()


@pytest.fixture
def world(sessions: Sessions) -> World:
    """A board that takes submissions, and a user who submits."""
    return World(sessions)
