"""A board's whole table from its recipes: trained, attacked, measured, resumed where it stopped."""

from grbcore.reproduction.estimate import estimate
from grbcore.reproduction.making import Failure, Watch, make_all, outdated
from grbcore.reproduction.measuring import measure_all
from grbcore.reproduction.plan import Plan, Task, plan
from grbcore.reproduction.results import Results

__all__ = [
    "Failure",
    "Plan",
    "Results",
    "Task",
    "Watch",
    "estimate",
    "make_all",
    "measure_all",
    "outdated",
    "plan",
]
