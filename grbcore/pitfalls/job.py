"""Jobs of ``grb study splits`` as messages, for `grbcore.study_jobs` on any host.

An answer has the runs and their seconds, or what was wrong.
"""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

from grbcore.pitfalls import sources
from grbcore.pitfalls.engine import Run
from grbcore.pitfalls.running import IMPLEMENTATION, Job, Study, timed
from grbcore.pitfalls.standard import Standard
from grbcore.study_answers import checked


def request(study: Study, job: Job, digest: str) -> dict[str, Any]:
    """A job as a message; ``digest`` is of the graph that its runs are to be runs of."""
    return {
        "study": "splits",
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
    told = [
        {**one, "val_loss": float("nan") if one["val_loss"] is None else one["val_loss"]}
        for one in checked(answer, _which(asked))["runs"]
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
