"""A service that people have used: what its pages show then, for looking at them.

A submitter with entries that rank, are measured at other budgets, were rejected and kept private,
and a board that hides half of its targets.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tests.api.stage import defense_file
from tests.e2e.stack import BOARD, Stack

#: Half of its targets is hidden.
HALVED = "digits/modification@1"
NAME = "ann"

_DESCRIPTION = """Trained for a few epochs **only**, as a lower bound.

| epochs | validation |
|---|---|
| 5 | 90 % |
"""


def use(stack: Stack) -> dict[str, str]:
    """Use a prepared service; ids of what came of it, by name."""
    stack.grb("admin", "ladder", "on", HALVED)
    stack.grb("admin", "user", NAME)
    admin, stack.token = stack.token, _token(stack)
    own = {"authors": "Ann Author, Bob Writer", "side": "defense"}
    about = {"description": _DESCRIPTION, "paper_url": "https://arxiv.org/abs/2111.04314"}
    trained, hidden = _train(stack), {"visibility": "private"}
    found = {
        "entry": stack.submit(
            trained, name="Five epochs", adversarially_trained="true", **about, **own
        ),
        "halved": stack.submit(_plain(stack, 0.01), board=HALVED, name="Over one half", **own),
        "private": stack.submit(_plain(stack, 0.02), name="Not yet told", **hidden, **own),
        "rejected": stack.submit(
            _illegal(stack), **{**own, "side": "attack"}, name="Too much", family="FGSM"
        ),
    }
    for submission in (found["entry"], found["halved"], found["rejected"]):
        stack.settled(submission)
    stack.token = admin
    stack.grb("admin", "holdout", "prepare", BOARD, "--repeats", "1", "--no-unseen")
    stack.grb("admin", "holdout", "ask", found["entry"])
    results = stack.get(f"/submissions/{found['halved']}")["results"]
    return {**found, "halved_cell": results[0]["id"]}


def _token(stack: Stack) -> str:
    return stack.grb("admin", "token", "--user", NAME).stdout.split()[-1]


def _train(stack: Stack) -> Path:
    path = stack.folder / "five.safetensors"
    stack.grb("train", BOARD, "--architecture", "GCN", "--epochs", "5", "--out", str(path))
    return path


def _plain(stack: Stack, value: float) -> Path:
    return defense_file(stack.folder, value=value)


def _illegal(stack: Stack) -> Path:
    """An attack whose features are out of range and whose edges lead nowhere."""
    path = stack.folder / "illegal.npz"
    edges = np.stack([np.full(30, 1797), np.arange(30) + 5000])
    np.savez(
        path,
        **{
            "full/0/edges": edges.astype(np.int64),
            "full/0/features": np.full((2, 64), 9, np.float32),
        },
    )
    return path
