"""The paper's table over a choice, and entries side by side."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar
from urllib.parse import urlencode

from sqlalchemy.orm import Session

from api import schemas, table_schemas
from api.rankings import Rankings
from api.views.parts import clean_head, matrix_entry, score_out
from grbcore import paper
from grbcore.catalog import Board
from grbcore.columns import cell_of
from grbcore.results import CLEAN, Cell
from grbcore.scenario import SIDES, Difficulty, Side
from grbcore.store import charting, queries, windows
from grbcore.store.session import now
from grbcore.store.tables import BoardRow, Submission
from grbcore.store.views import VIEWS, View, is_counterpart
from grbcore.store.visibility import may_see

T = TypeVar("T")

#: The metrics in the order of the paper's tables.
_DOWNWARDS: tuple[paper.Printed, ...] = ("average", "three", "weighted")

#: So many entries of a side are offered to choose from, the best ranked first.
_OFFERED = 500


@dataclass(frozen=True, slots=True)
class Asked:
    """What a request says of a table; None is what the preset has."""

    preset: paper.Preset = "main"
    attacks: tuple[str, ...] | None = None
    defenses: tuple[str, ...] | None = None
    difficulties: tuple[Difficulty, ...] | None = None
    base: str | None = None
    most: int = paper.MOST  # chosen ones of a side, the best ranked

    @property
    def query(self) -> str:
        """What asks the API for this, of its own ``most``."""
        parts = {"attacks": self.attacks, "defenses": self.defenses}
        chosen = {**parts, "difficulties": self.difficulties}
        lists = {name: ",".join(of) for name, of in chosen.items() if of is not None}
        base = {} if self.base is None else {"base": self.base}
        return "?" + urlencode({"preset": self.preset, **lists, **base}, safe=",")


@dataclass(frozen=True, slots=True)
class Standing:
    """The ranked entries of a board as everybody sees them, both sides in the order of ranks."""

    ranks: Mapping[Side, Mapping[str, int | None]]
    references: Mapping[Side, frozenset[str]]
    everybody: Mapping[Side, frozenset[str]]  # counterparts of the view of all
    families: Mapping[str, str]  # of defenses
    registered: Mapping[str, datetime]

    def order(self, side: Side) -> tuple[str, ...]:
        """The ids, the first ranked first."""
        return tuple(self.ranks[side])

    def counterparts(self, side: Side, view: View) -> frozenset[str]:
        """Those of this side that count in a view."""
        return (self.references if view == "reference" else self.everybody)[side]


def standing_of(
    session: Session, rankings: Rankings, board: Board, row: BoardRow | None
) -> Standing:
    """Ranks are those of the reference view, at what the board is ranked by."""
    at = now()
    seen = [one for one in queries.heads(session, board.id) if may_see(one, None, at)]
    ranks: dict[Side, dict[str, int | None]] = {}
    counted: dict[View, dict[Side, frozenset[str]]] = {view: {} for view in VIEWS}
    for side in SIDES:
        found = rankings.get(session, board, row, side=side)
        ranks[side] = {line.id: line.rank for line in found.rows if line.id != CLEAN}
        for view, found_there in counted.items():
            found_there[side] = frozenset(
                one.id for one in seen if one.side == side and is_counterpart(one, view)
            )
    families = charting.families(session, board.id, "defense")
    return Standing(
        ranks,
        counted["reference"],
        counted["all"],
        {one: family for one, (_, family) in families.items()},
        {one.id: one.registered_at for one in seen if one.registered_at is not None},
    )


def table(
    session: Session, rankings: Rankings, board: Board, row: BoardRow | None, asked: Asked
) -> table_schemas.TableOut:
    """The paper's table of what was asked for, as everybody sees it."""
    standing = standing_of(session, rankings, board, row)
    choice, missing = _choice(asked, standing, board)
    base = asked.base
    if base is not None and base not in (CLEAN, *choice.attacks, *choice.defenses):
        missing, base = [*missing, base], None
    cells, ids = cells_between(session, board, row, (*choice.attacks, CLEAN), choice.defenses)
    found = paper.table(choice, cells, board.repeats, base, errors=board.errors)
    heads = _Heads(session, standing, (*choice.attacks, *choice.defenses))
    return table_schemas.TableOut(
        board=board.id,
        revision=row.revision if row else 0,
        repeats=board.repeats,
        preset=_name(choice, standing, board),
        base=base,
        difficulties=list(choice.difficulties),
        attacks=[*heads.of(choice.attacks), heads.clean()],
        defenses=heads.of(choice.defenses),
        rows=_rows(found, ids),
        foot=_foot(found),
        columns=found.columns,
        official_attacks=_is(choice.defenses, standing.references["defense"]),
        official_defenses=_is(choice.attacks, standing.references["attack"]),
        missing=missing,
        available_attacks=heads.of(standing.order("attack")[:_OFFERED]),
        available_defenses=heads.of(standing.order("defense")[:_OFFERED]),
        total_attacks=len(standing.ranks["attack"]),
        total_defenses=len(standing.ranks["defense"]),
    )


