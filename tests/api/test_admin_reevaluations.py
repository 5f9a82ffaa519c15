"""Re-evaluations by REST: who may, what is told, and what everybody sees before and after."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import httpx
import pytest
from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.scenario import Side
from grbcore.store.queue import claim_cells
from grbcore.store.recovery import retry_cell
from grbcore.store.registration import fail_cell, finish_cell
from grbcore.store.results import CellResult
from grbcore.store.session import now
from grbcore.store.tables import CellRow, Reevaluation
from tests import tables
from tests.api.stage import BOARD, EMPTY, START, Stage, places, problem

JOBS = "/api/v1/admin/reevaluations"
AUDIT = "/api/v1/admin/audit"
HISTORY = f"/api/v1/boards/{BOARD}/history"
NOBODY = "01ARZ3NDEKTSV4RRFFQ69G5FAV"
OWNER = "host/1/first"

Pair = tuple[str | None, str]


@dataclass
class Board:
    """Two attacks and two defenses, the first of each a reference; every cell is measured."""

    stage: Stage
    ids: dict[str, str]

    def pair(self, attack: str | None, defense: str) -> Pair:
        return (None if attack is None else self.ids[attack], self.ids[defense])


@pytest.fixture
def board(stage: Stage) -> Board:
    ids = {
        "A": stage.entry("attack", "A", is_reference=True),
        "B": stage.entry("attack", "B"),
        "D": stage.entry("defense", "D", is_reference=True),
        "E": stage.entry("defense", "E"),
    }
    for attack, defense, count in (
        (None, "D", 90),
        (None, "E", 80),
        ("A", "D", 70),
        ("A", "E", 60),
        ("B", "D", 50),
        ("B", "E", 40),
    ):
        pair = (None if attack is None else ids[attack], ids[defense])
        stage.cell(*pair, {"full": [count] * (1 if attack is None else 3)})
    return Board(stage, ids)


class Admin:
    """The API as an admin uses it."""

    def __init__(self, client: httpx.Client, stage: Stage) -> None:
        self.client = client
        self.headers = stage.bearer("admin")

    def get(self, path: str, **query: Any) -> httpx.Response:
        return self.client.get(path, params=query, headers=self.headers)

    def post(self, path: str, body: Any = None) -> httpx.Response:
        return self.client.post(path, json=body or {}, headers=self.headers)

    def create(self, **selection: Any) -> str:
        asked = {"board": BOARD, "selection": selection, "reason": "a faulty GPU"}
        answer = self.post(JOBS, asked)
        assert answer.status_code == 201, answer.text
        assert answer.headers["Location"] == f"{JOBS}/{answer.json()['id']}"
        return str(answer.json()["id"])

    def apply(self, job: str) -> httpx.Response:
        revision = self.get(f"{JOBS}/{job}/preview").json()["revision"]
        return self.post(f"{JOBS}/{job}/apply", {"revision": revision})


@pytest.fixture
def admin(client: httpx.Client, stage: Stage) -> Admin:
    return Admin(client, stage)


def compute(board: Board, counts: Mapping[Pair, int], otherwise: int = 50) -> None:
    """Finish every cell that waits, with these counts of a hundred."""
    while True:
        with board.stage.sessions.writing() as session:
            batch = claim_cells(session, OWNER, now())
        if batch is None:
            return
        for cell in batch.cells:
            pair = (cell.attack.id if cell.attack else None, cell.defense.id)
            repeats = 3 if cell.attack else 1
            result = CellResult(
                correct={"full": [counts.get(pair, otherwise)] * repeats},
                total={"full": 100},
                not_finite={"full": [0] * repeats},
                hits_sha256="a" * 64,
                device="cpu",
                seconds=0.5,
                versions={"torch": "2.13.0"},
            )
            with board.stage.sessions.writing() as session:
                assert finish_cell(session, cell.id, batch.token, result, now())


def spoil(board: Board, spoiled: Callable[[Session, str, str], bool]) -> None:
    """End every cell that waits, until none does, as if it were some hours later."""
    moment = now()
    while True:
        moment += timedelta(hours=1)
        with board.stage.sessions.writing() as session:
            batch = claim_cells(session, OWNER, moment)
        if batch is None:
            return
        for cell in batch.cells:
            with board.stage.sessions.writing() as session:
                assert spoiled(session, cell.id, batch.token)


def kill(board: Board) -> None:
    """End every cell that waits by two dead evaluators."""

    def killed(session: Session, cell_id: str, token: str) -> bool:
        reason = "ended by signal 9"
        return retry_cell(
            session, cell_id, token, code="killed", reason=reason, killed=True, now=now()
        )

    spoil(board, killed)


def fail(board: Board, side: Side) -> None:
    """End every cell that waits through a fault of its entry of this side."""

    def failed(session: Session, cell_id: str, token: str) -> bool:
        return fail_cell(
            session, cell_id, token, code="shape", reason="9 classes", side=side, now=now()
        )

    spoil(board, failed)


#: E overtakes D.
OVERTAKEN = {(None, "D"): 90, (None, "E"): 95, ("A", "D"): 30, ("A", "E"): 60}


def counts(board: Board, named: Mapping[tuple[str | None, str], int]) -> dict[Pair, int]:
    return {board.pair(*pair): count for pair, count in named.items()}


def ranking(client: httpx.Client) -> list[tuple[int, str]]:
    rows = client.get(f"/api/v1/boards/{BOARD}/leaderboard").json()["rows"]
    return [(row["rank"], row["entry"]["name"]) for row in rows]


# Who may

ROUTES = [
    ("POST", JOBS),
    ("GET", JOBS),
    ("GET", f"{JOBS}/{NOBODY}"),
    ("GET", f"{JOBS}/{NOBODY}/preview"),
    ("POST", f"{JOBS}/{NOBODY}/start"),
    ("POST", f"{JOBS}/{NOBODY}/apply"),
    ("POST", f"{JOBS}/{NOBODY}/cancel"),
    ("POST", f"{JOBS}/{NOBODY}/requeue"),
    ("GET", AUDIT),
    ("POST", f"/api/v1/submissions/{NOBODY}/hide"),
    ("POST", f"/api/v1/submissions/{NOBODY}/show"),
    ("POST", f"/api/v1/submissions/{NOBODY}/revalidate"),
    ("POST", f"/api/v1/cells/{NOBODY}/requeue"),
]


def test_none_of_it_is_for_anybody_but_admins(client: httpx.Client, stage: Stage) -> None:
    for method, path in ROUTES:
        problem(client.request(method, path, json={}), 401, "token")
        found = client.request(method, path, json={}, headers=stage.bearer("ann"))
        assert problem(found, 403, "not-admin")["message"] == "role: found user, allowed: admin"


@pytest.mark.parametrize("job", [NOBODY, "nothing"])
def test_a_re_evaluation_that_does_not_exist_is_404(admin: Admin, job: str) -> None:
    for path in (f"{JOBS}/{job}", f"{JOBS}/{job}/preview"):
        problem(admin.get(path), 404, "reevaluation-unknown")
    for action, body in (
        ("start", {}),
        ("apply", {"revision": 1}),
        ("cancel", {"reason": "x"}),
        ("requeue", {"reason": "x"}),
    ):
        problem(admin.post(f"{JOBS}/{job}/{action}", body), 404, "reevaluation-unknown")


def test_what_is_asked_wrongly_is_told_place_by_place(admin: Admin, board: Board) -> None:
    selection = {"states": ["broken"], "side": "both", "colour": "red"}
    asked = {"board": BOARD, "selection": selection, "reason": "  "}
    body = problem(admin.post(JOBS, asked), 422, "invalid-fields")
    fields = ("reason", "selection/states/0", "selection/side", "selection/colour")
    assert places(body) >= {f"body/{field}" for field in fields}
    asked = {"board": "digits/nothing@9", "reason": "x"}
    problem(admin.post(JOBS, asked), 404, "board-unknown")


# Planning and creating


def test_a_dry_run_tells_the_plan_and_writes_nothing(admin: Admin, board: Board) -> None:
    selection = {"submissions": [board.ids["E"]]}
    asked = {"board": BOARD, "selection": selection, "reason": "x", "dry_run": True}
    answer = admin.post(JOBS, asked)
    assert answer.status_code == 200
    plan = answer.json()
    assert (plan["board"], plan["protocol"]) == (BOARD, board.stage.protocol)
    assert (plan["cells"], plan["attacks"], plan["defenses"]) == (3, 2, 1)
    assert plan["seconds"] == pytest.approx(3 * 0.5)
    assert plan["expected"] is None  # no worker is alive
    assert admin.get(JOBS).json() == {"reevaluations": [], "next": None}
    assert admin.get(AUDIT).json()["entries"] == []


def test_one_that_is_created_runs_and_tells_how_far_it_is(admin: Admin, board: Board) -> None:
    job = admin.create(side="attack", submissions=[board.ids["A"]])
    found = admin.get(f"{JOBS}/{job}").json()
    assert (found["state"], found["cells"], found["author"]) == ("running", 2, "admin")
    assert found["reason"] == "a faulty GPU"
    assert found["selection"]["submissions"] == [board.ids["A"]]
    assert found["progress"] == {
        **dict.fromkeys(("running", "done", "failed", "dead"), 0),
        "queued": 2,
        "seconds_left": None,
    }
    compute(board, {})
    found = admin.get(f"{JOBS}/{job}").json()
    assert (found["state"], found["progress"]["done"]) == ("ready", 2)
    assert found["ready_at"] is not None


def test_they_are_listed_newest_first_and_page_by_page(admin: Admin, board: Board) -> None:
    jobs = [admin.create(submissions=[board.ids[name]]) for name in "ABE"]
    admin.post(f"{JOBS}/{jobs[0]}/cancel", {"reason": "x"})

    def listed(**query: Any) -> list[str]:
        return [job["id"] for job in admin.get(JOBS, **query).json()["reevaluations"]]

    assert listed() == jobs[::-1]
    assert listed(state="running") == [jobs[2], jobs[1]]
    assert listed(board=EMPTY) == []
    first = admin.get(JOBS, limit=2).json()
    assert [job["id"] for job in first["reevaluations"]] == [jobs[2], jobs[1]]
    assert listed(limit=2, cursor=first["next"]) == [jobs[0]]


# Before it is applied


def test_until_it_is_applied_nobody_sees_anything(
    client: httpx.Client, admin: Admin, board: Board
) -> None:
    def public() -> list[Any]:
        url = f"/api/v1/boards/{BOARD}"
        paths = (url, f"{url}/leaderboard", f"{url}/matrix?view=all", f"{url}/history")
        entries = [f"/api/v1/submissions/{entry}" for entry in board.ids.values()]
        return [client.get(path).json() for path in (*paths, *entries)]

    before = public()
    admin.create()
    assert public() == before
    compute(board, counts(board, OVERTAKEN))
    assert public() == before


def test_its_cells_are_for_admins_only(client: httpx.Client, admin: Admin, board: Board) -> None:
    job = admin.create()
    shadow = shadow_cell(board, job)
    problem(client.get(f"/api/v1/cells/{shadow}"), 404, "cell-unknown")
    assert client.get(f"/cells/{shadow}").status_code == 404
    found = client.get(f"/api/v1/cells/{shadow}", headers=board.stage.bearer("ann"))
    problem(found, 404, "cell-unknown")
    assert admin.get(f"/api/v1/cells/{shadow}").json()["state"] == "queued"


def shadow_cell(board: Board, job: str) -> str:
    """A cell of a re-evaluation that is not decided; its id."""
    with board.stage.sessions.reading() as session:
        query = select(CellRow.id).where(CellRow.reevaluation_id == job).order_by(CellRow.id)
        return session.scalars(query.where(CellRow.place == "shadow").limit(1)).one()


def test_the_preview_tells_ranks_and_the_largest_differences(admin: Admin, board: Board) -> None:
    job = admin.create()
    compute(board, counts(board, OVERTAKEN))
    found = admin.get(f"{JOBS}/{job}/preview").json()
    assert (found["view"], found["difficulty"], found["state"]) == ("reference", "full", "ready")
    ranks = {
        change["entry"]["name"]: (change["rank_before"], change["rank_after"])
        for change in found["defenses"]
    }
    assert ranks == {"D": (1, 2), "E": (2, 1)}
    largest = found["largest"][0]
    assert (largest["attack"]["name"], largest["defense"]["name"]) == ("A", "D")
    assert (largest["before"], largest["after"]) == (pytest.approx(0.7), pytest.approx(0.3))
    # (clean, E), (A, D) and (B, E) differ; both defenses change places, and so do both attacks
    assert (found["changed"], found["moved"], found["unfinished"]) == (3, 4, 0)
    assert [found[name] for name in ("unmeasured", "failing", "waiting", "revived")] == [[]] * 4


def test_a_preview_of_what_still_runs_tells_how_much_is_missing(admin: Admin, board: Board) -> None:
    job = admin.create(submissions=[board.ids["E"]], side="defense")
    found = admin.get(f"{JOBS}/{job}/preview", view="all", difficulty="hard").json()
    assert (found["view"], found["difficulty"]) == ("all", "hard")
    assert (found["state"], found["unfinished"], found["moved"]) == ("running", 3, 0)


def test_the_preview_names_who_will_fail_and_why(
    client: httpx.Client, admin: Admin, board: Board
) -> None:
    job = admin.create(submissions=[board.ids["E"]])
    fail(board, "defense")
    found = admin.get(f"{JOBS}/{job}/preview").json()
    clean = next(cell for cell in found["unmeasured"] if cell["attack"]["id"] == "clean")
    assert (clean["defense"]["name"], clean["blamed"]["name"]) == ("E", "E")
    assert (clean["state"], clean["code"], clean["reason"]) == ("failed", "shape", "9 classes")
    assert [entry["name"] for entry in found["failing"]] == ["E"]
    assert admin.apply(job).status_code == 200
    entry = client.get(f"/api/v1/submissions/{board.ids['E']}").json()
    assert (entry["state"], entry["reason"]) == ("failed", "9 classes")
    assert ranking(client) == [(1, "D")]


# Applying


def test_applying_puts_new_results_in_the_place_of_the_old_ones(
    client: httpx.Client, admin: Admin, board: Board
) -> None:
    job = admin.create()
    compute(board, counts(board, OVERTAKEN))
    assert ranking(client) == [(1, "D"), (2, "E")]
    answer = admin.apply(job)
    assert answer.status_code == 200, answer.text
    applied = answer.json()
    assert (applied["state"], applied["decided_by"]) == ("applied", "admin")
    assert ranking(client) == [(1, "E"), (2, "D")]


def test_everybody_reads_when_and_why_results_were_replaced(
    client: httpx.Client, admin: Admin, board: Board
) -> None:
    assert client.get(HISTORY).json() == {
        "board": BOARD,
        "coming": None,
        "applied": [],
        "next": None,
    }
    job = admin.create()
    compute(board, counts(board, OVERTAKEN))
    decided = admin.apply(job).json()["decided_at"]
    assert client.get(HISTORY).json()["applied"] == [
        {
            "id": job,
            "at": decided,
            "reason": "a faulty GPU",
            "protocol": board.stage.protocol,
            "cells": 6,
            "changed": 3,
            "ranks": 4,
        }
    ]
    shown = tables.tables(client.get(f"/boards/{BOARD}").text)["history"]
    assert shown[1][1:] == ["a faulty GPU", "6", "3", "4", board.stage.protocol]


def test_a_board_that_does_not_exist_has_no_history(client: httpx.Client, stage: Stage) -> None:
    problem(client.get("/api/v1/boards/digits/nothing@9/history"), 404, "board-unknown")
    problem(client.get(HISTORY, params={"cursor": "x"}), 422, "invalid-fields")


def test_the_history_comes_page_by_page_latest_first(
    client: httpx.Client, admin: Admin, board: Board
) -> None:
    jobs = [admin.create(submissions=[board.ids[name]]) for name in "ABE"]
    compute(board, {})
    for job in jobs:
        assert admin.apply(job).status_code == 200
    first = client.get(HISTORY, params={"limit": 2}).json()
    assert [job["id"] for job in first["applied"]] == [jobs[2], jobs[1]]
    second = client.get(HISTORY, params={"limit": 2, "cursor": first["next"]}).json()
    assert ([job["id"] for job in second["applied"]], second["next"]) == ([jobs[0]], None)


def test_a_result_that_was_replaced_stays_and_leads_to_the_new_one(
    client: httpx.Client, admin: Admin, board: Board
) -> None:
    def shown() -> dict[str, Any]:
        cells = client.get(f"/api/v1/boards/{BOARD}/matrix").json()["cells"]
        pair = board.pair("A", "D")
        (found,) = [cell for cell in cells if (cell["attack"], cell["defense"]) == pair]
        return found

    first = shown()["id"]
    for count in (30, 20):
        job = admin.create(submissions=[board.ids["A"]])
        compute(board, {}, otherwise=count)
        assert admin.apply(job).status_code == 200
    last = client.get(f"/api/v1/cells/{shown()['id']}").json()
    assert last["accuracy"]["full"]["mean"] == pytest.approx(0.2)
    assert (last["replaced_at"], last["replaced_by"]) == (None, None)
    second, oldest = last["earlier"]
    assert oldest["id"] == first
    assert [r["accuracy"]["full"]["mean"] for r in (second, oldest)] == pytest.approx([0.3, 0.7])
    past = client.get(f"/api/v1/cells/{first}").json()
    assert past["replaced_by"] == second["id"]
    assert past["replaced_at"] == oldest["replaced_at"]
    assert past["earlier"] == []
    html = client.get(f"/cells/{first}").text
    assert "This result was replaced on" in html and f'href="/cells/{second["id"]}"' in html
    earlier = tables.tables(client.get(f"/cells/{last['id']}").text)["earlier"]
    assert [row[4] for row in earlier[1:]] == ["30.00 ±0.00", "70.00 ±0.00"]


def test_a_board_that_changed_since_the_preview_is_409(admin: Admin, board: Board) -> None:
    job = admin.create()
    compute(board, {})
    revision = admin.get(f"{JOBS}/{job}/preview").json()["revision"]
    board.stage.change(board.ids["E"], name="E, renamed")  # raises the revision
    body = problem(admin.post(f"{JOBS}/{job}/apply", {"revision": revision}), 409, "changed")
    assert str(revision) in body["message"]
    assert admin.get(f"{JOBS}/{job}").json()["state"] == "ready"


def test_what_still_runs_is_not_applied(admin: Admin, board: Board) -> None:
    job = admin.create()
    message = problem(admin.apply(job), 409, "state")["message"]
    assert "running" in message and "ready" in message


def test_of_two_admins_who_apply_at_once_one_is_told(admin: Admin, board: Board) -> None:
    job = admin.create()
    compute(board, {})
    revision = admin.get(f"{JOBS}/{job}/preview").json()["revision"]

    def apply(_: int) -> int:
        return admin.post(f"{JOBS}/{job}/apply", {"revision": revision}).status_code

    with ThreadPoolExecutor(4) as pool:
        assert sorted(pool.map(apply, range(4))) == [200, 409, 409, 409]


# Cancelling, starting, requeueing


def test_one_that_is_cancelled_leaves_no_trace_on_the_board(
    client: httpx.Client, admin: Admin, board: Board
) -> None:
    job = admin.create()
    compute(board, counts(board, OVERTAKEN))
    found = admin.post(f"{JOBS}/{job}/cancel", {"reason": "all the same"}).json()
    assert (found["state"], found["decided_by"]) == ("cancelled", "admin")
    assert ranking(client) == [(1, "D"), (2, "E")]
    assert client.get(HISTORY).json()["applied"] == []
    for action, body in (("cancel", {"reason": "x"}), ("apply", {"revision": 1}), ("start", {})):
        message = problem(admin.post(f"{JOBS}/{job}/{action}", body), 409, "state")["message"]
        assert "cancelled" in message and "allowed" in message


def test_one_that_is_proposed_says_that_newcomers_wait_until_it_is_applied(
    client: httpx.Client, admin: Admin, board: Board
) -> None:
    with board.stage.sessions.writing() as session:
        job = Reevaluation(
            board_id=BOARD,
            protocol="f" * 16,
            selection={},
            reason="the files of the data changed",
            state="proposed",
            created_at=START,
        )
        session.add(job)
        session.flush()
        job_id = job.id
    coming = client.get(HISTORY).json()["coming"]
    assert (coming["id"], coming["state"], coming["protocol"]) == (job_id, "proposed", "f" * 16)
    assert "Newcomers wait" in client.get(f"/boards/{BOARD}").text
    assert admin.get(f"{JOBS}/{job_id}").json()["author"] is None
    started = admin.post(f"{JOBS}/{job_id}/start")
    assert (started.status_code, started.json()["state"]) == (200, "running")
    assert client.get(HISTORY).json()["coming"]["cells"] == 6
    compute(board, {})
    old = client.get(f"/api/v1/boards/{BOARD}/matrix").json()["cells"][0]["id"]
    decided = admin.apply(job_id).json()["decided_at"]
    assert client.get(HISTORY).json()["coming"] is None
    past = client.get(f"/api/v1/cells/{old}").json()
    assert past["replaced_at"] == decided
    new = client.get(f"/api/v1/cells/{past['replaced_by']}").json()
    assert new["provenance"]["protocol"] == "f" * 16
    assert [result["id"] for result in new["earlier"]] == [old]
    assert client.get(f"/api/v1/boards/{BOARD}").json()["protocol"] == "f" * 16


def test_its_dead_cells_get_their_attempts_back(admin: Admin, board: Board) -> None:
    job = admin.create(submissions=[board.ids["E"]])
    kill(board)
    assert admin.get(f"{JOBS}/{job}").json()["progress"]["dead"] == 3
    answer = admin.post(f"{JOBS}/{job}/requeue", {"reason": "a new driver"})
    assert (answer.status_code, answer.json()) == (200, {"cells": 3})
    found = admin.get(f"{JOBS}/{job}").json()
    assert (found["state"], found["progress"]["queued"]) == ("running", 3)


# The audit log


def test_the_audit_log_tells_who_did_what_and_why(admin: Admin, board: Board) -> None:
    kept = admin.create()
    compute(board, {})
    admin.apply(kept)
    dropped = admin.create()
    admin.post(f"{JOBS}/{dropped}/cancel", {"reason": "all the same"})
    entries = admin.get(AUDIT).json()["entries"]
    told = [(e["action"], e["subject_id"], e["user"], e["via"], e["reason"]) for e in entries]
    assert told == [
        ("reevaluation.cancel", dropped, "admin", "api", "all the same"),
        ("reevaluation.create", dropped, "admin", "api", "a faulty GPU"),
        ("reevaluation.apply", kept, "admin", "api", None),
        ("reevaluation.create", kept, "admin", "api", "a faulty GPU"),
    ]
    of_one = admin.get(AUDIT, subject_kind="reevaluation", subject_id=kept).json()["entries"]
    assert [entry["id"] for entry in of_one] == [entry["id"] for entry in entries[2:]]
    first = admin.get(AUDIT, limit=3).json()
    second = admin.get(AUDIT, limit=3, cursor=first["next"]).json()
    assert first["entries"] + second["entries"] == entries
    assert second["next"] is None


# Single submissions and cells


def audited(admin: Admin, subject: str) -> list[tuple[str, str]]:
    entries = admin.get(AUDIT, subject_id=subject).json()["entries"]
    return [(entry["action"], entry["reason"]) for entry in entries]


def test_an_entry_is_hidden_and_shown_again_on_record(
    client: httpx.Client, admin: Admin, board: Board
) -> None:
    url, entry = f"/api/v1/submissions/{board.ids['E']}", board.ids["E"]
    assert admin.post(f"{url}/hide", {"reason": "copied"}).json()["hidden"] is True
    assert admin.post(f"{url}/hide", {"reason": "again"}).status_code == 200
    assert ranking(client) == [(1, "D")]
    assert admin.post(f"{url}/show", {"reason": "cleared"}).json()["hidden"] is False
    assert ranking(client) == [(1, "D"), (2, "E")]
    assert audited(admin, entry) == [("submission.show", "cleared"), ("submission.hide", "copied")]


def test_a_validation_that_stopped_starts_afresh_on_record(admin: Admin, board: Board) -> None:
    entry = board.stage.entry("attack", "C", state="received", attempts=4, reason="stopped")
    url = f"/api/v1/submissions/{entry}/revalidate"
    found = admin.post(url, {"reason": "a new disk"}).json()
    assert (found["state"], found["reason"]) == ("received", None)
    assert audited(admin, entry) == [("submission.revalidate", "a new disk")]
    ranked = f"/api/v1/submissions/{board.ids['A']}/revalidate"
    message = problem(admin.post(ranked, {"reason": "x"}), 409, "state")["message"]
    assert message.endswith("found state ranked, allowed: received")


def test_a_dead_cell_is_requeued_on_record(admin: Admin, board: Board) -> None:
    entry = board.stage.entry("defense", "F", state="evaluating")
    dead = board.stage.cell(None, entry, state="dead", reason="x", finished_at=START)
    found = admin.post(f"/api/v1/cells/{dead}/requeue", {"reason": "a new driver"}).json()
    assert (found["state"], found["attempts"]) == ("queued", 0)
    assert audited(admin, dead) == [("cell.requeue", "a new driver")]
    again = problem(admin.post(f"/api/v1/cells/{dead}/requeue", {"reason": "x"}), 409, "state")
    assert again["message"].endswith("found state queued, allowed: dead")


@pytest.mark.parametrize(
    "path",
    ["submissions/{}/hide", "submissions/{}/show", "submissions/{}/revalidate", "cells/{}/requeue"],
)
def test_what_does_not_exist_is_404(
    admin: Admin, path: str, post: Callable[..., httpx.Response]
) -> None:
    kind = path.partition("/")[0].removesuffix("s")
    answer = admin.post(f"/api/v1/{path.format(NOBODY)}", {"reason": "x"})
    problem(answer, 404, f"{kind}-unknown")
    problem(admin.post(f"/api/v1/{path.format(NOBODY)}"), 422, "invalid-fields")
