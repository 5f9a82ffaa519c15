"""From what a recipe says of adversarial training to what does it."""

from __future__ import annotations

from typing import Any

from grbcore.attacks import INJECTION, MODIFICATION
from grbcore.catalog import Adversarial, AdversarialChanges, AdversarialInjection
from grbcore.training.adversarial import AdversarialTraining, injecting, modifying


def adversarial_training(plan: Adversarial, seed: int) -> AdversarialTraining:
    """The callback that follows a recipe's plan.

    Raises:
        ValueError: its attack is not registered, takes no such arguments, or a number is out of
            its range.
    """
    if isinstance(plan, AdversarialChanges):
        raise ValueError("adversarial: found changes of whole graphs, allowed: injection or flips")
    methods = INJECTION if isinstance(plan, AdversarialInjection) else MODIFICATION
    if plan.method not in methods:
        allowed = ", ".join(methods)
        raise ValueError(f"adversarial.method: found {plan.method!r}, allowed: {allowed}")
    kind: Any = methods[plan.method]
    try:
        attack = kind(**plan.arguments)
    except TypeError as error:
        raise ValueError(f"adversarial.arguments: found {plan.arguments}, {error}") from None
    if isinstance(plan, AdversarialInjection):
        threat = injecting(attack, nodes=plan.nodes, edges_per_node=plan.edges_per_node)
    else:
        threat = modifying(attack, share=plan.share)
    return AdversarialTraining(threat, seed, warm=plan.warm_up)
