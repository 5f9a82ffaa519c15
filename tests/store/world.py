"""A board with submissions, and short words for what a worker does with them."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.confusion import pack
from grbcore.scenario import Side
from grbcore.store.queue import Batch, begin_cell, claim_cells, claim_validation
from grbcore.store.registration import finish_cell, finish_validation
from grbcore.store.results import CellResult
from grbcore.store.session import Sessions
from grbcore.store.tables import BoardRow, CellRow, Submission, User

START = datetime(2026, 1, 1, 12, tzinfo=UTC)
BOARD = "digits/injection@1"
PROTOCOL = "0123456789abcdef"
OWNER = "host/1/first"

CONFUSION = np.array(
    [[[right, 9 - right, 0], [1 - lost, 0, lost]] for right, lost in ((7, 0), (8, 1), (9, 0))]
)
RESULT = CellResult(
    correct={"full": [7, 8, 9]},
    total={"full": 10},
    not_finite={"full": [0, 1, 0]},
    hits_sha256="a" * 64,
    device="cpu",
    seconds=0.5,
    versions={"torch": "2.13.0"},
    confusion=pack({"full": CONFUSION}),
)


def at(seconds: float) -> datetime:
    """This many seconds after the start."""
    return START + timedelta(seconds=seconds)


class World:
    def __init__(self, sessions: Sessions, board: str = BOARD, protocol: str = PROTOCOL) -> None:
        self.sessions = sessions
        self.board = board
        self.count = 0
        with sessions.writing() as session:
            session.add(BoardRow(id=board, state="ready", protocol=protocol))
            user = User(name="ann", created_at=START)
            session.add(user)
            session.flush()
            self.user = user.id

    def submit(
        self,
        side: Side,
        *,
        reference: bool = False,
        sha256: str | None = None,
        contents: dict[str, Any] | None = None,
        user: str | None = None,
        now: datetime = START,
    ) -> str:
        """A submission in state received, by the first user if by none other; its id."""
        with self.sessions.writing() as session:
            return self._add(session, side, reference, sha256, contents, user, now)

    def _add(
        self,
        session: Session,
        side: Side,
        reference: bool,
        sha256: str | None,
        contents: dict[str, Any] | None,
        user: str | None,
        now: datetime,
    ) -> str:
        self.count += 1
        contents = contents or (
            {"difficulties": ["full"], "repeats": 3}
            if side == "attack"
            else {"architecture": "GCN", "parameters": {"hidden": [8]}, "features": "normalised"}
        )
        row = Submission(
            board_id=self.board,
            user_id=user or self.user,
            side=side,
            name=f"{side} {self.count}",
            authors="Ann",
            family="GCN" if side == "defense" else "RND",
            is_reference=reference,
            attempt=self.count,
            sha256=sha256 or f"{self.count:064x}",
            size=1,
            contents=contents,
            received_at=now,
        )
        session.add(row)
        session.flush()
        return row.id

    def another_user(self, name: str) -> str:
        """The id of one more user."""
        with self.sessions.writing() as session:
            user = User(name=name, created_at=START)
            session.add(user)
            session.flush()
            return user.id

    def validate(self, *, now: datetime = START) -> str:
        """Claim the next submission and find it valid; its id."""
        with self.sessions.writing() as session:
            leased = claim_validation(session, OWNER, now)
            assert leased is not None
        with self.sessions.writing() as session:
            assert finish_validation(session, leased.entry.id, leased.token, [], now)
        return leased.entry.id

    def evaluating(
        self,
        side: Side,
        *,
        reference: bool = False,
        sha256: str | None = None,
        contents: dict[str, Any] | None = None,
        user: str | None = None,
        now: datetime = START,
    ) -> str:
        """A valid submission whose cells wait; its id.

        In one transaction, so that no worker that runs beside the test takes its validation.
        """
        with self.sessions.writing() as session:
            added = self._add(session, side, reference, sha256, contents, user, now)
            leased = claim_validation(session, OWNER, now)
            assert leased is not None
            assert leased.entry.id == added
            assert finish_validation(session, added, leased.token, [], now)
        return added

    def claim(self, *, owner: str = OWNER, now: datetime = START, limit: int = 64) -> Batch:
        """The next batch of cells."""
        with self.sessions.writing() as session:
            batch = claim_cells(session, owner, now, limit)
        assert batch is not None
        return batch

    def begin(self, batch: Batch, index: int = 0, *, now: datetime = START) -> str:
        """Begin one cell of a batch; its id."""
        cell_id = batch.cells[index].id
        with self.sessions.writing() as session:
            assert begin_cell(session, cell_id, batch.token, now)
        return cell_id

    def finish(
        self, cell_id: str, token: str, *, now: datetime = START, result: CellResult = RESULT
    ) -> bool:
        with self.sessions.writing() as session:
            return finish_cell(session, cell_id, token, result, now)

    def work(self, *, now: datetime = START, result: CellResult = RESULT) -> None:
        """Compute whatever is queued."""
        while True:
            with self.sessions.writing() as session:
                batch = claim_cells(session, OWNER, now)
            if batch is None:
                return
            for cell in batch.cells:
                assert self.finish(cell.id, batch.token, now=now, result=result)

    def ranked(self, side: Side, *, reference: bool = False, now: datetime = START) -> str:
        """A registered submission; its id."""
        submission_id = self.evaluating(side, reference=reference, now=now)
        self.work(now=now)
        assert self.state(submission_id) == "ranked"
        return submission_id

    def submission(self, submission_id: str) -> Submission:
        with self.sessions.reading() as session:
            return session.get_one(Submission, submission_id)

    def state(self, submission_id: str) -> str:
        return self.submission(submission_id).state

    def cell(self, cell_id: str) -> CellRow:
        with self.sessions.reading() as session:
            return session.get_one(CellRow, cell_id)

    def cells(self) -> dict[tuple[str | None, str], str]:
        """The state of every cell, by attack and defense."""
        with self.sessions.reading() as session:
            rows = session.scalars(select(CellRow)).all()
        return {(row.attack_id, row.defense_id): row.state for row in rows}

    def states(self) -> Counter[str]:
        """How many cells are in each state."""
        return Counter(self.cells().values())

    def revision(self) -> int:
        with self.sessions.reading() as session:
            return session.get_one(BoardRow, self.board).revision
