"""A board on whole graphs with submissions: as `world`, of MUTAG, whose data nobody reads."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore import catalog
from grbcore.confusion import confusions
from grbcore.confusion import pack as pack_confusion
from grbcore.margins import pack as pack_margins
from grbcore.scenario import BUDGETS, Difficulty, Side
from grbcore.scoring import pack
from grbcore.store.blobs import Blobs
from grbcore.store.queue import claim_cells
from grbcore.store.registration import CellResult
from grbcore.store.session import Sessions
from grbcore.store.tables import BoardRow
from tests.store.world import OWNER, PROTOCOL, START, World

BOARD = catalog.board("mutag/adjacency@1")
GRAPHS = 19
REPEATS = 3

#: What MUTAG's test graphs are.
FACTS: dict[str, Any] = {
    "nodes": 336,
    "edges": 372,
    "features": 7,
    "classes": 2,
    "edge_features": 4,
    "graphs": GRAPHS,
    "pairs": 6200,
    "targets": dict.fromkeys(BUDGETS, GRAPHS),
    "majority": 12,
}

Right = Mapping[Difficulty, Sequence[int]]

CLEAN: Right = dict.fromkeys(BUDGETS, (17,))


def falling(first: int = 15, step: int = 2) -> dict[Difficulty, tuple[int, int, int]]:
    """So many graphs right at budget 1, fewer with each; in the repeats one less and one more."""
    counts = {name: first - step * (int(name) - 1) for name in BUDGETS}
    return {name: (n - 1, n, n + 1) for name, n in counts.items()}


def hits(right: Sequence[int]) -> NDArray[np.bool_]:
    """(repeats, graphs): in each repeat the first so many graphs."""
    return np.array([np.arange(GRAPHS) < count for count in right])


def result(right: Right, blobs: Blobs | None = None) -> CellResult:
    """A cell with so many graphs right at each budget and repeat; hits are stored in ``blobs``."""
    found = pack({name: hits(counts) for name, counts in right.items()})
    labels = np.zeros(GRAPHS, np.int64)
    labels[12:] = 1
    said = {
        name: [np.where(row, labels, 1 - labels).astype(np.int16) for row in hits(counts)]
        for name, counts in right.items()
    }
    clean = all(len(counts) == 1 for counts in right.values())
    return CellResult(
        correct={name: list(counts) for name, counts in right.items()},
        total=dict.fromkeys(right, GRAPHS),
        not_finite={name: [0] * len(counts) for name, counts in right.items()},
        hits_sha256="a" * 64 if blobs is None else blobs.put_bytes(found),
        device="cpu",
        seconds=0.5,
        versions={"torch": "2.13.0", "numpy": "2.0"},
        confusion=pack_confusion(confusions(said, Labelled(labels))),
        margins=pack_margins(np.full(GRAPHS, 50, np.uint8)) if clean else None,
    )


class Labelled:
    """Test graphs by their labels."""

    classes = 2

    def __init__(self, labels: NDArray[np.int64]) -> None:
        self.labels = labels
        self.targets = dict.fromkeys(BUDGETS, np.arange(len(labels)))


class GraphWorld(World):
    """As `World`; attacks carry all budgets."""

    def __init__(
        self, sessions: Sessions, blobs: Blobs | None = None, protocol: str = PROTOCOL
    ) -> None:
        super().__init__(sessions, BOARD.id, protocol)
        self.blobs = blobs
        with sessions.writing() as session:
            session.get_one(BoardRow, BOARD.id).facts = FACTS

    @classmethod
    def of(cls, world: World) -> GraphWorld:
        """The same board, users and entries as another world's of it."""
        assert world.board == BOARD.id
        made = cls.__new__(cls)
        made.__dict__.update(world.__dict__)
        made.blobs = None
        return made

    def add(
        self,
        side: Side,
        right: Right | None = None,
        *,
        reference: bool = False,
        sha256: str | None = None,
    ) -> str:
        """A ranked entry: so many graphs are right in each of its cells but clean ones; its id."""
        contents: dict[str, Any] = {"difficulties": [*BUDGETS], "repeats": REPEATS}
        if side == "defense":
            contents = {
                "architecture": "GINE",
                "parameters": {"hidden": 8, "layers": 2},
                "features": "raw",
            }
        entry = self.evaluating(side, reference=reference, sha256=sha256, contents=contents)
        self.measure(right or falling())
        assert self.state(entry) == "ranked"
        return entry

    def measure(self, right: Right, now: datetime = START) -> None:
        """Have whatever is queued measured."""
        while True:
            with self.sessions.writing() as session:
                batch = claim_cells(session, OWNER, now)
            if batch is None:
                return
            for cell in batch.cells:
                found = result(CLEAN if cell.attack is None else right, self.blobs)
                assert self.finish(cell.id, batch.token, now=now, result=found)
