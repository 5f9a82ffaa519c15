"""Seeds that depend on what is done, not on the order in which it is done."""

from __future__ import annotations

import hashlib

import numpy as np

#: What a seed of torch may be, in words.
SEEDS = "a whole number, -2^63 to 2^63 - 1"


def is_seed(value: object) -> bool:
    """Whether torch takes this as a seed."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        return False
    return -(2**63) <= int(value) < 2**63


def derive_seed(*parts: str | int) -> int:
    """A seed in [0, 2^63) for the task that ``parts`` name, such as board, attack, difficulty."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") >> 1


def generator(*parts: str | int) -> np.random.Generator:
    """A random stream of its own for the task that ``parts`` name."""
    return np.random.default_rng(derive_seed(*parts))
