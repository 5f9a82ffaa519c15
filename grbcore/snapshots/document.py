"""What a snapshot holds, how its places follow from its cells, and how a name leaves it."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field

from grbcore.columns import Columns, pack, rows_of
from grbcore.leaderboard import Arena, ordered
from grbcore.measure import ACCURACY, ERROR, Measure
from grbcore.metrics import Metrics, Score
from grbcore.results import CLEAN, Cell
from grbcore.scenario import (
    SIDES,
    Difficulty,
    Side,
    choices_of,
    difficulties_of,
    scenario_of,
)

Digest = Annotated[str, Field(pattern="^[0-9a-f]{64}$")]
View = Literal["reference", "all"]
VIEWS: tuple[View, ...] = ("reference", "all")

#: Why an entry has no name.
Mark = Literal["withdrawn", "hidden", "deleted", "anonymous"]

#: What an entry without a name is called.
ANONYMOUS: Mapping[Mark, str] = {
    "withdrawn": "(withdrawn)",
    "hidden": "(hidden)",
    "deleted": "(deleted)",
    "anonymous": "(anonymous)",
}

#: Fields of an entry that tell whose it is.
_NAMING = ("name", "authors", "team", "family", "paper_url", "code_url", "mark")


class _Record(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Entry(_Record):
    """An entry that was ranked or counted.  ``sha256`` is of its file, ``canonical`` of the content
    however it is packed."""

    id: str
    side: Side
    name: str
    authors: str
    team: str | None
    family: str
    paper_url: str | None
    code_url: str | None
    mark: Mark | None  # why it has no name
    is_reference: bool
    ranked: bool  # a hidden reference counts for others and has no place
    registered_at: AwareDatetime
    attempt: int
    attempts: int  # of its submitter on this side, every one counted
    sha256: str
    canonical: str | None


class CellRecord(_Record):
    """One result: counts by difficulty and repeat, and what they were measured with."""

    id: str
    attack: str  # or "clean"
    defense: str
    correct: dict[Difficulty, tuple[int, ...]]
    # of boards of errors, in place of counts: their mean per repeat
    errors: Annotated[
        dict[Difficulty, tuple[float, ...]] | None, Field(exclude_if=lambda found: found is None)
    ] = None
    total: dict[Difficulty, int]
    hits_sha256: str | None  # of the packed hits of each target
    evaluator_version: int | None
    device: str | None
    versions: dict[str, str]

    def cell(self) -> Cell:
        """The value that is ranked."""
        errors = self.errors or {}
        return Cell(self.attack, self.defense, self.correct, self.total, errors=errors)


class Line(_Record):
    """An entry's place, null where it has no score, and its scores as fractions."""

    rank: int | None
    id: str
    metrics: Metrics | None
    clean: Score | None  # defenses


class Ranking(_Record):
    """One side at one difficulty in one view, by Weighted."""

    side: Side
    view: View
    difficulty: Difficulty
    lines: tuple[Line, ...]


class Snapshot(_Record):
    """A board at one moment.  ``protocol`` is the hash of data, rules and versions together."""

    format: Literal[1] = 1
    id: str
    board: str
    revision: int
    made_at: AwareDatetime
    protocol: str
    dataset: dict[str, Digest]  # SHA-256 by file, of those that are known
    evaluator_version: int
    metric_version: int
    repeats: int
    entries: tuple[Entry, ...]
    cells: tuple[CellRecord, ...]
    rankings: tuple[Ranking, ...]

    @property
    def measure(self) -> Measure:
        """What its results are."""
        return ERROR if any(cell.errors is not None for cell in self.cells) else ACCURACY


class Places(_Record):
    """A snapshot's entries and rankings, without the cells that these follow from."""

    entries: tuple[Entry, ...]
    rankings: tuple[Ranking, ...]


def rankings(
    board: str, entries: Sequence[Entry], cells: Sequence[CellRecord], repeats: int
) -> tuple[Ranking, ...]:
    """Every ranking that follows from these cells of a board, by its id: both views and sides, and
    all that its rankings may be ordered by."""
    errors = any(cell.errors is not None for cell in cells)
    scenario = scenario_of(board)
    everybody = Arena(
        repeats=repeats,
        attacks=_ids(entries, "attack", "ranked"),
        defenses=_ids(entries, "defense", "ranked"),
        attack_counterparts=_ids(entries, "defense", "ranked"),
        defense_counterparts=_ids(entries, "attack", "ranked"),
        difficulties=difficulties_of(scenario),
        errors=errors,
    )
    over_references = replace(
        everybody,
        attack_counterparts=_ids(entries, "defense", "is_reference"),
        defense_counterparts=_ids(entries, "attack", "is_reference"),
    )
    arenas: Mapping[View, Arena] = {"reference": over_references, "all": everybody}
    measured = _columns(entries, cells, everybody)
    found = []
    for view in VIEWS:
        for side in SIDES:
            rows = rows_of(arenas[view], measured, side)
            for difficulty in choices_of(scenario):
                lines = [
                    Line(
                        rank=row.rank,
                        id=row.id,
                        metrics=row.metrics.get(difficulty),
                        clean=(row.clean or {}).get(difficulty),
                    )
                    for row in ordered(rows, side, difficulty, errors=errors).rows
                    if row.id != CLEAN
                ]
                found.append(
                    Ranking(side=side, view=view, difficulty=difficulty, lines=tuple(lines))
                )
    return tuple(found)


def _columns(entries: Sequence[Entry], cells: Sequence[CellRecord], arena: Arena) -> Columns:
    of = {side: [one.id for one in entries if one.side == side] for side in SIDES}
    found = Columns(
        of["attack"], of["defense"], arena.repeats, arena.difficulties, errors=arena.errors
    )
    alike: dict[int, list[tuple[str, str, bytes]]] = {}  # by how many repeats they have
    for cell in cells:
        packed = pack(cell.correct, cell.total, cell.errors)
        alike.setdefault(len(packed), []).append((cell.attack, cell.defense, packed))
    for some in alike.values():
        attacks, defenses, counts = zip(*some, strict=True)
        found.add(attacks, defenses, b"".join(counts))
    return found


def _ids(
    entries: Sequence[Entry], side: Side, mark: Literal["ranked", "is_reference"]
) -> tuple[str, ...]:
    return tuple(one.id for one in entries if one.side == side and getattr(one, mark))


def unnamed(snapshot: Snapshot, marks: Mapping[str, Mark]) -> Snapshot:
    """The snapshot without the names of these entries; every number and hash stays.

    A family in a user's own words is one of the things that go.
    """
    return snapshot.model_copy(
        update={
            "entries": tuple(
                _unnamed(entry, marks[entry.id]) if entry.id in marks else entry
                for entry in snapshot.entries
            )
        }
    )


def _unnamed(entry: Entry, mark: Mark) -> Entry:
    own = entry.family.startswith("other:")
    gone: dict[str, object] = dict.fromkeys(("team", "paper_url", "code_url"))
    gone |= {"name": ANONYMOUS[mark], "authors": "", "mark": mark}
    return entry.model_copy(update=gone | ({"family": "other"} if own else {}))


def numbers_digest(snapshot: Snapshot) -> str:
    """SHA-256 of all that a snapshot says but names: the same before and after one is taken off.

    It is of JSON with sorted keys, without blanks, and with every letter beyond ASCII escaped;
    entries are without name, authors, team, family, links and mark.
    """
    plain = snapshot.model_dump(mode="json")
    for entry in plain["entries"]:
        for name in _NAMING:
            del entry[name]
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()