def comparison(
    session: Session,
    rankings: Rankings,
    board: Board,
    row: BoardRow | None,
    *,
    ids: Sequence[str],
    view: View,
) -> table_schemas.ComparisonOut:
    """These entries against the counterparts of the view, as everybody sees them."""
    standing = standing_of(session, rankings, board, row)
    of = (side for one in ids for side in SIDES if one in standing.ranks[side])
    side: Side = next(of, "defense")  # of the first that is ranked here
    entries = tuple(one for one in ids if one in standing.ranks[side])
    other: Side = "attack" if side == "defense" else "defense"
    counted = [one for one in standing.order(other) if one in standing.counterparts(other, view)]
    against = tuple(counted[: paper.MOST])
    mine, theirs = (against, entries) if side == "defense" else (entries, against)
    choice = paper.Choice(mine, theirs, board.choices)
    attacks = (*against, CLEAN) if side == "defense" else entries
    cells, cell_ids = cells_between(session, board, row, attacks, choice.defenses)
    found = paper.table(
        choice, cells, board.repeats, entries[0] if entries else None, errors=board.errors
    )
    heads = _Heads(session, standing, (*entries, *against))
    wins = paper.wins(found, side)
    metrics = found.defenses if side == "defense" else found.attacks
    rows = against if side == "attack" else (*against, CLEAN)

    def key(counterpart: str, at: Difficulty, entry: str) -> paper.Key:
        return (counterpart, at, entry) if side == "defense" else (entry, at, counterpart)

    return table_schemas.ComparisonOut(
        board=board.id,
        revision=row.revision if row else 0,
        side=side,
        view=view,
        repeats=board.repeats,
        entries=[
            table_schemas.ComparedEntry(
                **head.model_dump(), authors=heads.authors(head.id), wins=wins[head.id]
            )
            for head in heads.of(entries)
        ],
        counterparts=[*heads.of(against), *([heads.clean()] if side == "defense" else [])],
        total=len(counted),
        rows=[
            table_schemas.ComparedRow(
                counterpart=one,
                difficulty=at,
                cells=[cell_ids.get(key(one, at, entry)[::2]) for entry in entries],
                values=[value_out(found.cells.get(key(one, at, entry))) for entry in entries],
            )
            for at in board.choices
            for one in rows
            if any(key(one, at, entry) in found.cells for entry in entries)
        ],
        metrics=[
            table_schemas.ComparedMetric(
                metric=name,
                difficulty=at,
                values=[value_out(metrics.get((entry, at, name))) for entry in entries],
            )
            for at in board.choices
            for name in paper.PRINTED
        ],
        missing=[one for one in ids if one not in entries],
    )


def _choice(asked: Asked, standing: Standing, board: Board) -> tuple[paper.Choice, list[str]]:
    """What was asked for, in the order of the ranks, and the ids that are not ranked here."""
    attacks, defenses = standing.order("attack"), standing.order("defense")
    named = paper.preset(asked.preset, attacks, defenses, standing.families, board.choices)
    missing = {*(asked.attacks or ())} - {*attacks} | {*(asked.defenses or ())} - {*defenses}
    choice = paper.Choice(
        named.attacks if asked.attacks is None else _in(attacks, asked.attacks)[: asked.most],
        named.defenses if asked.defenses is None else _in(defenses, asked.defenses)[: asked.most],
        named.difficulties
        if asked.difficulties is None
        else _in(board.choices, asked.difficulties),
    )
    return choice, sorted(missing)


