"""A board moves to another host with its entries, files and results, from a file of any origin."""

from __future__ import annotations

import hashlib
import io
import json
import os
import tarfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sqlalchemy import select
from typer.testing import CliRunner, Result

from grbcore.cli.main import app
from grbcore.margins import pack
from grbcore.store import moving, seasons, tokens
from grbcore.store.moving import Choices, Damaged, Refusal, container
from grbcore.store.moving.records import LEFT_BEHIND, CellRecord, SubmissionRecord
from grbcore.store.session import Sessions, connect
from grbcore.store.tables import BoardRow, CellRow, Submission
from tests.store import databases
from tests.store.moved import BOARD, DATASET, SPENT, House, filled
from tests.store.world import at

MARGINS = pack(np.arange(len(DATASET.targets["full"])).astype(np.uint8) % 101)
ALL = ("easy", "medium", "hard", "full")


@pytest.fixture(scope="module")
def other_postgres_url() -> Iterator[str]:
    with databases.postgres() as url:
        yield url


@pytest.fixture
def other(
    request: pytest.FixtureRequest, store_url: str, sqlite_template: Path, tmp_path: Path
) -> Iterator[House]:
    """A host whose database is of the other kind."""
    if store_url.startswith("sqlite"):
        url: str = request.getfixturevalue("other_postgres_url")
        databases.empty(url)
        yield from _house(url, tmp_path / "other")
    else:
        (tmp_path / "other").mkdir()
        yield from _house(databases.sqlite(tmp_path / "other", sqlite_template), tmp_path / "other")


def _house(url: str, folder: Path) -> Iterator[House]:
    engine = connect(url)
    yield House(Sessions(engine), folder)
    engine.dispose()


@pytest.fixture
def house(sessions: Sessions, tmp_path: Path) -> House:
    return House(sessions, tmp_path / "house")


def export(house: House, **options: Any) -> io.BytesIO:
    out = io.BytesIO()
    moving.export_board(house.sessions, house.blobs, BOARD.id, out, **options)
    return out


def take(house: House, file: io.BytesIO, **choices: Any) -> moving.Taken:
    """As ``grb board import`` does."""
    chosen = Choices(**choices)
    found = moving.read_board_file(file)
    with house.sessions.reading() as session:
        plan = moving.plan(session, found, chosen)
    for _ in moving.put_blobs(found, house.blobs, house.folder / "scratch", plan):
        pass
    with house.sessions.writing() as session:
        return moving.take_in(session, found, chosen, at(7000))


def test_a_file_that_is_removed_while_a_board_comes_in_is_stored_again(
    house: House, other: House
) -> None:
    """Somebody deletes the last entry of the same bytes between the two steps."""
    filled(house)
    found, choices = moving.read_board_file(export(house)), Choices()
    with other.sessions.reading() as session:
        plan = moving.plan(session, found, choices)
    scratch = other.folder / "scratch"
    for _ in moving.put_blobs(found, other.blobs, scratch, plan):
        pass
    wanted = {entry.sha256 for entry in plan.fresh if entry.deleted_at is None}
    other.blobs.remove(wanted)
    with other.sessions.writing() as session:
        moving.keep_blobs(session, found, other.blobs, scratch, plan)
        moving.take_in(session, found, choices, at(7000))
    assert all(other.blobs.exists(sha256) for sha256 in wanted)


def test_results_over_all_targets_are_not_taken_in_where_half_is_hidden(
    house: House, other: House
) -> None:
    """Every entry may come along to be measured there."""
    filled(house)
    with other.sessions.writing() as session:
        session.get_one(BoardRow, BOARD.id).hidden_seed = "5e" * 32
    with pytest.raises(Refusal, match="--anew, which measures every entry"):
        take(other, export(house))
    done = take(other, export(house), anew=True)
    assert done.submissions > 0 and done.cells == 0


# there and back


