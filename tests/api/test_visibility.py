"""Entries that not everybody sees: submitted, followed and published by REST."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from sqlalchemy import select
from sqlalchemy.orm.attributes import set_committed_value

from grbcore.store.progress import progress
from grbcore.store.session import now
from grbcore.store.tables import User
from tests.api.stage import DEFENSE, SUBMISSIONS, Stage, defense_file, places, problem
from tests.api.test_events import follow

SOON = timedelta(days=30)


def test_an_upload_may_be_private(post, stage: Stage, client: httpx.Client, tmp_path: Path) -> None:
    answer = post({**DEFENSE, "visibility": "private"}, defense_file(tmp_path))
    assert answer.status_code == 202
    assert answer.json()["visibility"] == "private"
    url = answer.headers["location"]
    problem(client.get(url), 404, "submission-unknown")
    problem(client.get(url, headers=stage.bearer("bob")), 404, "submission-unknown")
    assert client.get(url, headers=stage.bearer("ann")).status_code == 200


def test_an_upload_may_be_under_an_embargo(post, tmp_path: Path) -> None:
    ends = (now() + SOON).isoformat()
    fields = {**DEFENSE, "visibility": "embargoed", "public_at": ends}
    body = post(fields, defense_file(tmp_path)).json()
    assert body["visibility"] == "embargoed"
    assert body["public_at"].replace("Z", "+00:00") == ends


@pytest.mark.parametrize(
    ("fields", "place"),
    [
        ({"visibility": "secret"}, "body/visibility"),
        ({"visibility": "embargoed"}, "body/public_at"),
        ({"visibility": "embargoed", "public_at": "2026-01-01T00:00:00Z"}, "body/public_at"),
        ({"visibility": "embargoed", "public_at": "2036-01-01T00:00:00Z"}, "body/public_at"),
        ({"visibility": "embargoed", "public_at": "tomorrow"}, "body/public_at"),
        ({"visibility": "private", "public_at": "2036-01-01T00:00:00Z"}, "body/public_at"),
    ],
)
def test_who_sees_it_is_checked_field_by_field(
    post, stage: Stage, tmp_path: Path, fields: dict[str, str], place: str
) -> None:
    body = problem(post({**DEFENSE, **fields}, defense_file(tmp_path)), 422, "invalid-fields")
    assert places(body) == {place}
    assert stage.submissions() == 0


def change(client: httpx.Client, stage: Stage, entry: str, **fields: Any) -> httpx.Response:
    return client.patch(f"{SUBMISSIONS}/{entry}", json=fields, headers=stage.bearer("ann"))


def test_publishing_shows_it_at_once_and_for_good(stage: Stage, client: httpx.Client) -> None:
    entry = stage.entry("defense", "D", visibility="private")
    stage.cell(None, entry, {"full": [90]})
    board = client.get("/api/v1/boards/digits/injection@1").json()
    body = change(client, stage, entry, visibility="public").json()
    assert (body["visibility"], body["rank"]) == ("public", 1)
    assert body["published_at"] is not None
    after = client.get("/api/v1/boards/digits/injection@1").json()
    assert after["revision"] == board["revision"] + 1
    assert after["best_defense"]["id"] == entry
    problem(change(client, stage, entry, visibility="private"), 409, "published")


def test_an_embargo_may_be_moved_by_its_owner(stage: Stage, client: httpx.Client) -> None:
    entry = stage.entry("defense", "D", visibility="private")
    ends = (now() + SOON).isoformat()
    assert change(client, stage, entry, visibility="embargoed", public_at=ends).json()["public_at"]
    body = problem(change(client, stage, entry, visibility="embargoed"), 422, "invalid-fields")
    assert places(body) == {"body/public_at"}


def test_a_private_entry_has_the_rank_that_it_would_have(
    stage: Stage, client: httpx.Client
) -> None:
    for name, clean in (("best", 99), ("worst", 10)):
        stage.cell(None, stage.entry("defense", name), {"full": [clean]})
    entry = stage.entry("defense", "D", visibility="private")
    stage.cell(None, entry, {"full": [50]})
    url = f"{SUBMISSIONS}/{entry}"
    assert client.get(url, headers=stage.bearer("ann")).json()["rank"] == 2


def test_a_newcomer_s_progress_leaves_out_what_its_reader_does_not_see(
    stage: Stage, client: httpx.Client
) -> None:
    hidden = stage.entry("attack", "H", visibility="private", user="bob")
    newcomer = stage.entry("defense", "N", state="evaluating")
    stage.cell(None, newcomer, {"full": [90]})
    cell = stage.cell(hidden, newcomer, state="queued")
    told = {}
    for who in ("ann", "bob", "admin"):
        headers = stage.bearer(who)
        body = client.get(f"{SUBMISSIONS}/{newcomer}", headers=headers).json()
        assert (cell in str(body)) == (hidden in str(body)) == (who != "ann")
        with follow(client, newcomer, headers=headers) as stream:
            _, said, _ = stream.next()
            assert said["cells"] == body["cells"]
        told[who] = body["cells"]["queued"]
    assert told == {"ann": 0, "bob": 1, "admin": 1}


def test_a_stream_ends_once_its_reader_may_see_no_more(stage: Stage, client: httpx.Client) -> None:
    entry = stage.entry("defense", "N", state="received")
    with (
        follow(client, entry) as anybody,
        follow(client, entry, headers=stage.bearer("ann")) as owner,
    ):
        anybody.next(), owner.next()
        assert change(client, stage, entry, visibility="private").status_code == 200
        assert list(anybody) == []
        stage.change(entry, state="failed", reason="broken")
        assert owner.next()[1]["state"] == "failed"


@pytest.mark.parametrize("role", ["user", "admin"])
def test_a_stream_of_a_suspended_user_or_of_an_admin_no_more_ends(
    stage: Stage, client: httpx.Client, role: str
) -> None:
    entry = stage.entry("defense", "N", state="received", visibility="private")
    who = "ann" if role == "user" else "admin"
    with follow(client, entry, headers=stage.bearer(who)) as stream:
        stream.next()
        with stage.sessions.writing() as session:
            row = session.scalars(select(User).where(User.name == who)).one()
            row.role, row.suspended_at = "user", now() if role == "user" else None
        assert list(stream) == []


def test_nobody_becomes_more_than_they_were_when_a_stream_began(
    stage: Stage, client: httpx.Client
) -> None:
    """A token without the scope ``admin`` has its admin seen as a user."""
    entry = stage.entry("defense", "N", state="received", visibility="private")
    with stage.sessions.reading() as session:
        admin = session.scalars(select(User).where(User.name == "admin")).one()
    with stage.sessions.reading() as session:
        lesser = session.scalars(select(User).where(User.name == "admin")).one()
    set_committed_value(lesser, "role", "user")
    with stage.sessions.reading() as session:
        found = progress(session, [(entry, admin), (entry, lesser), (entry, None)], now())
    assert set(found) == {(entry, admin)}


def test_a_stream_ends_after_some_time_for_its_reader_to_show_who_it_is(
    stage: Stage, client: httpx.Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("api.events.LASTS", 0.2)
    entry = stage.entry("defense", "N", state="received", visibility="private")
    with follow(client, entry, headers=stage.bearer()) as stream:
        assert [name for name, *_ in stream] == ["progress"]
