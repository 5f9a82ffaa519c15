"""Leaderboards and matrices."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple, TypeVar

from sqlalchemy.orm import Session

from api import ranking_schemas, schemas
from api.rankings import Rankings
from api.views import holdouts, intervals
from api.views.flags import flag_codes, kinds_out
from api.views.parts import clean_head, matrix_cells, matrix_entry, score_out
from api.views.spending import allowed, means, used
from grbcore import ladder as ladders
from grbcore.architectures import registered
from grbcore.catalog import Board
from grbcore.leaderboard import Leaderboard, Row
from grbcore.metrics import Metric, Metrics
from grbcore.paper import firsts
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side, scenario_of
from grbcore.spending import Kind
from grbcore.store import charting, not_finite, queries, windows
from grbcore.store.presence import is_shown
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, Submission
from grbcore.store.views import View, is_counterpart, is_ranked
from grbcore.store.visibility import Viewer, cells_seen_by, may_see, visibility_of

T = TypeVar("T")


class Span(NamedTuple):
    """A part of an ordered list: its first place, and how many at most."""

    first: int
    most: int

    def of(self, items: Sequence[T]) -> Sequence[T]:
        """The items of this part."""
        return items[self.first : self.first + self.most]


def leaderboard(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    *,
    view: View,
    side: Side,
    difficulty: Difficulty,
    rows: Span,
    metric: Metric = "weighted",
    best: ranking_schemas.Best = "all",
    flag: str | None = None,
    viewer: Viewer = None,
) -> ranking_schemas.LeaderboardOut:
    """A part of the ranking of one side by this metric, with what the page says of each entry.

    With a ``flag`` only entries that have it are left.  ``best`` leaves rows out too.  Neither
    renumbers any.  Without a ``viewer`` it is the one that everybody sees.
    """
    found = rankings.get(
        session,
        board,
        row,
        view=view,
        side=side,
        difficulty=difficulty,
        metric=metric,
        viewer=viewer,
    )
    measured = rankings.flags(session, board, row, viewer)
    every = [line for line in found.rows if line.id != CLEAN]
    families, teams = (of(session, board.id, side) for of in (charting.families, charting.teams))
    if row is None or row.ladder_step is None:
        firsts_of = {"submitter": _best(every, families), "team": _best(every, teams)}
        numbers: Mapping[str, float] = {}
    else:
        by = charting.received(session, board.id, side)
        scores = {
            line.id: getattr(line.metrics[difficulty], metric).mean
            for line in sorted(every, key=lambda line: by[line.id])
            if line.rank is not None
        }
        climbed = [ladders.climbing(scores, of, row.ladder_step, side) for of in (families, teams)]
        firsts_of = dict(zip(("submitter", "team"), (one.best for one in climbed), strict=True))
        numbers = climbed[0].numbers
    ranked = every
    if best != "all":
        ranked = [line for line in ranked if line.id in firsts_of[best]]
    if flag is not None:
        candidates = queries.named(session, [line.id for line in ranked])
        having = {e.id for e in candidates if flag in flag_codes(e, measured.get(e.id, ()))}
        ranked = [line for line in ranked if line.id in having]
    shown = [*rows.of(ranked), *(line for line in found.rows if line.id == CLEAN)]
    entries = {entry.id: entry for entry in queries.named(session, [line.id for line in shown])}
    flags = {e.id: flag_codes(e, measured.get(e.id, ())) for e in entries.values()}
    attempts = queries.attempts(session, board.id)
    known = intervals.known(
        session, board, row, view=view, side=side, difficulty=difficulty, viewer=viewer
    )
    worst = intervals.worst_heads(session, shown, difficulty)
    marked = _not_finite(session, row, side, viewer)
    may = allowed(board, row, difficulty)
    held_out = holdouts.of_ranking(session, board.id, entries, difficulty)
    return ranking_schemas.LeaderboardOut(
        board=board.id,
        revision=row.revision if row else 0,
        side=side,
        view=view,
        difficulty=difficulty,
        metric=metric,
        repeats=board.repeats,
        row=rows.first,
        total=len(ranked),
        flags=kinds_out(code for codes in flags.values() for code in codes),
        intervals=known.about,
        best=best,
        rows=[
            ranking_schemas.LeaderboardRow(
                rank=line.rank,
                interval=known.interval(line.id, metric),
                worst=worst.get(line.id),
                breaks=known.breaks(line.id),
                entry=None
                if (entry := entries.get(line.id)) is None
                else _entry(
                    entry,
                    attempts,
                    flags=flags[line.id],
                    best_of_family=line.id in firsts_of["submitter"],
                    best_of_team=line.id in firsts_of["team"],
                    ladder=numbers.get(line.id),
                    marked=marked.get(line.id),
                    budget_used=used(entry, may),
                    spent=means(entry, may),
                    held_out=held_out.get(line.id),
                ),
                metrics={
                    difficulty: metrics_out(found) for difficulty, found in line.metrics.items()
                },
                clean=None
                if line.clean is None
                else {d: score_out(s) for d, s in line.clean.items()},
            )
            for line in shown
        ],
    )


def _best(ranked: Sequence[Row], groups: Mapping[str, tuple[str, str]]) -> frozenset[str]:
    """The first entry of each submitter, or team, and family, of those that have a rank."""
    first: dict[tuple[str, str], str] = {}
    for line in ranked:
        if line.rank is not None and line.id in groups:
            first.setdefault(groups[line.id], line.id)
    return frozenset(first.values())


def _not_finite(
    session: Session, row: BoardRow | None, side: Side, viewer: Viewer
) -> dict[str, ranking_schemas.NotFiniteOut]:
    if row is None or row.protocol is None:
        return {}
    seen = cells_seen_by(viewer, now())
    found = not_finite.marked(session, row.id, row.protocol, side, seen)
    return {
        entry: ranking_schemas.NotFiniteOut(cells=cells, targets=targets)
        for entry, (cells, targets) in found.items()
    }


def _entry(
    entry: Submission,
    attempts: Mapping[tuple[str, str], int],
    *,
    flags: list[str],
    best_of_family: bool,
    best_of_team: bool,
    ladder: float | None,
    marked: ranking_schemas.NotFiniteOut | None,
    budget_used: float | None,
    spent: dict[Kind, float] | None,
    held_out: ranking_schemas.HeldOut | None,
) -> ranking_schemas.EntryOut:
    assert entry.registered_at is not None
    architecture = (entry.contents or {}).get("architecture")
    known = registered(scenario_of(entry.board_id)).get(str(architecture))
    return ranking_schemas.EntryOut(
        id=entry.id,
        name=entry.name,
        authors=entry.authors,
        team=entry.team,
        family=entry.family,
        architecture=architecture,
        surrogate=entry.surrogate,
        is_reference=entry.is_reference,
        adversarially_trained=entry.adversarially_trained,
        stochastic=known is not None and known.stochastic,
        flags=flags,
        best_of_family=best_of_family,
        best_of_team=best_of_team,
        ladder=ladder,
        paper_url=entry.paper_url,
        code_url=entry.code_url,
        attempt=entry.attempt,
        attempts=attempts.get((entry.user_id, entry.side), entry.attempt),
        registered_at=entry.registered_at,
        visibility=visibility_of(entry, now()),
        budget_used=budget_used,
        spent=spent,
        held_out=held_out,
        not_finite=marked,
    )


def metrics_out(found: Metrics) -> schemas.MetricsOut:
    """Metrics on the wire."""
    return schemas.MetricsOut(
        weighted=score_out(found.weighted),
        average=score_out(found.average),
        three=score_out(found.three),
        worst=score_out(found.worst),
        n=found.n,
    )


def matrix(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    *,
    view: View,
    difficulty: Difficulty,
    rows: Span,
    columns: Span,
    viewer: Viewer = None,
) -> schemas.MatrixOut:
    """The cells of a window between the entries that are ranked, counted or being evaluated.

    Without a ``viewer`` they are those that everybody sees.
    """
    found = matrix_heads(
        session, rankings, board, row, view=view, difficulty=difficulty, viewer=viewer
    )
    attacks, defenses = [*rows.of(found.attacks), clean_head()], list(columns.of(found.defenses))
    cells = matrix_window(session, row, attacks, defenses)
    best = firsts(
        {
            (cell.attack, cell.defense, cell.id): cell.accuracy[difficulty].mean
            for cell in cells
            if difficulty in cell.accuracy
        },
        errors=board.errors,
    )
    return schemas.MatrixOut(
        board=board.id,
        revision=row.revision if row else 0,
        view=view,
        difficulty=difficulty,
        row=rows.first,
        column=columns.first,
        total_rows=len(found.attacks),
        total_columns=len(found.defenses),
        attacks=attacks,
        defenses=defenses,
        cells=cells,
        best_attacks=best.attacks,
        best_defenses=best.defenses,
    )


class Heads(NamedTuple):
    """All rows of a matrix but the clean one, and all its columns, in their order."""

    attacks: Sequence[schemas.MatrixEntry]
    defenses: Sequence[schemas.MatrixEntry]


def matrix_heads(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    *,
    view: View,
    difficulty: Difficulty,
    viewer: Viewer = None,
) -> Heads:
    """The entries that are ranked, counted or being evaluated, of those that the viewer sees."""
    at = now()
    seen = [entry for entry in queries.heads(session, board.id) if may_see(entry, viewer, at)]
    entries = [entry for entry in seen if _in_matrix(entry, view)]

    def of(side: Side) -> list[schemas.MatrixEntry]:
        ranking = rankings.get(
            session, board, row, view=view, side=side, difficulty=difficulty, viewer=viewer
        )
        ranks = {line.id: line.rank for line in ranking.rows}
        ordered = _in_order([entry for entry in entries if entry.side == side], ranking)
        return [matrix_entry(entry, ranks.get(entry.id)) for entry in ordered]

    return Heads(of("attack"), of("defense"))


def matrix_window(
    session: Session,
    row: BoardRow | None,
    attacks: Sequence[schemas.MatrixEntry],
    defenses: Sequence[schemas.MatrixEntry],
) -> list[schemas.MatrixCell]:
    """The cells between these attacks, the clean row perhaps among them, and these defenses."""
    if row is None or row.protocol is None or not defenses:
        return []
    return matrix_cells(
        windows.window(
            session,
            board_id=row.id,
            protocol=row.protocol,
            attacks=[entry.id for entry in attacks],
            defenses=[entry.id for entry in defenses],
        )
    )


def is_final(found: schemas.MatrixOut) -> bool:
    """Whether nothing in this window changes before the board's revision does."""
    registered = all(head.state == "ranked" for head in (*found.attacks, *found.defenses))
    measured = len(found.cells) == len(found.attacks) * len(found.defenses)
    return registered and measured and all(cell.state == "done" for cell in found.cells)


def _in_matrix(entry: Submission, view: View) -> bool:
    newcomer = entry.registered_at is None
    return is_ranked(entry) or is_counterpart(entry, view) or (newcomer and is_shown(entry))


def _in_order(entries: Sequence[Submission], ranking: Leaderboard) -> list[Submission]:
    """In the order of the ranking; then hidden references and those not registered yet."""
    order = {line.id: position for position, line in enumerate(ranking.rows)}
    return sorted(entries, key=lambda entry: (order.get(entry.id, len(order)), entry.id))
