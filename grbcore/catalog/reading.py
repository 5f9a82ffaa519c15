"""Reading the catalog's TOML files: one file per dataset, with the boards on it.

A board lists its baselines in ``[[boards.defenses]]`` and ``[[boards.attacks]]``.  They are its
starter set, which ``grb up`` prepares, unless they say ``starter = false``.  ``more_defenses``, a
line each, is the short way to write defenses that are not in it.
"""

from __future__ import annotations

import difflib
import tomllib
from functools import cache
from importlib.resources import files
from typing import Any

from grbcore.catalog.definitions import Board, DatasetEntry
from grbcore.measure import ACCURACY, Measure


class UnknownName(KeyError):
    """The catalog has no such name; the message says what it has."""

    def __str__(self) -> str:
        return str(self.args[0])


@cache
def _documents() -> tuple[dict[str, Any], ...]:
    """The parsed TOML files by size, those of whole graphs last."""
    folder = files("grbcore.catalog")
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".toml"))
    documents = [tomllib.loads((folder / name).read_text("utf-8")) for name in names]

    def place(document: dict[str, Any]) -> tuple[bool, int]:
        return "graphs" in document["dataset"], document["dataset"]["nodes"]

    return tuple(sorted(documents, key=place))


@cache
def datasets() -> dict[str, DatasetEntry]:
    """Every registered dataset by name: of nodes, then of whole graphs, each smallest first."""
    entries = [DatasetEntry.model_validate(document["dataset"]) for document in _documents()]
    return {entry.name: entry for entry in entries}


@cache
def boards() -> dict[str, Board]:
    """Every board by id, in the order of `datasets`."""
    found = {}
    for document in _documents():
        for record in document["boards"]:
            more = [{**recipe, "starter": False} for recipe in record.get("more_defenses", ())]
            fields = {
                **{name: value for name, value in record.items() if name != "more_defenses"},
                "dataset": document["dataset"]["name"],
                "defenses": [*record.get("defenses", ()), *more],
            }
            board = Board.model_validate(fields)
            found[board.id] = board
    return found


def dataset(name: str) -> DatasetEntry:
    """The registered dataset of this name.

    Raises:
        UnknownName: no such dataset; the message names the nearest and all that there are.
    """
    return datasets()[_known(name, list(datasets()), "dataset")]


def board(board_id: str) -> Board:
    """The board of this id; without a version the newest.

    Raises:
        UnknownName: no such board; the message names the nearest and all that there are.
    """
    return boards()[resolve(board_id)]


def resolve(board_id: str) -> str:
    """The full id of a board that may be named without its version.

    Raises:
        UnknownName: no such board.
    """
    if "@" not in board_id:
        versions = [b for b in boards().values() if b.id.partition("@")[0] == board_id]
        if versions:
            return max(versions, key=lambda b: b.version).id
    return _known(board_id, list(boards()), "board")


def measure_of(board_id: str) -> Measure:
    """What the results of a board are; of one that has left the catalog accuracies."""
    found = boards().get(board_id)
    return ACCURACY if found is None else found.measure


def _known(name: str, names: list[str], kind: str) -> str:
    if name in names:
        return name
    near = difflib.get_close_matches(name, names, n=1)
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise UnknownName(f"{kind}: found {name!r}{hint}, allowed: {', '.join(names)}")
