"""Seasons: the frozen references of a board, the next ones as proposed, and who decides.

A season names its references by the hashes of their files.  Within it `Submission.is_reference`
marks its members, no other entry, and never changes: the marks move from one season to the next in
one transaction.  All entries of a board are measured against each other, so a new season needs no
new cell.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

import numpy as np
from sqlalchemy import exists, func, select, update
from sqlalchemy.orm import Session

from grbcore import catalog, seasons
from grbcore.catalog import Board
from grbcore.columns import accuracies_of
from grbcore.metrics import Accuracies
from grbcore.results import CLEAN
from grbcore.scenario import SIDES, Side
from grbcore.store import audit, clusters
from grbcore.store.audit import Via
from grbcore.store.counts import Counts
from grbcore.store.hiding import shown_targets
from grbcore.store.locks import lock_board
from grbcore.store.presence import BASELINES, shown
from grbcore.store.queries import heads
from grbcore.store.reevaluation import NotPossible
from grbcore.store.session import now as clock
from grbcore.store.tables import BoardRow, Season, Submission, User
from grbcore.store.visibility import seen_by

#: Families of the attack and the defense that others are measured by, of nodes and of whole graphs:
#: the baselines of these, or the references where the board has no such baseline.
YARDSTICKS = {"attack": ("RND", "Random"), "defense": ("MLP", "Bag")}

#: States of an entry that may still be ranked without anybody's doing.
_PENDING = ("received", "validating", "evaluating")


def of_board(session: Session, board_id: str) -> Sequence[Season]:
    """The seasons that have begun, the latest first."""
    query = select(Season).where(Season.board_id == board_id, Season.number.is_not(None))
    return session.scalars(query.order_by(Season.number.desc())).all()


def known(session: Session, board_id: str | None = None, *, limit: int) -> Sequence[Season]:
    """Seasons and proposals, the latest first; for admins."""
    query = select(Season).order_by(Season.id.desc()).limit(limit)
    if board_id is not None:
        query = query.where(Season.board_id == board_id)
    return session.scalars(query).all()


def numbered(session: Session, board_id: str, number: int) -> Season | None:
    """One season that has begun."""
    return session.scalar(
        select(Season).where(Season.board_id == board_id, Season.number == number)
    )


def frozen(session: Session, board_id: str) -> bool:
    """Whether the references of a board are those of a season, so that no other joins them."""
    return bool(
        session.scalar(
            select(exists().where(Season.board_id == board_id, Season.state == "current"))
        )
    )


def freezable(session: Session) -> list[str]:
    """Boards whose first season can begin: baselines are made, and somebody else is ranked."""
    begun = select(Season.board_id).where(Season.state == "current")
    made = select(BoardRow.id).where(
        BoardRow.id.not_in(begun), BoardRow.state == "ready", BoardRow.protocol.is_not(None)
    )
    ranked = [Submission.board_id == BoardRow.id, Submission.registered_at.is_not(None)]
    for condition in (
        *(
            exists().where(*ranked, Submission.side == side, Submission.is_reference)
            for side in SIDES
        ),
        exists().where(*ranked, ~Submission.is_reference),
        ~exists().where(
            Submission.board_id == BoardRow.id,
            Submission.is_reference,
            Submission.state.in_(_PENDING),
        ),
    ):
        made = made.where(condition)
    return sorted(session.scalars(made))


def freeze(session: Session, board_id: str, now: datetime) -> Season | None:
    """Begin the first season with the references that are there.

    None where one has begun, or a reference is still evaluated.  One that was refused is none of
    the season's, and none later.
    """
    board = lock_board(session, board_id)
    if frozen(session, board_id) or board.protocol is None or _pending(session, board_id):
        return None
    entries = _references(session, board_id)
    why = ("a baseline of the board",)
    season = Season(
        board_id=board_id,
        number=1,
        state="current",
        protocol=board.protocol,
        revision=board.revision,
        members=[_member(entry, why) for entry in entries],
        left_out=[],
        reason="the baselines of the board",
        created_at=now,
        decided_at=now,
    )
    session.add(season)
    _mark(session, season)
    _record(session, season, "freeze", user_id=None, via="service", reason=season.reason, now=now)
    return season


def propose(
    session: Session, board: Board, *, user_id: str | None, via: Via, now: datetime
) -> Season:
    """Store the references that the next season should have, with the reasons.

    Nothing changes until `accept`.  A proposal that was there before is refused.

    Raises:
        NotPossible: the board has no references on some side, its first season can't begin yet,
            none could follow, or it is one of errors.
    """
    if board.errors:
        raise NotPossible(
            "state",
            f"{board.id}: found a board of errors, allowed: one of accuracies, of which two are "
            "known to differ by more than chance; its first season goes on",
        )
    row = lock_board(session, board.id)
    if row.protocol is None or not all(_references(session, board.id, side) for side in SIDES):
        raise NotPossible(
            "state", f"{board.id}: found no references, allowed: a board that has them"
        )
    _begin_first(session, board.id, now)
    entries = _candidates(session, board.id)
    chosen = _choose(session, board, row, entries)
    by_id = {entry.id: entry for entry in entries}
    if not all(one.taken for one in chosen):
        raise NotPossible("state", f"{board.id}: found no entry of some side that could follow")
    season = Season(
        board_id=board.id,
        state="proposed",
        protocol=row.protocol,
        revision=row.revision,
        members=[_member(by_id[c.id], c.reasons) for side in chosen for c in side.taken],
        left_out=[_member(by_id[c.id], c.reasons) for side in chosen for c in side.left_out],
        author_id=user_id,
        created_at=now,
    )
    session.execute(
        update(Season)
        .where(Season.board_id == board.id, Season.state == "proposed")
        .values(state="refused", decided_at=now, reason="another was proposed")
    )
    session.add(season)
    session.flush()
    _record(session, season, "propose", user_id=user_id, via=via, reason=None, now=now)
    return season


def accept(
    session: Session, season_id: str, *, reason: str, user_id: str | None, via: Via, now: datetime
) -> Season:
    """Begin the season that is proposed: its references make the official scores from now on.

    Raises:
        NotPossible: it is not proposed, or an entry of it is no longer ranked before everybody.
    """
    season, board = _proposed(session, season_id)
    entries = {entry.id: entry for entry in _candidates(session, season.board_id)}
    for member in season.members:
        entry = entries.get(member["id"])
        if entry is None or entry.sha256 != member["sha256"]:
            raise NotPossible(
                "state",
                f"season: found {member['id']} no longer ranked, allowed: a new proposal",
            )
    last = session.scalar(select(func.max(Season.number)).where(Season.board_id == board.id))
    session.execute(
        update(Season)
        .where(Season.board_id == board.id, Season.state == "current")
        .values(state="past", ended_at=now)
    )
    season.number, season.state = (last or 0) + 1, "current"
    season.decided_at, season.decided_by, season.reason = now, user_id, reason
    board.revision += 1
    board.changed_at = now
    _mark(session, season)
    _record(session, season, "accept", user_id=user_id, via=via, reason=reason, now=now)
    return season


def refuse(
    session: Session, season_id: str, *, reason: str, user_id: str | None, via: Via, now: datetime
) -> Season:
    """Put a proposal away.

    Raises:
        NotPossible: it is not proposed.
    """
    season, _ = _proposed(session, season_id)
    season.state, season.reason = "refused", reason
    season.decided_at, season.decided_by = now, user_id
    session.flush()
    _record(session, season, "refuse", user_id=user_id, via=via, reason=reason, now=now)
    return season


def members(season: Season, side: Side) -> tuple[str, ...]:
    """The ids of a season's references of one side."""
    return tuple(member["id"] for member in season.members if member["side"] == side)


