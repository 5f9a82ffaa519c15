"""POST /submissions."""

from __future__ import annotations

import hashlib
import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from kombu import Connection
from sqlalchemy import select

from api import uploads
from grbcore.catalog import ATTACK_METHODS
from grbcore.settings import QUEUE, WAKE, Settings, celery_options
from grbcore.store.blobs import Blobs
from grbcore.store.tables import Submission
from tests.api.stage import BOARD, EMPTY, Stage, attack_file, defense_file, problem, serve

URL = "/api/v1/submissions"
DEFENSE = {"board": BOARD, "side": "defense", "name": "My GCN", "authors": "Ann"}
ATTACK = {"board": BOARD, "side": "attack", "name": "Mine", "authors": "Ann", "family": "RND"}


@pytest.fixture
def post(client: httpx.Client, stage: Stage):
    """Submits a file as ann, or as another user."""

    def submit(fields: dict, file: Path | bytes, user: str = "ann") -> httpx.Response:
        content = file if isinstance(file, bytes) else file.read_bytes()
        files = {"file": ("upload", content)}
        return client.post(URL, data=fields, files=files, headers=stage.bearer(user))

    return submit


def places(body: dict) -> set[str]:
    return {violation["place"] for violation in body["violations"]}


def left_behind(stage: Stage) -> list[Path]:
    return list((stage.settings.var_dir / "incoming").glob("*"))


def messages(settings: Settings) -> Iterator[list]:
    """The arguments of every message in the broker, taken out."""
    options = celery_options(settings)
    with Connection(
        options["broker_url"], transport_options=options["broker_transport_options"]
    ) as connection:
        queue = connection.SimpleQueue(QUEUE)
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
    answer = client.post(URL, files=parts, headers=stage.bearer())
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
        answer = client.post(URL, data=DEFENSE, files=files, headers=stage.bearer())
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
    answer = client.post(URL, data=DEFENSE, files=files, headers=header)
    problem(answer, 401, "token")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("token", ["grb_wrong", "two words", "x" * 5000, "caf\xe9"])
def test_a_wrong_token_is_401(client: httpx.Client, tmp_path: Path, token: str) -> None:
    files = {"file": defense_file(tmp_path).read_bytes()}
    headers = {"Authorization": f"Bearer {token}".encode("latin-1")}
    problem(client.post(URL, data=DEFENSE, files=files, headers=headers), 401, "token")


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


@pytest.mark.parametrize("family", ATTACK_METHODS)
def test_every_method_of_the_catalog_is_a_family(post, tmp_path: Path, family: str) -> None:
    body = post({**ATTACK, "family": family}, attack_file(tmp_path)).json()
    assert body.get("family") == family, body


def test_another_family_is_named_freely(post, tmp_path: Path) -> None:
    body = post({**ATTACK, "family": "other:Mine"}, attack_file(tmp_path)).json()
    assert body["family"] == "other:Mine"


def test_a_field_given_twice_is_422(client: httpx.Client, stage: Stage, tmp_path: Path) -> None:
    parts = [(name, (None, value)) for name, value in DEFENSE.items()]
    parts += [("name", (None, "again")), ("file", ("f", defense_file(tmp_path).read_bytes()))]
    body = problem(client.post(URL, files=parts, headers=stage.bearer()), 422, "invalid-fields")
    assert places(body) == {"body/name"}


def test_text_that_is_not_utf8_is_422(client: httpx.Client, stage: Stage) -> None:
    parts = [("name", (None, b"\xff\xfe"))]
    answer = client.post(URL, files=parts, headers=stage.bearer())
    assert places(problem(answer, 422, "invalid-fields")) == {"body/name"}


def test_an_unknown_board_is_404_and_names_those_there_are(post, tmp_path: Path) -> None:
    answer = post({**DEFENSE, "board": "digits/nope@1"}, defense_file(tmp_path))
    assert BOARD in problem(answer, 404, "board-unknown")["message"]


def test_a_board_without_data_is_409(post, tmp_path: Path) -> None:
    answer = post({**DEFENSE, "board": EMPTY}, defense_file(tmp_path))
    assert "grb datasets fetch grb-reddit" in problem(answer, 409, "no-data")["message"]


