"""A study's runs as small jobs, in this process or in several, each kept as soon as it is done."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from grbcore.pitfalls import sources
from grbcore.pitfalls.configurations import CONFIGURATIONS, PROPAGATION, meant, named
from grbcore.pitfalls.engine import Run, together, train
from grbcore.pitfalls.paper import SOURCES
from grbcore.pitfalls.propagation import propagate
from grbcore.pitfalls.splitting import Scheme, split
from grbcore.pitfalls.standard import Standard
from grbcore.pitfalls.store import Kept, Key, Store
from grbcore.processes import Workers
from grbcore.seeds import derive_seed
from grbcore.violations import Refused, Violation

#: The paper's.
SEED = 2018

#: One more whenever a run of the same key comes out otherwise, so that no study mixes both.
IMPLEMENTATION = 1

#: Initialisations that are trained at once: more hardly add speed, and a stop loses them.
AT_ONCE = 10

#: Seconds of one run on CiteSeer, about: before any is done the models are weighed by these.
_GUESS = {
    "GCN": 0.3, "GAT": 3.0, "MoNet": 1.0, "GS-mean": 2.5, "GS-maxpool": 4.0, "GS-meanpool": 3.0,
    "MLP": 0.2, "LogReg": 0.6, "LabelProp": 0.05, "LabelProp NL": 0.05,
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Study:
    """Which runs: datasets × models × splits × initialisations, and how nodes are split.

    A model may be named with a configuration of its own, see `named`; each is kept under one name.
    """

    datasets: tuple[str, ...]
    models: tuple[str, ...]
    splits: int
    inits: int
    scheme: Scheme = "per-class"
    seed: int = SEED

    def __post_init__(self) -> None:
        found = [
            Violation("parameters", f"--{name}", f"{value}", "1 or more")
            for name, value in (("splits", self.splits), ("inits", self.inits))
            if value < 1
        ]
        for option, names, known, listed in (
            ("--dataset", self.datasets, SOURCES.__contains__, SOURCES),
            ("--models", self.models, _known, CONFIGURATIONS),
        ):
            allowed = ", ".join(listed)
            found += [Violation("format", option, n, allowed) for n in names if not known(n)]
        if self.scheme not in ("per-class", "grb"):
            found.append(Violation("format", "--scheme", self.scheme, "per-class, grb"))
        if found:
            raise Refused(found)
        models = tuple(dict.fromkeys(named(*meant(name)) for name in self.models))
        object.__setattr__(self, "models", models)

    def runs(self) -> list[Key]:
        """Every run: all models on the first split, then on the next; propagation once each."""
        return [
            Key(dataset, model, number, init)
            for dataset in self.datasets
            for model in self.models
            for number in range(self.splits)
            for init in range(1 if meant(model)[0] in PROPAGATION else self.inits)
        ]


def _known(name: str) -> bool:
    try:
        meant(name)
    except ValueError:
        return False
    return True


@dataclass(frozen=True, slots=True)
class Job:
    """Some initialisations of a model on one split, trained at once."""

    dataset: str
    model: str
    split: int
    inits: tuple[int, ...]

    @property
    def weight(self) -> float:
        """About how long it takes, in seconds on CiteSeer."""
        return _GUESS[meant(self.model)[0]] * len(self.inits)


def jobs_of(study: Study, done: set[Key]) -> list[Job]:
    """What is not done, in the order of `Study.runs`, at most `AT_ONCE` runs to a job."""
    groups: dict[tuple[str, str, int], list[int]] = {}
    for key in study.runs():
        if key not in done:
            groups.setdefault((key.dataset, key.model, key.split), []).append(key.init)
    return [
        Job(*place, tuple(inits[start : start + AT_ONCE]))
        for place, inits in groups.items()
        for start in range(0, len(inits), AT_ONCE)
    ]


#: Does jobs on graphs of these digests, by dataset; gives each with its runs and their seconds.
Elsewhere = Callable[
    [Study, Sequence[Job], Mapping[str, str]], Iterable[tuple[Job, Sequence[Run], float]]
]


def carry_out(
    study: Study,
    store: Store,
    *,
    jobs: int = 1,
    data_dir: Path | None = None,
    ended: Callable[[Job, float], None] | None = None,
    elsewhere: Elsewhere | None = None,
) -> None:
    """Do what is missing and keep it; what is there is not done again.

    Args:
        study: which runs.
        store: where they are kept; it must be of the same seed, scheme, graphs, configurations.
        jobs: processes, one thread each; with one it is this process.
        data_dir: the folder of datasets.
        ended: told of each job and its seconds, once its runs are kept.
        elsewhere: does the jobs, in place of processes of this host.

    Raises:
        DatasetError: a dataset is not here.
        Refused: the file is of another study.
        ValueError: fewer than one job.
    """
    if jobs < 1:
        raise ValueError(f"jobs: found {jobs}, allowed: 1 or more")
    loaded = {name: sources.load(name, data_dir=data_dir) for name in study.datasets}
    digests = {f"graph of {name}": dataset.digest for name, dataset in loaded.items()}
    chosen = {
        f"configuration of {model}": meant(model)[1].model_dump_json() for model in study.models
    }
    store.file.belongs(
        seed=study.seed, scheme=study.scheme, implementation=IMPLEMENTATION, **digests, **chosen
    )
    missing = jobs_of(study, store.keys())

    def keep(job: Job, runs: Sequence[Run], seconds: float) -> None:
        share = seconds / len(runs)
        pairs = zip(job.inits, runs, strict=True)
        store.add(Kept(Key(job.dataset, job.model, job.split, i), run, share) for i, run in pairs)
        if ended is not None:
            ended(job, seconds)

    if elsewhere is not None:
        graphs = {name: dataset.digest for name, dataset in loaded.items()}
        for job, runs, seconds in elsewhere(study, missing, graphs):
            keep(job, runs, seconds)
        return
    if jobs == 1 or len(missing) < 2:
        for job in missing:
            keep(job, *timed(study, loaded[job.dataset], job))
        return
    with Workers(_elsewhere, (study, loaded), jobs) as workers:
        for job, found in workers.each(missing):
            keep(job, *found)


def run(study: Study, dataset: Standard, job: Job) -> list[Run]:
    """The job's runs; each depends on the study's seed and its own key alone."""
    made = split(dataset, study.scheme, derive_seed("split", study.seed, job.split))
    model, chosen = meant(job.model)
    if model in PROPAGATION:
        return [propagate(chosen, dataset, made)] * len(job.inits)
    seeds = [
        derive_seed("run", study.seed, job.dataset, model, job.split, init) for init in job.inits
    ]
    each = together(model, chosen, dataset)
    return [
        found
        for start in range(0, len(seeds), each)
        for found in train(model, chosen, dataset, made, seeds[start : start + each])
    ]


def timed(study: Study, dataset: Standard, job: Job) -> tuple[list[Run], float]:
    """`run`, and the seconds that it took."""
    started = time.perf_counter()
    found = run(study, dataset, job)
    return found, time.perf_counter() - started


def _elsewhere(given: tuple[Study, dict[str, Standard]], job: Job) -> tuple[list[Run], float]:
    study, loaded = given
    return timed(study, loaded[job.dataset], job)
