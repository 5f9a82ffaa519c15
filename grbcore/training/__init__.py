"""Training a defense: the loop, what may take part in it, and where it may go on from.

Adversarial training is a `Callback` (`AdversarialTraining`), not a second trainer.
"""

from grbcore.training.adversarial import AdversarialTraining, injecting, modifying
from grbcore.training.callback import Callback, Epoch
from grbcore.training.checkpoint import Checkpoint, WrongCheckpoint
from grbcore.training.fitting import Fit, Progress, Schedule, fit
from grbcore.training.lessons import MODES, Mode
from grbcore.training.plan import adversarial_training

__all__ = [
    "MODES",
    "AdversarialTraining",
    "Callback",
    "Checkpoint",
    "Epoch",
    "Fit",
    "Mode",
    "Progress",
    "Schedule",
    "WrongCheckpoint",
    "adversarial_training",
    "fit",
    "injecting",
    "modifying",
]
