"""What a user does with datasets: list, fetch, check, split."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer
from rich.console import Console
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TransferSpeedColumn,
)
from rich.table import Table

from grbcore import catalog, datasets
from grbcore.catalog import DatasetEntry
from grbcore.datasets.checking import differences
from grbcore.datasets.fetch import by_hand
from grbcore.datasets.fetch import fetch as fetch_files
from grbcore.datasets.reading import read_adjacency, write_split
from grbcore.datasets.registry import places
from grbcore.folders import data_folders
from grbcore.graphlevel import checking, load, registered
from grbcore.graphlevel.loading import SOURCES as GRAPHS
from grbcore.pitfalls.paper import SOURCES
from grbcore.scenario import DIFFICULTIES
from grbcore.settings import Settings

app = typer.Typer(help="The graphs of the boards.", no_args_is_help=True)
console = Console()

Name = Annotated[str, typer.Argument(help="A registered dataset, such as grb-cora.")]
DataDir = Annotated[
    Path | None,
    typer.Option("--data-dir", envvar="GRB_DATA_DIR", help="The folder of datasets."),
]


@app.command("list")
def list_datasets(data_dir: DataDir = None) -> None:
    """List every registered dataset, and whether its files are here."""
    table = Table(
        title="Datasets", caption="Of whole graphs the sizes are those of the test graphs."
    )
    table.add_column("name", no_wrap=True)
    for heading in ("graphs", "nodes", "edges", "features", "classes"):
        table.add_column(heading, justify="right", no_wrap=True, min_width=len(heading))
    table.add_column("data", overflow="fold")
    for name, entry in catalog.datasets().items():
        graphs = f"{entry.graphs:,}" if entry.graphs else ""
        features = "degree" if entry.by_degree else f"{entry.features:,}"
        sizes = (f"{entry.nodes:,}", f"{entry.edges:,}", features, f"{entry.classes:,}")
        table.add_row(name, graphs, *sizes, _where(entry, data_dir))
    console.print(table)


def _where(entry: DatasetEntry, data_dir: Path | None) -> str:
    if entry.bundled:
        return "bundled"
    paths = places(entry.name, data_dir=data_dir)
    lacking = [file for file, path in paths.items() if path is None]
    if not lacking:
        folders = dict.fromkeys(str(path.parent) for path in paths.values() if path)
        return f"present in {', '.join(folders)}"
    only = f" (lacking: {', '.join(lacking)})" if len(lacking) < len(paths) else ""
    return f"not present: grb datasets fetch {entry.name}{only}"


@app.command()
def fetch(
    name: Name,
    mirror: Annotated[
        str | None,
        typer.Option(
            help="Serves {mirror}/{name}/{file}.npz, of whole graphs a file for each folder; "
            "GRB_MIRROR otherwise."
        ),
    ] = None,
    data_dir: DataDir = None,
) -> None:
    """Fetch a dataset's files, going on where an earlier fetch stopped, and check them.

    MUTAG, IMDB-BINARY and IMDB-MULTI come from TUDataset where no mirror is named.
    """
    entry = catalog.dataset(name)
    if entry.bundled:
        console.print(f"{name} is bundled: nothing to fetch")
        return
    into = data_folders(data_dir)[0]
    if not datasets.present(name, data_dir=data_dir):
        columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn())
        with Progress(*columns, TransferSpeedColumn(), console=console) as bars:
            tasks: dict[str, TaskID] = {}

            def progress(file: str, have: int, total: int | None) -> None:
                if file not in tasks:
                    tasks[file] = bars.add_task(file, total=None)
                bars.update(tasks[file], completed=have, total=total)

            fetch_files(name, into, mirror=mirror or Settings().mirror, progress=progress)
    _report(name, data_dir)


@app.command()
def check(name: Name, data_dir: DataDir = None) -> None:
    """Compare a dataset's files with the catalog: hashes, sizes, split, range of features.

    A dataset of the Pitfalls protocol, such as citeseer, is standardised and its row of Table 3
    compared; of one of small graphs, such as mutag, the sizes and the split.
    """
    if name in catalog.datasets() and not datasets.present(name, data_dir=data_dir):
        into = data_folders(data_dir)[0]
        raise datasets.DatasetError(f"{name}: found no files.\n{by_hand(name, into)}")
    if name not in catalog.datasets() and name in SOURCES:
        _report_standard(name, data_dir)
    else:
        _report(name, data_dir)


def _report_standard(name: str, data_dir: Path | None) -> None:
    from grbcore.pitfalls import sources

    dataset = sources.load(name, data_dir=data_dir)
    found = sources.differences(dataset)
    for difference in found:
        typer.echo(f"  {difference}", err=True)
    if found:
        typer.echo(f"{name} differs from Table 3", err=True)
        raise typer.Exit(1)
    told = "as Table 3 says" if SOURCES[name].expected else "not in Table 3"
    typer.echo(
        f"{name} is {told}: {dataset.nodes:,} nodes, {dataset.features:,} features, "
        f"{dataset.looped_edges:,} edges with self-loops, {dataset.classes} classes, label rate "
        f"{dataset.label_rate:.4f}, edge density {dataset.density:.4f}"
    )


def _report_graphs(name: str, data_dir: Path | None) -> None:
    dataset = load(name, data_dir=data_dir)
    found = checking.differences(dataset)
    if name in catalog.datasets():
        found += registered.content_differences(name, data_dir=data_dir)
    for difference in found:
        typer.echo(f"  {difference}", err=True)
    if found:
        typer.echo(f"{name} differs from what is recorded", err=True)
        raise typer.Exit(1)
    nodes, edges = checking.means(dataset)
    parts = ", ".join(
        f"{len(ids):,} {part}"
        for part, ids in (
            ("for training", dataset.split.train),
            ("for validation", dataset.split.val),
            ("for testing", dataset.split.test),
        )
    )
    typer.echo(
        f"{name} is as recorded: {len(dataset.graphs):,} graphs, {parts}, {nodes:.1f} nodes and "
        f"{edges:.1f} edges on average, split {dataset.split.digest()[:12]}"
    )


def _report(name: str, data_dir: Path | None) -> None:
    if name in GRAPHS:
        return _report_graphs(name, data_dir)
    folder = datasets.locate(name, data_dir=data_dir) or data_folders(data_dir)[0] / name
    found = differences(name, folder)
    for difference in found:
        typer.echo(f"  {difference}", err=True)
    if found:
        typer.echo(f"{name} in {folder} differs from the catalog", err=True)
        raise typer.Exit(1)
    entry = catalog.dataset(name)
    typer.echo(
        f"{name} in {folder} is as the catalog says: {entry.nodes:,} nodes, {entry.edges:,} "
        f"undirected edges, {entry.features:,} features, {entry.classes} classes"
    )


@app.command()
def split(
    folder: Annotated[Path, typer.Argument(help="Holds adj.npz; index.npz is written there.")],
    seed: Annotated[int, typer.Option(help="Of the draw and of ties.")] = 0,
    force: Annotated[bool, typer.Option("--force", help="Replace an index.npz.")] = False,
) -> None:
    """Split any graph as GRB does: easy, medium and hard test nodes by their degree."""
    path = folder / "index.npz"
    if path.exists() and not force:
        raise datasets.DatasetError(f"{path}: found a split already; --force replaces it")
    indptr, _ = read_adjacency(folder)
    try:
        made = datasets.split(np.diff(indptr), seed)
    except ValueError as error:
        raise datasets.DatasetError(f"{folder / 'adj.npz'}: {error}") from None
    write_split(folder, made)
    parts = {"train": made.train, "val": made.val}
    sizes = [f"{part} {len(ids)}" for part, ids in parts.items()]
    sizes += [f"{difficulty} {len(made.targets[difficulty])}" for difficulty in DIFFICULTIES]
    typer.echo(f"{path}: {', '.join(sizes)}")
