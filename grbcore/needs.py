"""Which kind of worker a board needs: said by the size of its graph, or by whoever runs it.

The size is the number of values that the graph holds: nodes times features, plus edges.

========== ====================== ==========================================================
need       size                   of the catalog
========== ====================== ==========================================================
cpu        below 10 million       digits (0.1), grb-cora (0.8), grb-citeseer (2.5)
gpu        below 100 million      grb-flickr (45), grb-aminer (69)
gpu-large  100 million and above  grb-reddit (152)
========== ====================== ==========================================================

A need is no requirement of the code: any worker can compute any board, some of them slowly.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

Need = Literal["cpu", "gpu", "gpu-large"]

#: Every need, the smallest first.
NEEDS: tuple[Need, ...] = get_args(Need)

#: From these sizes on a board needs more than a CPU, or more than any GPU.
GPU_SIZE = 10_000_000
LARGE_SIZE = 100_000_000


def need_of(board_id: str, facts: Mapping[str, Any], chosen: Mapping[str, Need]) -> Need:
    """What a board needs: what was ``chosen`` for it, else what its facts ask for."""
    return chosen.get(board_id) or by_size(facts["nodes"], facts["features"], facts["edges"])


def by_size(nodes: int, features: int, edges: int) -> Need:
    """What a graph of this size needs."""
    size = nodes * features + edges
    if size < GPU_SIZE:
        return "cpu"
    return "gpu" if size < LARGE_SIZE else "gpu-large"


def needs(names: Iterable[str]) -> tuple[Need, ...]:
    """These names as needs, each once, the smallest first.

    Raises:
        ValueError: a name is none.
    """
    given = set(names)
    if unknown := sorted(given - {*NEEDS}):
        raise ValueError(f"found {', '.join(unknown)}, allowed: {', '.join(NEEDS)}")
    return tuple(need for need in NEEDS if need in given)


def queue_of(need: str) -> str:
    """The queue of messages that wake workers which take this need."""
    return f"grb.{need}"


def chosen_needs(text: str) -> dict[str, Need]:
    """Boards and what they need, from text such as ``grb-flickr/injection@1=cpu,…``.

    Raises:
        ValueError: it is written otherwise.
    """
    found: dict[str, Need] = {}
    for pair in filter(None, (part.strip() for part in text.split(","))):
        board_id, sign, need = (part.strip() for part in pair.partition("="))
        if not (board_id and sign and need in NEEDS):
            raise ValueError(f"found {pair!r}, allowed: BOARD={'|'.join(NEEDS)}")
        found[board_id] = need
    return found
