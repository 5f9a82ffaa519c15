"""Submissions, and the cells that they take part in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import cast

from sqlalchemy.orm import Session

from api import markdown, schemas
from api.rankings import Rankings
from api.spending_schemas import TimeOut
from api.views.counts import counted_cell
from api.views.flags import flags_out
from api.views.history import earlier
from api.views.parts import clean_head, matrix_cells, matrix_entry, shown_name
from api.views.spending import budgets
from api.views.status import place
from grbcore.catalog import Board
from grbcore.flags import Flag
from grbcore.scenario import SIDES, Side, difficulties_of, scenario_of
from grbcore.store import history, queries
from grbcore.store.accounts.closing import AUTHORS
from grbcore.store.line import place_of
from grbcore.store.presence import is_in_force, is_shown
from grbcore.store.progress import Progress
from grbcore.store.session import now
from grbcore.store.tables import CellRow, Submission, User
from grbcore.store.views import is_ranked
from grbcore.store.visibility import Viewer, cells_seen_by, is_public, seen_by, visibility_of
from grbcore.submission import SUFFIXES


def submission_page(
    session: Session,
    *,
    board_id: str | None,
    side: Side | None = None,
    state: schemas.SubmissionState | None = None,
    user_id: str | None = None,
    before: str | None,
    limit: int,
    viewer: Viewer,
) -> schemas.SubmissionList:
    """At most ``limit`` submissions, of one user or of all, newest first, all older than the id
    ``before``."""
    at = now()
    found = queries.submissions(
        session,
        seen_by(viewer, at),
        board_id=board_id,
        side=side,
        state=state,
        user_id=user_id,
        before=before,
        limit=limit + 1,
    )
    entries = found[:limit]
    ids = [entry.id for entry in entries]
    counts = queries.cell_counts(session, ids, cells_seen_by(viewer, at))
    return schemas.SubmissionList(
        submissions=[_brief(entry, counts.get(entry.id, {})) for entry in entries],
        next=entries[-1].id if len(found) > limit else None,
    )


def _brief(entry: Submission, counts: Mapping[str, int]) -> schemas.SubmissionSummary:
    return schemas.SubmissionSummary(
        id=entry.id,
        board=entry.board_id,
        side=cast(Side, entry.side),
        name=shown_name(entry),
        authors=entry.authors if is_shown(entry) else "",
        family=entry.family,
        state=cast(schemas.SubmissionState, entry.state),
        is_reference=entry.is_reference,
        withdrawn=entry.withdrawn_at is not None,
        hidden=entry.hidden_at is not None,
        deleted=entry.deleted_at is not None,
        attempt=entry.attempt,
        received_at=entry.received_at,
        cells=schemas.CellCounts(**counts),
        url=f"/submissions/{entry.id}",
        visibility=visibility_of(entry, now()),
        public_at=None if is_public(entry, now()) else entry.public_at,
    )


def standing(
    session: Session, rankings: Rankings, board: Board | None, entry: Submission, viewer: Viewer
) -> str:
    """Where an entry stands, at what its board is ranked by in the reference view, in a few
    words."""
    if not is_shown(entry):
        return "not ranked"
    if entry.registered_at is None or board is None:
        return entry.state
    eyes = None if is_public(entry, now()) else viewer  # whose ranking it stands in
    row = queries.board_row(session, board.id)
    ranks = rankings.ranks(session, board, row, cast(Side, entry.side), eyes)
    rank = ranks.get(entry.id)
    return "no score" if rank is None else f"rank {rank} of {len(ranks)}"


def submission(
    session: Session,
    rankings: Rankings,
    board: Board | None,
    entry: Submission,
    viewer: Viewer,
) -> schemas.SubmissionOut:
    """Everything about a submission that the viewer sees; of a marked one, nothing that names its
    author.

    ``board`` is None where the catalog has lost it.
    """
    row = queries.board_row(session, entry.board_id)
    seen = cells_seen_by(viewer, now())
    counts = queries.cell_counts(session, [entry.id], seen).get(entry.id, {})
    attempts = queries.attempts(session, entry.board_id)
    named = is_shown(entry)
    contents = entry.contents or {}
    cells = queries.cells_of(session, entry.id, row.protocol if row else None, seen)
    side = cast(Side, entry.side)
    eyes = None if is_public(entry, now()) else viewer  # whose ranking it stands in
    ranks: dict[Side, dict[str, int]] = {}
    if board is not None:
        ranks = {s: rankings.ranks(session, board, row, s, eyes) for s in SIDES}
    flags: Sequence[Flag] = ()
    if board is not None and is_ranked(entry):
        flags = rankings.flags(session, board, row, eyes).get(entry.id, ())
    return schemas.SubmissionOut(
        **_brief(entry, counts).model_dump(),
        metric=queries.measure_of(session, entry.board_id).metric,
        team=entry.team if named else None,
        description=entry.description if named else "",
        description_html=markdown.render(entry.description) if named else "",
        paper_url=entry.paper_url if named else None,
        code_url=entry.code_url if named else None,
        adversarially_trained=entry.adversarially_trained,
        surrogate=entry.surrogate,
        architecture=contents.get("architecture"),
        parameters=contents.get("parameters"),
        features=contents.get("features"),
        difficulties=list(difficulties_of(scenario_of(entry.board_id)))
        if side == "defense"
        else contents.get("difficulties", []),
        repeats=contents.get("repeats"),
        budget=(budgets(board, row, entry) or None) if board is not None else None,
        evaluation=_time(cells),
        sha256=_sha256(entry),
        canonical=entry.canonical,
        bytes=entry.size,
        submitter=_submitter(entry.user) if named else "",
        yours=viewer is not None and viewer.id == entry.user_id,
        attempts=attempts.get((entry.user_id, entry.side), entry.attempt),
        violations=[schemas.ViolationOut.model_validate(v) for v in entry.violations or []],
        reason=_stopped(entry) or entry.reason,
        log=entry.log,
        validated_at=entry.validated_at,
        registered_at=entry.registered_at,
        edited_at=entry.edited_at,
        rank=ranks.get(side, {}).get(entry.id) if is_ranked(entry) else None,
        published_at=entry.published_at,
        place=place(place_of(session, entry.id, now())) if entry.state in queries.PENDING else None,
        artefact_url=artefact_path(entry.id),
        flags=flags_out(entry, flags),
        results=matrix_cells(cells),
        counterparts=_counterparts(session, side, cells, ranks),
        marked={row.id: shown_name(row) for row in queries.marked_counterparts(session, cells)},
    )


def _time(cells: Sequence[CellRow]) -> TimeOut | None:
    took = [cell.seconds for cell in cells if cell.state == "done" and cell.seconds is not None]
    if not took:
        return None
    return TimeOut(cells=len(took), total=sum(took), mean=sum(took) / len(took))


def _sha256(entry: Submission) -> str | None:
    return entry.sha256 if entry.deleted_at is None else None


def progress(found: Progress) -> schemas.ProgressOut:
    """How far a submission is."""
    entry = found.entry
    return schemas.ProgressOut(
        state=cast(schemas.SubmissionState, entry.state),
        withdrawn=entry.withdrawn_at is not None,
        hidden=entry.hidden_at is not None,
        deleted=entry.deleted_at is not None,
        cells=schemas.CellCounts(**found.cells),
        place=place(found.place),
        reason=_stopped(entry) or entry.reason,
    )


def _submitter(user: User) -> str:
    return AUTHORS if user.deleted_at is not None else user.name


def _counterparts(
    session: Session,
    side: Side,
    cells: Sequence[CellRow],
    ranks: Mapping[Side, Mapping[str, int]],
) -> list[schemas.MatrixEntry]:
    """The heads of the entries on the other side, by rank; those that have none come last."""
    other: Side = "attack" if side == "defense" else "defense"
    known = ranks.get(other, {})
    ids = {cell.attack_id if other == "attack" else cell.defense_id for cell in cells}
    found = queries.named(session, [entry_id for entry_id in ids if entry_id is not None])
    ordered = sorted(found, key=lambda entry: (known.get(entry.id, len(known) + 1), entry.id))
    return [matrix_entry(entry, known.get(entry.id)) for entry in ordered]


def _stopped(entry: Submission) -> str | None:
    """Why an entry that was deleted, or taken out before its end, stays where it is."""
    if entry.deleted_at is not None:
        return "it was deleted: the file is gone, and whatever told whose it was"
    if is_in_force(entry) or entry.state not in queries.PENDING:
        return None
    mark = "hidden" if entry.withdrawn_at is None else "withdrawn"
    return f"it was {mark} before its evaluation ended, which does not go on"


def artefact_path(submission_id: str) -> str:
    """Where a submission's file is downloaded."""
    return f"/api/v1/submissions/{submission_id}/artefact"


