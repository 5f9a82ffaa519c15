"""``grb study robustness``: a board's recipes over many splits, resumed where it stopped."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from grbcore import catalog, datasets
from grbcore.cli.interruption import told_when_interrupted
from grbcore.cli.options import BoardName, DataDir, console, folder_target
from grbcore.cli.reproduce import names_in
from grbcore.datasets import Dataset
from grbcore.settings import Settings

if TYPE_CHECKING:
    from grbcore.pitfalls.robustness import Measured, Robustness
    from grbcore.reproduction import Failure, Plan, Task
    from grbcore.reproduction.measuring import Cells


def robustness(
    name: BoardName,
    splits: Annotated[int, typer.Option(help="Splits by GRB's scheme, beside the board's.")] = 10,
    seeds: Annotated[int, typer.Option(help="Trainings of each defense on each split.")] = 3,
    repeats: Annotated[
        int | None, typer.Option(help="Repeats of each attack; the board's by default.")
    ] = None,
    defenses: Annotated[
        str | None, typer.Option(help="Recipes, with commas; the starter set by default.")
    ] = None,
    attacks: Annotated[
        str | None, typer.Option(help="Recipes, with commas; the starter set by default.")
    ] = None,
    difficulty: Annotated[str, typer.Option(help="At which targets are attacked.")] = "full",
    seed: Annotated[int, typer.Option(help="Of splits, trainings and attacks.")] = 2018,
    jobs: Annotated[int, typer.Option(min=1, help="Files made at once.")] = 1,
    plot: Annotated[bool, typer.Option("--plot/--no-plot", help="Draw the scores.")] = True,
    out: Annotated[
        Path | None, typer.Option(help="The folder of files and results; under var/ by default.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Attack and defend on many splits: how much of a score is the luck of one?

    The board's recipes are trained and attacked on other splits by its scheme, and the variance of
    a score is taken apart: split, training, attack repeat.  What is there is not made again.
    """
    board = catalog.board(name)
    folder = out or Settings().var_dir / "study-robustness" / board.id.replace("/", "-")
    folder_target(folder)
    dataset = datasets.load(board.dataset, Dataset, data_dir=data_dir)
    from grbcore.folders import alone
    from grbcore.pitfalls.robustness import Measured, Robustness
    from grbcore.pitfalls.robustness_report import write
    from grbcore.reproduction import plan
    from grbcore.visualise import MissingExtra

    chosen = plan(
        board,
        dataset,
        folder,
        defenses=names_in(defenses),
        attacks=names_in(attacks),
        repeats=repeats,
        difficulties=(difficulty,),  # type: ignore[arg-type]  # checked by plan
        starter=True,
    )
    study = Robustness(
        chosen.board, splits, seeds, chosen.board.repeats, chosen.difficulties[0], seed
    )
    folder.mkdir(parents=True, exist_ok=True)
    with alone(folder):  # a second command waits, and then does what is missing
        plans = study.plans(dataset, folder)
        cells, failures = _carry_out(plans, jobs)
        for failure in failures:
            console.print(f"{failure.task}: {failure.reason}", style="red", markup=False)
        measured = Measured.of(study, plans, cells)
        try:
            written = write(folder, measured, failures, plot=plot)
        except MissingExtra as missing:
            console.print(f"no plot: {missing}", markup=False)
            written = write(folder, measured, failures, plot=False)
    _tell(measured, study)
    console.print(f"{', '.join(path.name for path in written)} in {folder}", soft_wrap=True)
    if failures:
        raise typer.Exit(1)


def _carry_out(plans: Sequence[Plan], jobs: int) -> tuple[list[Cells], list[Failure]]:
    """Make and measure split after split; what is there stays."""
    from grbcore.reproduction import make_all, measure_all

    tasks = [task for one in plans for task in (*one.models, *one.attacks)]
    there = sum(task.done for task in tasks)
    where = plans[0].folder
    console.print(f"{len(tasks):,} files, {there:,} of them there; {where}", soft_wrap=True)

    def kept() -> str:
        done = sum(task.done for task in tasks)
        return f"{where} keeps {done} of {len(tasks)} files; the same command goes on"

    with told_when_interrupted(kept), _Bar(plans) as bar:
        cells, failures = [], []
        for number, one in enumerate(plans):
            bar.split = number
            failures += make_all(one, bar, jobs=jobs)
            cells.append(measure_all(one))
        return cells, failures


class _Bar(Progress):
    """Progress over all splits, in seconds of what the first one's recipes are likely to take."""

    def __init__(self, plans: Sequence[Plan]) -> None:
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        from grbcore.reproduction import estimate

        missing = [t for one in plans for t in (*one.models, *one.attacks) if not t.done]
        probed = next((one for one in plans if any(not t.done for t in one.models)), None)
        found = estimate(probed) if probed else {}
        self._seconds = {_kind(task): seconds for task, seconds in found.items()}
        self.split = 0
        self._task = self.add_task("files", total=sum(map(self._weight, missing)))

    def _weight(self, task: Task) -> float:
        seconds = self._seconds.get(_kind(task), 1.0)
        return seconds if seconds == seconds else 1.0

    def began(self, task: Task) -> None:
        self.update(self._task, description=self._place(task))

    def moved(self, task: Task, fraction: float) -> None: ...

    def ended(self, task: Task, seconds: float, failure: Failure | None) -> None:
        self.update(self._task, advance=self._weight(task), description=self._place(task))

    def _place(self, task: Task) -> str:
        where = f"split {self.split}" if self.split else "the board's split"
        return f"{task.recipe.name} on {where}"


def _kind(task: Task) -> tuple[str, str]:
    return task.kind, task.recipe.name


def _tell(measured: Measured, study: Robustness) -> None:
    from grbcore.pitfalls.robustness_report import document

    told = document(measured)
    for side, of_side in told["sides"].items():
        table = Table(title=f"{side}s, Weighted at {study.difficulty} in percent")
        table.add_column(side, no_wrap=True)
        for heading in (
            "board", "mean ± std", "split", "train", "repeat", "rest", "rank", "ranks",
        ):  # fmt: skip
            table.add_column(heading, justify="right", no_wrap=True)
        for entry in of_side["entries"]:
            table.add_row(*_row(entry))
        console.print(table)
        wins = ", ".join(f"{name} {times}" for name, times in of_side["winners"].items())
        console.print(f"{side}s: splits won: {wins}", soft_wrap=True, highlight=False)


def _row(entry: dict[str, Any]) -> list[str]:
    variance = entry["variance"]
    parts = [variance[name] for name in ("split", "training", "repeat", "rest")]
    return [
        entry["name"],
        f"{100 * entry['official']:.1f}",
        f"{100 * entry['mean']:.1f} ± {100 * variance['total'] ** 0.5:.1f}",
        *("–" if part is None else f"{100 * part**0.5:.1f}" for part in parts),
        str(entry["official_rank"]),
        f"{min(entry['ranks'])}–{max(entry['ranks'])}",
    ]
