"""Every hostile or broken file, made from recipes when it is needed and never kept.

``python -m tests.hostile.corpus`` counts them; with a folder, it writes them there.
"""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

from tests.hostile import arrays, damage, disguises, weights, zips
from tests.hostile.cases import Case


def corpus() -> list[Case]:
    """The cases, each under a name of its own."""
    found = [
        case for module in (disguises, zips, arrays, weights, damage) for case in module.cases()
    ]
    counts = Counter(case.name + case.board for case in found)
    twice = [name for name, count in counts.items() if count > 1]
    assert not twice, twice
    return found


def main(arguments: list[str]) -> None:
    found = corpus()
    sys.stdout.write(f"{len(found)} files, {sum(case.valid for case in found)} of them valid\n")
    for number, case in enumerate(found if arguments else []):
        suffix = "npz" if case.side == "attack" else "safetensors"
        Path(arguments[0], f"{number:04}.{suffix}").write_bytes(case.make())


if __name__ == "__main__":
    main(sys.argv[1:])
