"""A board on whole graphs with entries and results: MUTAG, its data a few small random graphs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from grbcore import catalog, datasets
from grbcore.catalog import FileEntry
from grbcore.confusion import confusions
from grbcore.confusion import pack as pack_confusions
from grbcore.graphlevel.dataset import GraphDataset
from grbcore.graphlevel.loading import load
from grbcore.margins import pack as pack_margins
from grbcore.results import CLEAN, Cell
from grbcore.scenario import BUDGETS, Difficulty
from grbcore.scoring import Predictions, score
from grbcore.settings import Settings
from grbcore.store.session import Sessions, connect
from grbcore.submission import scale_of
from tests.api.stage import Stage
from tests.grbcore.graphlevel import small_mutag

BOARD = "mutag/adjacency@1"
GRAPHS = 80  # of which 8 are test graphs
REPEATS = 3

#: What an attack is told to have spent at every budget: one change of each graph.
SPENT = {name: {"added": [4, 4, 4], "removed": [3, 4, 5], "values": [0] * 3} for name in BUDGETS}


@contextmanager
def small_data(folder: Path) -> Iterator[GraphDataset]:
    """MUTAG as the catalog knows it, and its files, are those of small random graphs."""
    small_mutag.write(folder, GRAPHS)
    dataset = load("mutag", data_dir=folder)
    known = catalog.dataset("mutag")
    file = FileEntry()  # of which no hash is recorded
    scale = scale_of(dataset)
    sizes = {name: getattr(scale, name) for name in ("nodes", "edges", "graphs", "pairs")}
    told = {"files": {"tu-mutag": file}, "split": dataset.split.digest(), **sizes}
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(catalog.datasets(), "mutag", known.model_copy(update=told))
        patch.setenv("GRB_DATA_DIR", str(folder))
        yield datasets.load("mutag", GraphDataset, data_dir=folder)


@dataclass(frozen=True)
class Graphs:
    """What is on the board."""

    stage: Stage
    dataset: GraphDataset
    attacks: tuple[str, ...]
    defenses: tuple[str, ...]
    cells: Mapping[tuple[str, str], Cell]  # by attack (`CLEAN` among them) and defense
    ids: Mapping[tuple[str, str], str]  # of these cells
    said: Mapping[tuple[str, str], Mapping[Difficulty, list[Predictions]]]


def predictions(
    rng: np.random.Generator, dataset: GraphDataset, wrong: float, repeats: int
) -> dict[Difficulty, list[Predictions]]:
    """Classes of the test graphs, more of them wrong at each budget."""
    labels = dataset.labels_of("test")
    return {
        name: [
            np.where(rng.random(len(labels)) < wrong * int(name), 1 - labels, labels).astype(
                np.int16
            )
            for _ in range(repeats)
        ]
        for name in BUDGETS
    }


@contextmanager
def staged(url: str, folder: Path) -> Iterator[Graphs]:
    """Two references of each side with all their cells; one attack has one repeat."""
    engine = connect(url)
    with small_data(folder / "data") as dataset:
        page = folder / "dist"
        page.mkdir()
        (page / "index.html").write_text(
            '<meta name="description" content=""><title></title><noscript></noscript>'
        )
        settings = Settings(
            var_dir=folder / "var", page_dir=page, database_url=url, reap_seconds=3600
        )
        yield filled(Stage(Sessions(engine), settings, BOARD), dataset)
    engine.dispose()


def filled(stage: Stage, dataset: GraphDataset) -> Graphs:
    """The board with its entries."""
    model = {
        "architecture": "GINE",
        "parameters": {"hidden": 8, "layers": 2},
        "features": "normalised",
    }
    defenses = tuple(
        stage.entry("defense", f"D{n}", contents=model, family="GINE", is_reference=True)
        for n in range(2)
    )
    attacks = tuple(
        stage.entry(
            "attack",
            f"A{n}",
            user="bob",
            family="AdjPGD",
            contents={"difficulties": list(BUDGETS), "repeats": repeats},
            is_reference=True,
            spent=SPENT if repeats == REPEATS else None,
        )
        for n, repeats in enumerate((REPEATS, 1))
    )
    rng = np.random.default_rng(1)
    cells, ids, every = {}, {}, {}
    for defense in defenses:
        for attack, wrong, repeats in zip(
            (CLEAN, *attacks), (0, 0.16, 0.1), (1, 3, 1), strict=True
        ):
            said = predictions(rng, dataset, wrong, repeats)
            if attack == CLEAN:
                said = dict.fromkeys(BUDGETS, predictions(rng, dataset, 0.2, 1)["1"])
            correct, total, hits = score(said, dataset)
            found = {
                "hits_sha256": stage.blobs.put_bytes(hits),
                "confusion": pack_confusions(confusions(said, dataset)),
                "margins": pack_margins(np.arange(8, dtype=np.uint8)) if attack == CLEAN else None,
            }
            counts = {str(name): list(counts) for name, counts in correct.items()}
            ids[attack, defense] = stage.cell(
                None if attack == CLEAN else attack, defense, counts, 8, **found
            )
            cells[attack, defense] = Cell(attack, defense, correct, total)
            every[attack, defense] = said
    return Graphs(stage, dataset, attacks, defenses, cells, ids, every)
