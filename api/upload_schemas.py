"""What the API tells of uploads in parts."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from api.schemas import ViolationOut
from grbcore.scenario import Side

UploadState = Literal["open", "done", "refused"]


class UploadOut(BaseModel):
    """A file that arrives in parts.

    ``open``: bytes are missing, or it waits to be taken in; ``done``: it is the submission;
    ``refused``: ``violations`` tell why.
    """

    id: str
    location: str  # where its bytes go
    board: str
    side: Side
    name: str
    sha256: str | None  # as announced
    bytes: int  # of the whole file
    arrived: int
    state: UploadState
    created_at: datetime
    expires_at: datetime  # what has not arrived by then is given up
    submission: str | None
    reason: str | None
    violations: list[ViolationOut]


class UploadList(BaseModel):
    """A user's own uploads, newest first."""

    uploads: list[UploadOut]
