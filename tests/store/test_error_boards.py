"""A board whose metric is an error, through the store: kept, ranked, re-evaluated, frozen."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from grbcore import snapshots
from grbcore.scenario import BUDGETS, MEAN, SIDES
from grbcore.settings import Settings
from grbcore.store import application, intervals, queries, recount, reevaluation
from grbcore.store import snapshots as kept
from grbcore.store.blobs import Blobs
from grbcore.store.clusters import Known, scan
from grbcore.store.clusters import found as clusters_of
from grbcore.store.counts import Counts
from grbcore.store.flags import board_flags
from grbcore.store.hiding import hide
from grbcore.store.moving.records import CellRecord
from grbcore.store.moving.records import columns as moved
from grbcore.store.previews import preview
from grbcore.store.reevaluation import NotPossible
from grbcore.store.seasons import propose
from grbcore.store.selection import Selection
from grbcore.store.session import Sessions, now
from grbcore.store.tables import BoardRow, CellRow, Reevaluation
from grbcore.store.views import scores, standing
from tests.store.molecules import BOARD, CASES, PROTOCOL, REPEATS, TARGETS, Molecules
from tests.store.world import at
from worker.interval_job import compute


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs(Settings(var_dir=tmp_path).blob_url)


@pytest.fixture
def board(sessions: Sessions, blobs: Blobs) -> Molecules:
    return Molecules(sessions, blobs, CASES)


@pytest.fixture
def entries(board: Molecules) -> dict[str, str]:
    found = {name: board.add("defense", name) for name in "AB"}
    return found | {name: board.add("attack", name) for name in ("weak", "strong")}


def test_fewer_errors_rank_first_and_who_raises_them_most(
    board: Molecules, entries: dict[str, str]
) -> None:
    """At budget 2 strong makes A err 1.0 and 0.02 in the mean of three repeats more, weak 0.6 so:
    1.01, 0.61, and 0.2 without attack, weighed 36, 9 and 4 of 49."""
    for side, order in (("defense", "AB"), ("attack", ("strong", "weak"))):
        with board.sessions.reading() as session:
            for difficulty in ("2", MEAN):
                found = standing(
                    session,
                    BOARD,
                    PROTOCOL,
                    view="reference",
                    side=side,
                    difficulty=difficulty,  # type: ignore[arg-type]
                )
                ranked = [(row.rank, row.id) for row in found.rows if row.rank]
                assert ranked == [(place, entries[name]) for place, name in enumerate(order, 1)]
            rows = {row.id: row for row in scores(
                session, BOARD, PROTOCOL, view="reference", side=side)}  # fmt: skip
        if side == "defense":
            metrics = rows[entries["A"]].metrics["2"]
            expected = (36 * 1.01 + 9 * 0.61 + 4 * 0.2) / 49
            assert metrics.weighted.mean == pytest.approx(expected)
            assert metrics.worst.mean == pytest.approx(1.01)
            assert rows[entries["A"]].worst["2"] == entries["strong"]


def test_a_result_is_kept_as_mean_errors_and_packed(
    board: Molecules, entries: dict[str, str]
) -> None:
    with board.sessions.writing() as session:
        row = session.query(CellRow).filter_by(
            attack_id=entries["weak"], defense_id=entries["A"]
        ).one()  # fmt: skip
        assert row.errors is not None
        assert row.errors["3"] == pytest.approx([0.9, 0.91, 0.92])
        assert (row.correct, row.total) == ({}, dict.fromkeys(BUDGETS, TARGETS))
        assert len(row.counts or b"") == 8 * len(BUDGETS) * (1 + REPEATS)
        before, row.counts = row.counts, None
        session.flush()
        assert recount.recount(session) == 1
        session.refresh(row)
        assert row.counts == before
        assert queries.as_cell(row).accuracy("3") == tuple(row.errors["3"])


def test_a_re_evaluation_shows_which_errors_change(
    board: Molecules, entries: dict[str, str]
) -> None:
    """Of A 1.5 in place of 0.5 under strong: A falls behind B."""
    with board.sessions.writing() as session:
        job = reevaluation.create(
            session, BOARD.id, Selection(submissions=(entries["strong"],)), reason="again",
            author_id=board.user, via="api", now=at(50),
        ).id  # fmt: skip
    board.errors = {**CASES, ("strong", "A"): 1.5}
    board.work_all(at(51))
    with board.sessions.writing() as session:
        row = session.get_one(Reevaluation, job)
        found = preview(session, BOARD, row, view="reference", difficulty="1")
        assert found.changed == 1
        (largest,) = found.largest
        assert (largest.before, largest.after) == pytest.approx((0.51, 1.51))
        ranks = {one.id: (one.rank_before, one.rank_after) for one in found.ranks["defense"]}
        assert ranks == {entries["A"]: (1, 2), entries["B"]: (2, 1)}
        application.apply(
            session, BOARD, job, revision=found.revision, user_id=board.user, via="api", now=at(52)
        )
    with board.sessions.reading() as session:
        first = standing(session, BOARD, PROTOCOL, view="reference", side="defense",
                         difficulty="1").rows[0]  # fmt: skip
    assert first.id == entries["B"]


def test_intervals_are_of_errors(board: Molecules, entries: dict[str, str], blobs: Blobs) -> None:
    compute(board.sessions, blobs, BOARD.id, "reference")
    with board.sessions.reading() as session:
        row = intervals.stored(session, BOARD.id, "reference", "defense", "5")
        assert row is not None
        found = intervals.unpacked(row)
        attacks = intervals.stored(session, BOARD.id, "reference", "attack", "5")
        assert attacks is not None
        breaks = intervals.unpacked(attacks)[entries["strong"]].breaks
    place = found[entries["B"]].places["worst"]
    assert place.low < 4.51 < place.high  # 5 x 0.9 and a hundredth; far above 1
    assert place.high > 1
    assert breaks is not None
    assert (breaks.broken, breaks.of) == (2, 2)


def test_a_snapshot_keeps_the_errors_and_its_places_follow_from_them(
    board: Molecules, entries: dict[str, str], blobs: Blobs
) -> None:
    made = kept.make(board.sessions, blobs, BOARD, user_id=None, via="cli", reason=None, now=now())
    row = kept.current(board.sessions, blobs, made, now())
    assert row is not None
    files = {name: blobs.read(file.sha256) for name, file in kept.kept_files(row).items()}
    found = snapshots.Snapshot.model_validate_json(files["snapshot.json"])
    assert snapshots.numbers_digest(found) == row.digest
    assert all(cell.errors and not cell.correct for cell in found.cells)
    assert (
        snapshots.rankings(found.board, found.entries, found.cells, found.repeats) == found.rankings
    )
    lines = list(csv.DictReader(io.StringIO(files["cells.csv"].decode(), newline="")))
    assert "correct" not in lines[0]
    weak = [
        float(line["error"])
        for line in lines
        if (line["attack"], line["defense"]) == (entries["weak"], entries["A"])
        and line["difficulty"] == "3"
    ]
    assert weak == pytest.approx([0.9, 0.91, 0.92])


def records(board: Molecules) -> list[dict[str, Any]]:
    """The cells as a file of the board has them."""
    with board.sessions.reading() as session:
        return [
            {name: getattr(row, name) for name in CellRecord.model_fields}
            for row in session.query(CellRow)
        ]


def test_errors_move_to_another_host_as_they_are(board: Molecules, entries: dict[str, str]) -> None:
    for fields in records(board):
        record = CellRecord.model_validate(fields)
        again = CellRecord.model_validate_json(record.model_dump_json())
        assert again == record
        assert moved(again)["errors"] == fields["errors"]
        assert len(fields["errors"]) == len(BUDGETS)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"errors": {"5": [0.1, -0.1, 0.1]}}, "greater than or equal to 0"),
        ({"errors": {"5": [0.1, 1001.0, 0.1]}}, "less than or equal to 1000"),
        ({"errors": {"1": [0.1], "5": [0.1, 0.1, 0.1]}}, "as many repeats"),
        ({"errors": {"1": [0.1], "2": [0.1]}}, "at the largest budget"),
        ({"correct": {"5": [1, 1, 1]}}, "a result of errors counts no hits"),
    ],
)
def test_errors_that_no_worker_writes_are_damage(
    board: Molecules, entries: dict[str, str], change: dict[str, Any], message: str
) -> None:
    fields = records(board)[0] | change
    with pytest.raises(ValidationError, match=message):
        CellRecord.model_validate(fields)


def test_what_was_kept_of_counts_before_has_the_same_hash() -> None:
    """A record of counts says nothing of errors, which older snapshots know nothing of."""
    record = snapshots.CellRecord(
        id="c", attack="clean", defense="d", correct={"full": (1,)}, total={"full": 2},
        hits_sha256=None, evaluator_version=1, device="cpu", versions={},
    )  # fmt: skip
    assert "errors" not in json.loads(record.model_dump_json())


def test_only_flags_that_compare_no_accuracies_are_raised(
    board: Molecules, entries: dict[str, str]
) -> None:
    with board.sessions.reading() as session:
        row = session.get_one(BoardRow, BOARD.id)
        rows = {
            side: scores(session, BOARD, PROTOCOL, view="reference", side=side) for side in SIDES
        }
        found = board_flags(session, row, Counts(BOARD), rows)
    codes = {name: [flag.code for flag in found[entry]] for name, entry in entries.items()}
    assert codes == {"A": ["non-adaptive"], "B": ["non-adaptive"], "weak": [], "strong": []}


def test_defenses_that_no_attack_moves_are_one_cluster(board: Molecules) -> None:
    """C and D err alike under every attack; nothing is said of who errs like whom."""
    for defense, mean in (("C", 0.4), ("D", 0.6)):
        board.errors = {**board.errors, (None, defense): mean, ("still", defense): mean}
    board.errors = {**board.errors, ("still", "A"): 0.5}
    board.unmoved = {"C", "D"}
    ids = {name: board.add("defense", name) for name in "ACD"}
    board.add("attack", "still")
    assert scan(board.sessions, board.blobs, BOARD.id, Known(), now())
    with board.sessions.reading() as session:
        found = clusters_of(session, BOARD.id)
    assert found.unmoved == {ids["C"], ids["D"]}
    (cluster,) = found.clusters["defense"]
    assert (set(cluster.members), cluster.why) == ({ids["C"], ids["D"]}, "unmoved")


def test_seasons_and_hidden_halves_say_why_there_are_none(
    board: Molecules, entries: dict[str, str]
) -> None:
    with board.sessions.writing() as session:
        with pytest.raises(
            NotPossible, match="found a board of errors, allowed: one of accuracies"
        ):
            propose(session, BOARD, user_id=None, via="cli", now=now())
        with pytest.raises(NotPossible, match="a board of errors, allowed: one of accuracies"):
            hide(session, BOARD.id, 0.01, user_id=None, via="cli", now=now())
