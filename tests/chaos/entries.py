"""Entries of the board digits that workers evaluate, and what each cell must be in the end."""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import Any

from sqlalchemy import select

from api.wake import Waker
from grbcore import datasets
from grbcore.results import CLEAN
from grbcore.scenario import Side
from grbcore.scoring import score
from grbcore.seeds import derive_seed
from grbcore.settings import Settings
from grbcore.store import boards, migrate
from grbcore.store.blobs import Blobs
from grbcore.store.session import Sessions, connect, now
from grbcore.store.tables import BoardRow, CellRow, Submission, User
from tests.chaos.quick_evaluator import predictions

BOARD = "digits/injection@1"

#: Of each submission so many messages are sent.
MESSAGES = 3

CONTENTS: dict[Side, dict[str, Any]] = {
    "attack": {"difficulties": ["full"], "repeats": 1},
    "defense": {"architecture": "GCN", "parameters": {"hidden": [8]}, "features": "normalised"},
}


@dataclass(frozen=True, slots=True)
class Entry:
    side: Side
    content: bytes

    @property
    def sha256(self) -> str:
        return hashlib.sha256(self.content).hexdigest()


class Entries:
    """Attacks and defenses in a random order, handed in few by few."""

    def __init__(self, settings: Settings, attacks: int, defenses: int, seed: int) -> None:
        self.blobs = Blobs(settings.blob_url)
        self._waker = Waker(settings)
        migrate.upgrade(settings.database_url)
        self.sessions = Sessions(connect(settings.database_url))
        sides: list[Side] = [*["attack"] * attacks, *["defense"] * defenses]  # type: ignore[list-item]
        self.waiting = [Entry(side, f"{side} {n}".encode()) for n, side in enumerate(sides)]
        random.Random(seed).shuffle(self.waiting)
        self.handed_in: dict[str, Entry] = {}
        with self.sessions.writing() as session:
            boards.sync(session, None, now())
            users = [User(name=name, created_at=now()) for name in ("ann", "bob", "eve")]
            session.add_all(users)
            session.flush()
            self._users = [user.id for user in users]

    def close(self) -> None:
        self._waker.close()
        self.sessions.engine.dispose()

    def hand_in(self, count: int) -> None:
        """Add the next ``count`` submissions, as an upload does, with doubled messages."""
        chosen, self.waiting = self.waiting[:count], self.waiting[count:]
        for entry in chosen:
            number = len(self.handed_in)
            self.blobs.put_bytes(entry.content)
            with self.sessions.writing() as session:
                row = Submission(
                    board_id=BOARD,
                    user_id=self._users[number % len(self._users)],
                    side=entry.side,
                    name=f"{entry.side} {number}",
                    authors="The tests",
                    family="RND" if entry.side == "attack" else "GCN",
                    attempt=number + 1,
                    sha256=entry.sha256,
                    size=len(entry.content),
                    contents=CONTENTS[entry.side],
                    received_at=now(),
                )
                session.add(row)
                session.flush()
                self.handed_in[row.id] = entry
            for _ in range(MESSAGES):
                self._waker.wake(row.id, "cpu")

    def states(self) -> Counter[str]:
        """How many submissions are in each state."""
        with self.sessions.reading() as session:
            return Counter(session.scalars(select(Submission.state)))

    def all_ranked(self) -> bool:
        return not self.waiting and self.states() == {"ranked": len(self.handed_in)}

    def check(self) -> None:
        check_cells(self.sessions, self.blobs, self.handed_in)


def check_cells(sessions: Sessions, blobs: Blobs, entries: Mapping[str, Entry]) -> None:
    """Each cell is there once, with the counts and the hits of a calm run.

    The calm run is made here, pair by pair, by the function that the evaluator answers with.
    """
    dataset = datasets.load("digits")
    with sessions.reading() as session:
        cells = session.scalars(select(CellRow)).all()
        protocol = session.get_one(BoardRow, BOARD).protocol
    assert protocol is not None
    pairs = sorted((str(cell.attack_id), cell.defense_id) for cell in cells)
    attacks = [key for key, entry in entries.items() if entry.side == "attack"]
    defenses = [key for key, entry in entries.items() if entry.side == "defense"]
    assert pairs == sorted(product([*attacks, "None"], defenses))
    assert {(cell.state, cell.place, cell.protocol) for cell in cells} == {
        ("done", "current", protocol)
    }
    for cell in cells:
        attack = None if cell.attack_id is None else entries[cell.attack_id]
        defense = entries[cell.defense_id]
        name = CLEAN if attack is None else attack.sha256
        found = predictions(
            None if attack is None else attack.content,
            defense.content,
            derive_seed(protocol, name, defense.sha256),
        )
        calm = {key.removesuffix("/0"): [array] for key, array in found.items()}
        correct, total, hits = score(calm, dataset)  # type: ignore[arg-type]
        counts = {key: list(value) for key, value in correct.items()}
        assert (cell.correct, cell.total) == (counts, total)
        assert blobs.read(cell.hits_sha256 or "") == hits
