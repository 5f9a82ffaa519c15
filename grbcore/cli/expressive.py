"""``grb study expressive``: how robust are graph-level architectures, attacked one by one?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.measure import Measurement
from rich.table import Table

from grbcore.cli.celery_workers import check_workers, expressive_over_celery
from grbcore.cli.interruption import told_when_interrupted
from grbcore.cli.options import DataDir, bar_of_work, console, folder_target, names_of
from grbcore.settings import Settings
from grbcore.violations import Refused, Violation

if TYPE_CHECKING:
    from grbcore.graphlevel.study.plan import Key, Study
    from grbcore.graphlevel.study.results import Mean, Results
    from grbcore.graphlevel.study.store import Store


def expressive(
    dataset: Annotated[str, typer.Option(help="mutag, imdb-binary, imdb-multi or zinc.")],
    models: Annotated[
        str | None,
        typer.Option(
            help="Of Bag, meanGINE, GIN, GINE, SignNet, DropGINE, ESAN, PPGN; all by default. "
            "GINE-adv and its like are trained adversarially."
        ),
    ] = None,
    seeds: Annotated[
        str, typer.Option(help="Models of each architecture: how many, or which, such as 3-4.")
    ] = "5",
    attacks: Annotated[
        str,
        typer.Option(
            help="With commas, of brute-force and brute-force-attributes (at budget 1 only), "
            "adjpgd, attrpgd, genetic, genetic-attributes, random, random-remove, random-rewire, "
            "random-nodes; none with an empty text."
        ),
    ] = "brute-force,adjpgd",
    budgets: Annotated[
        str, typer.Option(help="Changes of each graph, such as 1,3 or 1-5.")
    ] = "1-5",
    search: Annotated[
        bool, typer.Option("--search/--no-search", help="Find the rate of gradient attacks.")
    ] = False,
    epochs: Annotated[
        int | None, typer.Option(help="At most so many; the thesis' by default.")
    ] = None,
    jobs: Annotated[int, typer.Option(min=1, help="Processes, one thread each.")] = 1,
    workers: Annotated[
        str, typer.Option(help="local: processes here; celery: `python -m worker.studies`.")
    ] = "local",
    plot: Annotated[bool, typer.Option("--plot/--no-plot", help="Draw the curves.")] = True,
    out: Annotated[
        Path | None,
        typer.Option(
            help="The folder of runs and results; var/study-expressive/DATASET by default."
        ),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Train each architecture from several seeds and attack every model itself, white box.

    Recipes, attacks and scores are those of a thesis on expressive graph neural networks.  Each
    model on clean graphs is a run, and so is each attack on it at each budget.  A run that is there
    is not done again, so the same command goes on where it was stopped.
    """
    folder = out or Settings().var_dir / "study-expressive" / dataset
    folder_target(folder)
    check_workers(workers)
    asked = names_of(attacks) if attacks.strip() else ()
    numbers = _numbers("--budgets", budgets)
    which = tuple(range(int(seeds))) if seeds.isdecimal() else _numbers("--seeds", seeds)
    from grbcore.folders import alone
    from grbcore.graphlevel.study.plan import Study
    from grbcore.graphlevel.study.report import write
    from grbcore.graphlevel.study.results import Results
    from grbcore.graphlevel.study.store import Store
    from grbcore.graphlevel.training import RECIPES
    from grbcore.visualise import MissingExtra

    chosen = names_of(models) if models is not None else tuple(RECIPES.get(dataset, ()))
    study = Study(dataset, chosen, which, asked, numbers, search, epochs)
    with alone(folder):  # a second command waits, and then does what is missing
        store = Store(folder / "runs.sqlite")
        _carry_out(study, store, jobs, data_dir, workers)
        wanted = set(study.runs())
        kept = [one for one in store.runs() if one.key in wanted]
        failures = [one for one in store.failures() if any(map(one.whose, wanted))]
        try:
            written = write(folder, study, kept, failures, plot=plot)
        except MissingExtra as missing:
            console.print(f"no plot: {missing}", markup=False)
            written = write(folder, study, kept, failures, plot=False)
    _tell(Results.of(kept, study.dataset, study.models, study.attacks))
    for one in failures:
        console.print(f"{one.model}, seed {one.seed}: {one.reason}", style="red", markup=False)
    console.print(f"{', '.join(path.name for path in written)} in {folder}", soft_wrap=True)