# The file


def test_no_file_is_422(client: httpx.Client, stage: Stage) -> None:
    parts = [(name, (None, value)) for name, value in DEFENSE.items()]
    answer = client.post(URL, files=parts, headers=stage.bearer())
    assert places(problem(answer, 422, "invalid-fields")) == {"body/file"}


def test_an_empty_file_is_422(post) -> None:
    body = problem(post(DEFENSE, b""), 422, "invalid-fields")
    assert body["violations"][0]["found"] == "an empty file"


def test_two_files_are_422(client: httpx.Client, stage: Stage) -> None:
    parts = [("file", ("a", b"1")), ("file", ("b", b"2"))]
    answer = client.post(URL, data=DEFENSE, files=parts, headers=stage.bearer())
    assert problem(answer, 422, "invalid-fields")["violations"][0]["found"] == "two files"


def test_a_file_in_another_field_is_422(client: httpx.Client, stage: Stage) -> None:
    answer = client.post(URL, data=DEFENSE, files={"weights": b"1"}, headers=stage.bearer())
    assert places(problem(answer, 422, "invalid-fields")) == {"body/weights"}


def test_a_file_that_is_refused_names_every_violation_and_stores_nothing(
    post, stage: Stage, tmp_path: Path
) -> None:
    """A GCN for 100 features: its first weight is (4, 100) where digits has (4, 64)."""
    path = defense_file(tmp_path, features=100)
    body = problem(post(DEFENSE, path), 422, "invalid-file")
    [violation] = body["violations"]
    assert violation["code"] == "shape"
    assert "100" in violation["found"] and "64" in violation["allowed"]
    assert stage.submissions() == 0
    assert not stage.blobs.exists(hashlib.sha256(path.read_bytes()).hexdigest())
    assert left_behind(stage) == []


@pytest.mark.parametrize(
    ("side", "content"),
    [
        ("defense", b"not weights"),
        ("defense", b"\x80\x04\x95" + b"\0" * 100),  # a pickle
        ("attack", b"not a zip"),
        ("attack", b"PK\x03\x04" + b"\0" * 100),
        ("attack", b"PK\x05\x06" + b"\0" * 18),  # an empty zip
    ],
)
def test_a_file_of_another_format_is_refused_and_the_service_lives(
    post, client: httpx.Client, side: str, content: bytes
) -> None:
    fields = ATTACK if side == "attack" else DEFENSE
    assert problem(post(fields, content), 422, "invalid-file")["violations"]
    assert client.get("/api/v1/health").status_code == 200


def test_an_attack_is_no_defense(post, tmp_path: Path) -> None:
    problem(post(DEFENSE, attack_file(tmp_path)), 422, "invalid-file")


# Size


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> int:
    """Every board takes at most 100,000 bytes."""
    from grbcore import catalog

    for board in catalog.boards().values():
        limits = board.limits.model_copy(update={"attack_bytes": 50_000, "defense_bytes": 100_000})
        monkeypatch.setitem(catalog.boards(), board.id, board.model_copy(update={"limits": limits}))
    return 100_000


def test_a_file_above_the_cap_is_413(post, stage: Stage, small: int) -> None:
    body = problem(post(DEFENSE, os.urandom(small + 1)), 413, "too-large")
    assert body["violations"][0]["allowed"] == "at most 100000 bytes"
    assert left_behind(stage) == []


def test_a_file_at_the_cap_is_read(post, small: int) -> None:
    problem(post(DEFENSE, os.urandom(small)), 422, "invalid-file")


def test_each_side_has_its_own_cap(post, small: int) -> None:
    problem(post(ATTACK, os.urandom(50_001)), 413, "too-large")


def test_the_cap_holds_where_the_fields_follow_the_file(
    client: httpx.Client, stage: Stage, small: int
) -> None:
    parts = [("file", ("f", os.urandom(50_001)))]
    parts += [(name, (None, value)) for name, value in ATTACK.items()]
    answer = client.post(URL, files=parts, headers=stage.bearer())
    problem(answer, 413, "too-large")