def test_the_seasons_of_a_board_move_with_it(house: House, other: House) -> None:
    """The file says them byte for byte; a season that has begun there is left alone."""
    filled(house)
    with house.sessions.writing() as session:
        assert seasons.freeze(session, BOARD.id, at(6000)) is not None
    first = export(house)
    take(other, first)
    assert export(other).getvalue() == first.getvalue()
    with other.sessions.reading() as session:
        (found,) = seasons.of_board(session, BOARD.id)
        assert (found.number, found.state) == (1, "current")
        files = {row.id: row.sha256 for row in session.scalars(select(Submission))}
        assert found.members and all(files[one["id"]] == one["sha256"] for one in found.members)


def test_every_ranking_and_the_matrix_are_the_same_there_and_back(
    house: House, other: House
) -> None:
    ids = filled(house)
    first = export(house)
    take(other, first)
    there = export(other)
    assert there.getvalue() == first.getvalue()
    ranked = other.seen()
    assert len(ranked["reference defense full"].rows) == 3
    assert ranked["all attack easy"].rows[0].rank == 1
    finish(house)
    finish(other)
    assert other.state(ids["evaluating"]) == "ranked"
    for name, found in house.seen().items():
        if name != "entries":  # registered at different times
            assert other.seen()[name] == found, name


def finish(house: House) -> None:
    """What was on its way goes on."""
    house.validate()
    house.compute()


def test_what_was_shown_is_shown_and_only_what_waited_is_computed(
    house: House, other: House
) -> None:
    filled(house)
    take(other, export(house))
    before, after = house.seen(), other.seen()
    for name in before.keys() - {"matrix", "entries"}:
        assert after[name] == before[name], name
    done = [cell for cell in before["matrix"] if cell[2] == "done"]
    assert [cell for cell in after["matrix"] if cell[2] == "done"] == done
    assert after["entries"] == before["entries"]
    finish(house)
    assert other.compute() < len(done)


def test_the_same_board_gives_the_same_bytes(house: House) -> None:
    filled(house)
    assert export(house).getvalue() == export(house).getvalue()


def test_files_and_hits_come_along_and_tokens_do_not(house: House, other: House) -> None:
    filled(house)
    take(other, export(house))
    with other.sessions.reading() as session:
        entries = session.scalars(select(Submission).where(Submission.deleted_at.is_(None))).all()
        digests = {row.sha256 for row in entries}
        digests |= set(session.scalars(select(CellRow.hits_sha256).where(CellRow.state == "done")))
        ann = tokens.user(session, "ann")
        assert ann is not None and ann.role == "user"
    assert all(other.blobs.read(digest) for digest in digests)


def test_a_deleted_entry_stays_counted_and_tells_neither_owner_nor_file(
    house: House, other: House
) -> None:
    ids = filled(house)
    with house.sessions.reading() as session:
        sha256 = session.get_one(Submission, ids["deleted"]).sha256
    file = export(house)
    assert sha256.encode() not in file.getvalue()
    take(other, file)
    assert other.owners()["deleted"] == "deleted"


def test_an_entry_whose_rejected_file_is_gone_comes_along_without_it(
    house: House, other: House
) -> None:
    ids = filled(house)
    house.change(ids["rejected"], file_removed_at=at(6000))
    with house.sessions.reading() as session:
        sha256 = session.get_one(Submission, ids["rejected"]).sha256
    house.blobs.remove([sha256])
    take(other, export(house))
    with other.sessions.reading() as session:
        row = session.get_one(Submission, ids["rejected"])
        assert (row.state, row.sha256, row.file_removed_at) == ("rejected", sha256, at(6000))
    assert not other.blobs.exists(sha256)


def test_hits_may_stay_behind(house: House, other: House) -> None:
    filled(house)
    small, large = export(house, hits=False), export(house)
    assert len(small.getvalue()) < len(large.getvalue())
    take(other, small)
    assert other.seen()["all defense full"] == house.seen()["all defense full"]
    with other.sessions.reading() as session:
        assert set(session.scalars(select(CellRow.hits_sha256))) == {None}


