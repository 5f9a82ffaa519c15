"""What a reproduction found: cells by training seed, pooled for ranking, averaged for tables."""

from __future__ import annotations

import csv
import datetime
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from grbcore import reporting
from grbcore.files import sha256_of
from grbcore.matrix import Matrix
from grbcore.reproduction.host import host
from grbcore.reproduction.making import Failure, details
from grbcore.reproduction.measuring import Cells
from grbcore.reproduction.plan import Plan
from grbcore.results import CLEAN, Cell
from grbcore.scenario import MEAN, Difficulty

#: Raised when the layout of the JSON changes.
FORMAT = 1


@dataclass(frozen=True, slots=True)
class Results:
    """Cells by row, defense and training seed."""

    plan: Plan
    cells: Cells
    failures: tuple[Failure, ...] = ()

    @property
    def attacks(self) -> tuple[str, ...]:
        """The rows that were measured, the one without an attack left out."""
        names = [recipe.name for recipe in self.plan.board.attacks]
        names += [name for name, _ in self.plan.published]
        measured = {attack for attack, _, _ in self.cells}
        return tuple(name for name in names if name in measured)

    @property
    def defenses(self) -> tuple[str, ...]:
        """The defenses that were trained from every seed."""
        trained = {(defense, seed) for _, defense, seed in self.cells}
        names = (recipe.name for recipe in self.plan.board.defenses)
        return tuple(n for n in names if all((n, seed) in trained for seed in self.plan.seeds))

    def pooled(self) -> Matrix:
        """Every draw, one for each training seed and repeat, as a repeat: what is ranked.

        A row with a single repeat is used in all of them, for each seed.
        """
        repeats = self.plan.board.repeats
        draws = repeats * len(self.plan.seeds)
        return self._matrix(draws, lambda cells: _pool(cells, repeats))

    def by_seed(self) -> Matrix:
        """A repeat for each training seed, averaged over the attack's repeats: for tables."""
        return self._matrix(len(self.plan.seeds), _average)

    def _matrix(self, repeats: int, merge: Any) -> Matrix:
        cells = []
        for attack in (CLEAN, *self.attacks):
            for defense in self.defenses:
                seeds = [self.cells.get((attack, defense, seed)) for seed in self.plan.seeds]
                found = [cell for cell in seeds if cell is not None]
                if len(found) == len(seeds):
                    cells.append(merge(found))
        return Matrix(self.plan.board.id, self.attacks, self.defenses, repeats, tuple(cells))

    def summary(self) -> list[dict[str, Any]]:
        """Accuracy (0..1), or error, by pair and difficulty: mean and std (ddof 0) over seeds."""
        rows = []
        for cell in self.by_seed().cells:
            for difficulty in self.plan.difficulties:
                if difficulty in cell.carried:
                    values = np.array(cell.accuracy(difficulty))
                    rows.append(
                        {
                            "attack": cell.attack,
                            "defense": cell.defense,
                            "difficulty": difficulty,
                            "mean": float(values.mean()),
                            "std": float(values.std()),
                            "seeds": len(values),
                        }
                    )
        return rows

    def record(self) -> dict[str, Any]:
        """Everything for the record: cells by seed, how files were made, machine, versions."""
        plan = self.plan
        return {
            "format": FORMAT,
            "board": plan.board.id,
            "protocol": plan.board.protocol(plan.dataset.digest),
            "dataset": plan.dataset.digest,
            "written": datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            "host": host(),
            "seeds": list(plan.seeds),
            "repeats": plan.board.repeats,
            "difficulties": list(plan.difficulties),
            "models": [
                _file(task.path) | {"name": task.recipe.name, "kind": task.kind}
                for task in plan.models
                if task.done
            ],
            "attacks": [
                _file(task.path) | {"name": task.recipe.name, "difficulty": task.difficulty}
                for task in plan.attacks
                if task.done
            ],
            "published": [name for name, _ in plan.published],
            "failures": [{"task": f.task, "reason": f.reason} for f in self.failures],
            "cells": [
                reporting.cell_record(cell) | {"seed": seed}
                for (_, _, seed), cell in self.cells.items()
            ],
            "summary": self.summary(),
        }

    def write(self, difficulty: Difficulty) -> list[Path]:
        """Write results.json, .csv, .tex, .md and .png into the plan's folder.

        The tables and the plot are of one difficulty: means and standard deviations over seeds.
        Of the mean over budgets there is a table for each budget, and the plot is of the last.

        Raises:
            MissingExtra: matplotlib is not installed; everything but the plot is written.
        """
        folder = self.plan.folder
        matrix = self.by_seed()
        shown = matrix.difficulties if difficulty == MEAN else (difficulty,)
        texts = {
            "results.json": json.dumps(self.record(), indent=1) + "\n",
            "results.csv": self._csv(),
            "results.tex": "\n".join(matrix.to_latex(one) for one in shown),
            "results.md": "\n".join(
                (f"{one}:\n\n" if len(shown) > 1 else "") + matrix.to_markdown(one) for one in shown
            ),
        }
        for name, text in texts.items():
            (folder / name).write_text(text, "utf-8")
        matrix.plot(folder / "results.png", shown[-1])
        return [folder / name for name in (*texts, "results.png")]

    def _csv(self) -> str:
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        heading = ["board", "attack", "defense", "seed", "difficulty", "repeat", "correct", "total"]
        errors = any(cell.errors for cell in self.cells.values())
        writer.writerow([*heading, "error"] if errors else heading)
        for (attack, defense, seed), cell in self.cells.items():
            for difficulty in cell.carried:
                total = cell.total[difficulty]
                key = (self.plan.board.id, attack, defense, seed, difficulty)
                for repeat, value in enumerate(cell.accuracy(difficulty)):
                    if errors:
                        writer.writerow((*key, repeat, "", total, f"{value:.6f}"))
                    else:
                        correct = cell.correct[difficulty][repeat]
                        writer.writerow((*key, repeat, correct, total))
        return text.getvalue()


def _file(path: Path) -> dict[str, Any]:
    return {"file": path.name, "sha256": sha256_of(path), **details(path)}


def _pool(cells: Sequence[Cell], repeats: int) -> Cell:
    """The draws of each seed after those of the one before; a single repeat stands for all."""

    def drawn(each: Sequence[tuple[Any, ...]]) -> tuple[Any, ...]:
        return tuple(
            value
            for values in each
            for value in (values if len(values) == repeats else values * repeats)
        )

    first = cells[0]
    return Cell(
        first.attack,
        first.defense,
        {d: drawn([cell.correct[d] for cell in cells]) for d in first.correct},
        first.total,
        errors={d: drawn([cell.errors[d] for cell in cells]) for d in first.errors},
    )


def _average(cells: Sequence[Cell]) -> Cell:
    """One count for each seed: the correct ones of all repeats, among the targets of all."""
    first = cells[0]
    correct = {d: tuple(sum(cell.correct[d]) for cell in cells) for d in first.correct}
    errors = {d: tuple(float(np.mean(cell.errors[d])) for cell in cells) for d in first.errors}
    total = {d: first.total[d] * len(first.correct.get(d, (1,))) for d in first.carried}
    return Cell(first.attack, first.defense, correct, total, errors=errors)
