"""A robustness study's runs, in this process or in several, each kept as soon as it is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from grbcore.graphlevel.attacks import Case, perturb, with_best_rate
from grbcore.graphlevel.attacks.gradient import Ascent
from grbcore.graphlevel.budgets import GraphBudget
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.graphs import AttributedGraph
from grbcore.graphlevel.loading import load
from grbcore.graphlevel.metrics import errors, hits, label_difference, without_worst
from grbcore.graphlevel.models import GraphLevelModel, predict
from grbcore.graphlevel.random_changes import Values
from grbcore.graphlevel.study.plan import (
    CLEAN,
    IMPLEMENTATION,
    REPEATS,
    THREATS,
    Key,
    Study,
    architecture,
)
from grbcore.graphlevel.study.store import Failure, Kept, Run, Store
from grbcore.graphlevel.study.weights import trained
from grbcore.graphlevel.targets import targets_of
from grbcore.graphlevel.training import Diverged
from grbcore.processes import Workers
from grbcore.seeds import derive_seed, generator

#: CPU seconds of one epoch on MUTAG, about: before any run is done they are weighed by these.
_EPOCH = {
    "Bag": 0.1, "meanGINE": 0.3, "GIN": 0.25, "GINE": 0.3, "ESAN": 0.2, "DropGINE": 1.9,
    "SignNet": 3.0, "PPGN": 7.0,
}  # fmt: skip

#: How many epochs' time an attack of budget 1 takes, about.
_ATTACK = {"brute-force": 30, "brute-force-attributes": 40, "adjpgd": 20, "attrpgd": 40}


#: The missing runs of one model of one seed, its clean run first.
Job = Sequence[Key]

#: A run, or why its model has none, and the seconds that it took.
Found = tuple[Run | str, float]

#: Does jobs on graphs of this digest: each run, until one says why its model has none.
Elsewhere = Callable[[Study, Sequence[Job], str], Iterable[tuple[Key, Found]]]


@dataclass(frozen=True, slots=True, eq=False)
class Place:
    """What every run of a study needs."""

    study: Study
    dataset: GraphDataset
    folder: Path  # of weights


def weight(study: Study, key: Key) -> float:
    """About how long a run takes, in CPU seconds on MUTAG."""
    epoch = _EPOCH[architecture(key.model)]
    if key.attack == CLEAN:
        attacked = 1 if architecture(key.model) == key.model else 8
        return epoch * attacked * min(study.recipe(key.model).epochs, 200)
    found = epoch * _ATTACK.get(key.attack, 1)
    return found * 13 if study.search and key.attack in ("adjpgd", "attrpgd") else found


def carry_out(
    study: Study,
    store: Store,
    *,
    jobs: int = 1,
    data_dir: Path | None = None,
    ended: Callable[[Key, float], None] | None = None,
    elsewhere: Elsewhere | None = None,
) -> None:
    """Do what is missing and keep it, models first; what is there is not done again.

    A model whose training diverges is noted as failed: it has no runs and is not tried again.
    Weights lie in ``weights`` beside the store.

    Args:
        study: which runs.
        store: where they are kept; it must be of the same data, recipes and search.
        jobs: processes, one thread each; with one it is this process.
        data_dir: the folder of datasets.
        ended: told of each run and its seconds, once it is kept.
        elsewhere: does the runs, in place of processes of this host.

    Raises:
        DatasetError: the dataset is not here.
        Refused: the file is of another study.
        ValueError: fewer than one job.
    """
    if jobs < 1:
        raise ValueError(f"jobs: found {jobs}, allowed: 1 or more")
    dataset = load(study.dataset, data_dir=data_dir)
    recipes = {f"recipe of {model}": repr(study.recipe(model)) for model in study.models}
    facts: dict[str, str | int] = {f"graphs of {study.dataset}": dataset.digest}
    facts["search"] = int(study.search)
    store.file.belongs(implementation=IMPLEMENTATION, **facts, **recipes)
    done = store.keys()
    missing = [key for key in study.runs() if key not in done]
    place = Place(study, dataset, store.path.parent / "weights")

    failed = store.failures()

    def possible(keys: Sequence[Key]) -> list[Key]:
        return [key for key in keys if not any(one.whose(key) for one in failed)]

    def keep(key: Key, found: Found) -> None:
        run, seconds = found
        if isinstance(run, str):
            failed.append(Failure(key.dataset, key.model, key.seed, run))
            store.fail(failed[-1])
        else:
            store.add(Kept(key, run, seconds))
        if ended is not None:
            ended(key, seconds)

    if elsewhere is not None:
        for key, found in elsewhere(study, jobs_of(possible(missing)), dataset.digest):
            keep(key, found)
        return
    if jobs == 1 or len(missing) < 2:
        for key in missing:
            if possible([key]):
                keep(key, timed(place, key))
        return
    with Workers(timed, place, jobs) as workers:
        for clean in (True, False):
            part = possible([key for key in missing if (key.attack == CLEAN) is clean])
            for key, found in workers.each(part):
                keep(key, found)


def jobs_of(keys: Sequence[Key]) -> list[Job]:
    """Runs by model and seed, in their order."""
    found: dict[tuple[str, int], list[Key]] = {}
    for key in keys:
        found.setdefault((key.model, key.seed), []).append(key)
    return list(found.values())


def run(place: Place, key: Key) -> Run:
    """The run; it depends on its key and the study's recipes and search alone."""
    study, dataset = place.study, place.dataset
    model, how = trained(place.folder, dataset, key.model, study.recipe(key.model), key.seed)
    graphs, labels = dataset.part("test"), dataset.labels_of("test")
    seed = derive_seed(
        "graph-level study", *map(str, (key.model, key.seed, key.attack)), key.budget
    )
    if key.attack == CLEAN:
        clean = _judged(model, dataset, graphs, seed)
        return replace(clean, val_score=how.val_score, epochs=how.epochs, best=how.best_epoch)
    threat = THREATS[key.attack]
    attack = threat.make(Values.of(dataset))
    budget = GraphBudget(absolute=key.budget, attributes=threat.attributes)
    rng = np.random.default_rng(seed)
    rate = unmoved = None
    if isinstance(attack, Ascent):
        attack = replace(attack, repeats=REPEATS.get(key.dataset, attack.repeats))
        case = Case(model, graphs, labels, targets_of(dataset.task)[0], budget)
        if study.search:
            attack = with_best_rate(attack, case, rng=rng)
        rate = attack.rate
        unmoved = float(attack.unmoved(case, rng=generator("unmoved", seed)).mean())
    found = []
    for draw in range(threat.draws):
        changes = perturb(attack, model, graphs, labels, task=dataset.task, budget=budget, rng=rng)
        changed = [one.apply(graph) for one, graph in zip(changes, graphs, strict=True)]
        found.append(_judged(model, dataset, changed, derive_seed("judged", seed, draw)))
    differences = [one.label_difference for one in found if one.label_difference is not None]
    return Run(
        float(np.mean([one.score for one in found])),
        float(np.mean(differences)) if differences else None,
        rate=rate,
        unmoved=unmoved,
    )


def _judged(
    model: GraphLevelModel, dataset: GraphDataset, graphs: Sequence[AttributedGraph], seed: int
) -> Run:
    labels = dataset.labels_of("test")
    outputs = predict(model, graphs, rng=torch.Generator().manual_seed(seed)).numpy()
    if dataset.task == "regression":
        far = without_worst(errors(outputs, labels, sigma=dataset.sigma))
        return Run(float(far.mean()))
    return Run(
        float(hits(outputs, labels, dataset.task).mean()),
        float(label_difference(outputs, labels, dataset.task).mean()),
    )


def timed(place: Place, key: Key) -> Found:
    """The run, or why its model has none, and the seconds that it took."""
    started = time.perf_counter()
    found: Run | str
    try:
        found = run(place, key)
    except Diverged as fault:
        found = str(fault)
    return found, time.perf_counter() - started