def test_counts_by_class_and_what_attacks_spend_come_along(house: House, other: House) -> None:
    ids = filled(house)
    house.change_cells(CellRow.attack_id.is_(None), margins=MARGINS)
    take(other, export(house, hits=False))
    query = select(CellRow.id, CellRow.confusion, CellRow.margins).where(CellRow.state == "done")
    with house.sessions.reading() as one, other.sessions.reading() as two:
        kept, found = ({*session.execute(query)} for session in (one, two))
        assert two.get_one(Submission, ids["attack"]).spent == SPENT
    assert found == kept and all(counts for _, counts, _ in found)
    assert {margins for _, _, margins in found} == {None, MARGINS}


def test_results_that_no_longer_count_come_along_when_asked(house: House, other: House) -> None:
    ids = filled(house)
    house.change_cells(CellRow.defense_id == ids["withdrawn"], place="past", replaced_at=at(6000))
    with_history = moving.read_board_file(export(house, history=True))
    assert "past" in {cell.place for cell in with_history.cells()}
    assert "past" not in {cell.place for cell in moving.read_board_file(export(house)).cells()}
    take(other, export(house, history=True))
    with other.sessions.reading() as session:
        past = session.scalars(select(CellRow).where(CellRow.place == "past")).all()
    assert past and {row.replaced_at for row in past} == {at(6000)}


def test_what_is_not_public_stays_behind_unless_asked_for(house: House, other: House) -> None:
    ids = filled(house)
    private, embargoed = ids["evaluating"], ids["received"]
    house.change(private, visibility="private", published_at=None)
    house.change(embargoed, visibility="embargoed", public_at=at(400 * 24 * 3600))
    file = export(house)
    everything = export(house, everything=True)
    with house.sessions.reading() as session:
        secrets = [session.get_one(Submission, one).sha256 for one in (private, embargoed)]
    for word in (private, embargoed, *secrets):
        assert word.encode() not in file.getvalue()
        assert word.encode() in everything.getvalue()
    take(other, file)
    with other.sessions.reading() as session:
        assert session.get(Submission, private) is None
    take(other, everything, merge=True, same_users=True)
    with other.sessions.reading() as session:
        assert session.get_one(Submission, private).visibility == "private"
        assert session.get_one(Submission, embargoed).public_at == at(400 * 24 * 3600)


def test_every_column_comes_along_or_is_left_behind_on_purpose() -> None:
    for table, record in ((Submission, SubmissionRecord), (CellRow, CellRecord)):
        carried = set(record.model_fields) - {"owner"}
        left = LEFT_BEHIND[table.__tablename__]
        assert carried | left == set(table.__table__.columns.keys())
        assert not carried & left


def test_a_lost_file_is_named_with_how_to_mend_it(house: House) -> None:
    entry = house.ranked("defense")
    with house.sessions.reading() as session:
        sha256 = session.get_one(Submission, entry).sha256
    (house.folder / "blobs" / sha256[:2] / sha256).unlink()
    with pytest.raises(ValueError, match=rf"no such blob, allowed: .*submission {entry} once more"):
        export(house)


# twice, and beside others


def test_a_second_time_changes_nothing(house: House, other: House) -> None:
    ids = filled(house)
    file = export(house)
    take(other, file)
    seen, cells = other.seen(), other.cells()
    taken = take(other, file)
    assert (taken.submissions, taken.known, taken.cells) == (0, len(ids), 0)
    assert (other.seen(), other.cells()) == (seen, cells)


def test_a_board_with_other_entries_is_left_alone_unless_told_to_merge(
    house: House, other: House
) -> None:
    house.ranked("defense")
    mine = other.ranked("attack", "eve")
    file = export(house)
    with pytest.raises(Refusal, match=r"found 1 other entries .* or --merge"):
        take(other, file)
    taken = take(other, file, merge=True)
    assert len(taken.waiting) == 1
    assert other.state(mine) == "ranked"
    assert other.compute() == 1  # the pair of the two
    assert set(other.states().values()) == {"ranked"}


def test_the_same_baselines_made_on_both_hosts_are_one(house: House, other: House) -> None:
    for host in (house, other):
        host.ranked("defense", "baselines", value=101)
        host.ranked("attack", "baselines", value=102)
    house.ranked("defense", "ann", value=7)
    other.ranked("attack", "eve", value=8)
    taken = take(other, export(house), merge=True)
    assert (taken.submissions, taken.known) == (1, 2)
    assert taken.cells == 2  # without attack, and against the attack that both have
    assert other.compute() == 1
    assert set(other.states().values()) == {"ranked"}


