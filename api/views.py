"""From rows and rankings to the API's JSON; the only place that builds a schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import cast

import numpy as np
from sqlalchemy.orm import Session

from api import schemas
from api.rankings import Rankings
from grbcore import catalog
from grbcore.architectures import ARCHITECTURES
from grbcore.catalog import Board
from grbcore.leaderboard import Leaderboard, Row
from grbcore.metrics import Metrics, Score, score
from grbcore.results import CLEAN
from grbcore.scenario import DIFFICULTIES, Difficulty, Side
from grbcore.store import queries
from grbcore.store.tables import BoardRow, CellRow, Submission
from grbcore.store.views import View, is_counterpart, is_ranked

SUFFIXES: Mapping[Side, str] = {"attack": "npz", "defense": "safetensors"}


# --- boards ---------------------------------------------------------------------------------------


def board_list(session: Session, rankings: Rankings) -> list[schemas.BoardSummary]:
    """Every board of the catalog; one that this database does not know yet has no data."""
    rows = queries.board_rows(session)
    tallies = queries.tallies(session)
    return [
        _summary(session, rankings, board, rows.get(board.id), tallies.get(board.id))
        for board in catalog.boards().values()
    ]


def board_details(
    session: Session, rankings: Rankings, board: Board, row: BoardRow | None
) -> schemas.BoardOut:
    """A board with its rules."""
    tally = queries.tallies(session, board.id).get(board.id)
    entry = catalog.dataset(board.dataset)
    facts = (row.facts if row else None) or {}
    dataset = entry.model_dump(include=set(schemas.DatasetOut.model_fields))
    measured = {
        key: facts[key] for key in ("nodes", "edges", "features", "classes") if key in facts
    }
    return schemas.BoardOut(
        **_summary(session, rankings, board, row, tally).model_dump(),
        revision=row.revision if row else 0,
        protocol=row.protocol if row else None,
        repeats=board.repeats,
        feature_range=board.feature_range if board.scenario == "injection" else None,
        feature_tolerance=board.feature_tolerance,
        budgets={d: _allowance(board, d, facts, entry.edges) for d in DIFFICULTIES},
        attack_bytes=board.limits.attack_bytes,
        defense_bytes=board.limits.defense_bytes,
        dataset_details=schemas.DatasetOut.model_validate({**dataset, **measured}),
        architectures=list(ARCHITECTURES),
    )


def _summary(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    tally: queries.Tally | None,
) -> schemas.BoardSummary:
    tally = tally or queries.Tally()
    state = row.state if row else "no-data"
    hint = f"data not present: grb datasets fetch {board.dataset}" if state == "no-data" else None
    return schemas.BoardSummary(
        id=board.id,
        title=board.title,
        dataset=board.dataset,
        scenario=board.scenario,
        version=board.version,
        state=cast(schemas.BoardState, state),
        hint=hint,
        attacks=tally.attacks,
        defenses=tally.defenses,
        pending=tally.pending,
        changed_at=row.changed_at if row else None,
        best_attack=_best(session, rankings, board, row, "attack") if tally.attacks else None,
        best_defense=_best(session, rankings, board, row, "defense") if tally.defenses else None,
        preparation=schemas.Preparation.model_validate(row.preparation)
        if row and row.preparation
        else None,
    )


def _best(
    session: Session, rankings: Rankings, board: Board, row: BoardRow | None, side: Side
) -> schemas.BestEntry | None:
    for line in rankings.get(session, board, row, side=side).rows:
        entry = queries.submission(session, line.id) if line.rank == 1 else None
        if entry is not None:
            weighted = line.metrics["full"].weighted.mean
            return schemas.BestEntry(id=entry.id, name=shown_name(entry), score=weighted)
    return None


def _allowance(
    board: Board, difficulty: Difficulty, facts: Mapping[str, dict[str, int]], edges: int
) -> schemas.AllowanceOut:
    targets = facts.get("targets", {}).get(difficulty)
    if board.injection is not None:
        allowance = board.injection[difficulty]
        return schemas.AllowanceOut(
            nodes=allowance.nodes, edges_per_node=allowance.edges_per_node, targets=targets
        )
    budget = board.budget(difficulty, edges=cast(int, facts.get("edges", edges)))
    return schemas.AllowanceOut(flips=getattr(budget, "flips", None), targets=targets)


# --- rankings -------------------------------------------------------------------------------------


def leaderboard(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    *,
    view: View,
    side: Side,
    difficulty: Difficulty,
) -> schemas.LeaderboardOut:
    """The ranking of one side with what the page says of each entry."""
    found = rankings.get(session, board, row, view=view, side=side, difficulty=difficulty)
    entries = {entry.id: entry for entry in queries.entries(session, board.id)}
    attempts = queries.attempts(session, board.id)
    return schemas.LeaderboardOut(
        board=board.id,
        revision=row.revision if row else 0,
        side=side,
        view=view,
        difficulty=difficulty,
        repeats=board.repeats,
        rows=[_row(line, entries.get(line.id), attempts) for line in found.rows],
    )


def _row(
    line: Row, entry: Submission | None, attempts: Mapping[tuple[str, str], int]
) -> schemas.LeaderboardRow:
    return schemas.LeaderboardRow(
        rank=line.rank,
        entry=_entry(entry, attempts) if entry is not None else None,
        metrics={difficulty: _metrics(found) for difficulty, found in line.metrics.items()},
        clean=None if line.clean is None else {d: _score(s) for d, s in line.clean.items()},
    )


def _entry(entry: Submission, attempts: Mapping[tuple[str, str], int]) -> schemas.EntryOut:
    assert entry.registered_at is not None
    return schemas.EntryOut(
        id=entry.id,
        name=entry.name,
        authors=entry.authors,
        team=entry.team,
        family=entry.family,
        is_reference=entry.is_reference,
        adversarially_trained=entry.adversarially_trained,
        paper_url=entry.paper_url,
        code_url=entry.code_url,
        attempt=entry.attempt,
        attempts=attempts.get((entry.user_id, entry.side), entry.attempt),
        registered_at=entry.registered_at,
    )


def _metrics(found: Metrics) -> schemas.MetricsOut:
    return schemas.MetricsOut(
        weighted=_score(found.weighted),
        average=_score(found.average),
        three=_score(found.three),
        n=found.n,
    )


def _score(found: Score) -> schemas.ScoreOut:
    return schemas.ScoreOut(mean=found.mean, std=found.std)


# --- the matrix -----------------------------------------------------------------------------------


def matrix(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    *,
    view: View,
    difficulty: Difficulty,
) -> schemas.MatrixOut:
    """Every cell between the entries that are ranked, counted or being evaluated."""
    heads: dict[Side, list[schemas.MatrixEntry]] = {}
    entries = [e for e in queries.entries(session, board.id) if _in_matrix(e, view)]
    for side in ("attack", "defense"):
        ranking = rankings.get(session, board, row, view=view, side=side, difficulty=difficulty)
        heads[side] = _heads([entry for entry in entries if entry.side == side], ranking)
    heads["attack"].append(_clean_head())
    known = {head.id for side in heads.values() for head in side}
    cells = queries.cells(session, board.id, row.protocol) if row and row.protocol else []
    return schemas.MatrixOut(
        board=board.id,
        revision=row.revision if row else 0,
        view=view,
        difficulty=difficulty,
        attacks=heads["attack"],
        defenses=heads["defense"],
        cells=[
            matrix_cell(cell)
            for cell in cells
            if (cell.attack_id or CLEAN) in known and cell.defense_id in known
        ],
    )


def _in_matrix(entry: Submission, view: View) -> bool:
    newcomer = entry.registered_at is None
    marked = entry.withdrawn_at is not None or entry.hidden_at is not None
    return is_ranked(entry) or is_counterpart(entry, view) or (newcomer and not marked)


def _heads(entries: Sequence[Submission], ranking: Leaderboard) -> list[schemas.MatrixEntry]:
    """In the order of the ranking; then hidden references and those not registered yet."""
    order = {line.id: position for position, line in enumerate(ranking.rows)}
    ranks = {line.id: line.rank for line in ranking.rows}
    ordered = sorted(entries, key=lambda entry: (order.get(entry.id, len(order)), entry.id))
    return [matrix_entry(entry, ranks.get(entry.id)) for entry in ordered]


def matrix_entry(entry: Submission, rank: int | None) -> schemas.MatrixEntry:
    """The head of a row or column."""
    return schemas.MatrixEntry(
        id=entry.id,
        name=shown_name(entry),
        rank=rank,
        is_reference=entry.is_reference,
        state=cast(schemas.SubmissionState, entry.state),
    )


def _clean_head() -> schemas.MatrixEntry:
    return schemas.MatrixEntry(
        id=CLEAN, name="without attack", rank=None, is_reference=True, state="ranked"
    )


def matrix_cell(cell: CellRow) -> schemas.MatrixCell:
    """One cell in brief."""
    return schemas.MatrixCell(
        id=cell.id,
        attack=cell.attack_id or CLEAN,
        defense=cell.defense_id,
        state=cast(schemas.CellState, cell.state),
        accuracy=_accuracy(cell),
    )


def _accuracy(cell: CellRow) -> dict[Difficulty, schemas.ScoreOut]:
    """Mean and spread over repeats at each difficulty; empty until done."""
    if cell.state != "done":
        return {}
    measured = queries.as_cell(cell.attack_id, cell.defense_id, cell.correct, cell.total)
    found = {}
    for difficulty in (d for d in DIFFICULTIES if d in measured.correct):
        repeats = measured.accuracy(difficulty)
        found[difficulty] = _score(score(np.array(repeats), repeated=len(repeats) > 1))
    return found


# --- submissions ----------------------------------------------------------------------------------


def shown_name(entry: Submission) -> str:
    """The name, unless its owner withdrew the entry or an admin hid it."""
    if entry.withdrawn_at is not None:
        return "(withdrawn)"
    return "(hidden)" if entry.hidden_at is not None else entry.name


def submission_list(
    session: Session, entries: Iterable[Submission], following: str | None
) -> schemas.SubmissionList:
    """A page of submissions."""
    entries = list(entries)
    counts = queries.cell_counts(session, [entry.id for entry in entries])
    return schemas.SubmissionList(
        submissions=[_brief(entry, counts.get(entry.id, {})) for entry in entries],
        next=following,
    )


def _brief(entry: Submission, counts: Mapping[str, int]) -> schemas.SubmissionSummary:
    marked = entry.withdrawn_at is not None or entry.hidden_at is not None
    return schemas.SubmissionSummary(
        id=entry.id,
        board=entry.board_id,
        side=cast(Side, entry.side),
        name=shown_name(entry),
        authors="" if marked else entry.authors,
        family=entry.family,
        state=cast(schemas.SubmissionState, entry.state),
        is_reference=entry.is_reference,
        withdrawn=entry.withdrawn_at is not None,
        hidden=entry.hidden_at is not None,
        attempt=entry.attempt,
        received_at=entry.received_at,
        cells=schemas.CellCounts(**counts),
        url=f"/submissions/{entry.id}",
    )


def submission(
    session: Session, rankings: Rankings, board: Board | None, entry: Submission
) -> schemas.SubmissionOut:
    """Everything public about a submission; of a marked one, nothing that names its author.

    ``board`` is None where the catalog has lost it.
    """
    row = queries.board_row(session, entry.board_id)
    counts = queries.cell_counts(session, [entry.id]).get(entry.id, {})
    attempts = queries.attempts(session, entry.board_id)
    marked = entry.withdrawn_at is not None or entry.hidden_at is not None
    contents = entry.contents or {}
    cells = queries.cells_of(session, entry.id, row.protocol if row else None)
    side = cast(Side, entry.side)
    ranks = rankings.ranks(session, board, row, side) if board and is_ranked(entry) else {}
    return schemas.SubmissionOut(
        **_brief(entry, counts).model_dump(),
        team=None if marked else entry.team,
        description="" if marked else entry.description,
        paper_url=None if marked else entry.paper_url,
        code_url=None if marked else entry.code_url,
        adversarially_trained=entry.adversarially_trained,
        surrogate=entry.surrogate,
        architecture=contents.get("architecture"),
        parameters=contents.get("parameters"),
        features=contents.get("features"),
        difficulties=list(DIFFICULTIES) if side == "defense" else contents.get("difficulties", []),
        repeats=contents.get("repeats"),
        sha256=entry.sha256,
        bytes=entry.size,
        submitter="" if marked else entry.user.name,
        attempts=attempts.get((entry.user_id, entry.side), entry.attempt),
        violations=[schemas.ViolationOut.model_validate(v) for v in entry.violations or []],
        reason=entry.reason,
        validated_at=entry.validated_at,
        registered_at=entry.registered_at,
        rank=ranks.get(entry.id),
        artefact_url=artefact_path(entry.id),
        results=[matrix_cell(cell) for cell in cells],
    )


def artefact_path(submission_id: str) -> str:
    """Where a submission's file is downloaded."""
    return f"/api/v1/submissions/{submission_id}/artefact"


