"""A board with real files, as if users and the baselines had filled it, and what a reader sees."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from sqlalchemy import Table, delete, insert, select

from grbcore import catalog, confusion, datasets
from grbcore.architectures import ARCHITECTURES
from grbcore.datasets.dataset import Judged
from grbcore.files import sha256_of
from grbcore.perturbation import Injection
from grbcore.scenario import DIFFICULTIES, Difficulty, Side
from grbcore.spending import Spending
from grbcore.store import tokens, views
from grbcore.store.blobs import Blobs
from grbcore.store.intake import SubmissionFields, receive
from grbcore.store.queue import claim_cells, claim_validation
from grbcore.store.quotas import UNLIMITED
from grbcore.store.registration import finish_cell, finish_validation
from grbcore.store.results import CellResult
from grbcore.store.session import Sessions
from grbcore.store.tables import Base, BoardRow, CellRow, Submission
from grbcore.submission import check_header, scale_of, write_attack, write_defense
from tests.store import databases
from tests.store.world import OWNER, at

BOARD = catalog.board("digits/injection@1")
DATASET = datasets.load("digits")

#: Of `attack_file`: one node with one edge.
SPENT: Spending = {
    name: {kind: [1] * BOARD.repeats for kind in ("nodes", "edges", "ends")}
    for name in DIFFICULTIES
}


class House:
    """A host's database and blobs, and short words for what happens there."""

    board = BOARD
    dataset: Judged = DATASET
    data_dir: Path | None = None
    families: ClassVar[Mapping[Side, str | None]] = {"attack": "RND", "defense": None}
    spent: Spending | None = SPENT

    def __init__(self, sessions: Sessions, folder: Path) -> None:
        self.sessions = sessions
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.blobs = Blobs((folder / "blobs").as_uri())
        self.count = 0
        with sessions.writing() as session:
            databases.known_boards(session, self.data_dir, at(0))

    def submit(self, side: Side, owner: str = "ann", *, value: int | None = None) -> str:
        """A real file, received; its id.  Equal values are equal bytes."""
        self.count += 1
        value = self.count if value is None else value
        path = self.file(side, value)
        with path.open("rb") as file:
            scale = scale_of(self.dataset)  # type: ignore[arg-type]
            header = check_header(file, side=side, board=self.board, scale=scale)
        fields = SubmissionFields(
            name=f"{side} {value}",
            authors="A. Author",
            family=self.families[side],
            description="Described\nin two lines: ü",
            paper_url="https://example.org/paper",
        )
        with self.sessions.writing() as session:
            user = tokens.user(session, owner) or tokens.create_user(session, owner, now=at(0))
        with self.sessions.writing() as session:
            row, _ = receive(
                session,
                self.blobs,
                board=self.board,
                side=side,
                fields=fields,
                file=path,
                sha256=sha256_of(path),
                size=path.stat().st_size,
                header=header,
                user=user,
                limits=UNLIMITED,
                is_reference=owner == "baselines",
                now=at(self.count),
            )
            return row.id

    def file(self, side: Side, value: int) -> Path:
        """A real file; equal values are equal bytes."""
        make = defense_file if side == "defense" else attack_file
        return make(self.folder, value)

    def validate(self) -> None:
        """Find everything valid that was received."""
        while True:
            with self.sessions.writing() as session:
                leased = claim_validation(session, OWNER, at(8000))
                if leased is None:
                    return
                entry, when = leased.entry, at(1000 + self.count)
                spent = self.spent if entry.side == "attack" else None
                finish_validation(session, entry.id, leased.token, [], when, spent=spent)

    def compute(self, limit: int = 1000) -> int:
        """Compute at most so many cells that wait, each with counts of its own; how many."""
        done = 0
        while done < limit:
            with self.sessions.writing() as session:
                batch = claim_cells(session, OWNER, at(8000), limit - done)
                if batch is None:
                    return done
                for cell in batch.cells:
                    result = self.result(
                        cell.attack.sha256 if cell.attack else "", cell.defense.sha256
                    )
                    assert finish_cell(session, cell.id, batch.token, result, at(1000 + self.count))
                    done += 1
        return done

    def ranked(self, side: Side, owner: str = "ann", *, value: int | None = None) -> str:
        submission_id = self.submit(side, owner, value=value)
        self.validate()
        self.compute()
        assert self.state(submission_id) == "ranked"
        return submission_id

    def result(self, attack: str, defense: str) -> CellResult:
        """Counts that follow from the two files alone, so that hosts agree on them."""
        seed = int(hashlib.sha256(f"{attack} {defense}".encode()).hexdigest()[:8], 16)
        rng = np.random.default_rng(seed)
        total = {n: int(self.dataset.targets[n].shape[0]) for n in self.board.difficulties}
        repeats = self.board.repeats if attack else 1
        correct = {name: rng.integers(0, total[name], repeats).tolist() for name in total}
        return CellResult(
            correct=correct,
            total=total,
            not_finite={name: [0] * repeats for name in total},
            hits_sha256=self.blobs.put_bytes(f"hits {seed}".encode()),
            device="cpu",
            seconds=0.25,
            versions={"torch": "2.13.0"},
            confusion=confusion.pack(_two_classes(correct, total)),
        )

    def state(self, submission_id: str) -> str:
        with self.sessions.reading() as session:
            return session.get_one(Submission, submission_id).state

    def states(self) -> dict[str, str]:
        """The state of every entry, by name."""
        with self.sessions.reading() as session:
            return {row.name: row.state for row in session.scalars(select(Submission))}

    def owners(self) -> dict[str, str]:
        """The owner of every entry, by name."""
        with self.sessions.reading() as session:
            return {row.name: row.user.name for row in session.scalars(select(Submission))}

    def cells(self) -> int:
        with self.sessions.reading() as session:
            return len(session.scalars(select(CellRow.id)).all())

    def change(self, submission_id: str, **fields: Any) -> None:
        with self.sessions.writing() as session:
            row = session.get_one(Submission, submission_id)
            for name, value in fields.items():
                setattr(row, name, value)

    def change_cells(self, *where: Any, **fields: Any) -> None:
        with self.sessions.writing() as session:
            for row in session.scalars(select(CellRow).where(*where)):
                for name, value in fields.items():
                    setattr(row, name, value)

    def seen(self) -> dict[str, Any]:
        """Every ranking and the matrix in both views at every difficulty."""
        found: dict[str, Any] = {}
        with self.sessions.reading() as session:
            protocol = session.get_one(BoardRow, self.board.id).protocol
            for view in views.VIEWS:
                for side in ("attack", "defense"):
                    for at in self.board.choices:
                        found[f"{view} {side} {at}"] = views.standing(
                            session, self.board, protocol, view=view, side=side, difficulty=at
                        )
            found["matrix"] = sorted(
                (
                    row.attack_id or "",
                    row.defense_id,
                    row.state,
                    json.dumps([row.correct, row.total]),
                )
                for row in session.scalars(select(CellRow).where(CellRow.place == "current"))
            )
            found["entries"] = [
                [getattr(row, name) for name in _SHOWN]
                for row in session.scalars(select(Submission).order_by(Submission.id))
            ]
        return found


