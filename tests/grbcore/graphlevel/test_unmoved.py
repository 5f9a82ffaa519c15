"""Graphs on which a gradient attack sees no slope, and that a study says so."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch

from grbcore.cli import expressive
from grbcore.graphlevel import GraphBudget
from grbcore.graphlevel.attacks import AdjPGD, AttrPGD, BruteForce, Case, perturb
from grbcore.graphlevel.attacks.gradient import Ascent
from grbcore.graphlevel.models import GraphLevelModel
from grbcore.graphlevel.random_changes import Values
from grbcore.graphlevel.study.plan import CLEAN, Key, Study
from grbcore.graphlevel.study.report import document, write
from grbcore.graphlevel.study.results import Results
from grbcore.graphlevel.study.running import carry_out
from grbcore.graphlevel.study.store import Kept, Run, Store
from grbcore.graphlevel.targets import Target
from tests.grbcore.graphlevel import small_mutag
from tests.grbcore.graphlevel.samples import random_graphs, ring, small_model

VALUES = Values(((0, 1, 2), (0, 1)), ((0, 1, 2, 3),))
GRAPHS = random_graphs(8, 11)
LABELS = np.arange(8) % 2


def unmoved(attack: Ascent, model: GraphLevelModel) -> list[bool]:
    budget = GraphBudget(absolute=2, attributes=isinstance(attack, AttrPGD))
    case = Case(model, GRAPHS, LABELS, Target("binary"), budget)
    return attack.unmoved(case, rng=np.random.default_rng(0)).tolist()


def half_dead() -> tuple[GraphLevelModel, list[bool]]:
    """A SignNet whose readout passes nothing of some graphs, and which these are."""
    model = small_model("SignNet")
    first, last = model.readout[2], model.readout[4]
    assert isinstance(first, torch.nn.Linear) and isinstance(last, torch.nn.Linear)
    seen: list[torch.Tensor] = []
    hook = first.register_forward_hook(lambda _, given, found: seen.append(found))
    model(model.batch(GRAPHS))
    hook.remove()
    with torch.no_grad():
        last.weight.fill_(1.0)
        highest = seen[0].max(1).values.sort().values
        first.bias -= highest[3:5].mean()  # between two graphs, so that none is at the kink
    outputs = model(model.batch(GRAPHS))[:, 0]
    return model, (outputs == last.bias).tolist()


@pytest.mark.parametrize("make", [AdjPGD, lambda: AttrPGD(values=VALUES)])
def test_graphs_whose_output_is_constant_around_them_are_not_moved(
    make: Callable[[], Ascent],
) -> None:
    model, dead = half_dead()
    assert 0 < sum(dead) < len(GRAPHS)
    assert unmoved(make(), model) == dead


def test_they_are_the_graphs_that_adjpgd_leaves_and_brute_force_does_not() -> None:
    """Outputs of the unmoved are the last bias; one edge more or less of many moves them."""
    model, dead = half_dead()
    budget = GraphBudget(absolute=1)
    found, strongest = (
        perturb(attack, model, GRAPHS, LABELS, task="binary", budget=budget,
                rng=np.random.default_rng(0))
        for attack in (AdjPGD(), BruteForce(VALUES))
    )  # fmt: skip
    assert all(found[g].flips.size == 0 for g in range(len(GRAPHS)) if dead[g])
    assert any(found[g].flips.size for g in range(len(GRAPHS)) if not dead[g])
    assert any(strongest[g].flips.size for g in range(len(GRAPHS)) if dead[g])


def test_edges_have_no_slope_in_a_bag_but_features_have() -> None:
    model = small_model("Bag")
    assert all(unmoved(AdjPGD(), model))
    assert not any(unmoved(AttrPGD(values=VALUES), model))
    assert not any(unmoved(AdjPGD(), small_model("GINE")))


def test_a_graph_that_could_only_be_moved_the_other_way_has_a_slope() -> None:
    """Edges of a clique can only be taken out: a slope that asks for more of them moves nothing."""
    clique = [ring(3)] * 2  # no pair is without an edge
    model, space = small_model("GINE"), np.random.default_rng(0)
    stays = []
    for label in (0, 1):
        case = Case(model, clique, np.full(2, label), Target("binary"), GraphBudget(absolute=1))
        stays.append(AdjPGD(steps=1)(case, rng=space)[0].flips.size == 0)
        assert not AdjPGD().unmoved(case, rng=space).any()
    assert any(stays)


def test_a_study_keeps_and_tells_the_share(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    data = small_mutag.write(tmp_path / "data")
    study = Study("mutag", ("Bag", "ESAN"), (0,), ("random", "adjpgd"), (1, 2), epochs=1)
    store = Store(tmp_path / "runs.sqlite")
    carry_out(study, store, data_dir=data)
    kept = store.runs()
    shares = {(one.key.model, one.key.attack): one.run.unmoved for one in kept}
    assert shares.pop(("Bag", "adjpgd")) == 1.0
    assert shares.pop(("ESAN", "adjpgd")) == 0.0
    assert set(shares.values()) == {None}
    results = Results.of(kept, "mutag", study.models, study.attacks)
    bag, esan = document(study, results)["models"]
    assert bag["attacks"]["adjpgd"]["budgets"]["2"]["unmoved"]["mean"] == 1.0
    assert bag["attacks"]["random"]["budgets"]["2"]["unmoved"] is None
    assert esan["attacks"]["adjpgd"]["budgets"]["1"]["unmoved"]["mean"] == 0.0
    write(tmp_path, study, kept)
    assert "no slope: 100%" in (tmp_path / "adjpgd.svg").read_text("utf-8")
    assert "no slope" not in (tmp_path / "random.svg").read_text("utf-8")
    assert "unmoved" in (tmp_path / "runs.csv").read_text("utf-8").splitlines()[0]
    assert json.loads((tmp_path / "results.json").read_text("utf-8"))["models"][0] == bag
    expressive._tell(results)
    told = " ".join(capsys.readouterr().out.split())
    assert told.count("no slope") == 1 and "no proof of robustness: Bag 100%" in told


def test_the_share_is_that_of_the_least_budget_that_has_one() -> None:
    """Runs of a folder from before have none."""
    kept = [
        Kept(Key("mutag", "GIN", 0, "adjpgd", budget), Run(0.5, unmoved=share), 1.0)
        for budget, share in ((1, None), (2, 0.5), (3, 0.25))
    ]
    assert Results.of(kept, "mutag", ("GIN", "ESAN"), ("adjpgd",)).unmoved_shares("adjpgd") == {
        "GIN": 0.5
    }


def test_a_study_begun_before_shares_were_kept_goes_on(tmp_path: Path) -> None:
    path = tmp_path / "runs.sqlite"
    clean, attacked = Key("mutag", "Bag", 0, CLEAN, 0), Key("mutag", "Bag", 0, "adjpgd", 1)
    before = Kept(clean, Run(0.5, 0.4, 0.6, 9, 7), 2.0)
    Store(path).add(before)
    with sqlite3.connect(path) as connection:
        connection.execute("ALTER TABLE runs DROP COLUMN unmoved")
    store = Store(path)
    after = Kept(attacked, Run(0.25, 0.3, rate=0.1, unmoved=1.0), 3.0)
    store.add(after)
    assert sorted(store.runs(), key=lambda one: one.key.budget) == [before, after]
