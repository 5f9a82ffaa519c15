"""POST /submissions: the file, its size, and the form around it."""

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

from api import uploads
from tests.api.stage import (
    ATTACK,
    DEFENSE,
    SUBMISSIONS,
    Stage,
    attack_file,
    defense_file,
    left_behind,
    places,
    problem,
)

# The file


def test_no_file_is_422(client: httpx.Client, stage: Stage) -> None:
    parts = [(name, (None, value)) for name, value in DEFENSE.items()]
    answer = client.post(SUBMISSIONS, files=parts, headers=stage.bearer())
    assert places(problem(answer, 422, "invalid-fields")) == {"body/file"}


def test_an_empty_file_is_422(post) -> None:
    body = problem(post(DEFENSE, b""), 422, "invalid-fields")
    assert body["violations"][0]["found"] == "an empty file"


def test_two_files_are_422(client: httpx.Client, stage: Stage) -> None:
    parts = [("file", ("a", b"1")), ("file", ("b", b"2"))]
    answer = client.post(SUBMISSIONS, data=DEFENSE, files=parts, headers=stage.bearer())
    assert problem(answer, 422, "invalid-fields")["violations"][0]["found"] == "two files"


def test_a_file_in_another_field_is_422(client: httpx.Client, stage: Stage) -> None:
    answer = client.post(SUBMISSIONS, data=DEFENSE, files={"weights": b"1"}, headers=stage.bearer())
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
    assert "larger than this board takes" in body["message"]
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
    answer = client.post(SUBMISSIONS, files=parts, headers=stage.bearer())
    problem(answer, 413, "too-large")


def test_a_declared_length_above_the_cap_is_413_before_the_body_is_sent(
    server: str, stage: Stage, small: int
) -> None:
    """Only the head of the request is sent; the answer comes all the same."""
    address = urlsplit(server)
    token = stage.bearer()["Authorization"]
    head = (
        f"POST {SUBMISSIONS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n"
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
        answer = httpx.post(server + SUBMISSIONS, content=body(), headers=headers, timeout=30)
        problem(answer, 413, "too-large")
    except httpx.TransportError:
        pass  # the connection is closed while the client is still sending
    assert sent < 100_000_000
    until = time.monotonic() + 5
    while left_behind(stage) and time.monotonic() < until:
        time.sleep(0.05)
    assert left_behind(stage) == []


def test_the_programmatic_client_sees_the_413(post, small: int) -> None:
    """A body far above the cap, as curl and the command send it: its board is not read any more."""
    body = problem(post(DEFENSE, bytes(20_000_000)), 413, "too-large")
    assert body["message"] == "the file is larger than any board takes: at most 100000 bytes"


# The form


def test_json_is_415(client: httpx.Client, stage: Stage) -> None:
    answer = client.post(SUBMISSIONS, json=DEFENSE, headers=stage.bearer())
    assert "multipart/form-data" in problem(answer, 415, "media-type")["message"]


def test_no_body_is_415(client: httpx.Client, stage: Stage) -> None:
    problem(client.post(SUBMISSIONS, headers=stage.bearer()), 415, "media-type")


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
    problem(client.post(SUBMISSIONS, content=body, headers=headers), 422, "form")


def test_very_many_parts_are_422(client: httpx.Client, stage: Stage) -> None:
    parts = [(f"field-{number}", (None, "x")) for number in range(40)]
    problem(client.post(SUBMISSIONS, files=parts, headers=stage.bearer()), 422, "invalid-fields")


def test_a_client_that_goes_silent_is_given_up(
    server: str, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "PATIENCE", 0.2)
    address = urlsplit(server)
    token = stage.bearer()["Authorization"]
    head = (
        f"POST {SUBMISSIONS} HTTP/1.1\r\nHost: localhost\r\nAuthorization: {token}\r\n"
        "Content-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000\r\n\r\n--b\r\n"
    )
    with socket.create_connection((address.hostname, address.port), timeout=10) as raw:
        raw.sendall(head.encode())
        assert raw.recv(4096).startswith(b"HTTP/1.1 408")
    assert left_behind(stage) == []
