"""What is asked of an answer that another host gave to a job of a study."""

from __future__ import annotations

from typing import Any

from grbcore.violations import Refused, Violation


def checked(told: dict[str, Any], asked: Any) -> dict[str, Any]:
    """An answer that is to the job that was ``asked`` for.

    Raises:
        Refused: the job could not be done there, or the answer is another job's.
    """
    found = str(told["error"]) if "error" in told else None
    if found is None and told.get("job") != asked:
        found = f"an answer to {told.get('job')}, asked was {asked}"
    if found is not None:
        allowed = "the same package and dataset on every host"
        raise Refused([Violation("format", "--workers", found, allowed)])
    return told
