"""A board's whole table in one command, resumed where it stopped."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from grbcore import catalog, datasets
from grbcore.agreement import TOLERANCE
from grbcore.cli import recompute
from grbcore.cli.interruption import told_when_interrupted
from grbcore.cli.options import DataDir, folder_target
from grbcore.cli.server import LOCAL, Server, TokenOption
from grbcore.leaderboard import Leaderboard
from grbcore.measure import Measure
from grbcore.metrics import Score
from grbcore.results import CLEAN
from grbcore.scenario import MEAN, Difficulty, Side
from grbcore.settings import Settings
from grbcore.violations import Refused, Violation

if TYPE_CHECKING:
    from grbcore.reproduction import Failure, Plan, Results, Task

console = Console()

#: Taken for work that no probe could measure, so that the bar moves at all.
_UNKNOWN_SECONDS = 1.0


def reproduce(
    name: Annotated[
        str,
        typer.Argument(
            metavar="BOARD|CELL|SUBMISSION|SNAPSHOT",
            help="A board, or the id of what a server has published.",
        ),
    ],
    defenses: Annotated[
        str | None, typer.Option(help="Recipes of defenses, with commas; all by default.")
    ] = None,
    attacks: Annotated[
        str | None, typer.Option(help="Recipes of attacks, with commas; all by default.")
    ] = None,
    seeds: Annotated[str, typer.Option(help="Training seeds, with commas.")] = "0,1,2",
    repeats: Annotated[
        int | None, typer.Option(help="Repeats of each attack; the board's by default.")
    ] = None,
    difficulty: Annotated[
        list[str] | None, typer.Option(help="Difficulties, or budgets; all by default.")
    ] = None,
    published: Annotated[
        list[Path] | None, typer.Option(help="A folder of an attack in GRB's layout, as a row.")
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all/--starter", help="Every recipe, or the starter set.")
    ] = True,
    again: Annotated[str | None, typer.Option(help="Recipes to make anew, with commas.")] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Files made at once.")] = 1,
    out: Annotated[
        Path | None, typer.Option(help="The folder of files and results; under var/ by default.")
    ] = None,
    data_dir: DataDir = None,
    tolerance: Annotated[
        float,
        typer.Option(min=0, max=1, help="Of published results: how far counts may be, elsewhere."),
    ] = TOLERANCE,
    blobs: Annotated[
        str | None,
        typer.Option(help="Of published results: a blob store to take files from first, by hash."),
    ] = None,
    token: TokenOption = "",
    server: Server = LOCAL,
) -> None:
    """Make a board's whole table anew, or compute what is published once more and compare.

    Of a board: train its baselines, run its attacks, evaluate all, print the leaderboard.  Of a
    cell, a submission or a snapshot of a server: take its files by hash, evaluate, and name each
    difference.  Whatever is there already is not made or taken again.
    """
    settings = Settings()
    if recompute.is_id(name):
        kept = out or settings.var_dir / "reproduce" / "artefacts"
        folder_target(kept)
        recompute.recompute(
            name,
            recompute.Files(kept, blobs),
            server=server,
            token=token,
            tolerance=tolerance,
            data_dir=data_dir,
        )
        return
    board = catalog.board(name)
    folder = out or settings.var_dir / "reproduce" / board.id.replace("/", "-")
    folder_target(folder)
    numbers = numbers_in(seeds)
    dataset = datasets.load(board.dataset, data_dir=data_dir)
    from grbcore.reproduction import plan

    planned = plan(
        board,
        dataset,
        folder,
        defenses=names_in(defenses),
        attacks=names_in(attacks),
        seeds=numbers,
        repeats=repeats,
        difficulties=difficulty or None,  # type: ignore[arg-type]  # checked by plan
        published=published or (),
        starter=not everything,
    )
    carry_out(planned, again=names_in(again) or (), jobs=jobs)


def carry_out(planned: Plan, *, again: Sequence[str] = (), jobs: int = 1) -> Results:
    """Make, measure and tell what is planned; ends with exit code 1 where a file failed.

    ``again`` names recipes whose files are made anew.
    """
    from grbcore.reproduction import Results, make_all, measure_all

    _forget(planned, again)
    started = time.perf_counter()

    def kept() -> str:
        tasks = (*planned.models, *planned.attacks)
        done = sum(task.done for task in tasks)
        return f"{planned.folder} keeps {done} of {len(tasks)} files; the same command goes on"

    with told_when_interrupted(kept), _Bars() as bars:
        bars.expect(planned)
        failures = make_all(planned, bars, jobs=jobs)
        cells = measure_all(planned, bars.counted)
    results = Results(planned, cells, tuple(failures))
    _tell(results, time.perf_counter() - started)
    if failures:
        raise typer.Exit(1)
    return results


def names_in(text: str | None) -> list[str] | None:
    """The names between the commas; None where the option was not given."""
    return None if text is None else [name.strip() for name in text.split(",")]


def numbers_in(text: str) -> list[int]:
    """The training seeds between the commas.

    Raises:
        Refused: one is no whole number.
    """
    try:
        return [int(number) for number in text.split(",")]
    except ValueError:
        allowed = "whole numbers with commas, such as 0,1,2"
        raise Refused([Violation("parameters", "--seeds", text, allowed)]) from None


def _forget(planned: Plan, names: Sequence[str]) -> None:
    """Remove the files of these recipes; ``surrogate`` are the attackers' models."""
    tasks = (*planned.models, *planned.attacks)
    known = {_recipe(task) for task in tasks}
    unknown = [name for name in names if name not in known]
    if unknown:
        allowed = ", ".join(sorted(known))
        raise Refused([Violation("format", "--again", name, allowed) for name in unknown])
    for task in tasks:
        if _recipe(task) in names:
            task.path.unlink(missing_ok=True)
            task.path.with_suffix(".json").unlink(missing_ok=True)


