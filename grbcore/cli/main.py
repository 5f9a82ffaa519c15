"""The ``grb`` command: its commands, and how errors are told."""

from __future__ import annotations

import os
import sys

import typer
from pydantic import ValidationError

from grbcore import __version__
from grbcore.catalog import UnknownName
from grbcore.cli import (
    admin,
    backups,
    baselines,
    board,
    client,
    datasets,
    doctor,
    editing,
    home,
    notify,
    reproduce,
    study,
    training,
    unfinished,
    up,
    withdrawal,
)
from grbcore.datasets import DatasetError
from grbcore.settings import Settings, faults
from grbcore.violations import Refused

app = typer.Typer(
    help="The Graph Robustness Benchmark: train, attack, check, submit, rank.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command()(up.up)
app.add_typer(datasets.app, name="datasets")
app.command()(training.train)
app.command()(training.tune)
app.command()(home.attack)
app.command()(home.convert)
app.command()(home.check)
app.command()(client.submit)
app.command()(editing.edit)
app.command()(withdrawal.withdraw)
app.command()(client.status)
app.command()(unfinished.uploads)
app.command()(notify.notify)
app.command()(home.evaluate)
app.command()(client.leaderboard)
app.command()(reproduce.reproduce)
app.add_typer(study.app, name="study")
app.command()(baselines.baselines)
app.add_typer(board.app, name="board")
admin.app.command()(backups.backup)
admin.app.command()(backups.restore)
app.add_typer(admin.app, name="admin")
app.command()(doctor.doctor)


@app.callback(invoke_without_command=True)
def about(
    version: bool = typer.Option(False, "--version", help="Print the version and end."),
) -> None:
    """The Graph Robustness Benchmark: train, attack, check, submit, rank."""
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command; faults that a user can mend are told in a line, without a traceback."""
    # read when torch is imported; on graphs of this size a second thread mostly waits
    os.environ.setdefault("OMP_NUM_THREADS", os.environ.get("GRB_THREADS", "1"))
    try:
        app()
    except Refused as refused:
        for violation in refused.violations:
            typer.echo(f"  {violation}", err=True)
        _fail(f"{len(refused.violations)} violation(s)")
    except ValidationError as error:
        if error.title != Settings.__name__:
            raise
        _fail("; ".join(faults(error)))
    except (DatasetError, UnknownName, OSError) as error:
        _fail(str(error))
    except ValueError as error:
        # the library's own words name the argument; any other is a fault of ours and shows where
        if ", allowed: " not in str(error):
            raise
        _fail(str(error))


def _fail(message: str) -> None:
    typer.echo(f"grb: {message}", err=True)
    sys.exit(1)
