"""``grb admin describe``: attacks that earlier versions checked, and what was not told of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from grbcore import datasets
from grbcore.cli.main import app
from grbcore.store.session import Sessions
from grbcore.store.tables import BoardRow, Submission
from grbcore.validator import answer
from tests.store.moved import BOARD, House, filled


@pytest.fixture
def house(sessions: Sessions, tmp_path: Path) -> House:
    return House(sessions, tmp_path / "house")


def describe(house: House, url: str) -> str:
    told = {
        "GRB_DATABASE_URL": url,
        "GRB_VAR_DIR": str(house.folder / "var"),
        "GRB_BLOB_URL": (house.folder / "blobs").as_uri(),
    }
    done = CliRunner().invoke(app, ["admin", "describe", BOARD.id], env=told)
    assert done.exit_code == 0, done.output
    return done.stdout


def test_what_is_lacking_is_told_as_the_validator_would_and_what_is_known_stays(
    house: House, store_url: str, tmp_path: Path
) -> None:
    """Of one attack nothing is known, of another all but its sketch."""
    ids = filled(house)
    known = {"full": {"nodes": [7]}}
    with house.sessions.writing() as session:
        for row in session.query(Submission).filter_by(side="attack"):
            row.spent = known
            row.shift, row.sketch = {"known": 1}, "known"
        lost = session.get_one(Submission, ids["attack"])
        lost.spent = lost.shift = lost.sketch = None
        sha256 = lost.sha256
        before = session.get_one(BoardRow, BOARD.id).revision
    assert describe(house, store_url) == f"{BOARD.id}: 1 attacks were described\n"
    with house.sessions.reading() as session:
        found = session.get_one(Submission, ids["attack"])
        others = session.query(Submission).filter(
            Submission.side == "attack", Submission.id != ids["attack"]
        )
        assert {(row.sketch, row.spent["full"]["nodes"][0]) for row in others if row.spent} == {
            ("known", 7)
        }
        assert session.get_one(BoardRow, BOARD.id).revision == before + 1
    blind = datasets.prepare_blind(
        "digits", data_dir=None, cache=tmp_path / "kept", into=tmp_path / "blind"
    )
    path = house.blobs.local(sha256, tmp_path / "cache")
    wanted = answer({"path": str(path), "side": "attack", "board": BOARD.id, "dataset": str(blind)})
    assert (found.spent, found.shift, found.sketch) == (
        wanted["spent"],
        wanted["shift"],
        wanted["sketch"],
    )
    assert describe(house, store_url) == f"{BOARD.id}: 0 attacks were described\n"


def test_a_file_that_can_not_be_read_is_told(house: House, store_url: str) -> None:
    ids = filled(house)
    with house.sessions.writing() as session:
        for row in session.query(Submission).filter_by(side="attack"):
            row.spent, row.shift, row.sketch = {"full": {}}, {"known": 1}, "known"
        lost = session.get_one(Submission, ids["attack"])
        lost.sketch = None
        house.blobs.remove({lost.sha256})
    assert "1 could not be, as their files can't be read" in describe(house, store_url)
