"""A board whose metric is an error, with entries and errors that a test chooses."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime

import numpy as np
from sqlalchemy import select

from grbcore import catalog
from grbcore.scenario import BUDGETS, Side
from grbcore.scoring import score_errors
from grbcore.store.blobs import Blobs
from grbcore.store.queue import claim_cells
from grbcore.store.registration import finish_cell
from grbcore.store.results import CellResult
from grbcore.store.session import Sessions
from grbcore.store.tables import BoardRow, Submission, User
from tests.store.world import OWNER, START, World, at

BOARD = catalog.board("zinc/adjacency@1")
PROTOCOL = "abcdef0123456789"
TARGETS = 4
REPEATS = 3
ATTACK = {"difficulties": list(BUDGETS), "repeats": REPEATS}
DEFENSE = {"architecture": "GINE", "parameters": {"hidden": 8, "layers": 2}}
FACTS = {"nodes": 90, "edges": 100, "features": 28, "classes": 1, "majority": None}

#: The mean error of each pair without an attack (None) and with it at budget 1.  Under budget b it
#: is b times that of the attack.
Errors = Mapping[tuple[str | None, str], float]


class Labels:
    """Test graphs whose number is 0, so that predictions are errors."""

    name, digest, classes = "zinc", "0", 1
    labels = np.zeros(TARGETS)
    targets = dict.fromkeys(BUDGETS, np.arange(TARGETS))


class Molecules(World):
    """As `World`, on a board of errors; entries have the names that a test gives them."""

    def __init__(
        self, sessions: Sessions, blobs: Blobs, errors: Errors, board: str = BOARD.id
    ) -> None:
        self.sessions = sessions
        self.blobs = blobs
        self.errors = errors
        self.board = board
        self.count = 0
        self.names: dict[str, str] = {}
        self.unmoved: set[str] = set()  # defenses that err alike under every attack
        facts = {**FACTS, "targets": dict.fromkeys(BUDGETS, TARGETS)}
        with sessions.writing() as session:
            row = session.get(BoardRow, board)
            if row is None:
                row = BoardRow(id=board)
                session.add(row)
            row.state, row.protocol, row.facts = "ready", PROTOCOL, facts
            user = session.scalar(select(User).where(User.name == "ann"))
            if user is None:
                user = User(name="ann", created_at=START)
                session.add(user)
            session.flush()
            self.user = user.id

    def add(self, side: Side, name: str, *, reference: bool = True) -> str:
        """A registered entry of this name; its id."""
        contents = ATTACK if side == "attack" else DEFENSE
        entry = self.evaluating(side, reference=reference, contents=dict(contents))
        self.names[entry] = name
        with self.sessions.writing() as session:
            row = session.get_one(Submission, entry)
            row.name, row.published_at = name, START
            row.family = "GINE" if side == "defense" else "Random"
        self.work_all(at(self.count))
        assert self.state(entry) == "ranked"
        return entry

    def work_all(self, now: datetime) -> None:
        """Compute whatever is queued, each pair with its own errors."""
        while True:
            with self.sessions.writing() as session:
                batch = claim_cells(session, OWNER, now)
                if batch is None:
                    return
                for cell in batch.cells:
                    attack = None if cell.attack is None else self.names[cell.attack.id]
                    result = self.result(attack, self.names[cell.defense.id])
                    assert finish_cell(session, cell.id, batch.token, result, now)

    def result(self, attack: str | None, defense: str) -> CellResult:
        """What a worker makes of predictions with these errors: graph by graph 0.5 and 1.5 times
        the mean, and in repeat r a hundredth of r more."""
        mean = self.errors[attack, defense]
        moved = attack is not None and defense not in self.unmoved
        shares = np.tile([0.5, 1.5], TARGETS // 2)
        found = {
            budget: [
                np.float32(shares * (mean * int(budget) + repeat / 100 if moved else mean))
                for repeat in range(REPEATS if attack else 1)
            ]
            for budget in BUDGETS
        }
        means, total, packed = score_errors(found, Labels())  # type: ignore[arg-type]
        return CellResult(
            correct={},
            total={str(name): count for name, count in total.items()},
            not_finite={name: [0] * len(of) for name, of in found.items()},
            hits_sha256=self.blobs.put_bytes(packed),
            errors={name: list(of) for name, of in means.items()},
            device="cpu",
            seconds=0.5,
            versions={"torch": "2.13.0"},
        )


#: Two defenses and two attacks: A errs less than B, and strong raises both more than weak.
CASES: Errors = {
    (None, "A"): 0.2,
    (None, "B"): 0.3,
    ("strong", "A"): 0.5,
    ("strong", "B"): 0.9,
    ("weak", "A"): 0.3,
    ("weak", "B"): 0.4,
}
