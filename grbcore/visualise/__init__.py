"""Pictures of attacks and of their effect; one function each, each gives a matplotlib Figure."""

from grbcore.visualise.figure import MissingExtra
from grbcore.visualise.heat import heat_map

__all__ = ["MissingExtra", "heat_map"]
