"""Measuring the cells of a plan; each is kept by the files and the protocol that it comes from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from grbcore import convert, reporting
from grbcore.baselines import write
from grbcore.datasets.dataset import Dataset
from grbcore.evaluate import Attack
from grbcore.files import sha256_of
from grbcore.matrix import measure_cells
from grbcore.reproduction.plan import Plan, Task
from grbcore.results import CLEAN, Cell
from grbcore.submission import write_attack

#: Told how many cells are there, and of how many.
Counted = Callable[[int, int], None]

#: Cells by row, defense and training seed.
Cells = dict[tuple[str, str, int], Cell]


@dataclass(frozen=True, slots=True)
class _Row:
    """A file of an attack; those of one attack's difficulties make one row."""

    name: str
    path: Path
    sha256: str


def measure_all(plan: Plan, counted: Counted = lambda done, total: None) -> Cells:
    """The cells of every model against every attack that is there, and against none.

    What was measured before is read, not measured again.

    Raises:
        Refused: a published attack is none, or breaks the board's budget.
    """
    folder = plan.folder / "cells"
    folder.mkdir(parents=True, exist_ok=True)
    rows = [
        _Row(task.recipe.name, task.path, sha256_of(task.path))
        for task in plan.attacks
        if task.done
    ]
    rows += [_published(plan, name, path) for name, path in plan.published]
    models = {_key(task): task for task in plan.defenses if task.done}
    digests = {key: sha256_of(task.path) for key, task in models.items()}
    found: dict[tuple[str, str], Cell] = {}
    # a row may be several files, one for each difficulty
    kept = {
        (row.path.name, key): folder / f"{_address(plan, row.sha256, digests[key])}.json"
        for row in (_Row(CLEAN, Path(CLEAN), CLEAN), *rows)
        for key in models
    }
    for pair, path in kept.items():
        if path.is_file():
            found[pair] = reporting.cell_of(json.loads(path.read_text("utf-8")))
    counted(len(found), len(kept))
    for cell in measure_cells(
        {key: task.path for key, task in models.items()},
        {row.path.name: row.path for row in rows},
        plan.board,
        plan.dataset,
        skip=set(found),
    ):
        pair = (cell.attack, cell.defense)
        found[pair] = cell
        text = json.dumps(reporting.cell_record(cell))
        write(kept[pair], partial(Path.write_text, data=text, encoding="utf-8"))
        counted(len(found), len(kept))
    names = {CLEAN: CLEAN} | {row.path.name: row.name for row in rows}
    merged: Cells = {}
    for file, key in kept:
        task = models[key]
        place = (names[file], task.recipe.name, task.seed)
        cell = replace(found[file, key], attack=place[0], defense=place[1])
        merged[place] = _merged(merged[place], cell) if place in merged else cell
    return merged


def _merged(one: Cell, other: Cell) -> Cell:
    """The difficulties of both."""
    return replace(
        one,
        correct={**one.correct, **other.correct},
        total={**one.total, **other.total},
        errors={**one.errors, **other.errors},
        provenance=_joined(one.provenance, other.provenance),
    )


def _joined(one: Mapping[str, object], other: Mapping[str, object]) -> dict[str, object]:
    """What two files of a row share, their seconds added, what is each one's own left out."""
    shared = {key: value for key, value in one.items() if other.get(key) == value}
    return shared | {"seconds": float(str(one["seconds"])) + float(str(other["seconds"]))}


def _key(task: Task) -> str:
    return f"{task.recipe.name}/{task.seed}"


def _address(plan: Plan, attack: str, defense: str) -> str:
    parts = (plan.board.protocol(plan.dataset.digest), attack, defense)
    return hashlib.sha256("\x1f".join(parts).encode()).hexdigest()[:24]


def _published(plan: Plan, name: str, folder: Path) -> _Row:
    """A published attack as a file of ours, features brought into the board's range."""
    assert isinstance(plan.dataset, Dataset)  # else `plan` refuses it
    attack: Attack = {"full": (convert.attack(folder, plan.board, plan.dataset, clip=True),)}
    path = plan.folder / "attacks" / f"published-{name}.npz"
    path.parent.mkdir(parents=True, exist_ok=True)
    write(path, lambda to: write_attack(to, attack))
    return _Row(name, path, sha256_of(path))