_SHOWN = (
    "id", "side", "name", "authors", "team", "family", "description", "paper_url", "attempt",
    "is_reference", "size", "contents", "state", "reason", "received_at", "validated_at",
    "registered_at", "withdrawn_at", "hidden_at", "deleted_at", "edited_at",
)  # fmt: skip


@dataclass(frozen=True)
class Kept:
    """What `filled` made of an empty house."""

    ids: dict[str, str]
    count: int
    rows: dict[Table, list[dict[str, Any]]]
    files: dict[Path, bytes]  # below the folder of blobs


_KEPT: dict[type[House], Kept] = {}


def filled(house: House) -> dict[str, str]:
    """References of both sides, and entries of two users in every state; their ids by a word.

    Made once for each kind of house in a process, and copied into every other one.
    """
    assert house.count == 0
    blobs = house.folder / "blobs"
    kept = _KEPT.get(type(house))
    if kept is None:
        ids = _fill(house)
        with house.sessions.reading() as session:
            rows = {
                table: [dict(row) for row in session.execute(select(table)).mappings()]
                for table in Base.metadata.sorted_tables
            }
        found = [path for path in blobs.rglob("*") if path.is_file()]
        files = {path.relative_to(blobs): path.read_bytes() for path in found}
        _KEPT[type(house)] = Kept(ids, house.count, rows, files)
        return ids
    with house.sessions.writing() as session:
        session.execute(delete(BoardRow))
        for table, lines in kept.rows.items():
            if lines:
                session.execute(insert(table), lines)
    for name, content in kept.files.items():
        (blobs / name).parent.mkdir(parents=True, exist_ok=True)
        (blobs / name).write_bytes(content)
    house.count = kept.count
    return dict(kept.ids)


def _fill(house: House) -> dict[str, str]:
    ids = {
        "reference defense": house.ranked("defense", "baselines", value=101),
        "reference attack": house.ranked("attack", "baselines", value=102),
        "second reference": house.ranked("defense", "baselines", value=103),
        "defense": house.ranked("defense", "ann"),
        "attack": house.ranked("attack", "bob"),
        "withdrawn": house.ranked("defense", "bob"),
        "hidden": house.ranked("attack", "ann"),
        "deleted": house.ranked("attack", "bob"),
        "rejected": house.submit("attack", "ann"),
        "failed": house.submit("defense", "bob"),
    }
    house.change(ids["withdrawn"], withdrawn_at=at(5000))
    house.change(ids["hidden"], hidden_at=at(5001))
    house.change(ids["deleted"], deleted_at=at(5002), withdrawn_at=at(5002), name="deleted")
    violation = {"code": "size", "place": "file", "found": "1", "allowed": "2"}
    house.change(ids["rejected"], state="rejected", violations=[violation], reason="too large")
    house.change(ids["failed"], state="failed", reason="not finite")
    ids["evaluating"] = house.submit("defense", "ann")
    house.validate()
    house.compute(1)
    ids["received"] = house.submit("attack", "bob")
    assert house.state(ids["evaluating"]) == "evaluating"
    return ids


def defense_file(folder: Path, value: int) -> Path:
    """A small GCN, every weight equal to ``value``."""
    path = folder / "defense.safetensors"
    chosen = {"hidden": [4], "layer_norm": False}
    gcn = ARCHITECTURES["GCN"]
    shapes = gcn.shapes(gcn.parameters.model_validate(chosen), 64, 10)
    tensors = {name: np.full(shape, value, np.float32) for name, shape in shapes.items()}
    write_defense(path, tensors, architecture="GCN", parameters=chosen)
    return path


def attack_file(folder: Path, value: int) -> Path:
    """One injected node joined to node ``value``, at every difficulty and in every repeat."""
    path = folder / "attack.npz"
    injection = Injection(
        features=np.zeros((1, 64), np.float32), edges=np.array([[1797], [value]], np.int64)
    )
    write_attack(path, {name: [injection] * BOARD.repeats for name in DIFFICULTIES})
    return path


def _two_classes(
    correct: dict[Difficulty, list[int]], total: dict[Difficulty, int]
) -> dict[Difficulty, confusion.Confusion]:
    """So many right, all of the first class; the others are taken for the second."""
    return {
        name: np.array([[[right, total[name] - right, 0], [0, 0, 0]] for right in counts])
        for name, counts in correct.items()
    }
