"""Re-evaluations, their previews and the audit log, for admins."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, cast

from sqlalchemy.orm import Session

from api import admin_schemas as schemas
from api.schemas import MatrixEntry
from api.views.parts import clean_head, matrix_entry
from grbcore.store import audit, history, reached
from grbcore.store import reevaluation as store
from grbcore.store.previews import Change, Preview
from grbcore.store.session import now
from grbcore.store.tables import AuditRow, Reevaluation


def plan(board_id: str, found: store.Plan) -> schemas.PlanOut:
    """What a re-evaluation would compute."""
    return schemas.PlanOut(
        board=board_id,
        protocol=found.protocol,
        cells=found.cells,
        attacks=found.attacks,
        defenses=found.defenses,
        seconds=found.seconds,
        expected=found.expected,
    )


def reevaluation(session: Session, row: Reevaluation) -> schemas.ReevaluationOut:
    """One re-evaluation with its progress."""
    return _reevaluations(session, [row])[0]


def reevaluation_page(
    session: Session,
    *,
    board_id: str | None,
    state: schemas.ReevaluationState | None,
    before: str | None,
    limit: int,
) -> schemas.ReevaluationList:
    """At most ``limit`` re-evaluations, newest first, all older than the id ``before``."""
    states = None if state is None else (state,)
    found = store.jobs(session, board_id=board_id, states=states, before=before, limit=limit + 1)
    rows = found[:limit]
    return schemas.ReevaluationList(
        reevaluations=_reevaluations(session, rows),
        next=rows[-1].id if len(found) > limit else None,
    )


def _reevaluations(session: Session, rows: Sequence[Reevaluation]) -> list[schemas.ReevaluationOut]:
    progress = reached.progress(session, [row.id for row in rows])
    at = now()
    left = {row.id: store.seconds_left(session, row, at) for row in rows if row.state == "running"}
    return [_reevaluation(row, progress[row.id], left.get(row.id)) for row in rows]


def _reevaluation(
    row: Reevaluation, progress: reached.Progress, seconds_left: float | None
) -> schemas.ReevaluationOut:
    return schemas.ReevaluationOut(
        id=row.id,
        board=row.board_id,
        protocol=row.protocol,
        state=cast(schemas.ReevaluationState, row.state),
        selection=row.selection,
        reason=row.reason,
        author=row.author.name if row.author else None,
        cells=row.cells,
        seconds=row.estimate,
        created_at=row.created_at,
        started_at=row.started_at,
        ready_at=row.ready_at,
        decided_at=row.decided_at,
        decided_by=row.decider.name if row.decider else None,
        outcome=row.outcome,
        progress=schemas.ProgressOut(
            queued=progress.queued,
            running=progress.running,
            done=progress.done,
            failed=progress.failed,
            dead=progress.dead,
            seconds_left=seconds_left,
        ),
    )


def preview(session: Session, row: Reevaluation, found: Preview) -> schemas.PreviewOut:
    """What applying a re-evaluation would change, with everybody's name."""
    heads = _Heads(session, found)
    return schemas.PreviewOut(
        id=row.id,
        board=row.board_id,
        state=cast(schemas.ReevaluationState, row.state),
        revision=found.revision,
        view=found.view,
        difficulty=found.difficulty,
        unfinished=found.unfinished,
        changed=found.changed,
        moved=found.moved,
        defenses=[heads.change(change) for change in found.ranks["defense"]],
        attacks=[heads.change(change) for change in found.ranks["attack"]],
        largest=[
            schemas.DifferenceOut(
                attack=heads.of(cell.attack),
                defense=heads.of(cell.defense),
                before=cell.before,
                after=cell.after,
            )
            for cell in found.largest
        ],
        unmeasured=[
            schemas.UnmeasuredOut(
                cell=cell.cell,
                attack=heads.of(cell.attack),
                defense=heads.of(cell.defense),
                state=cast(Literal["failed", "dead"], cell.state),
                code=cell.code,
                reason=cell.reason,
                blamed=None if cell.blamed is None else heads.of(cell.blamed),
            )
            for cell in found.unmeasured
        ],
        failing=[heads.of(entry) for entry in found.failing],
        waiting=[heads.of(entry) for entry in found.waiting],
        revived=[heads.of(entry) for entry in found.revived],
    )


class _Heads:
    """The heads of the entries that a preview speaks of, each with its rank before."""

    def __init__(self, session: Session, found: Preview) -> None:
        changes = (*found.ranks["attack"], *found.ranks["defense"])
        self._ranks = {change.id: change.rank_before for change in changes}
        self._entries = history.entries_of(session, history.spoken_of(found))

    def of(self, entry_id: str | None) -> MatrixEntry:
        if entry_id is None:
            return clean_head()
        return matrix_entry(self._entries[entry_id], self._ranks.get(entry_id))

    def change(self, change: Change) -> schemas.RankChange:
        return schemas.RankChange(
            entry=self.of(change.id),
            rank_before=change.rank_before,
            rank_after=change.rank_after,
            weighted_before=change.weighted_before,
            weighted_after=change.weighted_after,
        )


def audit_page(
    session: Session,
    *,
    subject_kind: str | None,
    subject_id: str | None,
    user_id: str | None,
    action: str | None,
    before: str | None,
    limit: int,
) -> schemas.AuditList:
    """At most ``limit`` lines of the audit log, newest first, all older than the id ``before``."""
    found = audit.entries(
        session,
        subject_kind=subject_kind,
        subject_id=subject_id,
        user_id=user_id,
        action=action,
        before=before,
        limit=limit + 1,
    )
    rows = found[:limit]
    return schemas.AuditList(
        entries=[_audited(row) for row in rows], next=rows[-1].id if len(found) > limit else None
    )


def _audited(row: AuditRow) -> schemas.AuditEntry:
    return schemas.AuditEntry(
        id=row.id,
        at=row.at,
        user=row.user.name if row.user else None,
        via=cast(audit.Via, row.via),
        action=row.action,
        subject_kind=row.subject_kind,
        subject_id=row.subject_id,
        reason=row.reason,
        details=row.details or {},
    )
