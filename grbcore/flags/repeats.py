"""The flag that both sides can have: a score that differs much from repeat to repeat."""

from __future__ import annotations

from grbcore.flags.flag import Figure, Flag
from grbcore.flags.measured import percent, points
from grbcore.metrics import Score

#: Points of standard deviation over repeats.  In GRB's Tables 13 to 17, 4 of the 80 Weighted
#: scores at full are above it.
HIGH_VARIANCE = 0.02


def high_variance(score: Score | None) -> list[Flag]:
    """Raised where the Weighted score's standard deviation is above `HIGH_VARIANCE`."""
    if score is None or score.std is None or score.std <= HIGH_VARIANCE:
        return []
    reason = (
        f"Its Weighted score is {percent(score.mean)} with a standard deviation of "
        f"{points(score.std)} over repeats; above {points(HIGH_VARIANCE)} it is flagged."
    )
    figures = (
        Figure("Weighted", score.mean, "share"),
        Figure("standard deviation", score.std, "points"),
    )
    return [Flag("high-variance", reason, figures)]
