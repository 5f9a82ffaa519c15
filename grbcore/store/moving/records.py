"""What a board's file says of entries and results, checked alike when it is written and read."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal, Self

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    JsonValue,
    model_validator,
)

from grbcore.confusion import agrees, unpack
from grbcore.margins import unpack as unpack_margins
from grbcore.probes import Probe
from grbcore.scenario import DIFFICULTIES, Difficulty, Side, scale_with
from grbcore.scoring import MOST_ERROR
from grbcore.shift import Shift
from grbcore.sketch import LENGTHS
from grbcore.spending import Kind
from grbcore.store.intake import Address, MaybeName, Name, plain
from grbcore.store.visibility import Visibility
from grbcore.violations import MOST

#: Bytes of the manifest, and of one line.
LONGEST_MANIFEST = 256 * 1024
LONGEST_LINE = 1024 * 1024

#: Columns that stay behind, and why an import can do without them.
LEFT_BEHIND = {
    "submissions": {
        "board_id",  # the manifest's
        "user_id",  # by name
        "attempts", "retry_at", "log",  # a validation starts afresh
        "charged_at",  # a day of another host
        "holdouts_asked_at",  # hold-outs are made and measured by each host
        "lease_owner", "lease_token", "lease_until",  # nobody holds anything there
    },
    "cells": {
        "board_id",
        "priority",  # of cells that wait
        "max_attempts",
        "counts", "not_finite_most",  # made of the result
        "reevaluation_id",  # jobs stay with their host
        "hidden",  # of boards that are not written at all
        "lease_owner", "lease_token", "lease_until", "heartbeat_at",
    },
}  # fmt: skip


def _storable(text: str) -> str:
    if "\0" in text:
        raise ValueError("found U+0000, allowed: any other character")
    return text


def _storable_json(value: dict[str, JsonValue]) -> dict[str, JsonValue]:
    for found in _texts(value):
        _storable(found)
    return value


def _texts(value: JsonValue) -> list[str]:
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [*value, *(text for one in value.values() for text in _texts(one))]
    return [text for one in value for text in _texts(one)] if isinstance(value, list) else []


def no_file(submission_id: str) -> str:
    """What stands in place of the hash of a file where an entry was deleted."""
    return f"deleted-{submission_id}"


Id = Annotated[str, Field(pattern="^[0-7][0-9A-HJKMNP-TV-Z]{25}$")]
Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
Sketch = Annotated[str, Field(pattern=f"^(?:{'|'.join(f'[0-9a-f]{{{n}}}' for n in LENGTHS)})$")]
Protocol = Annotated[str, Field(pattern="^[0-9a-f]{1,16}$")]
Text = Annotated[str, AfterValidator(_storable)]
Line = Annotated[str, Field(max_length=400), AfterValidator(plain)]
Json = Annotated[dict[str, JsonValue], AfterValidator(_storable_json)]
Count = Annotated[int, Field(ge=0, le=2**31 - 1)]
Seconds = Annotated[float, Field(ge=0, allow_inf_nan=False)]
Counts = dict[Difficulty, list[Count]]
Error = Annotated[float, Field(ge=0, le=MOST_ERROR)]
FlagCode = Annotated[str, Field(pattern="^[a-z-]{1,40}$")]


class Record(BaseModel):
    """Nothing is guessed: no field too many, no number in a text."""

    model_config = ConfigDict(
        extra="forbid",
        frozen=True,
        strict=True,
        from_attributes=True,
        hide_input_in_errors=True,
        ser_json_bytes="base64",
        val_json_bytes="base64",
    )


class ReferenceRecord(Record):
    """A reference of a season, by the hash of its file, and why it is one."""

    id: Id
    side: Side
    sha256: Digest
    reasons: list[Text]


class SeasonRecord(Record):
    """A season that has begun; who decided it stays with their host."""

    number: Annotated[int, Field(ge=1, le=2**31 - 1)]
    state: Literal["current", "past"]
    protocol: Protocol
    revision: Count
    members: list[ReferenceRecord]
    reason: Text | None
    created_at: AwareDatetime
    decided_at: AwareDatetime
    ended_at: AwareDatetime | None


class Manifest(Record):
    """What the rest of the file is."""

    format: Literal[1]
    board: Annotated[str, Field(max_length=80)]
    protocol: Protocol
    facts: Json
    hits: bool  # whether the hits of every result are in the file
    history: bool  # whether results that no longer count are in the file
    submissions: Count
    cells: Count
    blobs: Count
    submissions_sha256: Digest
    cells_sha256: Digest
    seasons: list[SeasonRecord] = Field(default_factory=list)  # files of earlier versions lack them


class ViolationRecord(Record):
    """Why a file was rejected."""

    code: Text
    place: Text
    found: Text
    allowed: Text


class Dismissal(Record):
    """Why an admin has dismissed a flag, and when."""

    reason: Annotated[Text, Field(max_length=1000)]
    at: Annotated[Text, Field(max_length=40)]


class SubmissionRecord(Record):
    """An entry as it stands; without an owner where it was deleted."""

    id: Id
    owner: Name | None
    side: Side
    name: Name
    authors: Line
    team: MaybeName
    family: Name
    description: Annotated[Text, Field(max_length=20_000)]
    paper_url: Address
    code_url: Address
    adversarially_trained: bool
    surrogate: MaybeName
    is_reference: bool
    attempt: Count
    sha256: Digest | Annotated[str, Field(pattern="^deleted-")]
    size: Count
    canonical: Digest | None = None  # files of earlier versions lack it
    sketch: Sketch | None = None
    contents: Json
    spent: dict[Difficulty, dict[Kind, list[Count]]] | None = None  # earlier files lack it
    state: Literal["received", "rejected", "evaluating", "ranked", "failed"]
    reason: Text | None
    violations: Annotated[list[ViolationRecord], Field(max_length=MOST)]
    received_at: AwareDatetime
    validated_at: AwareDatetime | None
    registered_at: AwareDatetime | None
    withdrawn_at: AwareDatetime | None
    hidden_at: AwareDatetime | None
    deleted_at: AwareDatetime | None
    edited_at: AwareDatetime | None
    # what older hosts wrote is public
    visibility: Visibility = "public"
    public_at: AwareDatetime | None = None
    published_at: AwareDatetime | None = None
    file_removed_at: AwareDatetime | None = None  # earlier files lack it
    # earlier files lack these too
    shift: Shift | None = None
    dismissed: dict[FlagCode, Dismissal] | None = None

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if (self.owner is None) != (self.deleted_at is not None):
            raise ValueError("an entry has an owner unless it was deleted")
        if self.sha256.startswith("deleted-") and self.sha256 != no_file(self.id):
            raise ValueError("a deleted entry has its own id in place of a hash")
        if self.sha256.startswith("deleted-") != (self.deleted_at is not None):
            raise ValueError("an entry has the hash of its file unless it was deleted")
        if self.file_removed_at is not None and self.state != "rejected":
            raise ValueError("an entry has its file unless it was rejected or deleted")
        if self.state == "ranked" and self.registered_at is None:
            raise ValueError("a ranked entry has the time of its registration")
        if (self.visibility == "embargoed") != (self.public_at is not None):
            raise ValueError("an entry under an embargo, and no other, has the end of it")
        if self.visibility != "public" and (self.is_reference or self.published_at):
            raise ValueError("a reference, and what everybody has seen ranked, is public")
        if self.is_reference and (self.withdrawn_at or self.deleted_at):
            raise ValueError("a reference is neither withdrawn nor deleted")
        return self

    @property
    def has_file(self) -> bool:
        """Whether its file is kept: it was neither deleted, nor rejected long ago."""
        return self.deleted_at is None and self.file_removed_at is None

    @property
    def in_force(self) -> bool:
        """Neither withdrawn, deleted, nor hidden; a hidden reference still counts."""
        gone = self.withdrawn_at or self.deleted_at or (self.hidden_at and not self.is_reference)
        return gone is None or gone is False


class CellRecord(Record):
    """A result, or why there will be none."""

    id: Id
    attack_id: Id | None
    defense_id: Id
    newcomer_id: Id
    protocol: Protocol
    place: Literal["current", "past"]
    replaced_at: AwareDatetime | None
    state: Literal["done", "failed"]
    attempts: Count
    infra_failures: Count
    error_code: Annotated[Line, Field(max_length=40)] | None
    reason: Text | None
    log: Text | None
    queued_at: AwareDatetime
    started_at: AwareDatetime | None
    finished_at: AwareDatetime
    correct: Counts | None
    errors: dict[Difficulty, list[Error]] | None = None  # on boards of these
    total: dict[Difficulty, Count] | None
    not_finite: Counts | None
    confusion: bytes | None = None  # earlier files, and results of earlier versions, lack it
    margins: bytes | None = None  # so does this
    hits_sha256: Digest | None
    evaluator_version: Count | None
    device: Annotated[Line, Field(max_length=80)] | None
    seconds: Seconds | None
    versions: Json | None
    probe: Probe | None = None  # earlier files lack it

    @model_validator(mode="after")
    def _possible(self) -> Self:
        if self.newcomer_id not in (self.attack_id, self.defense_id):
            raise ValueError("the newcomer is one of the two")
        if (self.place == "past") != (self.replaced_at is not None):
            raise ValueError("what was replaced, and nothing else, has the time of it")
        if self.state == "done":
            self._measured()
        return self

    def _measured(self) -> None:
        correct, total = self.correct, self.total
        values: Mapping[Difficulty, Sequence[float]] | None = correct
        if self.errors is not None:
            values = self.errors
            if correct or self.confusion is not None:
                raise ValueError("a result of errors counts no hits")
        scale = scale_with(next(iter(values or ()), DIFFICULTIES[0]))
        main = scale[-1]
        if (
            correct is None
            or values is None
            or total is None
            or main not in values
            or not values.keys() <= {*scale}
        ):
            raise ValueError(
                "a result counts the hits at full, or at the largest budget, and at others of these"
            )
        if values.keys() != total.keys() or len({len(row) for row in values.values()}) != 1:
            raise ValueError("a result has as many repeats, and targets, at each difficulty")
        if any(count > total[at] for at, row in correct.items() for count in row):
            raise ValueError("a result has no more hits than targets")
        if not all(total.values()) or not values[main]:
            raise ValueError("a result has targets and repeats")
        if self.confusion is not None and not agrees(unpack(self.confusion), correct, total):
            raise ValueError("a result's counts by class are those of its hits and targets")
        if self.margins is not None:
            if self.attack_id is not None:
                raise ValueError("only a result without an attack has margins")
            unpack_margins(self.margins, total[main])


def columns(record: Record, *left_out: str) -> dict[str, Any]:
    """The fields of a record as the columns of its row."""
    given = record.model_dump(exclude=set(left_out))
    given.pop("owner", None)
    return given
