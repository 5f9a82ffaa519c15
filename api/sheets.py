"""Rankings and matrices as CSV (RFC 4180), which spreadsheets open without running anything.

A spreadsheet takes a cell that begins with ``=``, ``+``, ``-`` or ``@`` for a formula, whatever it
is quoted with; some take the full-width twins for them too, and some split at semicolons and tabs.
Whatever strangers wrote gets an apostrophe before such a beginning, as spreadsheets write it
themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from api import arena_schemas, ranking_schemas, schemas
from grbcore.measure import Measure
from grbcore.metrics import Metric
from grbcore.results import CLEAN
from grbcore.scenario import Difficulty, Side
from grbcore.sheets import Cell as Cell
from grbcore.sheets import lines as lines
from grbcore.sheets import safe as safe
from grbcore.store.views import View


def ranking_name(
    side: Side,
    difficulty: Difficulty,
    view: View,
    metric: Metric,
    best: ranking_schemas.Best = "all",
    flag: str | None = None,
) -> str:
    """What a file of a ranking is called."""
    parts = [f"{side}s", difficulty, view]
    parts += [metric] if metric != "weighted" else []
    parts += [f"best-of-{best}"] if best != "all" else []
    return "-".join([*parts, *([flag] if flag else [])])


def ranking_head(side: Side, measure: Measure) -> tuple[str, ...]:
    """The names of the columns of `ranking_rows`."""
    three = "avg_" + measure.three(side).lower().replace("-", "_")
    scores = [
        f"{name}{end}" for name in ("weighted", "avg", three, "worst") for end in ("", "_std")
    ]
    clean = ("clean", "clean_std") if side == "defense" else ()
    about = ("rank", "id", "name", "authors", "team", "family", "reference", "attempt", "attempts")
    used = ("budget_used",) if side == "attack" else ()
    last = ("n", *used, "not_finite_targets")
    sure = ("interval_low", "interval_high", "rank_best", "rank_last", "first", "tie_group")
    more = (*sure, "worst", "worst_id", *(("breaks", "breaks_of") if side == "attack" else ()))
    return (*about, "registered_at", "paper_url", "code_url", *clean, *scores, *last, *more)


def ranking_rows(found: ranking_schemas.LeaderboardOut) -> Iterator[list[Cell]]:
    """One row for each entry of this part, scores as fractions; the clean row is left out."""
    for line in found.rows:
        entry, at = line.entry, line.metrics.get(found.difficulty)
        if entry is None:
            continue
        row: list[Cell] = [line.rank, entry.id, entry.name, entry.authors, entry.team]
        row += [entry.family, entry.is_reference, entry.attempt, entry.attempts]
        row += [entry.registered_at.isoformat(), entry.paper_url, entry.code_url]
        if found.side == "defense":
            row += score((line.clean or {}).get(found.difficulty))
        for one in (at.weighted, at.average, at.three, at.worst) if at else (None,) * 4:
            row += score(one)
        row.append(at.n if at else None)
        if found.side == "attack":
            row.append(entry.budget_used)
        row.append(entry.not_finite.targets if entry.not_finite else 0)
        yield [*row, *_sure(line, found.side)]


def _sure(line: ranking_schemas.LeaderboardRow, side: Side) -> list[Cell]:
    """How sure the score and the rank by the metric of the ranking are, and what is worst."""
    one, worst, breaks = line.interval, line.worst, line.breaks
    row: list[Cell] = [None] * 6
    if one is not None:
        row = [one.low, one.high, *(one.ranks or (None, None)), one.first, one.tie_group]
    row += [worst.name, worst.id] if worst else [None, None]
    if side == "attack":
        row += [breaks.broken, breaks.of] if breaks else [None, None]
    return row


def matrix_head(defenses: Iterable[schemas.MatrixEntry]) -> list[Cell]:
    """The names of the columns: a defense's name with its id, since names may be alike."""
    return ["rank", "id", "attack", *(f"{entry.name} ({entry.id})" for entry in defenses)]


def matrix_rows(
    attacks: Iterable[schemas.MatrixEntry],
    defenses: Iterable[schemas.MatrixEntry],
    accuracies: Mapping[tuple[str, str], float],
) -> Iterator[list[Cell]]:
    """One row for each attack, each cell the accuracy as a fraction, empty until it is done.

    Args:
        attacks: the heads of the rows; the row without an attack may be among them.
        defenses: the heads of all columns, in the order of `matrix_head`.
        accuracies: what is known between them, by the ids of attack and defense.
    """
    columns = [entry.id for entry in defenses]
    for attack in attacks:
        name = attack.name if attack.id != CLEAN else "Without attack"
        line = (accuracies.get((attack.id, defense)) for defense in columns)
        yield [attack.rank, attack.id, name, *line]


ARENA_HEAD = (
    "rank", "weighted_clone_robust", "id", "name", "reference", "duplicates", "rank_grb",
    "weighted_grb", "without_id", "without_name", "without_members", "rank_without",
)  # fmt: skip


def arena_rows(found: arena_schemas.ArenaOut) -> Iterator[list[Cell]]:
    """One row for each entry of an arena, with the opponent that its rank depends on most."""
    for line in found.rows:
        without = line.influence
        row: list[Cell] = [line.robust.rank, line.robust.score, line.entry.id, line.entry.name]
        row += [line.entry.is_reference, line.duplicates, line.own.rank, line.own.score]
        told: list[Cell] = [None] * 4
        if without is not None:
            told = [without.opponent, without.name, without.members, without.rank]
        yield [*row, *told]


def score(found: schemas.ScoreOut | None) -> list[Cell]:
    """A mean and its deviation; both empty where there is none."""
    return [None, None] if found is None else [found.mean, found.std]