def _proposed(session: Session, season_id: str) -> tuple[Season, BoardRow]:
    """A season that is still proposed under the lock of its board, which is taken first."""
    board_id = session.scalar(select(Season.board_id).where(Season.id == season_id))
    if board_id is None:
        raise NotPossible("state", "season: found none of this id, allowed: proposed")
    board = lock_board(session, board_id)
    season = session.get_one(Season, season_id, populate_existing=True)
    if season.state != "proposed":
        raise NotPossible("state", f"season: found {season.state}, allowed: proposed")
    return season, board


def _begin_first(session: Session, board_id: str, now: datetime) -> None:
    if frozen(session, board_id):
        return
    if board_id not in freezable(session):
        pending = _pending(session, board_id)
        found = f"{pending} baselines to evaluate" if pending else "none, or nobody else ranked"
        raise NotPossible(
            "state",
            f"{board_id}: found {found}, allowed: a board whose baselines are all made and "
            "evaluated, and somebody else's entry is ranked",
        )
    freeze(session, board_id, now)


def _pending(session: Session, board_id: str) -> int:
    """How many references may still be registered: no season can name them yet."""
    query = select(func.count()).where(
        Submission.board_id == board_id, Submission.is_reference, Submission.state.in_(_PENDING)
    )
    return session.scalar(query) or 0