def test_another_file_for_a_reference_is_refused(house: House, other: House) -> None:
    house.ranked("defense", "baselines", value=101)
    entry = other.ranked("defense", "baselines", value=55)
    other.change(entry, name="defense 101")
    with pytest.raises(Refusal, match="reference: found other bytes"):
        take(other, export(house), merge=True)


def test_attempts_of_a_merged_user_are_counted_through(house: House, other: House) -> None:
    house.ranked("defense", "ann", value=7)
    other.ranked("defense", "ann", value=8)
    take(other, export(house), merge=True, same_users=True)
    with other.sessions.reading() as session:
        rows = session.scalars(select(Submission)).all()
    assert sorted(row.attempt for row in rows) == [1, 2]


# users


def test_a_name_that_is_taken_is_the_admins_choice(house: House, other: House) -> None:
    house.ranked("defense", "ann")
    with other.sessions.writing() as session:
        tokens.create_user(session, "ann", now=at(0))
    file = export(house)
    with pytest.raises(Refusal, match="found users ann here too, allowed: --same-users"):
        take(other, file)
    take(other, file, prefix="lab-")
    assert set(other.owners().values()) == {"lab-ann"}


def test_the_baselines_are_the_services_own_on_every_host(house: House, other: House) -> None:
    house.ranked("defense", "baselines", value=101)
    take(other, export(house), prefix="lab-")
    assert set(other.owners().values()) == {"baselines"}


# another protocol, or no belief


def test_under_another_protocol_entries_are_validated_and_evaluated_anew(
    house: House, other: House
) -> None:
    ids = filled(house)
    with other.sessions.writing() as session:
        session.get_one(BoardRow, BOARD.id).protocol = "f" * 16
    file = export(house)
    found = moving.read_board_file(file)
    with other.sessions.reading() as session:
        assert moving.plan(session, found, Choices()).other_protocol == "f" * 16
    assert take(other, file).cells == 0
    assert other.state(ids["defense"]) == "received"
    assert other.state(ids["rejected"]) == "rejected"
    finish(other)
    assert other.state(ids["defense"]) == "ranked"


def test_no_result_is_believed_when_asked_so(house: House, other: House) -> None:
    filled(house)
    assert take(other, export(house), anew=True).cells == 0
    finish(house)
    finish(other)
    assert other.seen()["reference defense hard"] == house.seen()["reference defense hard"]


def test_a_rank_is_believed_only_with_its_results(house: House, other: House) -> None:
    defense = house.ranked("defense")
    house.ranked("attack")
    house.change_cells(CellRow.attack_id.is_(None), protocol="e" * 16)
    taken = take(other, export(house))
    assert taken.waiting == [defense]
    assert other.compute() == 1
    assert other.state(defense) == "ranked"


def test_a_board_without_data_here_is_refused(house: House, other: House) -> None:
    house.ranked("defense")
    with other.sessions.writing() as session:
        session.get_one(BoardRow, BOARD.id).state = "no-data"
    with pytest.raises(Refusal, match="found no data of digits/injection@1 here"):
        take(other, export(house))


# files from anywhere


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory, sqlite_template: Path) -> bytes:
    """A good file."""
    folder = tmp_path_factory.mktemp("made")
    engine = connect(databases.sqlite(folder, sqlite_template))
    house = House(Sessions(engine), folder)
    house.ranked("defense", "ann")
    house.ranked("attack", "bob")
    content = export(house).getvalue()
    engine.dispose()
    return content


def parts(content: bytes) -> list[tuple[str, bytes]]:
    with tarfile.open(fileobj=io.BytesIO(content)) as archive:
        return [(one.name, archive.extractfile(one).read()) for one in archive]  # type: ignore[union-attr]


def whole(members: list[tuple[str, bytes]]) -> io.BytesIO:
    out = io.BytesIO()
    for name, content in members:
        container.write_member(out, name, len(content), [content])
    container.write_end(out)
    return out


