"""A service with quick children, and its workers."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from grbcore.settings import SANDBOX_OFF, Settings
from tests.chaos import quick_evaluator, quick_validator
from tests.chaos.fleet import Fleet, command_in_json


def settings(folder: Path, rest: float, **urls: str) -> Settings:
    """A service whose evaluator takes ``rest`` seconds for a cell, and keeps a list; trusted."""
    (folder / "evaluator").mkdir()
    quick = (sys.executable, quick_evaluator.__file__, str(folder / "evaluator"), str(rest))
    validator = (sys.executable, str(quick_validator.__file__))
    return Settings(
        var_dir=folder / "var",
        evaluator=quick,
        validator=validator,
        sandbox=SANDBOX_OFF,
        **urls,
    )


@contextmanager
def fleet(command: list[str], given: Settings, workers: int, log: Path) -> Iterator[Fleet]:
    environment = {
        "GRB_VAR_DIR": str(given.var_dir),
        "GRB_DATABASE_URL": given.database_url,
        "GRB_BROKER_URL": given.broker_url,
        "GRB_EVALUATOR": command_in_json(given.evaluator),
        "GRB_SANDBOX": given.sandbox,
        "GRB_VALIDATOR": command_in_json(given.validator),
    }
    made = Fleet(command, environment, log)
    try:
        for number in range(workers):
            made.start(number)
        yield made
    finally:
        made.close()