def test_a_declared_length_above_the_cap_is_413_before_the_body_is_sent(
    server: str, stage: Stage, small: int
) -> None:
    """Only the head of the request is sent; the answer comes all the same."""
    address = urlsplit(server)
    token = stage.bearer()["Authorization"]
    head = (
        f"POST {URL} HTTP/1.1\r\nHost: x\r\nAuthorization: {token}\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 10000000000\r\n\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=10) as raw:
        raw.sendall(head.encode())
        assert raw.recv(4096).startswith(b"HTTP/1.1 413")


def test_an_endless_body_without_a_length_is_cut_off(server: str, stage: Stage, small: int) -> None:
    """Chunks of a part that belongs to no field; the service stops reading soon after the cap."""
    sent = 0

    def body() -> Iterator[bytes]:
        nonlocal sent
        yield b'--b\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\n'
        while sent < 500_000_000:
            sent += 65536
            yield b"\0" * 65536

    headers = {**stage.bearer(), "Content-Type": "multipart/form-data; boundary=b"}
    try:
        answer = httpx.post(server + URL, content=body(), headers=headers, timeout=30)
        problem(answer, 413, "too-large")
    except httpx.TransportError:
        pass  # the connection is closed while the client is still sending
    assert sent < 100_000_000
    until = time.monotonic() + 5
    while left_behind(stage) and time.monotonic() < until:
        time.sleep(0.05)
    assert left_behind(stage) == []


def test_the_programmatic_client_sees_the_413(post, small: int) -> None:
    """A body far above the cap, as curl and the command send it."""
    problem(post(DEFENSE, bytes(20_000_000)), 413, "too-large")


# The form


def test_json_is_415(client: httpx.Client, stage: Stage) -> None:
    answer = client.post(URL, json=DEFENSE, headers=stage.bearer())
    assert "multipart/form-data" in problem(answer, 415, "media-type")["message"]


def test_no_body_is_415(client: httpx.Client, stage: Stage) -> None:
    problem(client.post(URL, headers=stage.bearer()), 415, "media-type")


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"rubbish",
        b'--b\r\nContent-Disposition: form-data; name="name"\r\n\r\ncut sho',
        b"--b\r\n" + b"x" * 20_000,
    ],
)
def test_a_form_that_is_cut_short_or_garbled_is_422(
    client: httpx.Client, stage: Stage, body: bytes
) -> None:
    headers = {**stage.bearer(), "Content-Type": "multipart/form-data; boundary=b"}
    problem(client.post(URL, content=body, headers=headers), 422, "form")


def test_very_many_parts_are_422(client: httpx.Client, stage: Stage) -> None:
    parts = [(f"field-{number}", (None, "x")) for number in range(40)]
    problem(client.post(URL, files=parts, headers=stage.bearer()), 422, "invalid-fields")


def test_a_client_that_goes_silent_is_given_up(
    server: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "PATIENCE", 0.2)
    address = urlsplit(server)
    head = (
        f"POST {URL} HTTP/1.1\r\nHost: x\r\nAuthorization: {stage.bearer()['Authorization']}\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=10) as raw:
        raw.sendall(head.encode())
        assert raw.recv(4096).startswith(b"HTTP/1.1 408")
    assert left_behind(stage) == []


# Parts that are missing


def test_without_a_blob_store_it_is_503_and_nothing_is_stored(stage: Stage, tmp_path: Path) -> None:
    with serve(stage.settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        folder = Path(urlsplit(stage.settings.blob_url).path)
        for child in folder.rglob("*"):
            assert not child.is_file()
        folder.rmdir()
        folder.write_text("a file where the folder was")
        files = {"file": defense_file(tmp_path).read_bytes()}
        answer = client.post(URL, data=DEFENSE, files=files, headers=stage.bearer())
        problem(answer, 503, "unavailable")
    assert stage.submissions() == 0


def test_an_upload_is_whole_in_the_database(post, stage: Stage, tmp_path: Path) -> None:
    body = post(DEFENSE, defense_file(tmp_path)).json()
    with stage.sessions.reading() as session:
        [row] = session.scalars(select(Submission)).all()
    assert (row.id, row.side, row.board_id) == (body["id"], "defense", BOARD)
    assert Blobs(stage.settings.blob_url).exists(row.sha256)
