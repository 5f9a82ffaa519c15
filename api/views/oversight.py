"""Users, uploads that failed and entries of all kinds, for admins; quotas, for everybody."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import cast

from sqlalchemy.orm import Session

from api import oversight_schemas as schemas
from api.me_schemas import BoardQuota, QuotaOut, UsedOut
from api.schemas import BoardState, Role, SubmissionState
from grbcore import __version__, catalog
from grbcore.needs import Need
from grbcore.results import EVALUATOR_VERSION, METRIC_VERSION
from grbcore.scenario import Side
from grbcore.store import queries, versions
from grbcore.store.oversight import FailedUpload, Uploader
from grbcore.store.quotas import Usage
from grbcore.store.tables import Submission


def quota(found: Usage, boards: Iterable[str]) -> QuotaOut:
    """What is used and left, on these boards and on those of which something is used."""
    names = dict.fromkeys((*boards, *sorted(found.boards)))
    return QuotaOut(
        exempt=found.exempt,
        day=found.day,
        frees_at=found.frees_at,
        boards=[
            BoardQuota(
                board=name, **_used(found.boards.get(name, 0), found.limits.per_day).model_dump()
            )
            for name in names
        ],
        invalid=_used(found.invalid, found.limits.invalid_per_day),
        stored_bytes=_used(found.stored, found.limits.stored_bytes),
    )


def user(found: Uploader) -> schemas.UserOut:
    """A user, and what they have uploaded."""
    row = found.user
    return schemas.UserOut(
        id=row.id,
        name=row.name,
        role=cast(Role, row.role),
        created_at=row.created_at,
        suspended_at=row.suspended_at,
        has_password=row.password_hash is not None,
        email=row.email,
        email_confirmed=row.email_confirmed_at is not None,
        entries=found.entries,
        last_upload_at=found.last_upload_at,
        quota_per_day=row.quota_per_day,
        quota_bytes=row.quota_bytes,
        quota_reset_at=row.quota_reset_at,
        quota=quota(found.usage, ()),
    )


def user_page(found: Sequence[Uploader], limit: int) -> schemas.UserList:
    """The first ``limit`` of these, and whether there are more."""
    shown = found[:limit]
    return schemas.UserList(
        users=[user(one) for one in shown],
        next=shown[-1].user.id if len(found) > limit else None,
    )


def failed_upload_page(found: Sequence[FailedUpload], limit: int) -> schemas.FailedUploadList:
    """The first ``limit`` of these, and whether there are more."""
    shown = found[:limit]
    return schemas.FailedUploadList(
        uploads=[_failed(one) for one in shown], next=shown[-1].id if len(found) > limit else None
    )


def entry_page(found: Sequence[Submission], limit: int) -> schemas.AnyEntryList:
    """The first ``limit`` of these, and whether there are more."""
    shown = found[:limit]
    return schemas.AnyEntryList(
        entries=[_entry(one) for one in shown], next=shown[-1].id if len(found) > limit else None
    )


def board_versions(session: Session) -> schemas.VersionsOut:
    """Every board of the catalog with its protocol, and what its results were measured with."""
    rows, jobs = queries.board_rows(session), versions.open_jobs(session)
    found: dict[str, list[schemas.MeasuredOut]] = {}
    for one in versions.measured(session):
        told = asdict(one)
        found.setdefault(told.pop("board_id"), []).append(schemas.MeasuredOut(**told))
    boards = []
    for board in catalog.boards().values():
        row = rows.get(board.id)
        boards.append(
            schemas.BoardVersions(
                id=board.id,
                title=board.title,
                state=cast(BoardState, row.state if row else "no-data"),
                problem=row.problem if row else None,
                need=cast(Need, row.need if row else "cpu"),
                protocol=row.protocol if row else None,
                revision=row.revision if row else 0,
                changed_at=row.changed_at if row else None,
                undecided=jobs.get(board.id, 0),
                measured=found.get(board.id, []),
            )
        )
    return schemas.VersionsOut(
        service=__version__, evaluator=EVALUATOR_VERSION, metric=METRIC_VERSION, boards=boards
    )


def _used(used: int, most: int) -> UsedOut:
    return UsedOut(used=used, limit=most or None, left=max(0, most - used) if most else None)


def _failed(found: FailedUpload) -> schemas.FailedUploadOut:
    return schemas.FailedUploadOut(
        id=found.id,
        stage="content" if found.is_submission else "header",
        at=found.at,
        user=found.user.name,
        user_id=found.user.id,
        board=found.board_id,
        side=found.side,
        codes=list(found.codes),
        bytes=found.size,
        url=f"/submissions/{found.id}" if found.is_submission else None,
    )


def _entry(row: Submission) -> schemas.AnyEntryOut:
    return schemas.AnyEntryOut(
        id=row.id,
        board=row.board_id,
        side=cast(Side, row.side),
        name=row.name,
        authors=row.authors,
        family=row.family,
        user=row.user.name,
        user_id=row.user_id,
        state=cast(SubmissionState, row.state),
        reason=row.reason,
        is_reference=row.is_reference,
        attempt=row.attempt,
        bytes=row.size,
        charged=row.charged_at is not None,
        received_at=row.received_at,
        validated_at=row.validated_at,
        registered_at=row.registered_at,
        withdrawn_at=row.withdrawn_at,
        hidden_at=row.hidden_at,
        deleted_at=row.deleted_at,
        file_removed_at=row.file_removed_at,
        url=f"/submissions/{row.id}",
    )
