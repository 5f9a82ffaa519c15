"""Options, checks and bars that commands share."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from grbcore import catalog, datasets
from grbcore.catalog import Board
from grbcore.datasets import Dataset
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.violations import Refused, Violation

console = Console()

BoardName = Annotated[str, typer.Argument(help="The board, such as digits/injection@1.")]
DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", envvar="GRB_DATA_DIR", help="The folder of datasets."),
]


def open_board(name: str, data_dir: Path | None) -> tuple[Board, Dataset | GraphDataset]:
    """The board of this name and its dataset."""
    board = catalog.board(name)
    return board, datasets.load(board.dataset, data_dir=data_dir)


def bar_of_steps() -> Progress:
    """A bar for work of so many steps."""
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.completed:.0f}/{task.total:.0f}"),
        TimeElapsedColumn(),
        console=console,
    )


@contextmanager
def bar_of_work(total: float) -> Iterator[Callable[[float, str], None]]:
    """A bar for so much work, with an estimate; what it gives is told of work done, and where.

    Without a terminal it is a line for every percent of the work.
    """
    with Progress(
        TextColumn("{task.description}"),
        BarColumn(),
        TextColumn("{task.percentage:>3.0f} %"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),  # by what is known to cost how much, as fast as it has gone
        console=console,
    ) as bars:
        task = bars.add_task("runs", total=total)

        def did(done: float, place: str) -> None:
            before = int(bars.tasks[task].percentage)
            bars.update(task, advance=done, description=f"done: {place}")
            now = int(bars.tasks[task].percentage)
            if now > before and not console.is_terminal:
                console.print(f"{now:3d} % of the work, done: {place}", soft_wrap=True)

        yield did


def names_of(text: str) -> tuple[str, ...]:
    """Names with commas between them, each once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",")))


def target(out: Path, suffix: str, *, option: str = "--out") -> None:
    """Refuse, before any work, a file that could not be written or would not be taken."""
    if out.suffix != suffix:
        raise Refused([Violation("format", option, str(out), f"a file ending in {suffix}")])
    if out.is_dir() or not out.absolute().parent.is_dir():
        found = f"{out}, a folder" if out.is_dir() else f"{out}, whose folder does not exist"
        raise Refused([Violation("format", option, found, "a file in an existing folder")])


def folder_target(out: Path) -> None:
    """Refuse, before any work, a folder that could not be made."""
    for part in (out.absolute(), *out.absolute().parents):
        if part.exists():
            if part.is_dir():
                return
            raise Refused([Violation("format", "--out", f"{part}, a file", "a folder")])


def positive(option: str, value: float | None, below: float = math.inf) -> None:
    """Refuse a number, where one is given, that is not above 0 and below the limit."""
    if value is not None and not (0 < value < below):
        allowed = "a number above 0" + (f" and below {below:g}" if below < math.inf else "")
        raise Refused([Violation("parameters", option, f"{value}", allowed)])
