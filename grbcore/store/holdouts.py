"""Hold-outs of a board: which there are, which defenses they are due for, and what was found.

They are measured for adversarially trained references, and for whoever asks, by idle workers
(`holdout_queue`), so that they never stand before a cell that ranks anybody.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import Any, cast

from sqlalchemy import and_, delete, select
from sqlalchemy.orm import Session, joinedload

from grbcore.holdouts import Holdout, Kind, Measured, measured
from grbcore.scenario import Difficulty
from grbcore.store import audit, moderation
from grbcore.store.audit import Via
from grbcore.store.blobs import Blobs
from grbcore.store.locks import lock_board
from grbcore.store.orphans import keep
from grbcore.store.presence import BASELINES, is_in_force
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import BoardRow, HoldoutAttack, HoldoutCell, Submission, User


@dataclass(frozen=True, slots=True)
class Made:
    """A hold-out whose file is there."""

    holdout: Holdout
    path: Path
    sha256: str
    contents: Mapping[str, Any]


def references(session: Session, board_id: str) -> tuple[frozenset[str], frozenset[str]]:
    """The names of the reference attacks that are baselines, and the families of all of them."""
    query = select(Submission.name, Submission.family, User.name).join(
        User, User.id == Submission.user_id
    )
    query = query.where(
        Submission.board_id == board_id, Submission.side == "attack", Submission.is_reference
    )
    found = session.execute(query).all()
    names = frozenset(name for name, _, owner in found if owner == BASELINES)
    return names, frozenset(family for _, family, _ in found)


def check(session: Session, board_id: str, protocol: str) -> None:
    """See that hold-outs of this protocol can be placed, before they are made.

    Raises:
        NotPossible: the board's results are under another protocol.
    """
    _check(session.get_one(BoardRow, board_id), protocol)


def _check(board: BoardRow, protocol: str) -> None:
    if board.protocol != protocol:
        raise NotPossible(
            "state",
            f"{board.id}: found protocol {protocol} by the data and the evaluator here, allowed: "
            f"{board.protocol or 'none yet'}, the board's; grb board sync brings the board up, or "
            "proposes the re-evaluation that does",
        )


def place(
    session: Session,
    blobs: Blobs,
    board_id: str,
    made: Sequence[Made],
    *,
    protocol: str,
    user_id: str | None,
    via: Via,
    now: datetime,
) -> None:
    """Make these, made under this protocol, the hold-outs of a board; what is not among them goes,
    with its results.  One of the same file and budget stays as it is.

    Raises:
        NotPossible: as `check`; the board may have changed meanwhile.
    """
    for one in made:
        keep(session, blobs, one.sha256, partial(blobs.put_file, one.path, one.sha256))
    board = lock_board(session, board_id)
    _check(board, protocol)
    wanted = {(one.holdout.recipe.name, one.holdout.factor, one.sha256): one for one in made}
    for row in session.scalars(select(HoldoutAttack).where(HoldoutAttack.board_id == board_id)):
        key = (row.name, row.factor, row.sha256)
        if row.protocol == protocol and key in wanted:
            row.kind = wanted.pop(key).holdout.kind
        else:
            session.execute(delete(HoldoutCell).where(HoldoutCell.attack_id == row.id))
            session.delete(row)
    session.flush()
    for one in wanted.values():
        recipe = one.holdout.recipe
        session.add(
            HoldoutAttack(
                board_id=board_id,
                protocol=protocol,
                name=recipe.name,
                family=recipe.method,
                kind=one.holdout.kind,
                factor=one.holdout.factor,
                sha256=one.sha256,
                contents=dict(one.contents),
                made_at=now,
            )
        )
    session.flush()
    changed(board, now)
    audit.record(
        session,
        user_id=user_id,
        via=via,
        action="board.holdouts",
        subject_kind="board",
        subject_id=board_id,
        details={"attacks": len(made)},
        now=now,
    )


def ask(
    session: Session,
    row: Submission,
    *,
    user_id: str | None,
    via: Via,
    reason: str | None = None,
    now: datetime,
) -> None:
    """Have a defense measured under its board's hold-outs, and those again that failed.

    Raises:
        NotPossible: it is no ranked defense, or its board has no hold-outs.
    """
    board = lock_board(session, row.board_id)
    session.refresh(row)
    if row.side != "defense":
        raise NotPossible("state", "hold-outs: found an attack, allowed: a defense")
    if row.state != "ranked" or not is_in_force(row):
        found = row.state if is_in_force(row) else "withdrawn, hidden or deleted"
        raise NotPossible("state", f"hold-outs of {row.id}: found {found}, allowed: ranked")
    if not attacks(session, board.id):
        how = f"grb admin holdout prepare {row.board_id}"
        raise NotPossible("state", f"hold-outs: found none on {row.board_id}; {how} makes them")
    row.holdouts_asked_at = row.holdouts_asked_at or now
    failed = and_(HoldoutCell.defense_id == row.id, HoldoutCell.state == "failed")
    for cell in session.scalars(select(HoldoutCell).where(failed)):
        cell.state, cell.attempts, cell.queued_at, cell.finished_at = "queued", 0, now, None
        cell.error_code = cell.reason = None
    session.flush()
    moderation.record(session, "holdouts", row, user_id=user_id, via=via, reason=reason, now=now)


@dataclass(frozen=True, slots=True)
class Standing:
    """How far the hold-outs of a defense are, and what is measured, of each attack with its family.

    ``due`` tells whether workers measure them.
    """

    due: bool
    attacks: int
    failed: int
    found: tuple[tuple[HoldoutAttack, HoldoutCell], ...]

    def at(self, difficulty: Difficulty) -> list[Measured]:
        """What is measured at one difficulty."""
        return measured_at(self.found, difficulty)


def measured_at(
    cells: Iterable[tuple[HoldoutAttack, HoldoutCell]], difficulty: Difficulty
) -> list[Measured]:
    """What cells that are done found at one difficulty, of the attacks that carry it."""
    every = (
        measured(
            attack.name,
            cast(Kind, attack.kind),
            attack.factor,
            cast(dict[Difficulty, list[int]], cell.correct or {}),
            cast(dict[Difficulty, int], cell.total or {}),
            difficulty,
        )
        for attack, cell in cells
    )
    return [one for one in every if one is not None]


def standing(session: Session, row: Submission) -> Standing:
    """How far a defense is."""
    every = attacks(session, row.board_id) if row.side == "defense" else []
    known = of_defenses(session, row.board_id, [row.id]).get(row.id, ())
    failed = [cell for _, cell in known if cell.state == "failed"]
    done = tuple((attack, cell) for attack, cell in known if cell.state == "done")
    return Standing(bool(every) and _is_due(row), len(every), len(failed), done)


def of_defenses(
    session: Session, board_id: str, defenses: Collection[str]
) -> dict[str, list[tuple[HoldoutAttack, HoldoutCell]]]:
    """What was begun of these defenses under the board's protocol, by defense."""
    query = (
        select(HoldoutCell)
        .join(HoldoutAttack)
        .join(BoardRow, BoardRow.id == HoldoutAttack.board_id)
        .where(
            HoldoutAttack.board_id == board_id,
            HoldoutAttack.protocol == BoardRow.protocol,
            HoldoutCell.defense_id.in_(defenses),
        )
        .options(joinedload(HoldoutCell.attack))
        .order_by(HoldoutAttack.kind, HoldoutAttack.factor, HoldoutAttack.name)
    )
    found: dict[str, list[tuple[HoldoutAttack, HoldoutCell]]] = {}
    for cell in session.scalars(query):
        found.setdefault(cell.defense_id, []).append((cell.attack, cell))
    return found


def attacks(session: Session, board_id: str) -> Sequence[HoldoutAttack]:
    """The hold-outs of a board under its protocol."""
    query = select(HoldoutAttack).join(BoardRow, BoardRow.id == HoldoutAttack.board_id)
    under = HoldoutAttack.protocol == BoardRow.protocol
    return session.scalars(query.where(BoardRow.id == board_id, under)).all()


def _is_due(row: Submission) -> bool:
    learned = row.is_reference and row.adversarially_trained
    ranked = row.state == "ranked" and is_in_force(row)
    return ranked and (learned or row.holdouts_asked_at is not None)


def forget(session: Session, defense_id: str) -> None:
    """Remove what was measured of a defense that is deleted."""
    session.execute(delete(HoldoutCell).where(HoldoutCell.defense_id == defense_id))


def changed(board: BoardRow, now: datetime) -> None:
    """Note that what a board shows has changed; it is locked."""
    board.revision += 1
    board.changed_at = now
