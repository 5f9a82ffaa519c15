"""Jobs of ``grb study expressive`` as messages, for `grbcore.study_jobs` on any host.

A job is one model with every run of it that is missing, so that it is trained once, on one host.
Its weights stay there, in ``study-weights`` of the host's ``GRB_VAR_DIR``, for later jobs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.loading import load
from grbcore.graphlevel.study.plan import Key, Study
from grbcore.graphlevel.study.running import IMPLEMENTATION, Found, Job, Place, timed
from grbcore.graphlevel.study.store import Run
from grbcore.settings import Settings
from grbcore.study_answers import checked


def request(study: Study, job: Job, digest: str) -> dict[str, Any]:
    """A job as a message; ``digest`` is of the graphs that its runs are to be runs of."""
    return {
        "study": "expressive",
        "implementation": IMPLEMENTATION,
        "dataset": study.dataset,
        "digest": digest,
        "model": job[0].model,
        "seed": job[0].seed,
        "recipe": repr(study.recipe(job[0].model)),
        "search": study.search,
        "epochs": study.epochs,
        "runs": [[key.attack, key.budget] for key in job],
    }


def _which(message: dict[str, Any]) -> list[Any]:
    """Which job a message is, so that no answer is taken for another's."""
    return [message[name] for name in ("dataset", "model", "recipe", "seed", "search", "runs")]


def found_of(
    job: Job, asked: dict[str, Any], answer: dict[str, Any]
) -> Iterator[tuple[Key, Found]]:
    """What an answer to a message says: each run, or why the model has none, and its seconds.

    Raises:
        Refused: the job could not be done there, or the answer is another job's.
    """
    told = checked(answer, _which(asked))
    for key, one in zip(job, told["found"], strict=False):  # of a model that failed one
        run = one["run"]
        yield key, (run if isinstance(run, str) else Run(**run), float(one["seconds"]))


def answer(message: dict[str, Any], loaded: dict[str, Any]) -> dict[str, Any]:
    """Do a job; ``loaded`` keeps datasets from one to the next."""
    if message["implementation"] != IMPLEMENTATION:
        found = f"implementation {IMPLEMENTATION} on this host"
        return {"error": f"{found}, of the study {message['implementation']}"}
    name, model = message["dataset"], message["model"]
    attacks = tuple(dict.fromkeys(attack for attack, budget in message["runs"] if budget))
    budgets = tuple(sorted({budget for _, budget in message["runs"] if budget})) or (1,)
    study = Study(
        name, (model,), (message["seed"],), attacks, budgets, message["search"], message["epochs"]
    )
    recipe = repr(study.recipe(model))
    if recipe != message["recipe"]:
        return {"error": f"recipe of {model} {recipe} on this host"}
    if name not in loaded:
        loaded[name] = load(name)
    dataset: GraphDataset = loaded[name]
    if dataset.digest != message["digest"]:
        return {"error": f"graphs of {name} {dataset.digest} on this host"}
    place = Place(study, dataset, _weights(dataset.digest, recipe))
    told: list[dict[str, Any]] = []
    for attack, budget in message["runs"]:
        run, seconds = timed(place, Key(name, model, message["seed"], attack, budget))
        told.append({"run": run if isinstance(run, str) else asdict(run), "seconds": seconds})
        if isinstance(run, str):
            break
    return {"job": _which(message), "found": told}


def _weights(digest: str, recipe: str) -> Path:
    """The folder of models of one recipe and data."""
    name = hashlib.sha256(f"{digest} {recipe}".encode()).hexdigest()[:16]
    return Settings().var_dir / "study-weights" / name
