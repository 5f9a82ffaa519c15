"""Jobs of studies in a process of their own: ``python -m grbcore.study_jobs``.

It reads a message as JSON from each line of standard input and answers each with a line.  Which
study's job it is, the message says; what it and its answer look like is the study's own.  Nothing
but this process needs torch, so workers that hand it jobs don't.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

import torch

from grbcore.graphlevel.study import job as expressive
from grbcore.pitfalls import job as splits

#: From a message, and what an earlier one has loaded, to its answer; by the message's ``study``.
_STUDIES: Mapping[str, Callable[[dict[str, Any], dict[str, Any]], dict[str, Any]]] = {
    "splits": splits.answer,
    "expressive": expressive.answer,
}


def answer(message: dict[str, Any], loaded: dict[str, dict[str, Any]]) -> dict[str, Any]:
    """Do a job; ``loaded`` keeps each study's datasets from one to the next."""
    study = str(message.get("study"))
    if study not in _STUDIES:
        return {"error": f"study {study}, known on this host are {', '.join(_STUDIES)}"}
    return _STUDIES[study](message, loaded.setdefault(study, {}))


def main() -> None:
    """Answer until standard input ends; then end at once, whatever is being computed.

    Signals to end are those of who asks.
    """
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    torch.set_num_threads(1)
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # nothing that a library prints is an answer
    lines: queue.Queue[str] = queue.Queue()
    threading.Thread(target=_read, args=(lines,), daemon=True).start()
    loaded: dict[str, dict[str, Any]] = {}
    while True:
        line = lines.get()
        try:
            told = answer(json.loads(line), loaded)
        except Exception as fault:  # the outermost frame of the process
            told = {"error": f"{type(fault).__name__}: {fault}"[:2000]}
        out.write(json.dumps(told) + "\n")
        out.flush()


def _read(lines: queue.Queue[str]) -> None:
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)  # who asked is gone


if __name__ == "__main__":
    main()
