"""Re-evaluations and their previews as tables in the terminal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

from rich.table import Table
from rich.text import Text

from grbcore.cli.service import span
from grbcore.measure import Measure
from grbcore.store.previews import Change, Preview
from grbcore.store.reached import Progress
from grbcore.store.reevaluation import Plan
from grbcore.store.tables import Reevaluation

DASH = "–"


def plan(board_id: str, found: Plan) -> Table:
    """What a re-evaluation would compute, and how long that takes."""
    expected = "no worker is alive" if found.expected is None else span(found.expected)
    return _facts(
        ("board", board_id),
        ("protocol", found.protocol),
        ("cells", f"{found.cells}, of {found.attacks} attacks and {found.defenses} defenses"),
        ("work", f"{span(found.seconds)} of one worker"),
        ("expected", expected),
    )


def jobs(rows: Sequence[tuple[Reevaluation, Progress, float | None]]) -> Table:
    """Re-evaluations with their progress and the seconds left, one a line."""
    table = _table("job", "board", "state", "cells done", "left", "made", "by", "reason")
    for row, found, seconds in rows:
        _add(
            table,
            row.id,
            row.board_id,
            row.state,
            _done(row, found),
            left(seconds) or DASH,
            _moment(row.created_at),
            _author(row),
            row.reason,
        )
    return table


def job(row: Reevaluation, found: Progress, seconds: float | None) -> Table:
    """One re-evaluation with everything that is known of it."""
    chosen = ", ".join(f"{name} {_words(value)}" for name, value in row.selection.items())
    decided = DASH if row.decided_at is None else _moment(row.decided_at)
    if row.decider is not None:
        decided += f" by {row.decider.name}"
    return _facts(
        ("job", row.id),
        ("board", row.board_id),
        ("protocol", row.protocol),
        ("state", row.state),
        ("reason", row.reason),
        ("by", _author(row)),
        ("selection", chosen or "every finished cell"),
        ("cells", _done(row, found)),
        ("waiting", f"{found.queued} queued, {found.running} running"),
        ("failed", f"{found.failed}, and {found.dead} dead"),
        ("left", left(seconds) or DASH),
        ("made", _moment(row.created_at)),
        ("started", _moment(row.started_at)),
        ("ready", _moment(row.ready_at)),
        ("decided", decided),
        *([("changed", outcome(row))] if row.state == "applied" else []),
    )


def outcome(row: Reevaluation) -> str:
    """What applying it changed, in one line."""
    found = row.outcome or {}
    return _changed(found["changed"], found["ranks"], len(found["failed"]), len(found["waiting"]))


def _changed(cells: int, ranks: int, failed: int, waiting: int) -> str:
    more = f", {failed} to fail" if failed else ""
    more += f", {waiting} to be evaluated once more" if waiting else ""
    return f"{cells} result(s) and {ranks} rank(s) change{more}"


def left(seconds: float | None) -> str:
    """How long it still takes, where that is known."""
    return "" if seconds is None else f"about {span(seconds)}"


def preview(found: Preview, names: Mapping[str, str], measure: Measure) -> Iterator[Table | Text]:
    """What would change: ranks of both sides, the largest differences, new failures."""
    yield _ranks("defenses", found.ranks["defense"], names, measure)
    yield _ranks("attacks", found.ranks["attack"], names, measure)
    if found.largest:
        what = f"{measure.word}{measure.head}"
        table = _table("attack", "defense", title=f"Largest differences in {what}")
        for head in ("before", "after", "change"):
            table.add_column(head, justify="right", no_wrap=True)
        for cell in found.largest:
            pair = _pair(cell.attack, cell.defense, names)
            change = measure.number(cell.after - cell.before, sign=True)
            _add(table, *pair, measure.number(cell.before), measure.number(cell.after), change)
        yield table
    if found.unmeasured:
        heads = ("attack", "defense", "state", "code", "reason", "fails")
        table = _table(*heads, title="Without a new result")
        for lost in found.unmeasured:
            blamed = DASH if lost.blamed is None else names[lost.blamed]
            pair = _pair(lost.attack, lost.defense, names)
            _add(table, *pair, lost.state, lost.code or DASH, lost.reason or DASH, blamed)
        yield table
    if found.waiting:
        yield Text("evaluated once more: " + ", ".join(names[entry] for entry in found.waiting))
    if found.revived:
        yield Text("counts again: " + ", ".join(names[entry] for entry in found.revived))
    yield summary(found)


def summary(found: Preview) -> Text:
    """How much would change, in one line."""
    said = _changed(found.changed, found.moved, len(found.failing), len(found.waiting))
    unfinished = f"; {found.unfinished} cell(s) are not computed yet" if found.unfinished else ""
    return Text(f"board at revision {found.revision}: {said}{unfinished}")


def _ranks(
    side: str, changes: Sequence[Change], names: Mapping[str, str], measure: Measure
) -> Table | Text:
    """The entries of one side whose rank or score changes."""
    shown = [change for change in changes if _changes(change)]
    same = len(changes) - len(shown)
    if not shown:
        return Text(f"{side.capitalize()}; unchanged: {same}")
    title = f"{side.capitalize()}; unchanged: {same}"
    table = _table("rank", "", side[:-1], title=title)
    for head in ("Weighted before", "after"):
        table.add_column(head, justify="right", no_wrap=True)
    for change in shown:
        _add(
            table,
            f"{_number(change.rank_before)} → {_number(change.rank_after)}",
            _arrow(change),
            names[change.id],
            measure.number(change.weighted_before),
            measure.number(change.weighted_after),
        )
    return table


def _words(value: object) -> str:
    """Such as ``done or failed``."""
    return " or ".join(map(str, value)) if isinstance(value, list) else str(value)


def _moves(change: Change) -> bool:
    return change.rank_before != change.rank_after


def _changes(change: Change) -> bool:
    return _moves(change) or change.weighted_before != change.weighted_after


def _arrow(change: Change) -> str:
    """Where an entry moves, such as ``↑2`` for two places up."""
    before, after = change.rank_before, change.rank_after
    if before == after:
        return "="
    if before is None:
        return "new"
    if after is None:
        return "out"
    return f"↑{before - after}" if after < before else f"↓{after - before}"


def _pair(attack: str | None, defense: str, names: Mapping[str, str]) -> tuple[str, str]:
    return ("without attack" if attack is None else names[attack], names[defense])


def _done(row: Reevaluation, found: Progress) -> str:
    return f"{found.done} of {row.cells}"


def _author(row: Reevaluation) -> str:
    return row.author.name if row.author else "the service"


def _moment(at: datetime | None) -> str:
    return DASH if at is None else f"{at:%Y-%m-%d %H:%M} UTC"


def _number(rank: int | None) -> str:
    return DASH if rank is None else str(rank)


def _facts(*facts: tuple[str, str]) -> Table:
    table = Table(box=None, pad_edge=False, show_header=False)
    for _ in range(2):
        table.add_column(overflow="fold")
    for fact in facts:
        _add(table, *fact)
    return table


def _table(*heads: str, title: str | None = None) -> Table:
    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for head in heads:
        table.add_column(head, overflow="fold")
    return table


def _add(table: Table, *words: str) -> None:
    table.add_row(*map(Text, words))
