"""Pictures of attacks and of their effect; one function each, each gives a matplotlib Figure."""

from grbcore.visualise.accuracy import accuracy_by_degree, budget_curves
from grbcore.visualise.boxes import split_boxes, split_scores
from grbcore.visualise.ego import ego_net
from grbcore.visualise.figure import MissingExtra
from grbcore.visualise.heat import heat_map
from grbcore.visualise.robustness import robustness_curves
from grbcore.visualise.shift import attack_shift, degrees, homophily, ks_distance

__all__ = [
    "MissingExtra",
    "accuracy_by_degree",
    "attack_shift",
    "budget_curves",
    "degrees",
    "ego_net",
    "heat_map",
    "homophily",
    "ks_distance",
    "robustness_curves",
    "split_boxes",
    "split_scores",
]