def _in(order: Iterable[T], chosen: Iterable[T]) -> tuple[T, ...]:
    wanted = set(chosen)
    return tuple(one for one in order if one in wanted)


def _name(choice: paper.Choice, standing: Standing, board: Board) -> paper.Preset | None:
    """The preset that is this choice, if one is."""
    known = standing.order("attack"), standing.order("defense"), standing.families, board.choices
    return next((one for one in paper.PRESETS if paper.preset(one, *known) == choice), None)


def _is(chosen: Sequence[str], references: frozenset[str]) -> bool:
    return bool(references) and frozenset(chosen) == references


Ids = dict[tuple[str, str], str]  # of the cell of an attack and a defense


def cells_between(
    session: Session,
    board: Board,
    row: BoardRow | None,
    attacks: Sequence[str],
    defenses: Sequence[str],
) -> tuple[list[Cell], Ids]:
    """The finished cells between these attacks, the clean row perhaps among them, and defenses."""
    if row is None or row.protocol is None or not defenses:
        return [], {}
    found = windows.packed_window(session, row.id, row.protocol, attacks, defenses)
    cells: list[Cell] = []
    ids: Ids = {}
    for attack, defense, cell, state, counts in found:
        if state == "done" and counts is not None:
            ends = attack or CLEAN, defense
            cells.append(cell_of(*ends, counts, board.difficulties, errors=board.errors))
            ids[attack or CLEAN, defense] = cell
    return cells, ids


class _Heads:
    """The heads of rows and columns."""

    def __init__(self, session: Session, standing: Standing, shown: Sequence[str]) -> None:
        offered = (s for side in standing.ranks.values() for s in list(side)[:_OFFERED])
        self._cards = charting.cards(session, {*shown, *offered})
        self._ranks = {one: rank for side in standing.ranks.values() for one, rank in side.items()}

    def of(self, ids: Iterable[str]) -> list[table_schemas.TableEntry]:
        return [self._head(self._cards[one]) for one in ids if one in self._cards]

    def authors(self, entry: str) -> str:
        return self._cards[entry].authors

    @staticmethod
    def clean() -> table_schemas.TableEntry:
        return table_schemas.TableEntry(**clean_head().model_dump(), family="")

    def _head(self, entry: Submission) -> table_schemas.TableEntry:
        head: schemas.MatrixEntry = matrix_entry(entry, self._ranks.get(entry.id))
        return table_schemas.TableEntry(**head.model_dump(), family=entry.family)


def value_out(found: paper.Value | None) -> table_schemas.ValueOut | None:
    """A number of a table on the wire."""
    if found is None:
        return None
    score = found.draws.score
    return table_schemas.ValueOut(
        mean=score.mean,
        std=score.std,
        difference=score_out(found.difference) if found.difference else None,
        relative=score_out(found.relative) if found.relative else None,
        best_attack=found.best_attack,
        best_defense=found.best_defense,
    )


def _rows(found: paper.Table, ids: Ids) -> list[table_schemas.TableRow]:
    """A row for each attack and difficulty that it carries; the clean rows come last."""
    rows = []
    for attack in (*found.choice.attacks, CLEAN):
        for at in found.choice.difficulties:
            cells = [
                table_schemas.TableCell(id=ids[attack, defense], defense=defense, value=value)
                for defense in found.choice.defenses
                if (value := value_out(found.cells.get((attack, at, defense)))) is not None
            ]
            metrics = {
                name: value
                for name in paper.PRINTED
                if (value := value_out(found.attacks.get((attack, at, name)))) is not None
            }
            if cells:
                row = table_schemas.TableRow(
                    attack=attack, difficulty=at, cells=cells, metrics=metrics
                )
                rows.append(row)
    return rows


def _foot(found: paper.Table) -> list[table_schemas.TableFoot]:
    return [
        table_schemas.TableFoot(
            metric=name,
            difficulty=at,
            n=found.rows[at],
            values={
                defense: value
                for defense in found.choice.defenses
                if (value := value_out(found.defenses.get((defense, at, name)))) is not None
            },
        )
        for name in _DOWNWARDS
        for at in found.choice.difficulties
    ]
