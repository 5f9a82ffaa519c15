"""Hold-outs in the database: for whom they are due, leases, failures, and nobody's rank."""

from __future__ import annotations

import shlex
from datetime import datetime
from pathlib import Path

import pytest
from sqlalchemy import select
from typer.testing import CliRunner

from grbcore import catalog, datasets
from grbcore.catalog import ATTACK_METHODS
from grbcore.cli.main import app
from grbcore.evaluate import check_budget
from grbcore.files import sha256_of
from grbcore.holdouts import Holdout, planned
from grbcore.store import holdout_queue, holdouts
from grbcore.store.blobs import Blobs
from grbcore.store.deletion import delete_submission
from grbcore.store.holdouts import Made
from grbcore.store.orphans import tidy
from grbcore.store.presence import BASELINES
from grbcore.store.queue import Batch
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import AuditRow, BoardRow, HoldoutAttack, HoldoutCell, Submission, User
from grbcore.submission import read_attack
from grbcore.violations import Refused
from tests.guides import commands
from tests.store.world import BOARD, PROTOCOL, RESULT, START, World, at

CONTENTS = {"difficulties": ["full"], "repeats": 3}


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs((tmp_path / "blobs").as_uri())


def made(folder: Path, names: set[str] = {"FGSM"}, word: str = "") -> list[Made]:  # noqa: B006
    """Files, of no content that an evaluator would take, at the three budgets."""
    found = []
    for one in planned(catalog.board(BOARD), names, set(), unseen=False):
        path = folder / f"{one.recipe.name} {one.factor}"
        path.write_text(f"{path.name} {word}")
        found.append(Made(one, path, sha256_of(path), CONTENTS))
    return found


def place(world: World, blobs: Blobs, found: list[Made], protocol: str = PROTOCOL) -> None:
    with world.sessions.writing() as session:
        holdouts.place(
            session, blobs, BOARD, found, protocol=protocol, user_id=None, via="cli", now=START
        )


def learned(world: World, defense: str) -> None:
    with world.sessions.writing() as session:
        session.get_one(Submission, defense).adversarially_trained = True


def claim(world: World, now: datetime = START) -> Batch | None:
    with world.sessions.reading() as session:
        waits = holdout_queue.waits(session, now)
    with world.sessions.writing() as session:
        batch = holdout_queue.claim(session, now)
    assert waits is (batch is not None)
    return batch


def finish(world: World, batch: Batch, now: datetime = START) -> None:
    for cell in batch.cells:
        with world.sessions.writing() as session:
            assert holdout_queue.finish(session, cell.id, batch.token, RESULT, now)


def cells(world: World) -> list[HoldoutCell]:
    with world.sessions.reading() as session:
        return list(session.scalars(select(HoldoutCell).order_by(HoldoutCell.id)))


def ask(world: World, defense: str) -> None:
    with world.sessions.writing() as session:
        row = session.get_one(Submission, defense)
        holdouts.ask(session, row, user_id=world.user, via="api", now=START)