def _numbers(option: str, text: str) -> tuple[int, ...]:
    """The numbers of ``1-3,5``, ascending."""
    found: set[int] = set()
    for part in text.split(","):
        named = re.fullmatch(r"\s*(\d{1,3})(?:-(\d{1,3}))?\s*", part)
        if named is None:
            raise Refused([Violation("format", option, text, "numbers such as 1,3 or 1-5")])
        found |= set(range(int(named[1]), int(named[2] or named[1]) + 1))
    return tuple(sorted(found))


def _carry_out(study: Study, store: Store, jobs: int, data_dir: Path | None, workers: str) -> None:
    from grbcore.graphlevel.study.running import carry_out, weight

    every, done, failed = set(study.runs()), store.keys(), store.failures()
    console.print(
        f"{len(every):,} runs, {len(every & done):,} of them there; {store.path}", soft_wrap=True
    )

    def kept() -> str:
        have = len(every & store.keys())
        return f"{store.path} keeps {have} of {len(every)} runs; the same command goes on"

    missing = [key for key in every - done if not any(one.whose(key) for one in failed)]
    total = sum(weight(study, key) for key in missing)
    with told_when_interrupted(kept), bar_of_work(total) as did:

        def ended(key: Key, seconds: float) -> None:
            budget = f" at budget {key.budget}" if key.budget else ""
            did(weight(study, key), f"{key.model}, seed {key.seed}, {key.attack}{budget}")

        elsewhere = expressive_over_celery if workers == "celery" else None
        carry_out(study, store, jobs=jobs, data_dir=data_dir, ended=ended, elsewhere=elsewhere)


def _tell(results: Results) -> None:
    from grbcore.graphlevel.study.plan import CLEAN
    from grbcore.graphlevel.study.results import Mean

    what = "accuracy" if results.higher_is_better else "normalised mean absolute error"
    for attack in results.attacks or ("no attack",):
        budgets = results.budgets(attack)
        heads = ("model", "clean", *map(str, budgets), *(("CRR", "efficacy") if budgets else ()))
        rows = []
        for name in results.models:
            cells = [Mean.of(results.scores(name, CLEAN, 0))]
            cells += [Mean.of(results.scores(name, attack, budget)) for budget in budgets]
            if budgets:
                cells += [results.robustness(name, attack), results.efficacy(name, attack)]
            rows.append((name, cells))
        title = f"{results.dataset}, {attack}: {what}, mean ± std over seeds"
        table = _table(heads, rows, " ± ", title=title)
        if (
            Measurement.get(console, console.options.update(max_width=999), table).maximum
            > console.width
        ):
            # each mean above its deviation, and one space between columns
            table = _table(heads, rows, "\n±", title=title, box=None, padding=(0, 1, 0, 0))
        console.print(table)
        if shares := results.unmoved_shares(attack):
            told = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
            console.print(
                f"{attack} sees no slope on these shares of the graphs, so that they hold under it "
                f"is no proof of robustness: {told}"
            )
    level, whose = results.baseline()
    side = "above" if results.higher_is_better else "below"
    console.print(
        f"CRR is {side} {level:.3f}, {whose}; efficacy is the share of brute force's gain"
    )


def _table(
    heads: Sequence[str], rows: Sequence[tuple[str, list[Mean | None]]], between: str, **how: Any
) -> Table:
    table = Table(**how)
    for head in heads:
        table.add_column(head, justify="left" if head == "model" else "right", no_wrap=True)
    for name, cells in rows:
        numbers = [f"{one.mean:.3f}{between}{one.std:.3f}" if one else "–" for one in cells]
        table.add_row(name, *numbers)
    return table
