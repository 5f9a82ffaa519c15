"""A service that runs, users with tokens, and boards with entries whose counts a test chooses."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import numpy as np

from api import serving
from api.main import create_app
from grbcore.architectures import ARCHITECTURES
from grbcore.perturbation import Injection
from grbcore.scenario import Side
from grbcore.settings import Settings
from grbcore.store import tokens
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions, now
from grbcore.store.tables import BoardRow, CellRow, Submission
from grbcore.store.visibility import is_public
from grbcore.submission import write_attack, write_defense
from tests.store.databases import known_boards

BOARD = "digits/injection@1"
EMPTY = "grb-reddit/injection@1"  # its data is on no test's host
SUBMISSIONS = "/api/v1/submissions"
DEFENSE = {"board": BOARD, "side": "defense", "name": "My GCN", "authors": "Ann"}
ATTACK = {"board": BOARD, "side": "attack", "name": "Mine", "authors": "Ann", "family": "RND"}
START = datetime(2026, 1, 1, 12, tzinfo=UTC)

Counts = Mapping[str, list[int]]


class Stage:
    """The database behind the service, with the users ann, bob and admin."""

    def __init__(self, sessions: Sessions, settings: Settings, board: str = BOARD) -> None:
        self.name = board
        self.sessions = sessions
        self.settings = settings
        self.blobs = Blobs(settings.blob_url)
        self.count = 0
        with sessions.writing() as session:
            known_boards(session, None, START)
            self.tokens = {name: tokens.issue(session, name, now=START) for name in ("ann", "bob")}
            admin = tokens.first_admin(session, now=START)
            assert admin is not None
            self.tokens["admin"] = admin
        with sessions.reading() as session:
            row = session.get_one(BoardRow, board)
            assert row.protocol is not None
            self.protocol = row.protocol

    def entry(
        self, side: Side, name: str, *, user: str = "ann", state: str = "ranked", **fields: Any
    ) -> str:
        """A submission as if it had been received and brought to this state; its id."""
        self.count += 1
        moment = START + timedelta(minutes=self.count)
        content = f"{side} {self.count}".encode()
        fields.setdefault("contents", {"difficulties": ["full"], "repeats": 3})
        fields.setdefault("family", "RND" if side == "attack" else "GCN")
        if state == "ranked" and fields.get("visibility", "public") == "public":
            fields.setdefault("published_at", moment)
        with self.sessions.writing() as session:
            owner = tokens.user(session, user)
            assert owner is not None
            row = Submission(
                board_id=self.name,
                user_id=owner.id,
                side=side,
                name=name,
                authors="A. Author",
                sha256=self.blobs.put_bytes(content),
                size=len(content),
                state=state,
                received_at=moment,
                registered_at=moment if state == "ranked" else None,
                **fields,
            )
            session.add(row)
            session.flush()
            self._changed(row, moment)
            return row.id

    def cell(
        self,
        attack: str | None,
        defense: str,
        correct: Counts | None = None,
        total: int = 100,
        *,
        state: str = "done",
        **fields: Any,
    ) -> str:
        """A cell between two entries; its id."""
        done = state == "done"
        fields.setdefault("newcomer_id", defense)
        fields.setdefault("protocol", self.protocol)
        fields.setdefault("finished_at", START if done else None)
        with self.sessions.writing() as session:
            row = CellRow(
                board_id=self.name,
                attack_id=attack,
                defense_id=defense,
                state=state,
                queued_at=START,
                correct=dict(correct or {}) if done else None,
                total=dict.fromkeys(correct or {}, total) if done else None,
                evaluator_version=1 if done else None,
                device="cpu" if done else None,
                seconds=0.5 if done else None,
                versions={"torch": "2.13.0"} if done else None,
                **fields,
            )
            session.add(row)
            session.flush()
            return row.id

    def change(self, submission_id: str, **fields: Any) -> None:
        """Set fields of a submission, as its owner, an admin or a worker would."""
        with self.sessions.writing() as session:
            row = session.get_one(Submission, submission_id)
            for name, value in fields.items():
                setattr(row, name, value)
            self._changed(row, now())

    def board(self, **fields: Any) -> None:
        """Set fields of the board's row."""
        with self.sessions.writing() as session:
            row = session.get_one(BoardRow, self.name)
            for name, value in fields.items():
                setattr(row, name, value)

    def submissions(self) -> int:
        """How many rows there are."""
        with self.sessions.reading() as session:
            return session.query(Submission).count()

    @staticmethod
    def _changed(row: Submission, moment: datetime) -> None:
        from sqlalchemy.orm import object_session

        session = object_session(row)
        assert session is not None
        if not is_public(row, now()):
            return
        board = session.get_one(BoardRow, row.board_id)
        board.revision += 1
        board.changed_at = moment

    def bearer(self, user: str = "ann") -> dict[str, str]:
        """The headers of a request by this user."""
        return {"Authorization": f"Bearer {self.tokens[user]}"}


@contextmanager
def serve(settings: Settings, port: int = 0) -> Iterator[str]:
    """A real server on this port, or on a free one; its address."""
    server = serving.server(create_app(settings), "127.0.0.1", port, log_level="warning")
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until = time.monotonic() + 60
    while not server.started:
        assert thread.is_alive() and time.monotonic() < until, "the server did not start"
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join(20)


def problem(answer: httpx.Response, status: int, code: str) -> Any:
    """The body of an error, after checking that it is a Problem of this status and code."""
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert set(body) == {"code", "message", "violations", "request_id"}
    assert body["request_id"] == answer.headers["x-request-id"]
    assert body["code"] == code
    return body


def places(body: dict[str, Any]) -> set[str]:
    """Where an error's violations are."""
    return {violation["place"] for violation in body["violations"]}


def left_behind(stage: Stage) -> list[Path]:
    """What uploads have left in the folder of incoming files."""
    return list((stage.settings.var_dir / "incoming").glob("*"))


def defense_file(folder: Path, *, features: int = 64, value: float = 0.0, hidden: int = 4) -> Path:
    """A small GCN for digits (64 features, 10 classes), every weight equal to ``value``."""
    path = folder / "defense.safetensors"
    chosen = {"hidden": [hidden], "layer_norm": False}
    gcn = ARCHITECTURES["GCN"]
    shapes = gcn.shapes(gcn.parameters.model_validate(chosen), features, 10)
    tensors = {name: np.full(shape, value, np.float32) for name, shape in shapes.items()}
    write_defense(path, tensors, architecture="GCN", parameters=chosen)
    return path


def attack_file(folder: Path) -> Path:
    """One injected node with one edge on digits (1,797 nodes), one repeat, full only."""
    path = folder / "attack.npz"
    injection = Injection(
        features=np.zeros((1, 64), np.float32), edges=np.array([[1797], [0]], np.int64)
    )
    write_attack(path, {"full": [injection]})
    return path
