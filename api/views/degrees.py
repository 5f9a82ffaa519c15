"""Entries side by side by the degree of the targets, from the hits that are kept beside cells."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray
from sqlalchemy.orm import Session

from api import table_schemas
from api.views.breakdowns import OF_ERRORS, Nothing, degrees_of, read_hits, sizes_of
from api.views.parts import score_out
from grbcore.breakdown import Average, average_by_degree
from grbcore.catalog import Board
from grbcore.datasets.dataset import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.metrics import score
from grbcore.scenario import Difficulty, Side, parts_of
from grbcore.scoring import Hits
from grbcore.store import hiding, windows
from grbcore.store.blobs import Blobs
from grbcore.store.tables import CellRow

#: The hits of so many cells are read for one answer: each is a file, perhaps on another host.
READ = 200


def compared_degrees(
    session: Session,
    blobs: Blobs,
    board: Board,
    protocol: str | None,
    dataset: Dataset | GraphDataset | None,
    compared: table_schemas.ComparisonOut,
    difficulty: Difficulty,
) -> table_schemas.ComparedDegreesOut:
    """What is compared, by degree or by the size of graphs; ``dataset`` is None where this host
    does not keep it ready."""
    rows = [row for row in compared.rows if row.difficulty == difficulty]
    groups: list[table_schemas.ComparedGroup] = []
    counted, missing = 0, None
    try:
        if board.errors:
            raise Nothing(OF_ERRORS)
        if dataset is None:
            raise Nothing("the board's data is not kept ready on the host that answers")
        if board.protocol(dataset.digest) != protocol:
            raise Nothing("the board's results were measured with other data or code")
        dataset = hiding.public(session, board.id, dataset)
        if isinstance(dataset, GraphDataset):
            degrees = sizes_of(board, dataset, difficulty)
        else:
            degrees = degrees_of(dataset, difficulty)
        targets = len(degrees) // len(parts_of(difficulty))
        cells = windows.with_hits(session, [one for row in rows for one in row.cells if one])
        found = _paired(blobs, cells, rows, len(compared.entries), difficulty, targets)
        if not found:
            raise Nothing("of no counterpart the hits of all entries are known")
        counted = len(found)
        averages = [
            average_by_degree(degrees, of_one, board.repeats) for of_one in zip(*found, strict=True)
        ]
        groups = _groups(averages, compared.side)
    except Nothing as why:
        missing = str(why)
    return table_schemas.ComparedDegreesOut(
        board=board.id,
        revision=compared.revision,
        difficulty=difficulty,
        view=compared.view,
        side=compared.side,
        entries=[entry.id for entry in compared.entries],
        counted=counted,
        total=compared.total + (compared.side == "defense"),
        groups=groups,
        missing=missing,
    )


def _paired(
    blobs: Blobs,
    cells: Mapping[str, CellRow],
    rows: Sequence[table_schemas.ComparedRow],
    entries: int,
    difficulty: Difficulty,
    targets: int,
) -> list[list[Hits]]:
    """Of each counterpart the hits of every entry; those that lack some are left out."""
    found = []
    for row in rows[: READ // max(entries, 1)]:
        known = [cells[one] for one in row.cells if one is not None and one in cells]
        if len(known) != entries:
            continue
        try:
            found.append([read_hits(blobs, cell, difficulty, targets) for cell in known])
        except Nothing:
            continue
    return found


def _groups(averages: Sequence[Sequence[Average]], side: Side) -> list[table_schemas.ComparedGroup]:
    """Of each group of degrees a value for each entry."""
    groups = []
    for of_group in zip(*averages, strict=True):
        means = [float(one.values.mean()) for one in of_group]
        best = max(means) if side == "defense" else min(means)
        first = of_group[0]
        values = [
            _value(one.values, first.values, side, mean == best)
            for one, mean in zip(of_group, means, strict=True)
        ]
        groups.append(
            table_schemas.ComparedGroup(
                low=first.low, high=first.high, targets=first.targets, values=values
            )
        )
    return groups


def _value(
    values: NDArray[np.float64], first: NDArray[np.float64], side: Side, best: bool
) -> table_schemas.ValueOut:
    repeated = len(values) > 1
    found = score(values, repeated=repeated)
    return table_schemas.ValueOut(
        mean=found.mean,
        std=found.std,
        difference=score_out(score(values - first, repeated=repeated)),
        relative=None,
        best_attack=best and side == "attack",
        best_defense=best and side == "defense",
    )
