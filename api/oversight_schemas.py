"""What admins are told of users, of uploads that failed, and of entries of all kinds."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from api.admin_schemas import Reason
from api.me_schemas import QuotaOut
from api.schemas import BoardState, Role, SubmissionState
from grbcore.needs import Need
from grbcore.scenario import Side
from grbcore.store.allowances import Allowance


class QuotaChange(Allowance):
    """What a user is allowed from now on, and why; what is left out stays as it is.

    0 is as much as they like, null what the service allows everybody.
    """

    reason: Reason


class UserOut(BaseModel):
    """A user: how they sign in, and what they have uploaded."""

    id: str
    name: str
    role: Role
    created_at: datetime
    suspended_at: datetime | None
    has_password: bool
    email: str | None
    email_confirmed: bool
    entries: int  # those that were rejected or deleted included
    last_upload_at: datetime | None  # of an entry
    quota_per_day: int | None  # where an admin allows them something else than everybody
    quota_bytes: int | None
    quota_reset_at: datetime | None
    quota: QuotaOut  # only boards of which something is used today


class UserList(BaseModel):
    """A page of users, newest first; ``next`` is the cursor of the next page."""

    users: list[UserOut]
    next: str | None


class FailedUploadOut(BaseModel):
    """A file that was refused at once, or rejected by the validator."""

    id: str  # of the submission, where it was rejected
    stage: Literal["header", "content"]  # refused at once, or rejected by the validator
    at: datetime
    user: str
    user_id: str
    board: str | None
    side: Side | None
    codes: list[str]  # of its violations, each once
    bytes: int
    url: str | None  # of the submission


class FailedUploadList(BaseModel):
    """A page of uploads that failed, newest first; ``next`` is the cursor of the next page."""

    uploads: list[FailedUploadOut]
    next: str | None


class AnyEntryOut(BaseModel):
    """An entry as admins see it: with the name and the owner that a mark hides from others."""

    id: str
    board: str
    side: Side
    name: str
    authors: str
    family: str
    user: str
    user_id: str
    state: SubmissionState
    reason: str | None
    is_reference: bool
    attempt: int
    bytes: int
    charged: bool  # whether it took a place of its user's day
    received_at: datetime
    validated_at: datetime | None
    registered_at: datetime | None
    withdrawn_at: datetime | None
    hidden_at: datetime | None
    deleted_at: datetime | None
    file_removed_at: datetime | None
    url: str


class AnyEntryList(BaseModel):
    """A page of entries, newest first; ``next`` is the cursor of the next page."""

    entries: list[AnyEntryOut]
    next: str | None


class MeasuredOut(BaseModel):
    """Current cells of a board that are done and were measured alike."""

    protocol: str
    evaluator: int | None
    torch: str | None
    device: str | None
    cells: int
    oldest: datetime | None  # when the first of them was finished


class BoardVersions(BaseModel):
    """A board's protocol and revision, and what its current results were measured with."""

    id: str
    title: str
    state: BoardState
    problem: str | None  # why the files that are here can't be used
    need: Need
    protocol: str | None
    revision: int
    changed_at: datetime | None
    undecided: int  # re-evaluations that are proposed, running or ready
    measured: list[MeasuredOut]


class VersionsOut(BaseModel):
    """The versions that this service defines, and those of every board."""

    service: str
    evaluator: int
    metric: int
    boards: list[BoardVersions]
