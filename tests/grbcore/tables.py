"""The paper's tables 13-17, as numbers to compare with."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from grbcore.results import CLEAN, Cell
from grbcore.scenario import Difficulty

FOLDER = Path(__file__).resolve().parents[1] / "oracles"
NAMES = ("cora", "citeseer", "flickr", "reddit", "aminer")
LETTERS: dict[str, Difficulty] = {"E": "easy", "M": "medium", "H": "hard", "F": "full"}
CLEAN_ROW = "W/O Attack"


@dataclass(frozen=True)
class Table:
    """One table: 5 attacks and the clean row against 10 defenses, in percent."""

    document: dict[str, Any]

    @property
    def attacks(self) -> list[str]:
        """The rows in the printed order, the clean row last."""
        return list(self.document["attacks_in_rank_order"])

    @property
    def defenses(self) -> list[str]:
        return list(self.document["defenses_in_rank_order"])

    def mean(self, attack: str, letter: str, defense: str) -> float | None:
        """The printed mean of a cell, or None where the text is illegible."""
        cell = self.document["cells"][attack][letter][defense]
        return None if cell is None else cell["mean"]

    def inferred(self, attack: str, letter: str, defense: str) -> float:
        """As `mean`, an illegible cell taken from its column's printed average."""
        found = self.mean(attack, letter, defense)
        if found is None:
            found = self.document["inferred_cells"][attack][letter][defense]["mean"]
        return float(found)

    def column(self, letter: str, defense: str) -> NDArray[np.float64] | None:
        """(6, 1): one defense under every row, or None where a cell is illegible."""
        values = [self.mean(attack, letter, defense) for attack in self.attacks]
        return None if None in values else np.array(values, np.float64)[:, None]

    def row(self, letter: str, attack: str) -> NDArray[np.float64]:
        """(10, 1): one attack against every defense."""
        values = [self.inferred(attack, letter, defense) for defense in self.defenses]
        return np.array(values)[:, None]

    def printed(self, side: str, metric: str, letter: str, name: str) -> float | None:
        """The printed metric, or None where the text is illegible."""
        if side == "defense":
            value = self.document["printed_defense_metrics"][metric][letter][name]
        else:
            value = self.document["printed_attack_metrics"][name][letter][metric]
        return None if value is None else value["mean"]

    def cells(self) -> Iterator[Cell]:
        """The printed means as counts of 10,000 targets: two decimals of a percent are exact."""
        for attack in self.attacks:
            for defense in self.defenses:
                yield Cell(
                    CLEAN if attack == CLEAN_ROW else attack,
                    defense,
                    {
                        difficulty: (round(100 * self.inferred(attack, letter, defense)),)
                        for letter, difficulty in LETTERS.items()
                    },
                    dict.fromkeys(LETTERS.values(), 10_000),
                )


@cache
def table(name: str) -> Table:
    return Table(json.loads((FOLDER / f"grb-{name}.json").read_text()))
