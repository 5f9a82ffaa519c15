"""Taking in a submission: the fields, and the row that starts its life."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from pathlib import Path
from typing import Annotated
from unicodedata import category

from pydantic import (
    AwareDatetime,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    HttpUrl,
    TypeAdapter,
    ValidationInfo,
)
from pydantic.functional_validators import AfterValidator
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from grbcore.architectures import family as defense_family
from grbcore.architectures import registered
from grbcore.catalog import Board, methods_of
from grbcore.scenario import Side
from grbcore.store import addresses, queries, quotas, seasons
from grbcore.store.blobs import Blobs
from grbcore.store.locks import lock_board
from grbcore.store.orphans import keep
from grbcore.store.quotas import Limits
from grbcore.store.session import now as clock
from grbcore.store.tables import Submission, User
from grbcore.store.visibility import LONGEST, Visibility
from grbcore.submission import Header

_HTTP = TypeAdapter(HttpUrl)

_TURNING = {chr(code) for code in (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F)}


def _http(address: str) -> str:
    _HTTP.validate_python(address)
    return address


def _blank_is_none(value: object) -> object:
    return None if isinstance(value, str) and not value.strip() else value


def plain(text: str) -> str:
    """Names are shown in tables: nothing in them may move or turn the text around them."""
    for at, character in enumerate(text):
        if category(character) == "Cc" or character in _TURNING:
            raise ValueError(
                f"character {at + 1}: found U+{ord(character):04X}, allowed: text without control "
                "characters and marks that change the direction of writing"
            )
    return text


def _end_of_embargo(moment: datetime | None, info: ValidationInfo) -> datetime | None:
    """An embargo has an end, which is to come; what is public or private has none."""
    visibility = info.data.get("visibility")
    if visibility != "embargoed":
        if moment is not None and visibility is not None:
            raise ValueError(f"nothing where the visibility is {visibility}, which has no date")
        return None
    at = clock()
    if moment is None or not at < moment <= at + LONGEST:
        latest = (at + LONGEST - timedelta(days=1)).date()
        raise ValueError(f"the end of the embargo: a time to come, until {latest}T00:00:00Z")
    return moment


Name = Annotated[str, Field(min_length=1, max_length=80), AfterValidator(plain)]
Authors = Annotated[str, Field(min_length=1, max_length=400), AfterValidator(plain)]
Description = Annotated[str, Field(max_length=20_000)]
MaybeName = Annotated[Name | None, BeforeValidator(_blank_is_none)]
Address = Annotated[
    Annotated[str, Field(max_length=400), AfterValidator(_http)] | None,
    BeforeValidator(_blank_is_none),
]

#: Stands after the field ``visibility``.
PublicAt = Annotated[
    Annotated[AwareDatetime | None, AfterValidator(_end_of_embargo)],
    BeforeValidator(_blank_is_none),
    Field(validate_default=True),
]


class SubmissionFields(BaseModel):
    """What a submitter says of a file.  Texts are stripped; a blank optional one is none.

    ``family`` is an attack's method, from the catalog or ``other:<name>``; a defense's follows
    from its architecture and is not asked for.  ``public_at`` is the end of an embargo.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    name: Name
    authors: Authors
    team: MaybeName = None
    family: MaybeName = None
    description: Description = ""
    paper_url: Address = None
    code_url: Address = None
    adversarially_trained: bool = False
    surrogate: MaybeName = None
    visibility: Visibility = "public"
    public_at: PublicAt = None


def receive(
    session: Session,
    blobs: Blobs,
    *,
    board: Board,
    side: Side,
    fields: SubmissionFields,
    file: Path,
    sha256: str,
    size: int,
    header: Header,
    user: User,
    limits: Limits,
    is_reference: bool = False,
    now: datetime,
) -> tuple[Submission, bool]:
    """Store a file whose header is in order and add its submission, in state ``received``.

    The same bytes from the same user on the same board and side are the submission that is there
    already, and False, at no cost.  The blob is stored first, before ``session`` takes any lock:
    pass a session that has not been used yet.  ``limits`` are the service's; a reference has none.
    Once the board has a season, what asks to be a reference takes part as any other entry.

    Raises:
        ValueError: the header has violations, an attack names no family, a reference would not be
            public, or the board has another reference of this name: references are frozen with
            their board.
        NotPossible: the user may do nothing any more.
        QuotaExceeded: its user has nothing left today, or no room.
    """
    if header.violations:
        raise ValueError(f"header: found {len(header.violations)} violations, allowed: none")
    if is_reference and fields.visibility != "public":
        raise ValueError(f"visibility: found {fields.visibility}, allowed: public for a reference")
    family = _family(board, side, fields, header)
    blobs.put_file(file, sha256)

    keep(session, blobs, sha256, lambda: blobs.put_file(file, sha256))
    if is_reference:
        lock_board(session, board.id)  # no season begins meanwhile
        is_reference = not seasons.frozen(session, board.id)
    addresses.active(session, user.id)
    mine = (
        Submission.user_id == user.id,
        Submission.board_id == board.id,
        Submission.side == side,
    )
    existing = session.scalar(select(Submission).where(*mine, Submission.sha256 == sha256))
    if existing is not None:
        existing.file_removed_at = None  # it is here again, for a while
        return existing, False
    if is_reference:
        _refuse_another_reference(session, board, side, fields.name)
    charged_at = None
    if not is_reference:
        charged_at = quotas.reserve(session, user.id, board.id, size, now, limits)
    earlier = session.scalar(select(func.count()).select_from(Submission).where(*mine))
    submission = Submission(
        board_id=board.id,
        user_id=user.id,
        side=side,
        name=fields.name,
        authors=fields.authors,
        team=fields.team,
        family=family,
        description=fields.description,
        paper_url=fields.paper_url,
        code_url=fields.code_url,
        adversarially_trained=side == "defense" and fields.adversarially_trained,
        surrogate=fields.surrogate if side == "attack" else None,
        is_reference=is_reference,
        visibility=fields.visibility,
        public_at=fields.public_at,
        attempt=(earlier or 0) + 1,
        sha256=sha256,
        size=size,
        contents=header.contents,
        received_at=now,
        charged_at=charged_at,
    )
    session.add(submission)
    session.flush()
    return submission, True


def _refuse_another_reference(session: Session, board: Board, side: Side, name: str) -> None:
    found = queries.references(session, board.id).get((side, name))
    if found is not None and found.state not in queries.REFUSED:
        raise ValueError(
            f"reference: found other bytes for the {side} {name!r}, allowed: those of {board.id}, "
            f"SHA-256 {found.sha256}; another file needs a new version of the board"
        )


def _family(board: Board, side: Side, fields: SubmissionFields, header: Header) -> str:
    if side == "attack":
        return _attack_family(fields.family, methods_of(board.scenario))
    name = str(header.contents["architecture"])
    known = registered(board.scenario)
    parameters = known[name].parameters.model_validate(header.contents["parameters"])
    return defense_family(name, parameters, fields.adversarially_trained)


def _attack_family(family: str | None, methods: Sequence[str]) -> str:
    if family and (family in methods or (family.startswith("other:") and len(family) > 6)):
        return family
    allowed = ", ".join([*methods, "other:<name>"])
    raise ValueError(f"family: found {family or 'nothing'!r}, allowed: {allowed}")