def cell(
    session: Session, rankings: Rankings, board: Board | None, found: CellRow, server: str
) -> schemas.CellOut:
    """A cell in full; ``server`` is the address that its command downloads from."""
    row = queries.board_row(session, found.board_id)

    def head(entry: Submission) -> schemas.MatrixEntry:
        ranks = rankings.ranks(session, board, row, cast(Side, entry.side)) if board else {}
        return matrix_entry(entry, ranks.get(entry.id))

    attack = clean_head() if found.attack is None else head(found.attack)
    versions = history.versions(session, found, row.protocol if row else None)
    return schemas.CellOut(
        **dict(counted_cell(found, attack, head(found.defense))),
        board=found.board_id,
        metric=queries.measure_of(session, found.board_id).metric,
        attempts=found.attempts,
        max_attempts=found.max_attempts,
        error_code=found.error_code,
        error_family=_family(found),
        reason=found.reason,
        log=found.log,
        queued_at=found.queued_at,
        started_at=found.started_at,
        finished_at=found.finished_at,
        provenance=schemas.CellProvenance(
            protocol=found.protocol,
            evaluator_version=found.evaluator_version,
            device=found.device,
            seconds=found.seconds,
            versions=found.versions or {},
            attack_sha256=None if found.attack is None else _sha256(found.attack),
            defense_sha256=_sha256(found.defense),
            hits_sha256=found.hits_sha256,
        ),
        replaced_at=versions.until,
        replaced_by=None if versions.next is None else versions.next.id,
        earlier=earlier(versions.earlier),
        command=None
        if board is None or (row and row.hidden_seed)
        else _command(found, server.rstrip("/")),
    )


def _family(found: CellRow) -> schemas.FailureFamily | None:
    """Whose fault the latest failure was; only what is final is the submission's."""
    if found.state == "failed":
        return "submission"
    return None if found.error_code is None else "infrastructure"


def _command(found: CellRow, server: str) -> str | None:
    """Shell lines that recompute a cell at home, while its files are there."""
    entries = (found.attack, found.defense)
    if any(entry is not None and entry.deleted_at is not None for entry in entries):
        return None
    lines = []
    arguments = ""
    for side, entry_id in (("attack", found.attack_id), ("defense", found.defense_id)):
        if entry_id is not None:
            file = f"{side}{SUFFIXES[cast(Side, side)]}"
            lines.append(f"curl -fo {file} {server}{artefact_path(entry_id)}")
            arguments += f" --{side} {file}"
    return "\n".join([*lines, f"grb evaluate {found.board_id}{arguments}"])