# --- cells ----------------------------------------------------------------------------------------


def cell(
    session: Session, rankings: Rankings, board: Board | None, found: CellRow, server: str
) -> schemas.CellOut:
    """A cell in full; ``server`` is the address that its command downloads from."""
    row = queries.board_row(session, found.board_id)

    def head(entry: Submission) -> schemas.MatrixEntry:
        ranks = rankings.ranks(session, board, row, cast(Side, entry.side)) if board else {}
        return matrix_entry(entry, ranks.get(entry.id))

    done = found.state == "done"
    return schemas.CellOut(
        id=found.id,
        board=found.board_id,
        attack=_clean_head() if found.attack is None else head(found.attack),
        defense=head(found.defense),
        state=cast(schemas.CellState, found.state),
        attempts=found.attempts,
        reason=found.reason,
        queued_at=found.queued_at,
        started_at=found.started_at,
        finished_at=found.finished_at,
        correct=cast(dict[Difficulty, list[int]], found.correct or {}) if done else {},
        total=cast(dict[Difficulty, int], found.total or {}) if done else {},
        accuracy=_accuracy(found),
        provenance=schemas.CellProvenance(
            protocol=found.protocol,
            evaluator_version=found.evaluator_version,
            device=found.device,
            seconds=found.seconds,
            versions=found.versions or {},
            attack_sha256=None if found.attack is None else found.attack.sha256,
            defense_sha256=found.defense.sha256,
        ),
        command=_command(found, server.rstrip("/")),
    )


def _command(found: CellRow, server: str) -> str:
    """Shell lines that recompute a cell at home."""
    lines = []
    arguments = ""
    for side, entry_id in (("attack", found.attack_id), ("defense", found.defense_id)):
        if entry_id is not None:
            file = f"{side}.{SUFFIXES[cast(Side, side)]}"
            lines.append(f"curl -fo {file} {server}{artefact_path(entry_id)}")
            arguments += f" --{side} {file}"
    return "\n".join([*lines, f"grb evaluate {found.board_id}{arguments}"])
