"""Boards and their rules, as everybody sees them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from sqlalchemy.orm import Session

from api import schemas
from api.rankings import Rankings
from api.views.parts import shown_name
from grbcore import catalog
from grbcore.architectures import registered
from grbcore.catalog import Board
from grbcore.scenario import GRAPH_SCENARIOS, Difficulty, Side
from grbcore.store import queries
from grbcore.store.session import now
from grbcore.store.tables import BoardRow
from grbcore.store.visibility import seen_by


def board_list(session: Session, rankings: Rankings) -> list[schemas.BoardSummary]:
    """Every board of the catalog; one that this database does not know yet has no data."""
    rows = queries.board_rows(session)
    tallies = queries.tallies(session, seen_by(None, now()))
    return [
        _summary(session, rankings, board, rows.get(board.id), tallies.get(board.id))
        for board in catalog.boards().values()
    ]


def board_details(
    session: Session, rankings: Rankings, board: Board, row: BoardRow | None
) -> schemas.BoardOut:
    """A board with its rules."""
    tally = queries.tallies(session, seen_by(None, now()), board.id).get(board.id)
    entry = catalog.dataset(board.dataset)
    facts = (row.facts if row else None) or {}
    dataset = entry.model_dump(include=set(schemas.DatasetOut.model_fields))
    measured = {
        key: facts[key] for key in ("nodes", "edges", "features", "classes") if key in facts
    }
    values = {"node_values": entry.node_values, "edge_values": entry.edge_values}
    return schemas.BoardOut(
        **_summary(session, rankings, board, row, tally).model_dump(),
        revision=row.revision if row else 0,
        protocol=row.protocol if row else None,
        repeats=board.repeats,
        feature_range=board.feature_range if board.scenario == "injection" else None,
        feature_tolerance=board.feature_tolerance,
        budgets={d: _allowance(board, d, facts, entry.edges) for d in board.difficulties},
        attack_bytes=board.limits.attack_bytes,
        defense_bytes=board.limits.defense_bytes,
        dataset_details=schemas.DatasetOut.model_validate({**dataset, **measured, **values}),
        architectures=list(registered(board.scenario)),
        attack_methods=list(catalog.methods_of(board.scenario)),
        ladder_step=row.ladder_step if row else None,
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
    return schemas.BoardSummary(
        id=board.id,
        title=board.title,
        dataset=board.dataset,
        scenario=board.scenario,
        version=board.version,
        difficulties=list(board.difficulties),
        ranked=board.ranked,
        metric=board.metric,
        graphs=catalog.dataset(board.dataset).graphs,
        state=cast(schemas.BoardState, state),
        hint=_hint(board, row) if state == "no-data" else None,
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


def _hint(board: Board, row: BoardRow | None) -> str:
    if row is not None and row.problem is not None:
        return row.problem
    return f"data not present: grb datasets fetch {board.dataset}"


def _best(
    session: Session, rankings: Rankings, board: Board, row: BoardRow | None, side: Side
) -> schemas.BestEntry | None:
    ranked = rankings.get(session, board, row, side=side, difficulty=board.ranked)
    for line in ranked.rows:
        entry = queries.submission(session, line.id) if line.rank == 1 else None
        if entry is not None:
            weighted = line.metrics[board.ranked].weighted.mean
            return schemas.BestEntry(id=entry.id, name=shown_name(entry), score=weighted)
    return None


def _allowance(
    board: Board, difficulty: Difficulty, facts: Mapping[str, dict[str, int]], edges: int
) -> schemas.AllowanceOut:
    targets = facts.get("targets", {}).get(difficulty)
    if board.scenario in GRAPH_SCENARIOS:
        changes = board.changes(difficulty).changes
        return schemas.AllowanceOut(changes=changes, targets=targets)
    if board.injection is not None:
        allowance = board.injection[difficulty]
        return schemas.AllowanceOut(
            nodes=allowance.nodes, edges_per_node=allowance.edges_per_node, targets=targets
        )
    budget = board.budget(difficulty, edges=cast(int, facts.get("edges", edges)))
    return schemas.AllowanceOut(flips=getattr(budget, "flips", None), targets=targets)
