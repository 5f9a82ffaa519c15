"""Taking in a submission: the same bytes once, attempts counted, fields checked."""

from __future__ import annotations

import hashlib
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from grbcore import catalog
from grbcore.scenario import Side
from grbcore.store import seasons
from grbcore.store.blobs import Blobs
from grbcore.store.intake import SubmissionFields, receive
from grbcore.store.quotas import UNLIMITED, Limits
from grbcore.store.tables import Submission, User
from grbcore.submission import Header
from tests.store.world import BOARD, START, World

WEIGHTS = {
    "architecture": "GCN",
    "parameters": {"hidden": [8], "layer_norm": True},
    "features": "raw",
}
ATTACK = {"difficulties": ["full"], "repeats": 1}


@pytest.fixture
def blobs(tmp_path: Path) -> Blobs:
    return Blobs((tmp_path / "blobs").as_uri())


def send(
    world: World,
    blobs: Blobs,
    folder: Path,
    content: bytes,
    *,
    side: Side = "defense",
    user: str | None = None,
    reference: bool = False,
    limits: Limits = UNLIMITED,
    now: datetime = START,
    **fields: Any,
) -> tuple[Submission, bool]:
    """Submit these bytes."""
    digest = hashlib.sha256(content).hexdigest()
    file = folder / digest
    file.write_bytes(content)
    if side == "attack":
        fields.setdefault("family", "PGD")
    with world.sessions.reading() as session:
        owner = session.get_one(User, user or world.user)
    with world.sessions.writing() as session:
        return receive(
            session,
            blobs,
            board=catalog.board(BOARD),
            side=side,
            fields=SubmissionFields(name="mine", authors="Ann", **fields),
            file=file,
            sha256=digest,
            size=len(content),
            header=Header(side, WEIGHTS if side == "defense" else ATTACK, ()),
            user=owner,
            limits=limits,
            is_reference=reference,
            now=now,
        )