def test_they_are_due_for_references_that_were_trained_for_the_budget_and_for_who_asks(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    trained, plain = world.ranked("defense", reference=True), world.ranked("defense")
    another = world.ranked("defense", reference=True)
    learned(world, trained)
    learned(world, plain)
    assert claim(world) is None
    place(world, blobs, made(tmp_path))
    batch = claim(world)
    assert batch is not None and batch.newcomer_id == trained
    assert [cell.scale for cell in batch.cells] == [0.5, 1.0, 2.0]
    assert claim(world) is None
    finish(world, batch)
    assert claim(world) is None
    ask(world, another)
    asked = claim(world)
    assert asked is not None and asked.newcomer_id == another


def test_they_are_measured_over_the_targets_that_the_board_shows(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    learned(world, world.ranked("defense", reference=True))
    place(world, blobs, made(tmp_path))
    with world.sessions.writing() as session:
        session.get_one(BoardRow, BOARD).hidden_seed = "5e" * 32
    batch = claim(world)
    assert batch is not None and batch.hidden_seed == "5e" * 32


def test_nothing_of_them_enters_a_ranking(world: World, blobs: Blobs, tmp_path: Path) -> None:
    defense = world.ranked("defense", reference=True)
    world.ranked("attack", reference=True)
    learned(world, defense)
    before, revision = world.cells(), world.revision()
    place(world, blobs, made(tmp_path))
    assert world.revision() == revision + 1
    batch = claim(world)
    assert batch is not None
    finish(world, batch)
    assert world.revision() == revision + 2, "once, with the last of them"
    assert world.cells() == before
    with world.sessions.reading() as session:
        found = holdouts.standing(session, session.get_one(Submission, defense))
        assert {session.get_one(Submission, entry).name for entry in (defense,)}
    assert [one.accuracies for one in found.at("full")] == [(0.7, 0.8, 0.9)] * 3


def test_what_had_begun_when_a_lease_ended_is_charged_and_its_holder_changes_nothing(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    learned(world, world.ranked("defense", reference=True))
    place(world, blobs, made(tmp_path))
    first = claim(world)
    assert first is not None
    with world.sessions.writing() as session:
        assert holdout_queue.begin(session, first.cells[0].id, first.token, START)
        assert holdout_queue.heartbeat(session, first.token, at(30))
    assert claim(world, at(60)) is None, "it was extended"
    second = claim(world, at(80))
    assert second is not None and [cell.attempts for cell in cells(world)] == [1, 0, 0]
    with world.sessions.writing() as session:
        old = (session, first.cells[0].id, first.token)
        assert not holdout_queue.begin(*old, at(80))
        assert not holdout_queue.finish(*old, RESULT, at(80))
        assert not holdout_queue.heartbeat(session, first.token, at(80))
        assert holdout_queue.release(session, first.token) == 0
        assert holdout_queue.release(session, second.token) == 3
    third = claim(world, at(100))
    assert third is not None and [cell.attempts for cell in cells(world)] == [1, 0, 0]
    assert claim(world, at(200)) is not None
    assert [cell.attempts for cell in cells(world)] == [1, 0, 0], "none had begun again"


def test_what_fails_three_times_waits_until_it_is_asked_for(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    defense = world.ranked("defense", reference=True)
    learned(world, defense)
    place(world, blobs, made(tmp_path))
    for tried in range(3):
        moment = at(100 * tried)
        batch = claim(world, moment)
        assert batch is not None
        for cell in batch.cells:
            with world.sessions.writing() as session:
                held = (session, cell.id, batch.token)
                spoil = {"code": "cuda", "reason": "no device", "now": moment}
                assert holdout_queue.retry(*held, **spoil, log="", killed=True)  # type: ignore[arg-type]
        assert claim(world, moment) is None, "it waits before the next try"
    assert {(cell.state, cell.error_code) for cell in cells(world)} == {("failed", "cuda")}
    assert claim(world, at(9000)) is None and world.state(defense) == "ranked"
    ask(world, defense)
    batch = claim(world)
    assert batch is not None
    with world.sessions.writing() as session:
        held = (session, batch.cells[0].id, batch.token)
        assert holdout_queue.fail(*held, code="x", reason="3 of 7", now=START)
        held = (session, batch.cells[1].id, batch.token)
        assert holdout_queue.time_out(*held, seconds=60, now=START)
    assert sorted(cell.state for cell in cells(world)) == ["failed", "queued", "running"]
    assert world.state(defense) == "ranked"


def test_new_ones_take_the_place_of_old_ones_and_equal_ones_stay(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    learned(world, world.ranked("defense", reference=True))
    place(world, blobs, made(tmp_path))
    batch = claim(world)
    assert batch is not None
    finish(world, batch)
    place(world, blobs, made(tmp_path))
    assert len(cells(world)) == 3, "the same files keep their results"
    place(world, blobs, made(tmp_path, word="other"))
    assert cells(world) == []
    with world.sessions.reading() as session:
        assert len(session.scalars(select(HoldoutAttack)).all()) == 3
    assert claim(world) is not None


def test_files_made_from_other_data_than_the_board_shows_are_refused(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    place(world, blobs, made(tmp_path))
    with pytest.raises(NotPossible, match=f"found protocol {'f' * 16} .* allowed: {PROTOCOL}"):
        place(world, blobs, made(tmp_path, word="new data"), protocol="f" * 16)
    with world.sessions.reading() as session:
        files = {row.sha256 for row in session.scalars(select(HoldoutAttack))}
    assert files == {one.sha256 for one in made(tmp_path)}, "those of before stay"


def test_their_files_are_kept_and_a_deleted_defense_leaves_no_result(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    defense = world.ranked("defense")
    found = made(tmp_path)
    place(world, blobs, found)
    ask(world, defense)
    batch = claim(world)
    assert batch is not None
    finish(world, batch)
    tidy(world.sessions, blobs, at(10**9))
    assert all(blobs.exists(one.sha256) for one in found)
    with world.sessions.writing() as session:
        left = delete_submission(session, defense, user_id=None, via="cli", reason=None, now=START)
    assert RESULT.hits_sha256 in left, "its hits under them are to be removed"
    assert cells(world) == [] and claim(world) is None


@pytest.mark.parametrize("what", ["an attack", "not ranked", "withdrawn", "no hold-outs"])
def test_who_can_not_be_measured_is_told_why(
    world: World, blobs: Blobs, tmp_path: Path, what: str
) -> None:
    told = {"an attack": "a defense", "not ranked": "evaluating", "withdrawn": "withdrawn"}
    if what != "no hold-outs":
        place(world, blobs, made(tmp_path))
    side = "attack" if what == "an attack" else "defense"
    entry = world.evaluating(side) if what == "not ranked" else world.ranked(side)
    if what == "withdrawn":
        with world.sessions.writing() as session:
            session.get_one(Submission, entry).withdrawn_at = START
    with pytest.raises(NotPossible, match=told.get(what, "found none on")):
        ask(world, entry)


def test_grb_admin_holdout_makes_asks_and_shows_as_the_page_about_ranks_says(
    world: World, store_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The baselines' random attack, in one repeat, which at double is legal only there."""
    told = {
        "GRB_DATABASE_URL": store_url,
        "GRB_VAR_DIR": str(tmp_path / "var"),
        "GRB_BLOB_URL": (tmp_path / "blobs").as_uri(),
        "COLUMNS": "200",
    }

    def admin(*arguments: str) -> str:
        done = CliRunner().invoke(app, ["admin", "holdout", *arguments], env=told)
        return f"{done.exit_code} {done.output}"

    assert "found no reference made from the catalog" in admin("prepare", BOARD)
    assert "allowed: 1 or 3" in admin("prepare", BOARD, "--repeats", "2")
    attack = world.ranked("attack", reference=True)
    with world.sessions.writing() as session:
        owner = User(name=BASELINES, created_at=START)
        session.add(owner)
        session.flush()
        row = session.get_one(Submission, attack)
        row.name, row.user_id = "RND", owner.id
    defense = world.ranked("defense")
    board, dataset = catalog.board(BOARD), datasets.load("digits")
    refused = admin("prepare", BOARD, "--no-unseen")
    assert f"allowed: {PROTOCOL}, the board's" in refused and "attacking" not in refused
    with world.sessions.writing() as session:
        session.get_one(BoardRow, BOARD).protocol = board.protocol(dataset.digest)
    done = admin("prepare", BOARD, "--no-unseen", "--repeats", "1")
    assert f"{BOARD} has 3 hold-outs" in done and "attacking" in done
    assert "attacking" not in admin("prepare", BOARD, "--no-unseen", "--repeats", "1")
    with world.sessions.reading() as session:
        rows = session.scalars(select(HoldoutAttack).order_by(HoldoutAttack.factor)).all()
    for row in rows:
        with Blobs(told["GRB_BLOB_URL"]).local(row.sha256, tmp_path).open("rb") as file:
            found = read_attack(file, board)
        allowed = board.at_budget(row.factor).budget("full")
        assert found["full"][0].features.shape[0] == allowed.nodes  # type: ignore[union-attr]
        check_budget(board.at_budget(row.factor), dataset, found)
        if row.factor > 1:
            with pytest.raises(Refused, match="budget-nodes"):
                check_budget(board, dataset, found)
    assert "is measured when nothing else waits" in admin("ask", defense, "--reason", "a paper")
    batch = claim(world, at(10**9))
    assert batch is not None
    finish(world, batch)
    shown = admin("show", defense)
    assert "3 of 3 are measured, 0 failed" in shown
    assert "budget x 2: 80.00 % over 1, lowest 80.00 % under RND" in shown
    with world.sessions.reading() as session:
        audited = {(row.action, row.reason) for row in session.scalars(select(AuditRow))}
    assert {("board.holdouts", None), ("submission.holdouts", "a paper")} <= audited
    assert isinstance(planned(board, {"RND"}, {"RND"})[0], Holdout)
    told_of = [line for line in commands("ranking.md") if " holdout " in line]
    assert [shlex.split(line)[3] for line in told_of] == ["prepare", "ask", "show"]
    # with no family unseen, so that it takes seconds
    monkeypatch.setitem(ATTACK_METHODS, board.scenario, ["RND"])  # type: ignore[arg-type]
    for line in told_of:
        program, group, _, *arguments = shlex.split(line.replace("SUBMISSION", defense))
        assert (program, group) == ("grb", "admin")
        assert admin(*arguments).startswith("0 "), line
