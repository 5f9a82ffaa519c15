"""Where a defense was right, from the hits that are kept beside a cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Literal

import numpy as np
from sqlalchemy.orm import Session

from api.cell_schemas import BreakdownOut, ChangeOut, EntryBreakdownOut, GroupOut
from api.views.parts import score_out
from grbcore.breakdown import Group, Ints, by_class, by_degree, by_margin, change, pooled
from grbcore.catalog import Board
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.margins import Margins
from grbcore.margins import unpack as unpack_margins
from grbcore.metrics import Score, score
from grbcore.scenario import Difficulty, parts_of, scale_with
from grbcore.scoring import Hits, unpack
from grbcore.store import charting, hiding, queries
from grbcore.store.blobs import BlobError, Blobs
from grbcore.store.session import now
from grbcore.store.tables import CellRow, Submission
from grbcore.store.views import is_counterpart
from grbcore.store.visibility import Viewer, cells_seen_by

#: Said of boards whose metric is an error.
OF_ERRORS = "its results are errors, none of which is right or wrong"


class Nothing(Exception):
    """There is no breakdown; the text says why."""


def breakdown(
    session: Session,
    blobs: Blobs,
    board: Board | None,
    dataset: Dataset | GraphDataset | None,
    found: CellRow,
    difficulty: Difficulty,
) -> BreakdownOut:
    """A cell's hits by degree, margin and class, and what the attack changed.

    ``dataset`` is None where this host does not keep it ready.
    """
    try:
        return _breakdown(session, blobs, board, dataset, found, difficulty)
    except Nothing as why:
        return BreakdownOut(
            cell=found.id,
            difficulty=difficulty,
            degrees=[],
            sizes=[],
            margins=[],
            classes=[],
            change=None,
            missing=str(why),
        )


def entry_breakdown(
    session: Session,
    blobs: Blobs,
    board: Board | None,
    dataset: Dataset | GraphDataset | None,
    entry: Submission,
    difficulty: Difficulty,
    viewer: Viewer,
) -> EntryBreakdownOut:
    """An entry's cells against the board's references together: by degree, margin and class."""
    row = queries.board_row(session, entry.board_id)
    seen = cells_seen_by(viewer, now())
    cells = queries.cells_of(session, entry.id, row.protocol if row else None, seen)
    against = [cell for cell in cells if cell.state == "done" and cell.attack_id is not None]
    others = charting.cards(session, {_other(cell, entry) for cell in against})
    counted = [cell for cell in against if is_counterpart(others[_other(cell, entry)], "reference")]
    found: list[Parted] = []
    missing: str | None = "it has no result against a reference"
    for cell in counted:
        try:
            found.append(_parted(session, blobs, board, dataset, cell, difficulty))
        except Nothing as why:
            missing = str(why)
    repeats = 1 if board is None else board.repeats

    def together(name: Kind) -> list[GroupOut]:
        parts = [one.groups[name] for one in found if name in one.groups]
        before = [earlier for _, earlier in parts if earlier is not None]
        return _groups(
            pooled([after for after, _ in parts], repeats),
            pooled(before, 1) if len(before) == len(parts) else None,
        )

    return EntryBreakdownOut(
        submission=entry.id,
        difficulty=difficulty,
        counted=len(found),
        total=len(counted),
        degrees=together("degrees"),
        sizes=together("sizes"),
        margins=together("margins"),
        classes=together("classes"),
        missing=None if found else missing,
    )


def _other(cell: CellRow, entry: Submission) -> str:
    return cell.defense_id if entry.side == "attack" else str(cell.attack_id)


def _breakdown(
    session: Session,
    blobs: Blobs,
    board: Board | None,
    dataset: Dataset | GraphDataset | None,
    found: CellRow,
    difficulty: Difficulty,
) -> BreakdownOut:
    parted = _parted(session, blobs, board, dataset, found, difficulty)
    groups = {name: _groups(*both) for name, both in parted.groups.items()}
    return BreakdownOut(
        cell=found.id,
        difficulty=difficulty,
        degrees=groups.get("degrees", []),
        sizes=groups.get("sizes", []),
        margins=groups.get("margins", []),
        classes=groups["classes"],
        change=parted.change,
        missing=None,
    )


Kind = Literal["degrees", "sizes", "margins", "classes"]
Ways = Mapping[Kind, Callable[[Hits], list[Group]]]


@dataclass(frozen=True, slots=True)
class Parted:
    """The hits of a cell by group, each with those of the same targets without an attack; margins
    only where they are known."""

    groups: Mapping[Kind, tuple[list[Group], list[Group] | None]]
    change: ChangeOut | None


def _parted(
    session: Session,
    blobs: Blobs,
    board: Board | None,
    dataset: Dataset | GraphDataset | None,
    found: CellRow,
    difficulty: Difficulty,
) -> Parted:
    """A cell's hits, parted.

    Raises:
        Nothing: they are not known.
    """
    if found.state != "done":
        raise Nothing("it is not evaluated")
    if board is not None and board.errors:
        raise Nothing(OF_ERRORS)
    if board is None or dataset is None:
        raise Nothing("the board's data is not kept ready on the host that answers")
    if board.protocol(dataset.digest) != found.protocol:
        raise Nothing("it was measured under another protocol, with other data or code")
    clean = found if found.attack_id is None else queries.clean_cell(session, found)
    dataset = hiding.public(session, board.id, dataset)
    ways = _ways(board, dataset, clean, difficulty)
    targets = len(dataset.targets[parts_of(difficulty)[0]])
    hits = read_hits(blobs, found, difficulty, targets)
    before = None
    if found.attack_id is not None and clean is not None:
        before = _before(blobs, clean, difficulty, targets)
    groups = {
        name: (way(hits), None if before is None else way(before)) for name, way in ways.items()
    }
    changed = None if before is None else ChangeOut(**asdict(change(before, hits)))
    return Parted(groups, changed)


def _ways(
    board: Board,
    dataset: Dataset | GraphDataset,
    clean: CellRow | None,
    difficulty: Difficulty,
) -> Ways:
    """How the hits of the targets are parted; of several budgets they follow one another.

    Raises:
        Nothing: see `sizes_of`.
    """
    labels = np.concatenate([dataset.labels[dataset.targets[at]] for at in parts_of(difficulty)])
    ways: dict[Kind, Callable[[Hits], list[Group]]] = {}
    if isinstance(dataset, GraphDataset):
        ways["sizes"] = partial(by_degree, sizes_of(board, dataset, difficulty))
    else:
        ways["degrees"] = partial(by_degree, degrees_of(dataset, difficulty))
    ways["classes"] = partial(by_class, labels)
    margins = None if clean is None else _margins(clean, dataset, difficulty)
    if margins is not None:
        ways["margins"] = partial(by_margin, margins)
    return ways


def degrees_of(dataset: Dataset, difficulty: Difficulty) -> Ints:
    """How many neighbours each target has, (t,)."""
    targets = dataset.targets[difficulty]
    return np.asarray(dataset.indptr[targets + 1] - dataset.indptr[targets])


def sizes_of(board: Board, dataset: GraphDataset, difficulty: Difficulty) -> Ints:
    """How many nodes each target has, (t,); of several budgets one after another.

    Raises:
        Nothing: numbers are predicted, of which none is right.
    """
    if board.metric == "error":
        raise Nothing("numbers are predicted there, with errors in place of hits")
    targets = np.concatenate([dataset.targets[one] for one in parts_of(difficulty)])
    return np.array([dataset.graphs[target].n for target in targets.tolist()], np.int64)


def _before(blobs: Blobs, clean: CellRow, difficulty: Difficulty, targets: int) -> Hits | None:
    """The hits of the same defense without the attack; None where they are not known."""
    try:
        return read_hits(blobs, clean, difficulty, targets)
    except Nothing:
        return None


def _margins(
    clean: CellRow, dataset: Dataset | GraphDataset, difficulty: Difficulty
) -> Margins | None:
    """How sure the defense is of the targets of a difficulty; None where that was not kept."""
    every = dataset.targets[scale_with(difficulty)[-1]]
    if clean.margins is None:
        return None
    try:
        found = unpack_margins(clean.margins, len(every))
    except ValueError:
        return None
    order = np.argsort(every)
    targets = np.concatenate([dataset.targets[at] for at in parts_of(difficulty)])
    return found[order[np.searchsorted(every, targets, sorter=order)]]


def read_hits(blobs: Blobs, cell: CellRow, difficulty: Difficulty, targets: int) -> Hits:
    """The hits of a cell at a difficulty; of several budgets those of one after another.

    Raises:
        Nothing: they are not known.
    """
    if cell.hits_sha256 is None:
        raise Nothing("which targets were hit was not kept")
    try:
        kept = unpack(blobs.read(cell.hits_sha256))
    except (BlobError, OSError, ValueError):
        raise Nothing("which targets were hit can't be read") from None
    hits = [kept[one] for one in parts_of(difficulty) if one in kept]
    if len(hits) < len(parts_of(difficulty)):
        raise Nothing(f"the attack does not carry {difficulty}")
    if any(one.shape[1] != targets for one in hits):
        raise Nothing("its targets are not those of the board's data")
    most = max(map(len, hits))  # a single repeat stands for all
    return np.hstack([np.broadcast_to(one, (most, targets)) for one in hits])


def _groups(found: Sequence[Group], before: Sequence[Group] | None) -> list[GroupOut]:
    return [
        GroupOut(
            **asdict(group),
            accuracy=score_out(_score(group)),
            clean=None if before is None else score_out(_score(before[at])),
        )
        for at, group in enumerate(found)
    ]


def _score(group: Group) -> Score:
    values = np.array(group.correct) / group.targets
    return score(values, repeated=len(values) > 1)
