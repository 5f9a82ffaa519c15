"""Jobs of studies in a process of their own: ``python -m grbcore.pitfalls.job``.

It reads a request as JSON from each line of standard input and answers each with a line: the runs
and their seconds, or what was wrong.  Nothing but torch's process needs torch so.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import sys
import threading
from dataclasses import asdict
from typing import Any

import torch

from grbcore.pitfalls import sources
from grbcore.pitfalls.engine import Run
from grbcore.pitfalls.running import IMPLEMENTATION, Job, Study, timed
from grbcore.pitfalls.standard import Standard
from grbcore.violations import Refused, Violation


def request(study: Study, job: Job, digest: str) -> dict[str, Any]:
    """A job as a message; ``digest`` is of the graph that its runs are to be runs of."""
    return {
        "implementation": IMPLEMENTATION,
        "scheme": study.scheme,
        "seed": study.seed,
        "digest": digest,
        **asdict(job),
    }


def _which(message: dict[str, Any]) -> list[Any]:
    """Which job a message is, so that no answer is taken for another's."""
    names = ("dataset", "model", "split", "inits", "seed", "scheme")
    return [list(message[n]) if n == "inits" else message[n] for n in names]


def runs_of(asked: dict[str, Any], answer: dict[str, Any]) -> tuple[list[Run], float]:
    """What an answer to a message says: the runs and their seconds.

    Raises:
        Refused: the job could not be done there, or the answer is another job's.
    """
    found = str(answer["error"]) if "error" in answer else None
    if found is None and answer.get("job") != _which(asked):
        found = f"an answer to {answer.get('job')}, asked was {_which(asked)}"
    if found is not None:
        allowed = "the same package and dataset on every host"
        raise Refused([Violation("format", "--workers", found, allowed)])
    told = [
        {**one, "val_loss": float("nan") if one["val_loss"] is None else one["val_loss"]}
        for one in answer["runs"]
    ]
    return [Run(**one) for one in told], float(answer["seconds"])


def answer(message: dict[str, Any], loaded: dict[str, Standard]) -> dict[str, Any]:
    """Do a job; ``loaded`` keeps datasets from one to the next."""
    if message["implementation"] != IMPLEMENTATION:
        found = f"implementation {IMPLEMENTATION} on this host"
        return {"error": f"{found}, of the study {message['implementation']}"}
    job = Job(message["dataset"], message["model"], message["split"], tuple(message["inits"]))
    study = Study(
        (job.dataset,),
        (job.model,),
        job.split + 1,
        max(job.inits) + 1,
        message["scheme"],
        message["seed"],
    )
    if job.dataset not in loaded:
        loaded[job.dataset] = sources.load(job.dataset)
    dataset = loaded[job.dataset]
    if dataset.digest != message["digest"]:
        return {"error": f"graph of {job.dataset} {dataset.digest} on this host"}
    runs, seconds = timed(study, dataset, job)
    told = [asdict(run) for run in runs]
    for one in told:
        one["val_loss"] = one["val_loss"] if one["val_loss"] == one["val_loss"] else None
    return {"job": _which(message), "runs": told, "seconds": seconds}


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
    loaded: dict[str, Standard] = {}
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
