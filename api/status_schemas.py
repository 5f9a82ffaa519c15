"""What the API gives of the state of the service; the rest is in `schemas`."""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from pydantic import BaseModel

from api.schemas import BoardState
from grbcore.needs import Need

WorkerState = Literal["alive", "lost", "stopped"]
WorkKind = Literal["validation", "cells"]
FailureFamily = Literal["submission", "infrastructure"]
FailureOutcome = Literal["rejected", "failed", "dead", "stopped", "retried", "recovered"]


class WorkOut(BaseModel):
    """What a worker does now: check a file, or compute cells of a newcomer."""

    kind: WorkKind
    submission: str | None  # null where it is not public, and not the reader's own
    name: str | None
    board: str
    cells: int  # that it holds; 0 while it checks a file


class WorkerOut(BaseModel):
    """A worker: alive if it was heard of within 45 s, lost if it should be there and is not."""

    id: str
    host: str
    pid: int
    state: WorkerState
    device: str
    takes: list[Need]  # the needs of the boards that it works for
    versions: dict[str, str]
    started_at: datetime
    heartbeat_at: datetime
    stopped_at: datetime | None
    work: WorkOut | None
    avoided: dict[str, str]  # what it leaves to others, each with the reason


class UnservedOut(BaseModel):
    """Work for boards of a need that no living worker takes."""

    need: Need
    cells: int
    validations: int


class QueueOut(BaseModel):
    """One kind of work.  ``stopped`` waits for an admin, as its attempts are used up."""

    waiting: int
    oldest_seconds: float | None  # how long the oldest has been waiting
    running: int
    done: int  # within 24 hours
    stopped: int


class FailureOut(BaseModel):
    """How often something failed within 24 hours.

    By fault of the submission it ends rejected or failed.  By fault of the infrastructure it is
    retried, recovered (done at a later try), dead (a cell) or stopped (a validation).
    """

    family: FailureFamily
    work: WorkKind
    code: str
    outcome: FailureOutcome
    count: int


class BoardPaceOut(BaseModel):
    """A board's state, and how long a new entry would take from now until its rank is known.

    The wait is null where no cell was measured yet, or no living worker takes the board's need.
    """

    id: str
    title: str
    state: BoardState
    need: Need
    attacks: int  # counterparts of a new defense that are public
    defenses: int  # counterparts of a new attack that are public
    cell_seconds: float | None  # median of the latest cells
    attack_wait: float | None  # seconds
    defense_wait: float | None  # seconds


class StatusOut(BaseModel):
    """What the service does at the moment."""

    at: datetime
    alive: int  # workers
    takers: dict[Need, int]  # living workers that take boards of each need
    workers: list[WorkerOut]
    unserved: list[UnservedOut]
    validations: QueueOut
    cells: QueueOut
    failures: list[FailureOut]
    boards: list[BoardPaceOut]
