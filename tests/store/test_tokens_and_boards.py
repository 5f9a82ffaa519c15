"""Users, tokens, and what a database knows of the catalog's boards."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import event, select

from grbcore import catalog
from grbcore.store import boards, tokens
from grbcore.store.session import Sessions
from grbcore.store.tables import BoardRow, Token
from tests.api.graph_stage import small_data
from tests.store.world import START

BOARD = "digits/injection@1"
CORA = "grb-cora/injection@1"
GRAPHS = "mutag/adjacency@1"


def test_a_token_gives_its_user(sessions: Sessions) -> None:
    with sessions.writing() as session:
        token = tokens.issue(session, "ann", now=START)
    with sessions.reading() as session:
        user = tokens.verify(session, token)
    assert user is not None
    assert (user.name, user.role) == ("ann", "user")


def test_only_a_hash_of_the_token_is_stored(sessions: Sessions) -> None:
    with sessions.writing() as session:
        token = tokens.issue(session, "ann", now=START)
        row = session.scalars(select(Token)).one()
        stored = [str(getattr(row, column.name)) for column in Token.__table__.columns]
    assert not any(token in value for value in stored)


def test_two_tokens_of_a_user_both_work_and_differ(sessions: Sessions) -> None:
    with sessions.writing() as session:
        first = tokens.issue(session, "ann", now=START)
        second = tokens.issue(session, "ann", now=START)
        users = [tokens.verify(session, token) for token in (first, second)]
    assert first != second
    assert users[0] is users[1] is not None


@pytest.mark.parametrize("token", ["", "grb_", "grb_wrong", "x" * 10_000, "caf\xe9\x00"])
def test_another_text_is_nobodys_token(sessions: Sessions, token: str) -> None:
    with sessions.writing() as session:
        tokens.issue(session, "ann", now=START)
        assert tokens.verify(session, token) is None


def test_a_revoked_token_ends_and_the_other_stays(sessions: Sessions) -> None:
    with sessions.writing() as session:
        first = tokens.issue(session, "ann", now=START)
        second = tokens.issue(session, "ann", now=START)
        assert tokens.revoke(session, first, now=START)
        assert not tokens.revoke(session, first, now=START)
        assert tokens.verify(session, first) is None
        assert tokens.verify(session, second) is not None


def test_all_tokens_of_a_user_can_be_revoked(sessions: Sessions) -> None:
    with sessions.writing() as session:
        issued = [tokens.issue(session, "ann", now=START) for _ in range(3)]
        ann = tokens.user(session, "ann")
        assert ann is not None
        assert tokens.revoke_all(session, ann, now=START) == 3
        assert [tokens.verify(session, token) for token in issued] == [None] * 3


def test_the_first_admin_is_made_once(sessions: Sessions) -> None:
    with sessions.writing() as session:
        token = tokens.first_admin(session, now=START)
        assert token is not None
        assert tokens.first_admin(session, now=START) is None
        admin = tokens.verify(session, token)
    assert admin is not None
    assert (admin.name, admin.role) == ("admin", "admin")


@pytest.mark.parametrize(("name", "role"), [("", "user"), ("x" * 81, "user"), ("ann", "king")])
def test_a_user_needs_a_name_and_a_known_role(sessions: Sessions, name: str, role: str) -> None:
    with sessions.writing() as session, pytest.raises(ValueError, match="allowed"):
        tokens.issue(session, name, role=role, now=START)


def test_a_name_is_taken_once(sessions: Sessions) -> None:
    with sessions.writing() as session:
        tokens.create_user(session, "ann", now=START)
        with pytest.raises(ValueError, match="taken"):
            tokens.create_user(session, "ann", now=START)


def synced(sessions: Sessions, folder: Path, minutes: int = 0) -> dict[str, BoardRow]:
    with sessions.writing() as session:
        rows = boards.sync(session, folder, START + timedelta(minutes=minutes))
        return {row.id: row for row in rows}


def test_every_board_of_the_catalog_gets_a_row(sessions: Sessions, tmp_path: Path) -> None:
    rows = synced(sessions, tmp_path)
    assert list(rows) == list(catalog.boards())
    assert rows["grb-cora/injection@1"].state == "no-data"
    assert rows["grb-cora/injection@1"].protocol is None


def test_a_board_with_data_gets_its_facts(sessions: Sessions, tmp_path: Path) -> None:
    """digits: 1,797 images of 64 pixels in 10 classes; 10 % of the nodes per difficulty."""
    row = synced(sessions, tmp_path)[BOARD]
    assert (row.state, len(row.protocol or "")) == ("ready", 16)
    assert row.facts is not None
    sizes = [row.facts[key] for key in ("nodes", "features", "classes")]
    assert sizes == [1797, 64, 10]
    assert row.facts["targets"] == {"easy": 179, "medium": 179, "hard": 179, "full": 537}


def test_damaged_graphs_are_a_problem_of_their_boards_alone(
    sessions: Sessions, tmp_path: Path
) -> None:
    with small_data(tmp_path):
        path = tmp_path / "graphs" / "tu-mutag" / "graphs.npz"
        path.write_bytes(b"")  # as a disk that was full leaves it
        rows = synced(sessions, tmp_path)
    assert rows[GRAPHS].state == "no-data"
    assert str(path) in str(rows[GRAPHS].problem)
    assert rows[BOARD].state == "ready"


def test_no_transaction_waits_for_graphs_that_are_read(sessions: Sessions, tmp_path: Path) -> None:
    """They are gone once it has begun, and were read."""
    with small_data(tmp_path):
        path = tmp_path / "graphs" / "tu-mutag" / "graphs.npz"
        event.listen(sessions.engine, "begin", lambda _: path.unlink(missing_ok=True))
        rows = synced(sessions, tmp_path)
        assert not path.exists()
    assert {rows[name].state for name in (GRAPHS, "mutag/attributes@1")} == {"ready"}
    assert rows[GRAPHS].facts is not None and rows[GRAPHS].facts["targets"]["1"] == 8


def test_a_second_sync_changes_nothing(sessions: Sessions, tmp_path: Path) -> None:
    first = synced(sessions, tmp_path)[BOARD]
    second = synced(sessions, tmp_path, minutes=5)[BOARD]
    assert (second.revision, second.changed_at) == (first.revision, first.changed_at)


def test_a_board_that_is_being_prepared_stays_so(sessions: Sessions, tmp_path: Path) -> None:
    synced(sessions, tmp_path)
    with sessions.writing() as session:
        session.get_one(BoardRow, BOARD).state = "preparing"
    assert synced(sessions, tmp_path)[BOARD].state == "preparing"


def test_another_protocol_raises_the_revision(sessions: Sessions, tmp_path: Path) -> None:
    first = synced(sessions, tmp_path)[BOARD]
    with sessions.writing() as session:
        session.get_one(BoardRow, BOARD).protocol = "0" * 16
    second = synced(sessions, tmp_path, minutes=5)[BOARD]
    assert second.protocol == first.protocol
    assert second.revision == first.revision + 1


def spoil(folder: Path, name: str = "grb-cora") -> Path:
    """A folder with a dataset whose four files are no archives."""
    (folder / name).mkdir(parents=True)
    for file in ("adj", "features", "index", "labels"):
        (folder / name / f"{file}.npz").write_text("spoilt")
    return folder


def test_a_damaged_dataset_stops_its_own_board_only(sessions: Sessions, tmp_path: Path) -> None:
    rows = synced(sessions, spoil(tmp_path))
    assert {row.id: row.state for row in rows.values() if row.id in (BOARD, CORA)} == {
        BOARD: "ready",
        CORA: "no-data",
    }


def test_a_board_says_which_file_is_damaged(sessions: Sessions, tmp_path: Path) -> None:
    problem = synced(sessions, spoil(tmp_path))[CORA].problem
    assert problem is not None
    assert str(tmp_path / "grb-cora") in problem


def test_a_problem_is_forgotten_when_it_is_gone(sessions: Sessions, tmp_path: Path) -> None:
    synced(sessions, spoil(tmp_path / "spoilt"))
    assert synced(sessions, tmp_path / "empty")[CORA].problem is None


def test_a_board_whose_data_is_gone_keeps_what_it_knew(
    sessions: Sessions, tmp_path: Path, real_data: Path
) -> None:
    there = synced(sessions, real_data)[CORA]
    assert there.state == "ready"
    gone = synced(sessions, tmp_path)[CORA]
    assert (gone.state, gone.protocol) == ("no-data", there.protocol)
