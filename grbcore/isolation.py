"""The moment at which a child has no more to prepare and an upload comes next.

The library knows nothing of sandboxes.  Whoever runs a child in one says here what has to happen
then; without that, nothing does.
"""

from __future__ import annotations

from collections.abc import Callable

_steps: list[Callable[[], None]] = []


def arrange(step: Callable[[], None]) -> None:
    """Have this done in `isolate`; raising there ends the child."""
    _steps.append(step)


def isolate() -> None:
    """Give up for ever what reading an upload does not need."""
    for step in _steps:
        step()
