"""The files of a snapshot, all made from its document alone."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from pydantic import BaseModel

from grbcore import latex
from grbcore.measure import Measure
from grbcore.metrics import Metrics, Score
from grbcore.results import CLEAN
from grbcore.scenario import SIDES, Difficulty, ranked_of, scenario_of
from grbcore.sheets import Cell, lines
from grbcore.snapshots.document import Entry, Line, Places, Ranking, Snapshot

#: The media type of each file that is kept.
FILES: Mapping[str, str] = {
    "snapshot.json": "application/json",
    "rankings.json": "application/json",
    "rankings.csv": "text/csv; charset=utf-8",
    "cells.csv": "text/csv; charset=utf-8",
    "rankings.tex": "application/x-tex; charset=utf-8",
}

_SCORES = ("weighted", "average", "three", "worst")
_ENDS = ("", "_std")


def files(snapshot: Snapshot) -> dict[str, bytes]:
    """The bytes of every file of `FILES`; the same for the same document."""
    return {
        "snapshot.json": _json(snapshot),
        "rankings.json": _json(Places(entries=snapshot.entries, rankings=snapshot.rankings)),
        "rankings.csv": "".join(lines(_rankings(snapshot))).encode(),
        "cells.csv": "".join(lines(_cells(snapshot))).encode(),
        "rankings.tex": _latex(snapshot).encode(),
    }


def _json(found: BaseModel) -> bytes:
    return found.model_dump_json(indent=1).encode() + b"\n"


def bibtex(*, board: str, snapshot_id: str, made_at: datetime, digest: str, address: str) -> str:
    """How a snapshot is cited; ``address`` is its page's, ``digest`` of its numbers."""
    key = "grb-" + "".join(c if c.isalnum() else "-" for c in board) + f"-{snapshot_id.lower()}"
    day = f"{made_at:%Y-%m-%d}"
    return (
        f"@misc{{{key},\n"
        f"  title = {{{{Graph Robustness Leaderboard: {board}, snapshot of {day}}}}},\n"
        f"  year = {{{made_at:%Y}}},\n"
        f"  month = {{{made_at.month}}},\n"
        f"  url = {{{address}}},\n"
        f"  note = {{Snapshot {snapshot_id}; numbers with SHA-256 {digest}}}\n"
        "}\n"
    )


def _rankings(snapshot: Snapshot) -> Iterator[list[Cell]]:
    about = ["side", "view", "difficulty", "rank", "id", "name", "authors", "team", "family"]
    about += ["reference", "attempt", "attempts", "sha256", "clean", "clean_std"]
    yield [*about, *(f"{name}{end}" for name in _SCORES for end in _ENDS), "n"]
    entries = {entry.id: entry for entry in snapshot.entries}
    for ranking in snapshot.rankings:
        for line in ranking.lines:
            entry = entries[line.id]
            row: list[Cell] = [ranking.side, ranking.view, ranking.difficulty, line.rank, line.id]
            row += [entry.name, entry.authors, entry.team, entry.family, entry.is_reference]
            row += [entry.attempt, entry.attempts, entry.sha256, *_score(line.clean)]
            yield [*row, *_scores(line.metrics)]


def _scores(metrics: Metrics | None) -> list[Cell]:
    if metrics is None:
        return [None] * (len(_ENDS) * len(_SCORES) + 1)
    every = (metrics.weighted, metrics.average, metrics.three, metrics.worst)
    return [*(value for score in every for value in _score(score)), metrics.n]


def _score(score: Score | None) -> list[Cell]:
    return [None, None] if score is None else [score.mean, score.std]


def _cells(snapshot: Snapshot) -> Iterator[list[Cell]]:
    result = "error" if snapshot.measure.errors else "correct"
    about = ["cell", "attack", "defense", "difficulty", "repeat", result, "total"]
    yield [*about, "attack_sha256", "defense_sha256", "hits_sha256"]
    hashes = {entry.id: entry.sha256 for entry in snapshot.entries} | {CLEAN: None}
    for cell in snapshot.cells:
        ends = [hashes[cell.attack], hashes[cell.defense], cell.hits_sha256]
        values: Mapping[Difficulty, Sequence[float]] = cell.errors or cell.correct
        for difficulty, found in values.items():
            for repeat, one in enumerate(found):
                row: list[Cell] = [cell.id, cell.attack, cell.defense, difficulty, repeat, one]
                yield [*row, cell.total[difficulty], *ends]


def _latex(snapshot: Snapshot) -> str:
    """Both sides in both views at full, or at the mean over budgets, a tabular each."""
    at = ranked_of(scenario_of(snapshot.board))
    entries = {entry.id: entry for entry in snapshot.entries}
    found = {(r.side, r.view): r for r in snapshot.rankings if r.difficulty == at}
    wanted = [found[side, view] for view in ("reference", "all") for side in SIDES]
    return "\n".join(_tabular(snapshot, ranking, entries) for ranking in wanted)


def _tabular(snapshot: Snapshot, ranking: Ranking, entries: Mapping[str, Entry]) -> str:
    defense = ranking.side == "defense"
    measure = snapshot.measure
    three = measure.three(ranking.side)
    head = ["Rank", ranking.side.capitalize(), "Weighted", "Avg", three, "Worst"]
    rows = [_row(line, entries[line.id], measure, clean=defense) for line in ranking.lines]
    about = f"{snapshot.board}, snapshot {snapshot.id} of {snapshot.made_at:%Y-%m-%d}, revision "
    about += f"{snapshot.revision}, protocol {snapshot.protocol}: {ranking.side}s at "
    about += f"{ranking.difficulty}, {ranking.view} view, {measure.unit}, mean and population std "
    about += "over repeats"
    columns = "rl" + "r" * (len(head) - 2 + defense)
    return latex.tabular(columns, [*head, *(["Clean"] if defense else [])], [rows], about)


def _row(line: Line, entry: Entry, measure: Measure, *, clean: bool) -> list[str]:
    metrics = line.metrics
    scores = (
        (None,) * 4
        if metrics is None
        else (metrics.weighted, metrics.average, metrics.three, metrics.worst)
    )
    shown = [*scores, *([line.clean] if clean else [])]
    numbers = [
        latex.number(None) if s is None else latex.number(s.mean, s.std, measure=measure)
        for s in shown
    ]
    return [str(line.rank or "--"), latex.escape(entry.name), *numbers]
