"""POST /submissions: who may, the fields, and what an accepted upload becomes."""

from __future__ import annotations

import hashlib
import socket
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from kombu import Connection
from sqlalchemy import select

from grbcore.catalog import ATTACK_METHODS
from grbcore.needs import queue_of
from grbcore.settings import WAKE, Settings, celery_options
from grbcore.store.blobs import Blobs
from grbcore.store.tables import Submission
from tests.api.stage import (
    ATTACK,
    BOARD,
    DEFENSE,
    EMPTY,
    SUBMISSIONS,
    Stage,
    attack_file,
    defense_file,
    left_behind,
    places,
    problem,
    serve,
)


def messages(settings: Settings) -> Iterator[list]:
    """The arguments of every message in the broker, taken out."""
    options = celery_options(settings)
    with Connection(
        options["broker_url"], transport_options=options["broker_transport_options"]
    ) as connection:
        queue = connection.SimpleQueue(queue_of("cpu"))
        while True:
            try:
                message = queue.get(timeout=2)
            except queue.Empty:
                return
            message.ack()
            assert message.headers["task"] == WAKE
            yield message.payload[0]


# Accepted


def test_a_defense_is_202_received_and_says_where_to_watch(post, tmp_path: Path) -> None:
    answer = post(DEFENSE, defense_file(tmp_path))
    assert answer.status_code == 202, answer.text
    body = answer.json()
    assert body["state"] == "received"
    assert answer.headers["location"] == f"/api/v1/submissions/{body['id']}"
    assert body["url"] == f"/submissions/{body['id']}"


def test_a_defenses_header_and_family_are_read(post, tmp_path: Path) -> None:
    body = post({**DEFENSE, "adversarially_trained": "true"}, defense_file(tmp_path)).json()
    assert (body["architecture"], body["features"]) == ("GCN", "normalised")
    assert body["parameters"]["hidden"] == [4]
    assert body["family"] == "GCN+AT"


def test_an_attacks_header_is_read(post, tmp_path: Path) -> None:
    body = post({**ATTACK, "surrogate": "GCN"}, attack_file(tmp_path)).json()
    assert (body["difficulties"], body["repeats"]) == (["full"], 1)
    assert (body["family"], body["surrogate"]) == ("RND", "GCN")


def test_every_field_comes_back(post, tmp_path: Path) -> None:
    fields = {
        "team": "Team",
        "description": "# Ünïcode",
        "paper_url": "https://example.org/p",
        "code_url": "http://example.org/c",
    }
    body = post({**DEFENSE, **fields}, defense_file(tmp_path)).json()
    assert {key: body[key] for key in fields} == fields
    assert (body["name"], body["authors"], body["submitter"]) == ("My GCN", "Ann", "ann")


def test_the_bytes_are_stored_under_their_hash(post, stage: Stage, tmp_path: Path) -> None:
    path = defense_file(tmp_path)
    body = post(DEFENSE, path).json()
    assert body["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    assert body["bytes"] == path.stat().st_size
    assert stage.blobs.read(body["sha256"]) == path.read_bytes()


def test_fields_may_follow_the_file(client: httpx.Client, stage: Stage, tmp_path: Path) -> None:
    parts = [("file", ("f", defense_file(tmp_path).read_bytes()))]
    parts += [(name, (None, value)) for name, value in DEFENSE.items()]
    answer = client.post(SUBMISSIONS, files=parts, headers=stage.bearer())
    assert answer.status_code == 202, answer.text


def test_the_same_bytes_of_the_same_user_are_the_same_submission(post, tmp_path: Path) -> None:
    path = defense_file(tmp_path)
    first = post(DEFENSE, path)
    again = post({**DEFENSE, "name": "Another name"}, path)
    assert (first.status_code, again.status_code) == (202, 200)
    assert again.json()["id"] == first.json()["id"]
    assert again.json()["name"] == "My GCN"


def test_the_same_bytes_of_another_user_are_another_submission(post, tmp_path: Path) -> None:
    path = defense_file(tmp_path)
    first, second = post(DEFENSE, path), post(DEFENSE, path, user="bob")
    assert second.status_code == 202
    assert second.json()["id"] != first.json()["id"]


def test_other_bytes_are_the_next_attempt(post, tmp_path: Path) -> None:
    post(DEFENSE, defense_file(tmp_path))
    body = post(DEFENSE, defense_file(tmp_path, value=1.0)).json()
    assert (body["attempt"], body["attempts"]) == (2, 2)


def test_a_worker_is_woken_with_the_id(post, stage: Stage, tmp_path: Path) -> None:
    list(messages(stage.settings))
    body = post(DEFENSE, defense_file(tmp_path)).json()
    assert [body["id"]] in list(messages(stage.settings))


def test_without_a_broker_a_submission_is_received_all_the_same(
    stage: Stage, tmp_path: Path
) -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        nowhere = f"redis://127.0.0.1:{closed.getsockname()[1]}/0"
    settings = stage.settings.model_copy(update={"broker_url": nowhere})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        files = {"file": defense_file(tmp_path).read_bytes()}
        answer = client.post(SUBMISSIONS, data=DEFENSE, files=files, headers=stage.bearer())
        assert answer.status_code == 202
        assert client.get("/api/v1/health").status_code == 200
    assert stage.submissions() == 1


def test_the_temporary_file_is_gone(post, stage: Stage, tmp_path: Path) -> None:
    post(DEFENSE, defense_file(tmp_path))
    assert left_behind(stage) == []


# Who


@pytest.mark.parametrize("header", [{}, {"Authorization": "Basic YTpi"}])
def test_without_a_token_it_is_401(client: httpx.Client, tmp_path: Path, header: dict) -> None:
    files = {"file": defense_file(tmp_path).read_bytes()}
    answer = client.post(SUBMISSIONS, data=DEFENSE, files=files, headers=header)
    problem(answer, 401, "token")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("token", ["grb_wrong", "two words", "x" * 5000, "caf\xe9"])
def test_a_wrong_token_is_401(client: httpx.Client, tmp_path: Path, token: str) -> None:
    files = {"file": defense_file(tmp_path).read_bytes()}
    headers = {"Authorization": f"Bearer {token}".encode("latin-1")}
    problem(client.post(SUBMISSIONS, data=DEFENSE, files=files, headers=headers), 401, "token")


# Fields


def test_all_missing_fields_are_named_at_once(post, tmp_path: Path) -> None:
    body = problem(post({}, defense_file(tmp_path)), 422, "invalid-fields")
    assert places(body) == {"body/board", "body/side", "body/name", "body/authors"}


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("name", "x" * 81),
        ("name", "   "),
        ("name", "a\0b"),
        ("authors", "x" * 401),
        ("team", "x" * 81),
        ("description", "x" * 20_001),
        ("description", "x" * 200_000),
        ("paper_url", "javascript:alert(1)"),
        ("code_url", "ftp://example.org"),
        ("adversarially_trained", "perhaps"),
        ("side", "both"),
        ("colour", "red"),
    ],
)
def test_a_field_out_of_bounds_is_422_with_its_place(
    post, stage: Stage, tmp_path: Path, field: str, value: str
) -> None:
    body = problem(post({**DEFENSE, field: value}, defense_file(tmp_path)), 422, "invalid-fields")
    assert places(body) == {f"body/{field}"}
    assert stage.submissions() == 0


