"""Boards kept as they stood: what is in them, when they are made, and names that leave them."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import select, text

from grbcore import catalog, snapshots
from grbcore.snapshots import Snapshot
from grbcore.store import audit, marks, moderation, orphans
from grbcore.store import snapshots as store
from grbcore.store.accounts import closing
from grbcore.store.backups.dumps import NEEDED
from grbcore.store.blobs import Blobs
from grbcore.store.deletion import delete_submission
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import CellRow, SnapshotFile, SnapshotRow, Submission
from tests.store.test_admin_commands import Operator
from tests.store.world import BOARD, RESULT, World, at

LATER = datetime(2026, 2, 1, 0, 10, tzinfo=UTC)


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs((tmp_path / "var" / "blobs").as_uri())


def make(world: World, blobs: Blobs, **fields: object) -> str:
    said: dict[str, object] = {"user_id": None, "via": "cli", "reason": "a paper", "now": LATER}
    return store.make(world.sessions, blobs, catalog.board(BOARD), **(said | fields))  # type: ignore[arg-type]


def row_of(world: World, blobs: Blobs, snapshot_id: str) -> SnapshotRow:
    found = store.current(world.sessions, blobs, snapshot_id, LATER)
    assert found is not None
    return found


def read(world: World, blobs: Blobs, snapshot_id: str) -> Snapshot:
    kept = store.kept_files(row_of(world, blobs, snapshot_id))
    return Snapshot.model_validate_json(blobs.read(kept["snapshot.json"].sha256))


def test_it_holds_every_place_count_and_hash(world: World, blobs: Blobs) -> None:
    attack = world.ranked("attack", reference=True)
    defense = world.ranked("defense", reference=True)
    row = row_of(world, blobs, made := make(world, blobs))
    found = read(world, blobs, made)
    assert (found.id, found.board, found.revision) == (made, BOARD, world.revision())
    assert {one.id: one.sha256 for one in found.entries} == {
        attack: f"{1:064x}", defense: f"{2:064x}"
    }  # fmt: skip
    assert {(one.attack, one.defense) for one in found.cells} == {
        ("clean", defense), (attack, defense)
    }  # fmt: skip
    assert {one.hits_sha256 for one in found.cells} == {RESULT.hits_sha256}
    assert found.dataset == {
        name: file.sha256 for name, file in catalog.dataset("digits").files.items()
    }
    assert row.digest == snapshots.numbers_digest(found)
    assert (row.attacks, row.defenses, row.cells, row.reason) == (1, 1, 2, "a paper")
    with world.sessions.reading() as session:
        assert [one.action for one in audit.entries(session, subject_id=made, limit=9)] == [
            "snapshot.make"
        ]


def test_what_not_everybody_sees_is_not_in_it(world: World, blobs: Blobs) -> None:
    world.ranked("attack", reference=True)
    kept, shown = world.ranked("defense"), world.ranked("defense")
    with world.sessions.writing() as session:
        row = session.get_one(Submission, kept)
        row.visibility, row.public_at, row.published_at = "embargoed", LATER.replace(day=2), None
    made = make(world, blobs)
    found = read(world, blobs, made)
    assert [one.id for one in found.entries if one.side == "defense"] == [shown]
    for file in row_of(world, blobs, made).files:
        content = blobs.read(file.sha256).decode()
        assert kept not in content and world.submission(kept).name not in content
    opened = make(world, blobs, now=LATER.replace(day=3))
    assert {kept, shown} <= {one.id for one in read(world, blobs, opened).entries}


def test_newcomers_and_cells_that_are_not_done_are_not_in_it(world: World, blobs: Blobs) -> None:
    world.ranked("attack")
    defense, coming = world.ranked("defense"), world.evaluating("defense")
    found = read(world, blobs, make(world, blobs))
    assert coming not in {one.id for one in found.entries}
    assert {one.defense for one in found.cells} == {defense}


def test_nothing_ranked_is_nothing_to_keep(world: World, blobs: Blobs) -> None:
    with pytest.raises(NotPossible, match="found nothing ranked"):
        make(world, blobs)


@pytest.mark.parametrize("how", ["withdrawn", "hidden", "deleted", "anonymous"])
def test_a_name_leaves_it_and_the_numbers_stay(world: World, blobs: Blobs, how: str) -> None:
    world.ranked("attack")
    user = world.another_user("bob")
    entry = world.submit("defense", user=user)
    world.validate()
    world.work()
    made = make(world, blobs)
    before, first = read(world, blobs, made), row_of(world, blobs, made)
    name = world.submission(entry).name
    with world.sessions.writing() as session:
        row = session.get_one(Submission, entry)
        if how == "withdrawn":
            marks.withdraw(session, row, now=LATER)
        elif how == "hidden":
            moderation.hide(session, row, user_id=None, via="cli", reason=None, now=LATER)
        elif how == "deleted":
            delete_submission(session, entry, user_id=None, via="cli", reason="x", now=LATER)
        else:
            closing.close(session, user, user_id=None, via="cli", now=LATER)
    after, then = read(world, blobs, made), row_of(world, blobs, made)
    said = next(one for one in after.entries if one.id == entry)
    assert (said.name, said.authors, said.mark) == (f"({how})", "", how)
    assert said.sha256 == next(one.sha256 for one in before.entries if one.id == entry)
    assert (after.cells, after.rankings) == (before.cells, before.rankings)
    assert then.digest == first.digest == snapshots.numbers_digest(after)
    assert then.reissued_at == LATER
    for file in then.files:
        gone = file.replaced_at is not None
        assert blobs.exists(file.sha256) is not gone
        assert gone or name.encode() not in blobs.read(file.sha256)
    cells = store.kept_files(then)["cells.csv"].sha256
    assert cells == store.kept_files(first)["cells.csv"].sha256  # it never had the name


def test_it_is_issued_anew_once(world: World, blobs: Blobs) -> None:
    world.ranked("attack")
    entry = world.ranked("defense")
    made = make(world, blobs)
    with world.sessions.writing() as session:
        marks.withdraw(session, session.get_one(Submission, entry), now=LATER)
    assert store.reissue_all(world.sessions, blobs, LATER) == 1
    assert store.reissue_all(world.sessions, blobs, LATER) == 0
    assert len(row_of(world, blobs, made).files) == len(snapshots.FILES) * 2 - 1  # cells.csv


def test_an_entry_withdrawn_before_is_a_place_less_nothing(world: World, blobs: Blobs) -> None:
    world.ranked("attack")
    gone, stays = world.ranked("defense"), world.ranked("defense")
    with world.sessions.writing() as session:
        marks.withdraw(session, session.get_one(Submission, gone), now=LATER)
    found = read(world, blobs, make(world, blobs))
    assert [one.id for one in found.entries if one.side == "defense"] == [stays]
    assert [one.attempts for one in found.entries if one.id == stays] == [2]  # it stays counted


def test_its_files_are_no_orphans_and_are_backed_up(world: World, blobs: Blobs) -> None:
    world.ranked("defense")
    made = make(world, blobs)
    digests = {file.sha256 for file in row_of(world, blobs, made).files}
    assert orphans.remove(world.sessions, blobs, digests) == 0
    assert all(blobs.exists(digest) for digest in digests)
    assert orphans.tidy(world.sessions, blobs, datetime(2100, 1, 1, tzinfo=UTC)) == 0
    with world.sessions.reading() as session:
        assert digests <= {row[0] for row in session.execute(text(NEEDED))}


def monthly(world: World, blobs: Blobs, now: datetime) -> str | None:
    return store.make_monthly(world.sessions, blobs, catalog.board(BOARD), now)


def test_one_is_made_when_a_month_begins_and_no_second(world: World, blobs: Blobs) -> None:
    world.ranked("defense", now=at(0))  # 1 January, noon
    assert monthly(world, blobs, at(3600)) is None  # nothing was ranked when January began
    made = monthly(world, blobs, LATER)
    assert made is not None
    assert (row_of(world, blobs, made).month, row_of(world, blobs, made).author_id) == (
        "2026-02", None
    )  # fmt: skip
    assert monthly(world, blobs, LATER.replace(day=27)) is None
    with pytest.raises(NotPossible, match="one of 2026-02 already"):
        make(world, blobs, month="2026-02")
    assert monthly(world, blobs, LATER.replace(month=3)) is not None
    assert make(world, blobs)  # on request as often as one likes
    assert make(world, blobs)


def test_a_board_of_which_nothing_is_left_is_passed_over(world: World, blobs: Blobs) -> None:
    entry = world.ranked("defense")
    with world.sessions.writing() as session:
        marks.withdraw(session, session.get_one(Submission, entry), now=at(9))
    assert monthly(world, blobs, LATER) is None


def test_results_that_change_later_change_no_snapshot(world: World, blobs: Blobs) -> None:
    world.ranked("attack")
    world.ranked("defense")
    made = make(world, blobs)
    before = read(world, blobs, made)
    with world.sessions.writing() as session:
        for cell in session.scalars(select(CellRow)):
            cell.correct = {"full": [1, 1, 1]}
    assert read(world, blobs, made) == before


def test_the_command_makes_one(world: World, store_url: str, tmp_path: Path, blobs: Blobs) -> None:
    world.ranked("defense")
    done = Operator(store_url, tmp_path)("snapshot", BOARD, "--reason", "for the paper")
    assert done.exit_code == 0, done.output
    with world.sessions.reading() as session:
        row = session.scalars(select(SnapshotRow)).one()
        digests = session.scalars(select(SnapshotFile.sha256)).all()
    assert done.stdout == f"{BOARD} is kept as snapshot {row.id}: /snapshots/{row.id}\n"
    assert (row.reason, row.month) == ("for the paper", None)
    assert all(blobs.exists(digest) for digest in digests)


def test_the_command_tells_why_it_makes_none(world: World, store_url: str, tmp_path: Path) -> None:
    done = Operator(store_url, tmp_path)("snapshot", BOARD)
    assert (done.exit_code, done.stderr) == (
        1, f"grb: {BOARD}: found nothing ranked, allowed: a board with some\n"
    )  # fmt: skip
