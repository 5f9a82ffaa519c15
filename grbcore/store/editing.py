"""Changing what is said of a submission, without evaluating it again."""

from __future__ import annotations

from datetime import datetime

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import select
from sqlalchemy.orm import Session

from grbcore.store import audit
from grbcore.store.audit import Via
from grbcore.store.intake import Address, Authors, Description, MaybeName, Name, PublicAt
from grbcore.store.keeping import choose
from grbcore.store.locks import lock_board
from grbcore.store.marks import refuse_deleted
from grbcore.store.presence import is_shown
from grbcore.store.reevaluation import NotPossible
from grbcore.store.tables import Submission
from grbcore.store.visibility import Visibility, is_public

#: What rankings and the heads of the matrix show of an entry.
_RANKED = {"name", "authors", "team", "paper_url", "code_url"}


class SubmissionChanges(BaseModel):
    """What may be changed of a submission, each as on its upload; what is left out stays.

    A blank optional field is emptied.  Everything else, such as the family or the side, follows
    from the file or is fixed with it: another file is another submission.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, str_strip_whitespace=True)

    name: Name = Field(default_factory=str)
    authors: Authors = Field(default_factory=str)
    team: MaybeName = None
    description: Description = ""
    paper_url: Address = None
    code_url: Address = None
    visibility: Visibility = "public"
    public_at: PublicAt = None


def edit(
    session: Session,
    submission_id: str,
    changes: SubmissionChanges,
    *,
    user_id: str | None,
    via: Via,
    now: datetime,
) -> bool:
    """Change an entry in whatever state it is; whether anything differs from before.

    The board's revision is raised where its rankings or its matrix show the difference.  What
    others than its owner change is on record, by the names of the fields.

    Raises:
        NotPossible: the entry was withdrawn or deleted, or it is a reference and the name, which is
            fixed with its board, would change, or everybody has seen it ranked and it would be
            kept from them.
    """
    board_id = session.scalars(
        select(Submission.board_id).where(Submission.id == submission_id)
    ).one()
    board = lock_board(session, board_id)
    row = session.get_one(Submission, submission_id, populate_existing=True)
    refuse_deleted(row)
    if row.withdrawn_at is not None:
        raise NotPossible("withdrawn", f"submission {row.id} was withdrawn")
    given = changes.model_dump(exclude_unset=True)
    wanted, public_at = given.pop("visibility", None), given.pop("public_at", None)
    chosen = wanted is not None and choose(
        session, board, row, wanted, public_at, user_id=user_id, via=via, now=now
    )
    new = {name: value for name, value in given.items() if getattr(row, name) != value}
    if row.is_reference and "name" in new:
        raise NotPossible("reference", "the name of a reference is fixed with its board")
    if not new:
        return chosen
    for name, value in new.items():
        setattr(row, name, value)
    row.edited_at = now
    named = is_shown(row) and is_public(row, now) and row.state in ("evaluating", "ranked")
    if named and not _RANKED.isdisjoint(new):
        board.revision += 1
        board.changed_at = now
    session.flush()
    if user_id != row.user_id:
        audit.record(
            session,
            user_id=user_id,
            via=via,
            action="submission.edit",
            subject_kind="submission",
            subject_id=row.id,
            details={"fields": sorted(new)},
            now=now,
        )
    return True