def _recipe(task: Task) -> str:
    """What ``--again`` calls it; the attackers' models are one."""
    return "surrogate" if task.kind == "surrogate" else task.recipe.name


class _Bars(Progress):
    """Progress in seconds of the estimate: what is being made, and what has been measured."""

    def __init__(self) -> None:
        super().__init__(
            TextColumn("{task.description}"),
            BarColumn(),
            TextColumn("{task.percentage:>3.0f} %"),
            TimeElapsedColumn(),
            TimeRemainingColumn(),
            console=console,
        )
        self._seconds: dict[Task, float] = {}
        self._done = 0.0
        self._making: TaskID | None = None
        self._measuring: TaskID | None = None

    def expect(self, planned: Plan) -> None:
        """Probe what is missing and print how long it will take."""
        from grbcore.reproduction import estimate

        probing = self.add_task("probing", total=None)
        found = estimate(planned, lambda name: self.update(probing, description=f"probing {name}"))
        self.remove_task(probing)
        for words in _estimate(planned, found):
            self.console.print(words, soft_wrap=True, highlight=False)
        self._seconds = {
            task: _UNKNOWN_SECONDS if math.isnan(seconds) else seconds
            for task, seconds in found.items()
        }
        if found:
            self._making = self.add_task("making", total=sum(self._seconds.values()))

    def began(self, task: Task) -> None:
        if self._making is not None:
            self.update(self._making, description=task.name)

    def moved(self, task: Task, fraction: float) -> None:
        if self._making is not None:
            done = self._done + fraction * self._seconds.get(task, 0.0)
            self.update(self._making, completed=done)

    def ended(self, task: Task, seconds: float, failure: Failure | None) -> None:
        self._done += self._seconds.get(task, 0.0)
        if self._making is not None:
            self.update(self._making, completed=self._done)
        words = f"{task.name}: {seconds:.1f} s" if failure is None else f"{task.name}: failed"
        self.console.print(f"  {words}", highlight=False, markup=False)

    def counted(self, done: int, total: int) -> None:
        if self._measuring is None:
            self._measuring = self.add_task("measuring cells", total=total)
        self.update(self._measuring, completed=done, total=total)


