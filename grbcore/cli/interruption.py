"""Ctrl-C: what is kept and how to go on, in a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import typer

#: What shells call a command that was ended by Ctrl-C: 128 and the number of SIGINT.
INTERRUPTED = 130


@contextmanager
def told_when_interrupted(kept: Callable[[], str]) -> Iterator[None]:
    """End with `INTERRUPTED` and what ``kept`` says, called only then, where Ctrl-C is pressed."""
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"grb: interrupted: {kept()}", err=True)
        raise typer.Exit(INTERRUPTED) from None
