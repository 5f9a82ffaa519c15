"""``grb study splits``: models over many splits and initialisations, resumed where it stopped."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.table import Table

from grbcore.cli import tuning
from grbcore.cli.celery_workers import check_workers, splits_over_celery
from grbcore.cli.interruption import told_when_interrupted
from grbcore.cli.options import DataDir, bar_of_work, console, folder_target, names_of
from grbcore.settings import Settings
from grbcore.violations import Refused, Violation

if TYPE_CHECKING:
    from grbcore.pitfalls.results import Results
    from grbcore.pitfalls.running import Job, Study
    from grbcore.pitfalls.store import Store


def splits(
    dataset: Annotated[str, typer.Option(help="Datasets of the protocol, with commas.")],
    models: Annotated[
        str | None, typer.Option(help="Its models, with commas; all ten by default.")
    ] = None,
    splits: Annotated[int, typer.Option(help="Random splits of the nodes.")] = 100,
    inits: Annotated[int, typer.Option(help="Initialisations on each split.")] = 20,
    scheme: Annotated[
        str, typer.Option(help="per-class: 20 and 30 of each class; grb: GRB's, by degree.")
    ] = "per-class",
    seed: Annotated[int, typer.Option(help="Of splits, initialisations and dropout.")] = 2018,
    tune: Annotated[
        bool, typer.Option("--tune", help="Try the paper's grid instead, and name the best.")
    ] = False,
    draws: Annotated[
        int | None, typer.Option(help="With --tune: so many of each grid, at random; all.")
    ] = None,
    weights: Annotated[
        int | None, typer.Option(help="With --tune: weights on Cora at most; Table 4's most.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes, one thread each.")] = 1,
    workers: Annotated[
        str, typer.Option(help="local: processes here; celery: `python -m worker.studies`.")
    ] = "local",
    plot: Annotated[bool, typer.Option("--plot/--no-plot", help="Draw the box plots.")] = True,
    out: Annotated[
        Path | None, typer.Option(help="The folder of runs and results; under var/ by default.")
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Train each model on many splits, many times: is a difference real, or one lucky split?

    The protocol of Shchur et al. (2018), with the configurations that they chose, or with --tune
    their search for them.  A run that is there is not done again, so the same command goes on where
    it was stopped.
    """
    folder = out or Settings().var_dir / "study-splits"
    folder_target(folder)
    check_workers(workers)
    from grbcore.folders import alone
    from grbcore.pitfalls.configurations import CONFIGURATIONS
    from grbcore.pitfalls.report import write
    from grbcore.pitfalls.results import Results
    from grbcore.pitfalls.running import Study
    from grbcore.pitfalls.store import Store
    from grbcore.visualise import MissingExtra

    chosen = tuple(CONFIGURATIONS) if models is None else names_of(models)
    searched: dict[str, list[str]] = {}
    if tune:
        chosen = tuple(model for model in chosen if model != "LabelProp" or models is not None)
        searched = tuning.candidates_of(chosen, weights, draws, seed)
        chosen = tuple(name for names in searched.values() for name in names)
    elif draws is not None or weights is not None:
        found = "--draws" if draws is not None else "--weights"
        raise Refused([Violation("format", found, "no --tune", "only with --tune")])
    study = Study(names_of(dataset), chosen, splits, inits, scheme, seed)  # type: ignore[arg-type]
    store = Store(folder / "runs.sqlite")
    with alone(folder):  # a second command waits, and then does what is missing
        _carry_out(study, store, jobs, data_dir, workers)
        asked = set(study.runs())
        kept = [one for one in store.runs() if one.key in asked]
        if tune:
            tuning.tell(folder, kept, searched, weights)
            return
        try:
            written = write(folder, study, kept, plot=plot)
        except MissingExtra as missing:
            console.print(f"no plot: {missing}", markup=False)
            written = write(folder, study, kept, plot=False)
    _tell(Results.of(kept, study.models, study.datasets))
    console.print(f"{', '.join(path.name for path in written)} in {folder}", soft_wrap=True)


def _carry_out(study: Study, store: Store, jobs: int, data_dir: Path | None, workers: str) -> None:
    from grbcore.pitfalls.running import carry_out, jobs_of

    every, done = set(study.runs()), store.keys()
    missing = jobs_of(study, done)
    there = len(every & done)
    console.print(f"{len(every):,} runs, {there:,} of them there; {store.path}", soft_wrap=True)

    def kept() -> str:
        have = len(every & store.keys())
        return f"{store.path} keeps {have} of {len(every)} runs; the same command goes on"

    with told_when_interrupted(kept), bar_of_work(sum(job.weight for job in missing)) as did:

        def ended(job: Job, seconds: float) -> None:
            did(job.weight, f"{job.model} on split {job.split} of {job.dataset}")

        elsewhere = splits_over_celery if workers == "celery" else None
        carry_out(study, store, jobs=jobs, data_dir=data_dir, ended=ended, elsewhere=elsewhere)


def _tell(results: Results) -> None:
    from grbcore.pitfalls.results import average_rank, cell, flip, relative_accuracy, winners

    table = Table(title="Test accuracy in percent, mean ± std, median; failures")
    table.add_column("model", no_wrap=True)
    for dataset in results.datasets:
        table.add_column(dataset, justify="right")
    table.add_column("rel. acc.", justify="right")
    table.add_column("avg. rank", justify="right")
    relative, ranks = relative_accuracy(results.accuracy), average_rank(results.accuracy)
    for place, name in enumerate(results.models):
        words = []
        for dataset in results.datasets:
            found = cell(results, name, dataset)
            words.append(
                "–" if found is None
                else f"{100 * found.mean:.1f} ± {100 * found.std:.1f}, {100 * found.median:.1f}; "
                f"{found.failures}"
            )  # fmt: skip
        table.add_row(name, *words, f"{100 * relative[place]:.1f}", f"{ranks[place]:.1f}")
    console.print(table)
    for dataset in results.datasets:
        wins = ", ".join(f"{name} {times}" for name, times in winners(results, dataset).items())
        console.print(f"{dataset}: splits won: {wins}", soft_wrap=True, highlight=False)
        flipped = flip(results, dataset)
        if flipped is not None:
            (one, other), (first, second) = flipped.splits, flipped.winners
            console.print(
                f"{dataset}: on split {one} {first} is the best, on split {other} {second} "
                f"({100 * flipped.leads[0]:.1f} and {100 * flipped.leads[1]:.1f} points before the "
                "other)",
                soft_wrap=True,
                highlight=False,
            )
