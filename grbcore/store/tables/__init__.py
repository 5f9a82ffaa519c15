"""The tables of the service.  The database is the queue of record."""

from grbcore.store.tables.accounts import Identity, PendingSignIn, SessionRow, ThrottleRow
from grbcore.store.tables.arena import SEASON_STATES, DuplicateDecision, DuplicateScan, Season
from grbcore.store.tables.base import Base, UtcDateTime, new_id
from grbcore.store.tables.cells import CELL_PLACES, CELL_STATES, CellRow, Reevaluation
from grbcore.store.tables.entries import (
    SUBMISSION_STATES,
    BoardRow,
    RefusedUpload,
    Submission,
    Token,
    User,
)
from grbcore.store.tables.holdouts import HOLDOUT_STATES, HoldoutAttack, HoldoutCell
from grbcore.store.tables.intervals import IntervalRow, IntervalTurn
from grbcore.store.tables.service import AuditRow, NoticeRow, WorkerRow
from grbcore.store.tables.snapshots import SnapshotFile, SnapshotRow
from grbcore.store.tables.uploads import UPLOAD_STATES, UploadRow

__all__ = [
    "CELL_PLACES",
    "CELL_STATES",
    "HOLDOUT_STATES",
    "SEASON_STATES",
    "SUBMISSION_STATES",
    "UPLOAD_STATES",
    "AuditRow",
    "Base",
    "BoardRow",
    "CellRow",
    "DuplicateDecision",
    "DuplicateScan",
    "HoldoutAttack",
    "HoldoutCell",
    "Identity",
    "IntervalRow",
    "IntervalTurn",
    "NoticeRow",
    "PendingSignIn",
    "Reevaluation",
    "RefusedUpload",
    "Season",
    "SessionRow",
    "SnapshotFile",
    "SnapshotRow",
    "Submission",
    "ThrottleRow",
    "Token",
    "UploadRow",
    "User",
    "UtcDateTime",
    "WorkerRow",
    "new_id",
]