def forged(
    content: bytes, change: Callable[[str, dict[str, Any]], None], **manifest: Any
) -> io.BytesIO:
    """A file with changed rows whose hashes fit again."""
    found = dict(parts(content))
    for name in (container.SUBMISSIONS, container.CELLS):
        rows = [json.loads(line) for line in found[name].splitlines()]
        for row in rows:
            change(name.removesuffix(".jsonl"), row)
        found[name] = b"".join(json.dumps(row).encode() + b"\n" for row in rows)
    head = json.loads(found[container.MANIFEST])
    for kind in ("submissions", "cells"):
        head[f"{kind}_sha256"] = hashlib.sha256(found[f"{kind}.jsonl"]).hexdigest()
    found[container.MANIFEST] = json.dumps({**head, **manifest}).encode()
    found[container.SEAL] = container.sealed(found[container.MANIFEST])
    return whole(list(found.items()))


def refused(file: io.BytesIO) -> str:
    with pytest.raises(Damaged) as caught:
        moving.read_board_file(file)
    assert ", allowed: " in str(caught.value)
    return str(caught.value)


def test_any_tar_reads_the_file(made: bytes) -> None:
    names = [name for name, _ in parts(made)]
    rows = ["submissions.jsonl", "cells.jsonl"]
    assert names[:4] == ["manifest.json", "manifest.sha256", *rows]
    assert len(names) == 4 + 2 + 2  # two entries; without attack, and the pair


