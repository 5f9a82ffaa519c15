"""What a reader should know before a number is believed: flags with reasons, as pure functions.

A flag says what was found, with the figures behind it; it changes no score and no rank.  Every
figure is at full, or at the mean over budgets, and over the board's references, so that no upload
raises or clears the flag of another's entry; but any ranked attack that names a defense clears
`non-adaptive`.
"""

from grbcore.flags.attacks import Attack, attack_flags
from grbcore.flags.declared import DECLARED, declared_flags
from grbcore.flags.defenses import Defense, defense_flags
from grbcore.flags.flag import KINDS, Figure, Flag, Kind, Severity, Unit
from grbcore.flags.measured import RANDOM, Accuracy, Standard, median_gain, root, standard_error

__all__ = [
    "DECLARED",
    "KINDS",
    "RANDOM",
    "Accuracy",
    "Attack",
    "Defense",
    "Figure",
    "Flag",
    "Kind",
    "Severity",
    "Standard",
    "Unit",
    "attack_flags",
    "declared_flags",
    "defense_flags",
    "median_gain",
    "root",
    "standard_error",
]
