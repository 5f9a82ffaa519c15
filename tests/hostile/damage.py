"""Honest files that were damaged on their way: cut at every kilobyte, one bit of a field turned."""

from __future__ import annotations

import numpy as np

from tests.grbcore.samples import D, N, defense, weights
from tests.hostile.cases import Case, Recipes, attack, honest, packed


def large_attack() -> bytes:
    """Some 24 KB, stored."""
    features = np.linspace(-0.4, 0.6, 90 * D, dtype=np.float32).reshape(90, D)
    edges = np.stack([np.arange(N, N + 90), np.arange(90)])
    return packed(attack(edges, features), method=0)


def large_defense() -> bytes:
    """Some 17 KB: a GIN of 64 hidden units has 4,096 + … weights."""
    from tests.grbcore.samples import METADATA

    return defense(weights(hidden=[32]), {**METADATA, "parameters": '{"hidden": [32]}'})


def truncations() -> list[Case]:
    found: list[Case] = []
    attacks, defenses = Recipes("cut", "attack"), Recipes("cut", "defense")
    for recipes, data in ((attacks, large_attack()), (defenses, large_defense())):
        for at in range(1024, len(data), 1024):
            recipes.add(f"after {at} bytes", data[:at], "damaged")
        for back in (1, 2, 21, 22, 23, 100):
            recipes.add(f"by {back} bytes", data[:-back], "damaged")
        recipes.add("not at all", data)
        found += recipes.cases
    return found


def turned(data: bytes, at: int, bit: int = 0) -> bytes:
    changed = bytearray(data)
    changed[at] ^= 1 << bit
    return bytes(changed)


def bits() -> list[Case]:
    """One bit of each field of a zip archive; what the field means says what must happen."""
    recipes = Recipes("one bit", "attack")
    data = honest()
    local, entry, end = 0, data.index(b"PK\x01\x02"), len(data) - 22
    recipes.add("none", data)
    for name, at, code in (
        ("signature", 3, "format"), ("version", 4, None), ("flags", 6, "damaged"),
        ("method", 8, "damaged"), ("time", 10, None), ("date", 12, None), ("crc", 14, "damaged"),
        ("packed size", 18, "damaged"), ("size", 22, "damaged"), ("length of name", 26, "damaged"),
        ("length of extra", 28, "damaged"), ("name", 30, "damaged"),
        ("sign of numpy", 47, "header"), ("version of numpy", 52, "header"),
        ("length of numpy's header", 54, "header"),
    ):  # fmt: skip
        bit = 1 if name == "flags" else 0
        recipes.add(f"{name} of a member", turned(data, local + at, bit), *filter(None, [code]))
    for name, at, code in (
        ("signature", 0, "damaged"), ("version made by", 4, None), ("version", 6, None),
        ("flags", 8, "member-encrypted"), ("method", 10, "format"), ("time", 12, None),
        ("crc", 16, "damaged"), ("packed size", 20, "damaged"), ("size", 24, "damaged"),
        ("length of name", 28, "damaged"), ("length of extra", 30, "damaged"),
        ("length of comment", 32, "damaged"), ("disk", 34, "damaged"),
        ("internal attributes", 36, None), ("attributes", 38, None), ("start", 42, "damaged"),
        ("name", 46, "damaged"),
    ):  # fmt: skip
        recipes.add(f"{name} of an entry", turned(data, entry + at), *filter(None, [code]))
    for name, at in (
        ("signature", 0), ("disk", 4), ("first disk", 6), ("entries here", 8), ("entries", 10),
        ("length", 12), ("start", 16), ("length of comment", 20),
    ):  # fmt: skip
        recipes.add(f"{name} of the end", turned(data, end + at), "damaged")
    where = data.index(np.full(D, 0.25, np.float32).tobytes())
    recipes.add("a feature", turned(data, where), "damaged", late=True)
    return recipes.cases


def cases() -> list[Case]:
    return truncations() + bits()
