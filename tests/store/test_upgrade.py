"""A database of an earlier version is brought to the newest with everything that it holds."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, TableClause, column, create_engine, inspect, table

from grbcore.store import migrate, tokens
from grbcore.store.session import Sessions, connect
from grbcore.store.tables import Base
from tests.store import databases
from tests.store.moved import House, filled
from tests.store.world import at

REVISIONS = sorted(
    script.revision
    for script in ScriptDirectory(str(migrate.MIGRATIONS)).walk_revisions()
    if script.revision != migrate.newest()
)


@pytest.fixture(scope="module")
def then(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> Iterator[House]:
    """What there was before the upgrade."""
    folder = tmp_path_factory.mktemp("then")
    engine = connect(databases.sqlite(folder, sqlite_template))
    house = House(Sessions(engine), folder)
    filled(house)
    with house.sessions.writing() as session:
        issued = tokens.issue(session, "ann", now=at(0))
        assert tokens.verify(session, issued) is not None
        house.token = issued  # type: ignore[attr-defined]
    yield house
    engine.dispose()


@pytest.fixture(params=["sqlite", "postgres"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The address of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'grb.db'}"
        return
    with databases.postgres(migrated=False) as address:
        yield address


@pytest.mark.parametrize("revision", REVISIONS)
def test_everything_is_there_after_an_upgrade_and_work_goes_on(
    url: str, revision: str, then: House
) -> None:
    migrate.upgrade(url, revision)
    before = fill(url, then.sessions.engine)
    assert {"users", "tokens", "submissions", "cells"} <= before.keys()
    migrate.upgrade(url)
    migrate.check(url)
    engine = connect(url)
    for old, found in before.items():
        assert rows(engine, found[0]) == found[1], old
    house = House.__new__(House)
    house.__dict__.update(then.__dict__, sessions=Sessions(engine))
    shown, was = house.seen(), then.seen()
    for name in was.keys() - {"entries"}:  # deleted_at is of later revisions
        assert shown[name] == was[name], name
    with house.sessions.reading() as session:
        owner = tokens.verify(session, then.token)  # type: ignore[attr-defined]
        assert owner is not None and owner.name == "ann"
    house.validate()
    house.compute()
    assert "evaluating" not in house.states().values()
    engine.dispose()


def fill(url: str, source: Engine) -> dict[str, tuple[TableClause, list[Any]]]:
    """Copy what the tables of then have columns for; the tables and their rows."""
    engine = create_engine(url)
    known = inspect(engine)
    filled = {}
    for now in Base.metadata.sorted_tables:
        if not known.has_table(now.name):
            continue
        names = {found["name"] for found in known.get_columns(now.name)}
        old = table(
            now.name, *(column(one.name, one.type) for one in now.columns if one.name in names)
        )
        found = rows(source, old)
        if found:
            with engine.begin() as connection:
                connection.execute(old.insert(), [row._asdict() for row in found])
        filled[now.name] = (old, found)
    engine.dispose()
    return filled


def rows(engine: Engine, old: TableClause) -> list[Any]:
    with engine.connect() as connection:
        return list(connection.execute(old.select().order_by(next(iter(old.c)))))
