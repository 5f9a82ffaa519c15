"""What the charts of a board are drawn from."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy.orm import Session

from api import schemas, table_schemas
from api.rankings import Rankings
from api.views.parts import score_out, shown_name
from api.views.rankings import metrics_out
from api.views.tables import Standing, cells_between, standing_of
from grbcore import catalog, paper
from grbcore.architectures import Scale, registered, shapes_of, trained
from grbcore.catalog import Board
from grbcore.leaderboard import Row
from grbcore.records import Entered, records
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side, judged_as
from grbcore.store import charting
from grbcore.store.tables import BoardRow, Submission
from grbcore.store.views import View

#: Among all counterparts, so many of a side have their repeats told: each takes many cells.
_REPEATED = 20


def charts(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    difficulty: Difficulty,
    view: View,
) -> table_schemas.ChartsOut:
    """The first entries of both rankings with what charts show of them, as everybody sees them."""
    standing = standing_of(session, rankings, board, row)

    def of(side: Side) -> tuple[list[table_schemas.ChartEntry], list[Row]]:
        ranking = rankings.get(session, board, row, view=view, side=side, difficulty=difficulty)
        lines = [line for line in ranking.rows if line.id != CLEAN]
        shown = [line.id for line in lines[: paper.MOST]]
        other: Side = "attack" if side == "defense" else "defense"
        counted = tuple(sorted(standing.counterparts(other, view)))
        some = tuple(shown if view == "reference" else shown[:_REPEATED])
        mine = (counted, some) if side == "defense" else (some, counted)
        choice = paper.Choice(*mine, (difficulty,))
        cells, _ = cells_between(session, board, row, (*choice.attacks, CLEAN), choice.defenses)
        found = paper.table(choice, cells, board.repeats, errors=board.errors)
        metrics = found.defenses if side == "defense" else found.attacks
        draws = {
            entry: value.draws for (entry, _, name), value in metrics.items() if name == "weighted"
        }
        protocol = row.protocol if row else None
        seconds = (
            charting.seconds(session, board.id, protocol, side, shown, counted) if protocol else {}
        )
        cards = charting.cards(session, shown)
        entries = []
        for line in lines[: paper.MOST]:
            entries.append(
                table_schemas.ChartEntry(
                    id=line.id,
                    name=shown_name(cards[line.id]),
                    family=cards[line.id].family,
                    is_reference=cards[line.id].is_reference,
                    rank=line.rank,
                    registered_at=_registered(cards[line.id]),
                    clean=_clean(line, difficulty),
                    metrics={at: metrics_out(one) for at, one in line.metrics.items()},
                    weighted_repeats=_repeats(draws.get(line.id)),
                    parameters=_parameters(cards[line.id], board),
                    seconds=seconds.get(line.id),
                )
            )
        return entries, lines

    defenses, defense_lines = of("defense")
    attacks, attack_lines = of("attack")
    return table_schemas.ChartsOut(
        board=board.id,
        revision=row.revision if row else 0,
        difficulty=difficulty,
        view=view,
        repeats=board.repeats,
        defenses=defenses,
        attacks=attacks,
        total_defenses=len(defense_lines),
        total_attacks=len(attack_lines),
        best_defenses=_records(session, board, standing, defense_lines, difficulty, "defense"),
        best_attacks=_records(session, board, standing, attack_lines, difficulty, "attack"),
    )


def _registered(entry: Submission) -> datetime:
    assert entry.registered_at is not None  # it is ranked
    return entry.registered_at


def _clean(line: Row, difficulty: Difficulty) -> schemas.ScoreOut | None:
    found = (line.clean or {}).get(difficulty)
    return None if found is None else score_out(found)


def _repeats(found: paper.Draws | None) -> list[float]:
    return found.values.tolist() if found is not None and found.repeated else []


def _parameters(entry: Submission, board: Board) -> int | None:
    """How many weights a defense has, by its architecture's formula."""
    architecture = registered(board.scenario).get(str(entry.contents.get("architecture")))
    chosen = entry.contents.get("parameters")
    if architecture is None or chosen is None:
        return None
    scale = Scale.of(catalog.dataset(board.dataset).model_dump())
    told = architecture.parameters.model_validate(chosen)
    return trained(shapes_of(architecture, told, scale))


def _records(
    session: Session,
    board: Board,
    standing: Standing,
    lines: Sequence[Row],
    difficulty: Difficulty,
    side: Side,
) -> list[table_schemas.RecordOut]:
    scored = (
        Entered(standing.registered[line.id], line.id, line.metrics[difficulty].weighted.mean)
        for line in lines
        if difficulty in line.metrics and line.id in standing.registered
    )
    found = records(scored, judged_as(side, errors=board.errors))
    cards = charting.cards(session, [one.id for one in found])
    return [
        table_schemas.RecordOut(
            at=one.at, id=one.id, name=shown_name(cards[one.id]), score=one.score
        )
        for one in found
    ]
