"""Studies: questions that a board's recipes can be asked."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from grbcore import catalog, datasets
from grbcore.cli import expressive, robustness, splits
from grbcore.cli.options import BoardName, DataDir, folder_target
from grbcore.cli.reproduce import carry_out, names_in, numbers_in
from grbcore.settings import Settings

_ABOUT = (
    "Studies: models and recipes over many runs.  grb admin study publish shows what splits, "
    "robustness and expressive write."
)

app = typer.Typer(help=_ABOUT, no_args_is_help=True)
app.command()(splits.splits)
app.command()(robustness.robustness)
app.command()(expressive.expressive)


@app.callback(help=_ABOUT)
def about() -> None:
    """What there are."""


@app.command()
def surrogates(
    name: BoardName,
    method: Annotated[str, typer.Option(help="The attack, as the board's recipe has it.")] = "FGSM",
    defenses: Annotated[
        str | None, typer.Option(help="Recipes of targets, with commas; all by default.")
    ] = None,
    surrogates: Annotated[
        str | None, typer.Option(help="Recipes of surrogates; the targets' by default.")
    ] = None,
    seeds: Annotated[str, typer.Option(help="Training seeds of the targets.")] = "0",
    repeats: Annotated[int | None, typer.Option(help="Repeats of each attack.")] = None,
    difficulty: Annotated[
        list[str] | None, typer.Option(help="Difficulties; full, or all budgets.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Files made at once.")] = 1,
    out: Annotated[
        Path | None, typer.Option(help="The folder of files and results; under var/ by default.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Attack with each architecture as surrogate, evaluate on all: surrogate × target."""
    board = catalog.board(name)
    folder = out or Settings().var_dir / "study-surrogates" / board.id.replace("/", "-")
    folder_target(folder)
    targets = numbers_in(seeds)
    from grbcore.reproduction import plan
    from grbcore.study import surrogate_study

    asked = surrogate_study(
        board, method, targets=names_in(defenses), surrogates=names_in(surrogates)
    )
    dataset = datasets.load(board.dataset, data_dir=data_dir)
    difficulties: Any = difficulty or board.required  # checked by plan
    planned = plan(
        asked, dataset, folder, seeds=targets, repeats=repeats, difficulties=difficulties
    )
    carry_out(planned, jobs=jobs)
