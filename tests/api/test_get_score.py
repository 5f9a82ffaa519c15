"""GET /submissions/{id}/score: what a score is made of, and GET /submissions?mine."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from sqlalchemy import event

from api import views
from api.rankings import Rankings
from grbcore import catalog
from grbcore.store.tables import BoardRow, Submission
from tests.api.stage import BOARD, Stage

URL = "/api/v1/submissions"


def score(client: httpx.Client, submission: str, **query: str) -> dict[str, Any]:
    answer = client.get(f"{URL}/{submission}/score", params=query)
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def defense(stage: Stage) -> str:
    """A defense under two reference attacks and one that is none, with repeats of its own."""
    found = stage.entry("defense", "D", is_reference=True)
    first, second = (stage.entry("attack", name, is_reference=True) for name in ("A1", "A2"))
    other = stage.entry("attack", "A3")
    stage.cell(None, found, {"full": [90]})
    stage.cell(first, found, {"full": [50, 60, 70]})
    stage.cell(second, found, {"full": [60, 50, 80]})
    stage.cell(other, found, {"full": [10, 10, 10]})
    return found


def test_shares_are_weights_times_accuracies_in_each_repeat(
    client: httpx.Client, defense: str
) -> None:
    """Weights of three rows are 36, 9 and 4 of 49, worked out by hand."""
    found = score(client, defense)
    first, second, clean = (
        next(part for part in found["parts"] if part["counterpart"]["name"] == name)
        for name in ("A1", "A2", "without attack")
    )
    assert (first["places"], second["places"], clean["places"]) == ([1, 2, 1], [2, 1, 2], [3, 3, 3])
    assert first["weights"] == pytest.approx([36 / 49, 9 / 49, 36 / 49])
    assert first["share"] == pytest.approx((36 * 0.5 + 9 * 0.6 + 36 * 0.7) / 49 / 3)
    assert clean["accuracies"] == [0.9]
    assert [part["counterpart"]["name"] for part in found["parts"]] == [
        "A1",
        "A2",
        "without attack",
    ]


def test_the_shares_add_up_to_the_score_of_the_ranking(client: httpx.Client, defense: str) -> None:
    for view, rows in (("reference", 3), ("all", 4)):
        found = score(client, defense, view=view)
        ranking = client.get(
            f"/api/v1/boards/{BOARD}/leaderboard", params={"side": "defense", "view": view}
        ).json()["rows"][0]
        assert found["metrics"] == ranking["metrics"]["full"]
        assert found["rank"] == ranking["rank"] == 1
        assert len(found["parts"]) == found["metrics"]["n"] == rows
        shares = sum(part["share"] for part in found["parts"])
        assert shares == pytest.approx(found["metrics"]["weighted"]["mean"], abs=1e-12)


def test_it_tells_what_its_cells_were_computed_with(client: httpx.Client, defense: str) -> None:
    found = score(client, defense)["provenance"]
    assert found.pop("protocol")
    assert found == {
        "evaluator_versions": [1],
        "devices": ["cpu"],
        "software": ["torch 2.13.0"],
        "seconds": pytest.approx(1.5),
    }


def test_an_attack_is_made_of_the_defenses_that_hold_best(
    client: httpx.Client, stage: Stage
) -> None:
    attack = stage.entry("attack", "A", is_reference=True)
    for name, correct in (("weak", 20), ("strong", 80)):
        stage.cell(attack, stage.entry("defense", name, is_reference=True), {"full": [correct] * 3})
    found = score(client, attack)["parts"]
    assert [(part["counterpart"]["name"], part["places"]) for part in found] == [
        ("strong", [1, 1, 1]),
        ("weak", [2, 2, 2]),
    ]


def test_without_a_score_there_are_no_parts(client: httpx.Client, stage: Stage) -> None:
    waiting = stage.entry("defense", "D", state="evaluating")
    found = score(client, waiting)
    assert (found["rank"], found["metrics"], found["parts"]) == (None, None, [])


def test_what_is_not_public_shows_its_owner_what_it_would_have(
    client: httpx.Client, stage: Stage
) -> None:
    own = stage.entry("defense", "own", visibility="private")
    attack = stage.entry("attack", "A", is_reference=True)
    stage.cell(None, own, {"full": [95]})
    stage.cell(attack, own, {"full": [80, 80, 80]})
    assert client.get(f"{URL}/{own}/score").status_code == 404
    answer = client.get(f"{URL}/{own}/score", headers=stage.bearer("ann")).json()
    assert (answer["rank"], len(answer["parts"])) == (1, 2)


def test_many_counterparts_are_read_at_once(stage: Stage, defense: str) -> None:
    """As many statements for three counterparts as for thirteen."""

    def statements() -> int:
        seen: list[str] = []

        def count(_connection: object, _cursor: object, statement: str, *_: object) -> None:
            seen.append(statement)

        event.listen(stage.sessions.engine, "before_cursor_execute", count)
        with stage.sessions.reading() as session:
            entry = session.get_one(Submission, defense)
            found = views.submission_score(
                session,
                Rankings(),
                catalog.board(BOARD),
                session.get_one(BoardRow, BOARD),
                entry,
                view="all",
                difficulty="full",
                viewer=None,
            )
        event.remove(stage.sessions.engine, "before_cursor_execute", count)
        assert len(found.parts) == entries
        return len(seen)

    entries = 4
    few = statements()
    for number in range(10):
        attack = stage.entry("attack", f"more {number}")
        stage.cell(attack, defense, {"full": [1, 2, 3]})
    entries = 14
    assert statements() == few


def test_mine_lists_what_one_has_submitted(client: httpx.Client, stage: Stage) -> None:
    stage.entry("attack", "A", user="ann")
    own = stage.entry("attack", "B", user="bob", visibility="private")
    answer = client.get(URL, params={"mine": True}, headers=stage.bearer("bob")).json()
    assert [entry["id"] for entry in answer["submissions"]] == [own]
    assert client.get(URL, params={"mine": True}).status_code == 401


def test_an_entry_says_whether_it_is_ones_own(client: httpx.Client, stage: Stage) -> None:
    own = stage.entry("attack", "A", user="ann")
    said = {
        name: client.get(f"{URL}/{own}", headers=stage.bearer(name)).json()["yours"]
        for name in ("ann", "bob", "admin")
    }
    assert said == {"ann": True, "bob": False, "admin": False}
    assert client.get(f"{URL}/{own}").json()["yours"] is False