def test_a_submission_starts_as_received_with_its_bytes_stored(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    row, created = send(world, blobs, tmp_path, b"a")
    assert created
    assert (row.state, row.received_at, row.attempt) == ("received", START, 1)
    assert blobs.read(row.sha256) == b"a"


def test_the_same_bytes_are_the_same_submission(world: World, blobs: Blobs, tmp_path: Path) -> None:
    first, _ = send(world, blobs, tmp_path, b"a")
    second, created = send(world, blobs, tmp_path, b"a", description="again")
    assert (second.id, created) == (first.id, False)


def test_the_same_bytes_sent_many_times_at_once_are_one_submission(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(6) as threads:
        found = list(threads.map(lambda _: send(world, blobs, tmp_path, b"a"), range(12)))
    assert len({row.id for row, _ in found}) == 1
    assert sum(created for _, created in found) == 1


def test_what_asks_to_be_a_reference_is_none_once_a_season_has_begun(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    first, _ = send(world, blobs, tmp_path, b"a", reference=True)
    assert first.is_reference
    with world.sessions.writing() as session:
        session.get_one(Submission, first.id).state = "failed"
        assert seasons.freeze(session, BOARD, START) is not None
    later, _ = send(world, blobs, tmp_path, b"b", reference=True)
    assert not later.is_reference


def test_other_bytes_are_the_next_attempt_on_that_side(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    attempts = [send(world, blobs, tmp_path, content)[0].attempt for content in (b"a", b"b")]
    attack, _ = send(world, blobs, tmp_path, b"a", side="attack")
    assert (attempts, attack.attempt) == ([1, 2], 1)


def test_attempts_that_arrive_at_once_are_counted_one_by_one(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    with ThreadPoolExecutor(6) as threads:
        rows = threads.map(lambda n: send(world, blobs, tmp_path, bytes([n]))[0], range(12))
    assert sorted(row.attempt for row in rows) == list(range(1, 13))


def test_the_same_bytes_of_another_user_are_another_submission(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    with world.sessions.writing() as session:
        other = User(name="bob", created_at=START)
        session.add(other)
        session.flush()
    first, _ = send(world, blobs, tmp_path, b"a")
    second, created = send(world, blobs, tmp_path, b"a", user=other.id)
    assert created
    assert first.id != second.id


def test_a_board_has_one_reference_of_a_name(world: World, blobs: Blobs, tmp_path: Path) -> None:
    """Frozen with its board: other bytes under the name of a reference are refused."""
    first, _ = send(world, blobs, tmp_path, b"a", reference=True)
    with pytest.raises(ValueError, match=f"'mine', allowed: .* SHA-256 {first.sha256}"):
        send(world, blobs, tmp_path, b"b", reference=True)


def test_the_same_bytes_are_the_same_reference(world: World, blobs: Blobs, tmp_path: Path) -> None:
    first, _ = send(world, blobs, tmp_path, b"a", reference=True)
    second, created = send(world, blobs, tmp_path, b"a", reference=True)
    assert (second.id, created) == (first.id, False)


def test_a_rejected_reference_may_be_followed_by_another(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    first, _ = send(world, blobs, tmp_path, b"a", reference=True)
    with world.sessions.writing() as session:
        session.get_one(Submission, first.id).state = "rejected"
    _, created = send(world, blobs, tmp_path, b"b", reference=True)
    assert created


def test_anybodys_entry_may_have_the_name_of_a_reference(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    send(world, blobs, tmp_path, b"a", reference=True)
    _, created = send(world, blobs, tmp_path, b"b")
    assert created


def test_the_family_of_a_defense_follows_from_its_architecture(
    world: World, blobs: Blobs, tmp_path: Path
) -> None:
    row, _ = send(world, blobs, tmp_path, b"a", family="GIN", adversarially_trained=True)
    assert row.family == "GCN+LN+AT"


@pytest.mark.parametrize("family", ["PGD", "other:mine"])
def test_an_attack_names_a_method_of_the_catalog_or_another(
    world: World, blobs: Blobs, tmp_path: Path, family: str
) -> None:
    row, _ = send(world, blobs, tmp_path, b"a", side="attack", family=family)
    assert row.family == family


@pytest.mark.parametrize("family", [None, "mine", "other:"])
def test_an_attack_of_no_known_family_is_refused(
    world: World, blobs: Blobs, tmp_path: Path, family: str | None
) -> None:
    with pytest.raises(ValueError, match="other:<name>"):
        send(world, blobs, tmp_path, b"a", side="attack", family=family)


@pytest.mark.parametrize(
    "wrong",
    [
        {"name": ""},
        {"name": "   "},
        {"name": "x" * 81},
        {"authors": ""},
        {"description": "x" * 20_001},
        {"paper_url": "javascript:alert(1)"},
        {"code_url": "ftp://example.org"},
        {"code_url": "https://example.org/" + "x" * 400},
        {"unknown": "x"},
    ],
)
def test_fields_out_of_bounds_are_refused(wrong: dict[str, str]) -> None:
    with pytest.raises(ValidationError):
        SubmissionFields.model_validate({"name": "n", "authors": "a", **wrong})


def test_blank_optional_fields_are_none() -> None:
    fields = SubmissionFields(name=" n ", authors="a", team=" ", paper_url="", surrogate="")
    assert (fields.name, fields.team, fields.paper_url, fields.surrogate) == ("n", None, None, None)


def test_an_address_is_kept_as_it_was_written() -> None:
    url = "https://example.org/Paper?x=1"
    assert SubmissionFields(name="n", authors="a", paper_url=url).paper_url == url


@pytest.mark.parametrize("field", ["name", "authors", "team", "family"])
@pytest.mark.parametrize("character", ["\x00", "\x1b", "\u202e", "\u2066", "\u200f"])
def test_a_name_with_a_character_that_moves_text_is_refused(field: str, character: str) -> None:
    fields = {"name": "mine", "authors": "Ann", field: f"a{character}b"}
    with pytest.raises(ValidationError) as refused:
        SubmissionFields.model_validate(fields)
    (fault,) = refused.value.errors()
    assert fault["loc"][0] == field
    assert f"character 2: found U+{ord(character):04X}, allowed: text" in fault["msg"]
