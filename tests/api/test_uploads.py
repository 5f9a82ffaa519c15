"""Uploads in parts: what each request does, who may make it, and what is refused."""

from __future__ import annotations

import base64
import hashlib
import os
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path

import httpx
import pytest
from sqlalchemy import select

from grbcore import catalog
from grbcore.store.session import now
from grbcore.store.tables import RefusedUpload, Submission, UploadRow
from tests.api.parts import UPLOADS, Sender, metadata
from tests.api.stage import (
    ATTACK,
    DEFENSE,
    EMPTY,
    SUBMISSIONS,
    Stage,
    attack_file,
    defense_file,
    places,
    problem,
    serve,
)

SEE = {"Prefer": "return=representation"}


@pytest.fixture
def ann(client: httpx.Client, stage: Stage) -> Sender:
    return Sender(client, stage)


@pytest.fixture
def content(tmp_path: Path) -> bytes:
    """A defense of some kilobytes."""
    return defense_file(tmp_path, hidden=64).read_bytes()


def parts(stage: Stage) -> list[Path]:
    return list(stage.settings.incoming_dir.glob("part-*"))


# A file in parts


def test_a_file_in_three_parts_becomes_a_submission(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    begun = ann.begin(DEFENSE, len(content))
    assert begun.status_code == 201, begun.text
    assert begun.headers["upload-offset"] == "0" and begun.headers["upload-expires"]
    for start in (0, 1000, 2000):
        answer = ann.bring(start, content[start : start + 1000])
        assert (answer.status_code, answer.content) == (204, b"")
        assert answer.headers["upload-offset"] == str(start + 1000)
    assert ann.offset() == 3000 and stage.submissions() == 0
    last = ann.bring(3000, content[3000:])
    assert (last.status_code, last.headers["upload-offset"]) == (204, str(len(content)))
    with stage.sessions.reading() as session:
        [entry] = session.scalars(select(Submission)).all()
    assert (entry.id, entry.name) == (last.headers["submission"], "My GCN")
    assert last.headers["content-location"] == f"{SUBMISSIONS}/{entry.id}"
    assert stage.blobs.read(entry.sha256) == content
    assert parts(stage) == []


def test_the_last_part_shows_the_submission_to_who_prefers_it(ann: Sender, content: bytes) -> None:
    ann.begin(DEFENSE, len(content))
    answer = ann.bring(0, content, **SEE)
    assert answer.status_code == 202
    assert answer.json()["sha256"] == hashlib.sha256(content).hexdigest()
    again = ann.bring(len(content), b"", **SEE)
    assert (again.status_code, again.json()["id"]) == (200, answer.json()["id"])


def test_fields_may_come_as_json(ann: Sender, tmp_path: Path) -> None:
    file = attack_file(tmp_path).read_bytes()
    fields = {**ATTACK, "description": "ü" * 20_000, "team": None, "adversarially_trained": False}
    said = {**ann.headers, "Upload-Length": str(len(file))}
    answer = ann.client.post(UPLOADS, json=fields, headers=said)
    assert answer.status_code == 201, answer.text
    ann.location = answer.headers["location"]
    assert ann.bring(0, file, **SEE).json()["description"] == "ü" * 20_000


def test_an_upload_is_listed_until_and_after_it_ended(ann: Sender, content: bytes) -> None:
    ann.begin(DEFENSE, len(content))
    ann.bring(0, content[:100])
    [row] = ann.all()
    assert (row["state"], row["arrived"], row["bytes"]) == ("open", 100, len(content))
    assert row["location"] == ann.location
    assert ann.client.get(ann.location, headers=ann.headers).json() == row
    done = ann.bring(100, content[100:]).headers["submission"]
    assert [(row["state"], row["submission"]) for row in ann.all()] == [("done", done)]


def test_a_client_that_missed_the_last_answer_learns_of_the_submission(
    ann: Sender, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    done = ann.bring(0, content).headers["submission"]
    answer = ann.ask()
    assert answer.headers["upload-offset"] == str(len(content))
    assert answer.headers["submission"] == done
    assert answer.headers["cache-control"] == "no-store"


def test_the_metadata_comes_back(ann: Sender, content: bytes) -> None:
    ann.begin({**DEFENSE, "filename": "gcn.safetensors"}, len(content))
    assert ann.ask().headers["upload-metadata"] == metadata(DEFENSE)


def test_a_given_up_upload_and_its_bytes_are_gone(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    ann.bring(0, content[:1000])
    assert ann.end().status_code == 204
    assert parts(stage) == []
    problem(ann.end(), 404, "upload-unknown")


def test_a_worker_is_woken_and_quota_of_attempts_counted_as_by_the_form(
    ann: Sender, post, content: bytes, tmp_path: Path
) -> None:
    post(DEFENSE, defense_file(tmp_path))
    ann.begin(DEFENSE, len(content))
    assert ann.bring(0, content, **SEE).json()["attempt"] == 2


def test_an_entry_that_was_deleted_leaves_nothing_of_how_it_came(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    done = ann.bring(0, content).headers["submission"]
    address = f"{SUBMISSIONS}/{done}"
    answer = ann.client.delete(address, params={"reason": "x"}, headers=stage.bearer("admin"))
    assert answer.status_code == 200, answer.text
    assert ann.all() == []


# The same bytes


def test_bytes_that_were_submitted_before_need_not_be_sent(
    ann: Sender, post, tmp_path: Path
) -> None:
    path = defense_file(tmp_path)
    entry = post(DEFENSE, path).json()
    answer = ann.begin({**DEFENSE, "sha256": entry["sha256"]}, entry["bytes"])
    assert (answer.status_code, answer.json()["id"]) == (200, entry["id"])
    assert answer.headers["submission"] == entry["id"] and "location" not in answer.headers
    assert ann.all() == []


def test_what_another_submitted_must_be_sent(
    ann: Sender, client: httpx.Client, stage: Stage, post, tmp_path: Path
) -> None:
    path = defense_file(tmp_path)
    entry = post(DEFENSE, path, user="bob").json()
    said = {**DEFENSE, "sha256": entry["sha256"]}
    assert ann.begin(said, entry["bytes"]).status_code == 201


def test_the_same_bytes_sent_once_more_are_the_same_submission(
    ann: Sender, post, tmp_path: Path
) -> None:
    path = defense_file(tmp_path)
    entry = post(DEFENSE, path).json()
    ann.begin(DEFENSE, entry["bytes"])
    answer = ann.bring(0, path.read_bytes(), **SEE)
    assert (answer.status_code, answer.json()["id"]) == (200, entry["id"])


def test_an_unfinished_upload_of_the_same_bytes_is_gone_on_with(
    ann: Sender, content: bytes
) -> None:
    sha256 = hashlib.sha256(content).hexdigest()
    ann.begin({**DEFENSE, "sha256": sha256}, len(content))
    first = ann.location
    ann.bring(0, content[:1500])
    answer = ann.begin({**DEFENSE, "name": "Renamed", "sha256": sha256.upper()}, len(content))
    assert (answer.status_code, ann.location) == (201, first)
    assert answer.headers["upload-offset"] == "1500"
    assert [row["id"] for row in ann.all(sha256=sha256)] == [first.rpartition("/")[2]]
    assert ann.bring(1500, content[1500:], **SEE).json()["name"] == "Renamed"


# Who


@pytest.mark.parametrize("method", ["POST", "GET"])
def test_without_a_token_it_is_401(client: httpx.Client, method: str) -> None:
    problem(client.request(method, UPLOADS, headers={"Upload-Length": "10"}), 401, "token")


@pytest.mark.parametrize("method", ["HEAD", "GET", "PATCH", "DELETE"])
def test_anothers_upload_is_not_there(
    ann: Sender, client: httpx.Client, stage: Stage, method: str
) -> None:
    ann.begin(DEFENSE, 1000)
    said = {"Upload-Offset": "0", "Content-Type": "application/offset+octet-stream"}
    for user in ("bob", "admin"):
        answer = client.request(
            method, ann.location, content=b"x", headers={**stage.bearer(user), **said}
        )
        assert answer.status_code == 404
    answer = client.request(method, ann.location, content=b"x", headers=said)
    assert answer.status_code == 401
    assert ann.offset() == 0
    assert Sender(client, stage, "bob").all() == []


# Before the first byte


def test_fields_are_checked_before_the_first_byte(ann: Sender) -> None:
    answer = ann.begin({"board": DEFENSE["board"], "name": "x" * 81}, 1000)
    body = problem(answer, 422, "invalid-fields")
    assert places(body) == {"body/side", "body/name", "body/authors"}
    assert answer.headers["tus-resumable"] == "1.0.0"
    assert ann.all() == []


@pytest.mark.parametrize(
    ("header", "place"),
    [
        ("name !!!", "header/Upload-Metadata/name"),
        ("name eA==,name eA==", "header/Upload-Metadata/name"),
        ("name /w==", "header/Upload-Metadata/name"),
        ("name AA==", "header/Upload-Metadata/name"),
        (",", "header/Upload-Metadata"),
    ],
)
def test_metadata_that_cant_be_read_is_422_with_its_place(
    ann: Sender, header: str, place: str
) -> None:
    answer = ann.begin({}, 1000, **{"Upload-Metadata": header})
    assert places(problem(answer, 422, "invalid-fields")) == {place}


@pytest.mark.parametrize(
    "body",
    [
        b"no json",
        b"[1]",
        b'{"name": 1}',
        b'{"name": "\\ud800"}',
        b'{"name": "\\u0000"}',
        b"[" * 9999,
    ],
)
def test_json_that_cant_be_read_is_422(ann: Sender, body: bytes) -> None:
    said = {**ann.headers, "Upload-Length": "9", "Content-Type": "application/json"}
    problem(ann.client.post(UPLOADS, content=body, headers=said), 422, "invalid-fields")


def test_very_much_json_is_413(ann: Sender) -> None:
    said = {**ann.headers, "Upload-Length": "9", "Content-Type": "application/json"}
    body = b'{"description": "' + b"x" * 300_000 + b'"}'
    problem(ann.client.post(UPLOADS, content=body, headers=said), 413, "too-large")


def test_bytes_with_the_announcement_are_415(ann: Sender) -> None:
    said = {**ann.headers, "Upload-Length": "9", "Content-Type": "application/offset+octet-stream"}
    problem(ann.client.post(UPLOADS, content=b"x", headers=said), 415, "media-type")


@pytest.mark.parametrize("length", ["", "-1", "many", "0"])
def test_a_length_that_is_none_is_422(ann: Sender, length: str) -> None:
    answer = ann.begin(DEFENSE, 1, **{"Upload-Length": length})
    assert places(problem(answer, 422, "invalid-fields")) == {"header/Upload-Length"}


def test_a_length_above_the_boards_cap_is_413(ann: Sender) -> None:
    most = catalog.board(DEFENSE["board"]).limits.defense_bytes
    assert ann.begin(DEFENSE, most).status_code == 201
    body = problem(ann.begin(DEFENSE, most + 1), 413, "too-large")
    assert body["violations"][0]["allowed"] == f"at most {most} bytes"


def test_a_hash_that_is_none_is_422(ann: Sender) -> None:
    answer = ann.begin({**DEFENSE, "sha256": "abc"}, 10)
    assert places(problem(answer, 422, "invalid-fields")) == {"body/sha256"}


def test_a_board_that_is_unknown_or_without_data_takes_none(ann: Sender) -> None:
    problem(ann.begin({**DEFENSE, "board": "digits/nope@1"}, 10), 404, "board-unknown")
    problem(ann.begin({**DEFENSE, "board": EMPTY}, 10), 409, "no-data")


def test_a_user_has_so_many_unfinished_uploads(stage: Stage, content: bytes) -> None:
    settings = stage.settings.model_copy(update={"open_uploads": 2})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        ann, bob = Sender(client, stage), Sender(client, stage, "bob")
        assert [ann.begin(DEFENSE, 10).status_code for _ in range(2)] == [201, 201]
        body = problem(ann.begin(DEFENSE, 10), 429, "too-many-uploads")
        assert "found 2, allowed: at most 2" in body["message"]
        assert bob.begin(DEFENSE, 10).status_code == 201
        ann.location = ann.all()[0]["location"]
        ann.end()
        assert ann.begin(DEFENSE, len(content)).status_code == 201
        ann.bring(0, content)
        assert ann.begin(DEFENSE, 10).status_code == 201


def test_of_many_begun_at_once_no_more_than_allowed_are(stage: Stage) -> None:
    settings = stage.settings.model_copy(update={"open_uploads": 3})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        with ThreadPoolExecutor(8) as pool:
            answers = pool.map(lambda _: Sender(client, stage).begin(DEFENSE, 10), range(8))
        assert sorted(answer.status_code for answer in answers) == [201] * 3 + [429] * 5


def test_a_user_has_so_many_bytes_in_unfinished_uploads(stage: Stage) -> None:
    settings = stage.settings.model_copy(update={"open_upload_bytes": 1000})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        ann = Sender(client, stage)
        assert ann.begin(DEFENSE, 600).status_code == 201
        assert ann.begin(DEFENSE, 400).status_code == 201
        problem(ann.begin(DEFENSE, 1), 429, "too-many-uploads")


def test_a_file_that_the_disk_has_no_room_for_is_507_before_the_first_byte(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    from api.incoming import Incoming

    monkeypatch.setattr(Incoming, "free", lambda self: 10_000)
    settings = stage.settings.model_copy(update={"min_free_bytes": 1000})
    with serve(settings) as address, httpx.Client(base_url=address, timeout=30) as client:
        ann = Sender(client, stage)
        assert ann.begin(DEFENSE, 5000).status_code == 201
        problem(ann.begin(DEFENSE, 4001), 507, "disk-full")
        assert ann.begin(DEFENSE, 4000).status_code == 201


# Bringing bytes


def test_a_wrong_offset_is_409_and_changes_nothing(ann: Sender, content: bytes) -> None:
    ann.begin(DEFENSE, len(content))
    ann.bring(0, content[:100])
    for offset in (0, 99, 101, 10**30):
        answer = ann.bring(offset, content[100:200])
        problem(answer, 409, "offset")
        assert answer.headers["upload-offset"] == "100"
    assert ann.offset() == 100


@pytest.mark.parametrize("offset", ["", "-1", "half"])
def test_an_offset_that_is_none_is_422(ann: Sender, offset: str) -> None:
    ann.begin(DEFENSE, 1000)
    answer = ann.bring(0, b"x", **{"Upload-Offset": offset})
    assert places(problem(answer, 422, "invalid-fields")) == {"header/Upload-Offset"}


def test_more_bytes_than_announced_are_413_and_given_up(ann: Sender, content: bytes) -> None:
    ann.begin(DEFENSE, 1_000_000)
    ann.bring(0, content[:100])
    problem(ann.bring(100, bytes(999_901)), 413, "too-large")
    assert ann.offset() == 100
    chunks = (bytes(100_000) for _ in range(11))  # without a length
    problem(ann.bring(100, chunks), 413, "too-large")
    assert ann.offset() == 100


def test_another_type_of_body_is_415(ann: Sender) -> None:
    ann.begin(DEFENSE, 1000)
    answer = ann.bring(0, b"x", **{"Content-Type": "application/octet-stream"})
    problem(answer, 415, "media-type")


def test_another_version_of_the_protocol_is_412(ann: Sender, client: httpx.Client) -> None:
    answer = ann.begin(DEFENSE, 10, **{"Tus-Resumable": "0.2.2"})
    problem(answer, 412, "tus-version")
    assert answer.headers["tus-version"] == "1.0.0"


def test_the_service_tells_what_it_can(client: httpx.Client, ann: Sender) -> None:
    ann.begin(DEFENSE, 10)
    for address in (UPLOADS, ann.location):
        answer = client.options(address)
        assert answer.status_code == 204
        assert answer.headers["tus-version"] == "1.0.0"
        assert answer.headers["tus-extension"] == "creation,expiration,termination,checksum"
        assert answer.headers["tus-checksum-algorithm"] == "sha256,sha1"
        assert int(answer.headers["tus-max-size"]) == 128 * 1024**2


# Checksums


@pytest.mark.parametrize("algorithm", ["sha256", "sha1"])
def test_a_part_is_taken_only_with_its_checksum(
    ann: Sender, content: bytes, algorithm: str
) -> None:
    def checksum(data: bytes) -> dict[str, str]:
        digest = hashlib.new(algorithm, data).digest()
        return {"Upload-Checksum": f"{algorithm} {base64.b64encode(digest).decode()}"}

    ann.begin(DEFENSE, len(content))
    assert ann.bring(0, content[:1000], **checksum(content[:1000])).status_code == 204
    answer = ann.bring(1000, content[1000:], **checksum(b"other"))
    problem(answer, 460, "checksum")
    assert answer.headers["upload-offset"] == "1000" and ann.offset() == 1000
    assert ann.bring(1000, content[1000:], **checksum(content[1000:])).headers["submission"]


@pytest.mark.parametrize("header", ["md5 AAAA", "sha256 AAAA", "sha256", "sha256 ****", ""])
def test_a_checksum_that_is_none_is_400(ann: Sender, header: str) -> None:
    ann.begin(DEFENSE, 1000)
    problem(ann.bring(0, b"x", **{"Upload-Checksum": header}), 400, "bad-request")
    assert ann.offset() == 0


def test_bytes_other_than_announced_are_refused(ann: Sender, stage: Stage, content: bytes) -> None:
    sha256 = hashlib.sha256(b"other").hexdigest()
    ann.begin({**DEFENSE, "sha256": sha256}, len(content))
    body = problem(ann.bring(0, content), 422, "invalid-file")
    assert [one["code"] for one in body["violations"]] == ["damaged"]
    assert sha256 in body["violations"][0]["allowed"]
    assert stage.submissions() == 0 and parts(stage) == []


def test_bytes_other_than_announced_count_as_an_invalid_file(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    ann.begin({**DEFENSE, "sha256": hashlib.sha256(b"other").hexdigest()}, len(content))
    problem(ann.bring(0, content), 422, "invalid-file")
    with stage.sessions.reading() as session:
        [refused] = session.scalars(select(RefusedUpload)).all()
    assert (refused.codes, refused.size) == (["damaged"], len(content))


def test_the_last_part_tells_what_is_left_of_today_s_uploads(ann: Sender, content: bytes) -> None:
    ann.begin(DEFENSE, len(content))
    assert "ratelimit" not in ann.bring(0, content[:100]).headers
    answer = ann.bring(100, content[100:])
    assert '"board-day";q=20;' in answer.headers["ratelimit-policy"]
    assert '"board-day";r=19;' in answer.headers["ratelimit"]


# A file that is refused


def test_a_refused_file_names_every_violation_and_leaves_nothing(
    ann: Sender, stage: Stage, tmp_path: Path
) -> None:
    file = defense_file(tmp_path, features=100).read_bytes()
    ann.begin(DEFENSE, len(file))
    first = problem(ann.bring(0, file), 422, "invalid-file")
    assert [one["code"] for one in first["violations"]] == ["shape"]
    again = problem(ann.bring(len(file), b""), 422, "invalid-file")
    assert again["violations"] == first["violations"]
    [row] = ann.all()
    assert (row["state"], row["violations"]) == ("refused", first["violations"])
    assert ann.ask().status_code == 410
    assert stage.submissions() == 0 and parts(stage) == []
    assert not stage.blobs.exists(hashlib.sha256(file).hexdigest())


@pytest.mark.parametrize("content", [b"PK\x05\x06" + b"\0" * 18, b"\x80\x04\x95" + bytes(99)])
def test_a_file_of_another_format_is_refused(ann: Sender, content: bytes) -> None:
    ann.begin(ATTACK, len(content))
    assert problem(ann.bring(0, content), 422, "invalid-file")["violations"]


# Time and place


def test_an_upload_that_expired_is_410(ann: Sender, stage: Stage, content: bytes) -> None:
    ann.begin(DEFENSE, len(content))
    ann.bring(0, content[:100])
    with stage.sessions.writing() as session:
        session.scalars(select(UploadRow)).one().expires_at = now() - timedelta(seconds=1)
    assert ann.ask().status_code == 410
    problem(ann.bring(100, content[100:]), 410, "expired")
    assert ann.all() == []
    assert stage.submissions() == 0


def test_an_upload_whose_file_is_in_another_folder_is_409(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    """As behind a proxy that sends a client to one host and then to another."""
    ann.begin(DEFENSE, len(content))
    ann.bring(0, content[:100])
    (stage.settings.incoming_dir / "place").unlink()
    problem(ann.bring(100, content[100:]), 409, "elsewhere")
    assert ann.ask().status_code == 409
    assert [row["arrived"] for row in ann.all()] == [100]
    assert ann.end().status_code == 204


def test_an_upload_whose_file_is_lost_begins_anew(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    ann.bring(0, content[:100])
    parts(stage)[0].unlink()
    assert ann.offset() == 0
    assert ann.bring(0, content).headers["submission"]


def test_a_file_that_is_longer_than_announced_is_begun_again(
    ann: Sender, stage: Stage, content: bytes
) -> None:
    ann.begin(DEFENSE, len(content))
    ann.bring(0, content[:100])
    parts(stage)[0].write_bytes(os.urandom(len(content) + 1))
    assert ann.offset() == 0
    assert ann.bring(0, content).headers["submission"]
