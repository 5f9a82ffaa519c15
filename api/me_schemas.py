"""What the API takes and gives of a user's own: the other half of `schemas`."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from api.account_schemas import Password
from api.schemas import Role
from grbcore.store.accounts.passwords import LONGEST

Channel = Literal["webhook", "mail"]


class NotificationsIn(BaseModel):
    """Where to be told; what is left out stays as it is, null ends it.

    A signed-in browser sends the ``password`` beside an address, where there is one.
    """

    model_config = ConfigDict(extra="forbid", hide_input_in_errors=True)

    webhook_url: str | None = Field(default=None, max_length=400, examples=["https://lab.org/grb"])
    email: str | None = Field(default=None, max_length=254, examples=["ann@lab.org"])
    rotate_secret: bool = Field(default=False, description="Another secret for the same webhook")
    password: Password | None = Field(default=None, max_length=LONGEST)


class NotificationsOut(BaseModel):
    """Where a user is told what became of a submission."""

    webhook_url: str | None
    email: str | None
    email_confirmed: bool  # nothing is sent before
    mail_available: bool  # whether this service sends mails


class NotificationsSet(NotificationsOut):
    """The same after a change, with what is said only once."""

    webhook_secret: str | None  # null unless it is new; it can't be read again
    mail_sent: bool  # whether a mail with the link that confirms the address is on its way
    mail_problem: str | None  # why it is not, where it should be


class MeOut(BaseModel):
    """Who a token belongs to, and where they are told."""

    name: str
    role: Role
    notifications: NotificationsOut


class UsedOut(BaseModel):
    """How much of a limit is used; ``limit`` and ``left`` are null where there is none."""

    used: int
    limit: int | None
    left: int | None


class BoardQuota(UsedOut):
    """Today's uploads to one board; only files that are valid count in the end."""

    board: str


class QuotaOut(BaseModel):
    """What a user may upload, and what is left of it."""

    exempt: bool  # an admin: nothing of this is ever refused
    day: datetime  # when today began, at midnight in UTC
    frees_at: datetime  # when it ends
    boards: list[BoardQuota]
    invalid: UsedOut  # files that were refused or rejected today
    stored_bytes: UsedOut


class TestOut(BaseModel):
    """How the test of one channel went."""

    channel: Channel
    delivered: bool
    answer: str  # what came back, or why nothing did


class TestList(BaseModel):
    """How the test of each channel went."""

    results: list[TestOut]


class NoticeOut(BaseModel):
    """One message to a user, and whether it arrived."""

    id: str  # as in the header webhook-id
    event: str
    channel: Channel
    submission: str | None
    state: Literal["waiting", "sent", "failed"]
    attempts: int
    problem: str | None  # of the last try
    created_at: datetime
    due_at: datetime | None  # when it is tried next, while it waits
    sent_at: datetime | None


class NoticeList(BaseModel):
    """The latest messages, newest first."""

    notices: list[NoticeOut]