def test_a_file_cut_short_anywhere_is_refused(made: bytes) -> None:
    for length in (0, 100, 512, 700, len(made) // 2, len(made) - 512, len(made) - 1):
        refused(io.BytesIO(made[:length]))


def test_a_changed_byte_anywhere_is_refused(made: bytes) -> None:
    padding = {i for i in range(len(made)) if made[i] == 0}
    for place in set(range(0, len(made), 97)) - padding:
        changed = bytearray(made)
        changed[place] ^= 1
        refused(io.BytesIO(bytes(changed)))


def test_bytes_after_the_end_are_refused(made: bytes) -> None:
    assert "more after the end" in refused(io.BytesIO(made + b"x"))


@pytest.mark.parametrize(
    "name",
    ["../outside", "/etc/passwd", "blobs/../../x", "blobs/" + "A" * 64, "notes.txt", "blobs/", ""],
)
def test_a_member_of_another_name_is_refused(made: bytes, name: str) -> None:
    assert "a member as grb board export writes it" in refused(whole([*parts(made), (name, b"x")]))


@pytest.mark.parametrize(
    "kind", [tarfile.SYMTYPE, tarfile.LNKTYPE, tarfile.DIRTYPE, tarfile.CHRTYPE, b"x", b"L", b"S"]
)
def test_only_plain_files_are_read(made: bytes, kind: bytes) -> None:
    link = tarfile.TarInfo("manifest.json")
    link.type, link.linkname = kind, "/etc/passwd"
    refused(io.BytesIO(link.tobuf(tarfile.USTAR_FORMAT) + made))


def test_a_size_beyond_the_file_is_refused_before_anything_is_read(made: bytes) -> None:
    head = tarfile.TarInfo("manifest.json")
    head.size = container.LARGEST
    assert "cut short" in refused(io.BytesIO(head.tobuf(tarfile.USTAR_FORMAT) + made[512:]))


def test_a_huge_manifest_is_refused(made: bytes) -> None:
    members = parts(made)
    members[0] = ("manifest.json", b" " * 300_000 + members[0][1])
    assert "allowed: at most 262144" in refused(whole(members))


def test_a_huge_line_is_refused(made: bytes) -> None:
    file = forged(made, lambda kind, row: row.update(reason="x" * 2_000_000))
    assert "a line of more than 1048576 bytes" in refused(file)


def test_blobs_twice_missing_or_unasked_are_refused(made: bytes) -> None:
    *members, last = parts(made)
    refused(whole([*members, last, last]))
    refused(whole(members))
    content = b"nobody's"
    unasked = ("blobs/" + hashlib.sha256(content).hexdigest(), content)
    refused(whole([*members, last, unasked]))


def test_a_blob_of_other_bytes_is_refused(made: bytes) -> None:
    *members, (name, content) = parts(made)
    assert "allowed: " + name[6:] in refused(whole([*members, (name, bytes(len(content)))]))


def everywhere(value: Any) -> dict[str, Any]:
    """The same at every difficulty."""
    return {difficulty: value for difficulty in ALL}


NOT_THERE = "0" * 26
LESS = {"difficulties": list(ALL), "repeats": 1}
CHANGES: dict[str, tuple[str, dict[str, Any], str]] = {
    "a field too many": ("submissions", {"role": "admin"}, "role"),
    "an id that is none": ("submissions", {"id": "../../etc"}, "id"),
    "a state of the queue": ("cells", {"state": "running"}, "state"),
    "a number in a text": ("submissions", {"size": "12"}, "size"),
    "a script as a link": ("submissions", {"paper_url": "javascript:alert(1)"}, "paper_url"),
    "a name that turns the page around": ("submissions", {"name": "\u202etxt"}, "name"),
    "a character that no database takes": ("submissions", {"reason": "\0"}, "reason"),
    "an entry without an owner": ("submissions", {"owner": None}, "an owner"),
    "a hash that is none": ("submissions", {"sha256": "deleted-x"}, "place of a hash"),
    "a rank without a date": ("submissions", {"registered_at": None}, "registration"),
    "a date without a zone": ("cells", {"queued_at": "2026-01-01T00:00:00"}, "timezone"),
    "no result": ("cells", {"correct": None}, "full"),
    "seconds that are no number": ("cells", {"seconds": float("nan")}, "seconds"),
    "an attack that is not there": (
        "cells",
        {"attack_id": NOT_THERE, "newcomer_id": NOT_THERE},
        f"attack {NOT_THERE}",
    ),
    "more hits than targets": (
        "cells",
        {"correct": everywhere([2]), "total": everywhere(1)},
        "more hits",
    ),
    "other targets": (
        "cells",
        {"correct": everywhere([1]), "total": everywhere(9), "confusion": None},
        "targets",
    ),
    "two repeats": ("cells", {"correct": everywhere([0, 0]), "confusion": None}, "repeats"),
    "a difficulty less": (
        "cells",
        {"correct": {"full": [1]}, "total": {"full": 9}, "confusion": None},
        "results at",
    ),
    "counts by class of another result": ("cells", {"correct": everywhere([0])}, "by class"),
    "counts by class that are none": ("cells", {"confusion": "AAAA"}, "classes"),
    "margins that are none": ("cells", {"margins": "AAAA"}, "margins"),
    "an attack that spends nothing known": (
        "submissions",
        {"spent": {"full": {"money": [1]}}},
        "spent",
    ),
    "contents that the file has not": ("submissions", {"contents": LESS}, "contents"),
    "a result of an earlier time": (
        "cells",
        {"place": "past", "replaced_at": "2026-01-01T00:00:00Z"},
        "no longer counts",
    ),
}


@pytest.mark.parametrize("what", CHANGES)
def test_rows_that_can_not_be_are_refused(made: bytes, what: str) -> None:
    kind, fields, told = CHANGES[what]

    def change(of: str, row: dict[str, Any]) -> None:
        if of == kind:
            row.update(fields)

    assert told in refused(forged(made, change))


@pytest.mark.parametrize(
    "fields",
    [{"format": 2}, {"board": "digits/none@1"}, {"cells": 9}, {"facts": {}}, {"protocol": "x"}],
)
def test_a_manifest_that_does_not_fit_is_refused(made: bytes, fields: dict[str, Any]) -> None:
    refused(forged(made, lambda kind, row: None, **fields))


def test_the_file_of_an_entry_passes_the_check_of_every_upload(made: bytes) -> None:
    """Bytes that are no model, under the hash and the size that the entry tells."""
    content = b"no model"
    digest = hashlib.sha256(content).hexdigest()
    before = {}

    def change(kind: str, row: dict[str, Any]) -> None:
        if kind == "submissions" and row["side"] == "defense":
            before["name"] = f"blobs/{row['sha256']}"
            row.update(sha256=digest, size=len(content))

    members = dict(parts(forged(made, change).getvalue()))
    del members[before["name"]]
    members[f"blobs/{digest}"] = content
    head, blobs = list(members.items())[:4], sorted(list(members.items())[4:])
    assert "the file of defense" in refused(whole([*head, *blobs]))


# the command


class Command:
    def __init__(self, url: str, house: House) -> None:
        self.environment = {
            "GRB_DATABASE_URL": url,
            "GRB_VAR_DIR": str(house.folder / "var"),
            "GRB_BLOB_URL": (house.folder / "blobs").as_uri(),
        }

    def __call__(self, *arguments: str) -> Result:
        return CliRunner().invoke(app, ["board", *arguments], env=self.environment)


@pytest.fixture
def board(store_url: str, house: House) -> Command:
    return Command(store_url, house)


def test_the_command_exports_and_imports(
    board: Command, house: House, tmp_path: Path, sqlite_template: Path
) -> None:
    filled(house)
    file = tmp_path / "board.grb"
    done = board("export", "digits/injection", str(file))
    assert done.exit_code == 0, done.output
    assert f"{file}: digits/injection@1, 12 entries, " in done.output.replace("\n", "")
    assert sorted(path.name for path in tmp_path.glob("*.grb*")) == ["board.grb"]
    folder = tmp_path / "second"
    folder.mkdir()
    url = databases.sqlite(folder, sqlite_template)
    engine = connect(url)
    second = House(Sessions(engine), folder)
    there = Command(url, second)
    checked = there("import", str(file), "--check")
    assert checked.exit_code == 0, checked.output
    assert "new users, without a token: ann, baselines, bob, deleted" in checked.output
    assert "nothing was changed" in checked.output and second.states() == {}
    done = there("import", str(file))
    assert done.exit_code == 0, done.output
    assert "12 entries and " in done.output and "1 of them are evaluated" in done.output
    assert second.seen()["all attack full"] == house.seen()["all attack full"]
    engine.dispose()


def test_what_killed_exports_left_goes_with_the_next_one_after_a_day(
    board: Command, house: House, tmp_path: Path
) -> None:
    filled(house)
    old, young, others = (
        tmp_path / f".board.grb.{'a' * 32}",
        tmp_path / f".board.grb.{'b' * 32}",
        tmp_path / f".else.grb.{'a' * 32}",
    )
    for path in (old, young, others):
        path.write_bytes(b"half")
    for path in (old, others):
        os.utime(path, (time.time() - 90_000,) * 2)
    done = board("export", "digits/injection", str(tmp_path / "board.grb"))
    assert done.exit_code == 0, done.output
    assert [path.exists() for path in (old, young, others)] == [False, True, True]


def test_a_board_that_was_never_here_is_not_exported(board: Command, tmp_path: Path) -> None:
    done = board("export", "grb-reddit/injection", str(tmp_path / "x.grb"))
    assert done.exit_code == 1
    assert "whose data was never here" in str(done.exception)
    assert list(tmp_path.glob("*.grb*")) == []


def test_what_flags_stand_on_comes_along(house: House, other: House) -> None:
    probe = {"total": 9, "unchanged": 8, "cut_correct": 7, "passes": [6, 5], "steady": 4}
    shift = {"clean": [0, 0.5, 1], "attacked": [-1, 0, 0.5], "nodes": 30, "features": None}
    dismissed = {"high-variance": {"reason": "ü", "at": "2026-01-01T12:00:00+00:00"}}
    defense = house.ranked("defense", "baselines", value=101)
    attack = house.ranked("attack", "baselines", value=102)
    house.change(attack, shift=shift, dismissed=dismissed)
    house.change_cells(CellRow.attack_id.is_(None), probe=probe)
    take(other, export(house))
    with other.sessions.reading() as session:
        moved = session.get_one(Submission, attack)
        [cell] = session.scalars(select(CellRow).where(CellRow.attack_id.is_(None)))
        assert (moved.shift, moved.dismissed) == (shift, dismissed)
        assert (cell.defense_id, cell.probe) == (defense, probe)