def _estimate(planned: Plan, found: dict[Task, float]) -> list[str]:
    from grbcore.reproduction import outdated

    tasks = (*planned.models, *planned.attacks)
    there = sum(task.done for task in tasks)
    words = [f"{planned.board.id}: {len(tasks)} files, {there} of them there; {planned.folder}"]
    older = sorted({_recipe(task) for task in tasks if task.done and outdated(task.path)})
    if older:
        words.append(f"  made by other code than this: {', '.join(older)}; --again makes them anew")
    known = {task: seconds for task, seconds in found.items() if not math.isnan(seconds)}
    for title, bound, kinds in (
        ("training", "about", ("defense", "surrogate")),
        ("attacks", "at most about", ("attack",)),
    ):
        share = [seconds for task, seconds in known.items() if task.kind in kinds]
        if share:
            words.append(f"  {title}: {len(share)} files, {bound} {_duration(sum(share))} of work")
    unknown = sorted({task.recipe.name for task in found} - {task.recipe.name for task in known})
    if unknown:
        words.append(f"  no estimate: {', '.join(unknown)}")
    if known:
        words.append(
            "  estimated from a few epochs and steps; training ends when validation stops rising, "
            "attacks may end early"
        )
    return words


def _duration(seconds: float) -> str:
    if seconds < 120:
        return f"{max(seconds, 1):.0f} s"
    if seconds < 7200:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h"


def _tell(results: Results, seconds: float) -> None:
    from grbcore.visualise import MissingExtra

    matrix = results.pooled()
    board, found = results.plan.board, matrix.difficulties
    difficulty = found[-1] if results.attacks else results.plan.difficulties[-1]
    if board.ranked == MEAN and found == board.difficulties:
        difficulty = MEAN
    for failure in results.failures:
        console.print(f"{failure.task}: {failure.reason}", style="red", markup=False)
    if not results.defenses:
        console.print("no defense was trained from every seed: there is no ranking")
        return
    try:
        written = results.write(difficulty)
    except MissingExtra as missing:
        console.print(f"no plot: {missing}", markup=False)
        written = sorted(results.plan.folder.glob("results.*"))
    over = _draws(results)
    sides: tuple[Side, ...] = ("defense", "attack") if results.attacks else ("defense",)
    for side in sides:
        console.print(_ranking(matrix.leaderboard(side, difficulty), over, board.measure))
    if board.paper is None:
        words = "no such table is published: the thesis attacks each model itself"
        console.print(f"{words} (grb study expressive)", soft_wrap=True, highlight=False)
    listed = ", ".join(path.name for path in written)
    console.print(
        f"{_duration(seconds)}; in {results.plan.folder}: {listed}",
        soft_wrap=True,
        highlight=False,
    )


def _draws(results: Results) -> str:
    """What the ranking is a mean over; empty for one seed and one repeat."""
    cells = results.cells.values()
    counts = [cell.accuracy(name) for cell in cells for name in cell.carried]
    over = ["seeds"] if len(results.plan.seeds) > 1 else []
    over += ["repeats"] if any(len(found) > 1 for found in counts) else []
    return " and ".join(over)


def _ranking(leaderboard: Leaderboard, over: str, measure: Measure) -> Table:
    difficulty: Difficulty = leaderboard.difficulty
    three = measure.three(leaderboard.side)
    draws = f"mean ± std over {over}" if over else "one seed, one repeat"
    at = "by the mean over budgets" if difficulty == MEAN else f"at {difficulty}"
    title = f"{leaderboard.side}s {at}, {'error' if measure.errors else 'percent'}, {draws}"
    table = Table(title=title)
    clean = leaderboard.side == "defense"
    table.add_column("rank", justify="right")
    table.add_column(leaderboard.side, overflow="fold")
    for heading in ("Weighted", "Avg", f"Avg {three}", *(["clean"] if clean else [])):
        table.add_column(heading, justify="right")
    for row in leaderboard.rows:
        metrics = row.metrics.get(difficulty)
        found = [metrics.weighted, metrics.average, metrics.three] if metrics else [None] * 3
        values = [*found, *([(row.clean or {}).get(difficulty)] if clean else [])]
        rank = "–" if row.rank is None else str(row.rank)
        name = "none" if row.id == CLEAN else row.id
        table.add_row(rank, name, *(_score(value, measure, spread=bool(over)) for value in values))
    return table


def _score(score: Score | None, measure: Measure, *, spread: bool) -> str:
    if score is None:
        return "–"
    return measure.score(score.mean, score.std if spread else None)
