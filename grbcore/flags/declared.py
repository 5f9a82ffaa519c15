"""Flags that follow from what an entry is, or from what its authors say of it."""

from __future__ import annotations

from grbcore.flags.flag import KINDS, Flag

#: The codes of these.
DECLARED = frozenset(
    {"reference", "adversarially-trained", "own-method", "withdrawn", "hidden", "not-public"}
)


def declared_flags(
    *,
    is_reference: bool,
    adversarially_trained: bool,
    family: str,
    withdrawn: bool,
    hidden: bool,
    public: bool,
) -> list[Flag]:
    """Those that hold, whatever was measured; the reason is what the flag means."""
    found = {
        "reference": is_reference,
        "adversarially-trained": adversarially_trained,
        "own-method": family.startswith("other:"),
        "withdrawn": withdrawn,
        "hidden": hidden,
        "not-public": not public,
    }
    return [Flag(code, KINDS[code].meaning) for code, holds in found.items() if holds]