def _mark(session: Session, season: Season) -> None:
    """Have a season's members be the only references of its board, registered or not."""
    members = [member["id"] for member in season.members]
    session.flush()
    session.execute(
        update(Submission)
        .where(
            Submission.board_id == season.board_id,
            Submission.is_reference | Submission.id.in_(members),
        )
        .values(is_reference=Submission.id.in_(members))
        .execution_options(synchronize_session="fetch")
    )


def _references(session: Session, board_id: str, side: Side | None = None) -> Sequence[Submission]:
    query = select(Submission).where(
        Submission.board_id == board_id,
        Submission.is_reference,
        Submission.registered_at.is_not(None),
    )
    if side is not None:
        query = query.where(Submission.side == side)
    return session.scalars(query.order_by(Submission.side, Submission.id)).all()


def _candidates(session: Session, board_id: str) -> Sequence[Submission]:
    """Ranked before everybody's eyes, in the order of registration; an embargo must be over."""
    query = select(Submission).where(
        Submission.board_id == board_id,
        Submission.registered_at.is_not(None),
        Submission.state == "ranked",
        Submission.visibility == "public",
        shown(),
        seen_by(None, clock()),
    )
    return session.scalars(query.order_by(Submission.registered_at, Submission.id)).all()


def _choose(
    session: Session, board: Board, row: BoardRow, entries: Sequence[Submission]
) -> tuple[seasons.Chosen, seasons.Chosen]:
    assert row.protocol is not None and row.facts is not None
    attacks = [entry for entry in entries if entry.side == "attack"]
    defenses = [entry for entry in entries if entry.side == "defense"]
    cells = Counts(board).columns(
        session,
        row.protocol,
        heads(session, board.id),
        [entry.id for entry in attacks],
        [entry.id for entry in defenses],
    )
    rows = (*(entry.id for entry in attacks), CLEAN)
    columns = [entry.id for entry in defenses]
    grid = accuracies_of(cells, board.ranked, rows, columns).mean(axis=2)
    held = ~np.isnan(grid).any(axis=0)  # of a defense that is still measured, nothing is known
    defenses = [entry for entry, whole in zip(defenses, held, strict=True) if whole]
    grid = grid[:, held]
    owner = session.scalar(select(User.id).where(User.name == BASELINES))
    twins = clusters.earlier(session, board.id, [*attacks, *defenses])
    yardsticks = _yardsticks([*attacks, *defenses], owner)

    def told(entry: Submission, against: Accuracies, clean: float | None) -> seasons.Candidate:
        return seasons.Candidate(
            id=entry.id,
            family=entry.family,
            disclosed=entry.code_url is not None or entry.user_id == owner or entry.is_reference,
            duplicate_of=twins.get(entry.id),
            yardstick=entry.id in yardsticks,
            against=against,
            clean=clean,
        )

    over_defenses = np.flatnonzero([entry.is_reference for entry in defenses])
    over_attacks = np.flatnonzero([entry.is_reference for entry in attacks])
    return seasons.choose(
        [told(entry, grid[at, over_defenses], None) for at, entry in enumerate(attacks)],
        [
            told(entry, grid[over_attacks, at], float(grid[-1, at]))
            for at, entry in enumerate(defenses)
        ],
        grid[:-1],
        targets=shown_targets(row, board.main),
        chance=1.0 / catalog.dataset(board.dataset).classes,
    )


def _yardsticks(entries: Sequence[Submission], owner: str | None) -> set[str]:
    """Who else is measured by; declaring their family makes nobody one of them."""
    found: set[str] = set()
    for side, families in YARDSTICKS.items():
        named = [one for one in entries if one.side == side and one.family in families]
        made = {one.id for one in named if one.user_id == owner}
        found |= made or {one.id for one in named if one.is_reference}
    return found


def _member(entry: Submission, reasons: Sequence[str]) -> dict[str, Any]:
    """No name and no family: those may be changed, and forgotten."""
    return {"id": entry.id, "side": entry.side, "sha256": entry.sha256, "reasons": list(reasons)}


def _record(session: Session, season: Season, action: str, **who: Any) -> None:
    audit.record(
        session,
        action=f"season.{action}",
        subject_kind="season",
        subject_id=season.id,
        details={"board": season.board_id, "number": season.number},
        **who,
    )