@pytest.mark.parametrize("family", ["", "Unheard", "other:", "other: "])
def test_an_attack_needs_a_family_of_the_catalog_or_other(
    post, tmp_path: Path, family: str
) -> None:
    body = problem(post({**ATTACK, "family": family}, attack_file(tmp_path)), 422, "invalid-fields")
    assert places(body) == {"body/family"}
    assert "other:<name>" in body["violations"][0]["allowed"]


@pytest.mark.parametrize("family", ATTACK_METHODS["injection"])
def test_every_method_of_the_catalog_is_a_family(post, tmp_path: Path, family: str) -> None:
    body = post({**ATTACK, "family": family}, attack_file(tmp_path)).json()
    assert body.get("family") == family, body


def test_another_family_is_named_freely(post, tmp_path: Path) -> None:
    body = post({**ATTACK, "family": "other:Mine"}, attack_file(tmp_path)).json()
    assert body["family"] == "other:Mine"


def test_a_field_given_twice_is_422(client: httpx.Client, stage: Stage, tmp_path: Path) -> None:
    parts = [(name, (None, value)) for name, value in DEFENSE.items()]
    parts += [("name", (None, "again")), ("file", ("f", defense_file(tmp_path).read_bytes()))]
    body = problem(
        client.post(SUBMISSIONS, files=parts, headers=stage.bearer()), 422, "invalid-fields"
    )
    assert places(body) == {"body/name"}


def test_text_that_is_not_utf8_is_422(client: httpx.Client, stage: Stage) -> None:
    parts = [("name", (None, b"\xff\xfe"))]
    answer = client.post(SUBMISSIONS, files=parts, headers=stage.bearer())
    assert places(problem(answer, 422, "invalid-fields")) == {"body/name"}


def test_an_unknown_board_is_404_and_names_those_there_are(post, tmp_path: Path) -> None:
    answer = post({**DEFENSE, "board": "digits/nope@1"}, defense_file(tmp_path))
    assert BOARD in problem(answer, 404, "board-unknown")["message"]


def test_a_board_without_data_is_409(post, tmp_path: Path) -> None:
    answer = post({**DEFENSE, "board": EMPTY}, defense_file(tmp_path))
    assert "grb datasets fetch grb-reddit" in problem(answer, 409, "no-data")["message"]


# Parts that are missing


def test_without_a_blob_store_it_is_503_and_nothing_is_stored(stage: Stage, tmp_path: Path) -> None:
    with serve(stage.settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        folder = Path(urlsplit(stage.settings.blob_url).path)
        for child in folder.rglob("*"):
            assert not child.is_file()
        folder.rmdir()
        folder.write_text("a file where the folder was")
        files = {"file": defense_file(tmp_path).read_bytes()}
        answer = client.post(SUBMISSIONS, data=DEFENSE, files=files, headers=stage.bearer())
        problem(answer, 503, "unavailable")
    assert stage.submissions() == 0


def test_an_upload_is_whole_in_the_database(post, stage: Stage, tmp_path: Path) -> None:
    body = post(DEFENSE, defense_file(tmp_path)).json()
    with stage.sessions.reading() as session:
        [row] = session.scalars(select(Submission)).all()
    assert (row.id, row.side, row.board_id) == (body["id"], "defense", BOARD)
    assert Blobs(stage.settings.blob_url).exists(row.sha256)
